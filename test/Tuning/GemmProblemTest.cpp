// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts that tuning databases know matrix products by.

#include "tuning/GemmProblem.h"

#include <gtest/gtest.h>

#include <random>

using namespace tert;

static GemmProblem sample() {
  GemmProblem problem;
  problem.m = 8192;
  problem.n = 4096;
  problem.k = 12288;
  problem.a = TERT_F8E4M3;
  problem.b = TERT_F8E5M2;
  problem.d = TERT_BF16;
  problem.transposeB = true;
  problem.scaled = problem.fastAccumulate = problem.hasBias = true;
  problem.setDenseStrides();
  return problem;
}

TEST(GemmProblem, IsWrittenAsDatabasesHaveIt) {
  GemmProblem problem = sample();
  EXPECT_EQ(keyText(problem),
            "8192x4096x12288 f8E4M3 * f8E5M2^T -> bf16 + bias, fast");
  problem.fastAccumulate = false;
  problem.addToD = true;
  problem.aStride = 12304;
  problem.dAlignment = 16;
  EXPECT_EQ(keyText(problem),
            "8192x4096x12288 f8E4M3 * f8E5M2^T -> bf16 + bias + d, split, "
            "strides 12304 12288 4096, aligned 256 256 16");
  problem.aScales = ScaleMode::Vector;
  problem.bScales = ScaleMode::Block;
  EXPECT_EQ(
      keyText(problem),
      "8192x4096x12288 f8E4M3 * f8E5M2^T -> bf16 + bias + d, split, "
      "scales 1x128 128x128, strides 12304 12288 4096, aligned 256 256 16");
}

// Of every combination of what a text can say.
TEST(GemmProblem, ComesBackFromItsText) {
  for (unsigned bits = 0; bits < 256; ++bits) {
    GemmProblem problem = sample();
    problem.transposeA = bits & 1;
    problem.transposeB = bits & 2;
    problem.hasBias = bits & 4;
    problem.addToD = bits & 8;
    problem.scaled = bits & 16;
    problem.fastAccumulate = problem.scaled && (bits & 32);
    if (problem.scaled && (bits & 128)) {
      problem.aScales = ScaleMode(bits & 3);
      problem.bScales = ScaleMode(bits / 4 & 3);
    }
    problem.a = bits & 64 ? TERT_F32 : TERT_F8E4M3;
    problem.setDenseStrides();
    for (int odd = 0; odd < 4; ++odd) {
      problem.bStride += odd & 1 ? 16 : 0;
      problem.aAlignment = odd & 2 ? 4 : 256;
      std::optional<GemmProblem> read = parseGemmProblem(keyText(problem));
      ASSERT_TRUE(read) << keyText(problem);
      EXPECT_EQ(read->key(), problem.key()) << keyText(problem);
    }
  }
}

TEST(GemmProblem, OtherTextsAreNone) {
  for (const char *text :
       {"", "8x8", "8x8x8", "8x8x8 f32 * f32", "8x8x8 f32 * f32 -> i64",
        "8x8x8 f32 * f32 -> f32 ", " 8x8x8 f32 * f32 -> f32",
        "08x8x8 f32 * f32 -> f32", "0x8x8 f32 * f32 -> f32",
        "-8x8x8 f32 * f32 -> f32", "8x8x8 f32 * f32 -> f32 + d + bias",
        "8x8x8 f32 * f32 -> f32, strides 8 8 8",
        "8x8x8 f32 * f32 -> f32, strides 9 8",
        "9223372036854775808x8x8 f32 * "
        "f32 -> f32",
        "8x8x8 f32 * f32 -> f32, fast, split"})
    EXPECT_FALSE(parseGemmProblem(text)) << text;
}

// Whatever passes is a key.
TEST(GemmProblem, AnyDamage) {
  std::mt19937 random(3);
  GemmProblem problem = sample();
  problem.aStride += 16;
  std::string whole = keyText(problem);
  for (int round = 0; round < 20000; ++round) {
    std::string text = whole;
    for (size_t changes = 1 + random() % 3; changes; --changes)
      text[random() % text.size()] = char(random());
    text.resize(random() % 4 ? text.size() : random() % text.size());
    if (std::optional<GemmProblem> read = parseGemmProblem(text)) {
      EXPECT_EQ(keyText(*read), text);
    }
  }
}
