// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What arenas hold in the course of a program.

#include "te/Planning/MemoryProfile.h"
#include "te/Driver/Compilation.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::te;

/// "512+0+0": bytes of activations, gradients and others.
static std::string toText(const MemoryProfile::Sample &sample) {
  return std::to_string(sample.activations) + "+" +
         std::to_string(sample.gradients) + "+" + std::to_string(sample.others);
}

TEST(MemoryProfile, Categories) {
  auto context = createCompilationContext();
  // An activation, a temporary, a gradient, and a temporary of the backward
  // pass, of 400 bytes each, and the norm of the gradients.
  auto module = parseSourceString<ModuleOp>(R"(
    func.func @train(%x: memref<100xf32>, %arena: memref<4096xi8>) {
      %at0 = arith.constant 0 : index
      %at1 = arith.constant 512 : index
      %at2 = arith.constant 1024 : index
      %at3 = arith.constant 1536 : index
      %at4 = arith.constant 2048 : index
      %a = memref.view %arena[%at0][] : memref<4096xi8> to memref<100xf32>
      %t = memref.view %arena[%at1][] : memref<4096xi8> to memref<100xf32>
      %g = memref.view %arena[%at2][] : memref<4096xi8> to memref<100xf32>
      %u = memref.view %arena[%at3][] : memref<4096xi8> to memref<100xf32>
      %n = memref.view %arena[%at4][] : memref<4096xi8> to memref<f32>
      tert.copy x(%x : memref<100xf32>) -> y(%a : memref<100xf32>)
      tert.copy x(%x : memref<100xf32>) -> y(%t : memref<100xf32>)
      tert.copy x(%t : memref<100xf32>) -> y(%g : memref<100xf32>)
      tert.copy x(%a : memref<100xf32>) -> y(%u : memref<100xf32>)
      tert.global_norm gradients(%g : memref<100xf32>) -> norm(%n : memref<f32>)
      return
    })",
                                            context.get());
  ASSERT_TRUE(module);
  auto function = *module->getOps<func::FuncOp>().begin();
  FailureOr<MemoryProfile> profile = computeMemoryProfile(function, 16);
  ASSERT_TRUE(succeeded(profile));
  std::vector<std::string> parts;
  for (const MemoryProfile::Sample &sample : profile->samples)
    parts.push_back(toText(sample));
  EXPECT_EQ(parts,
            (std::vector<std::string>{"512+0+0", "512+0+512", "512+512+512",
                                      "512+512+512", "0+512+256"}));
  EXPECT_EQ(toText(profile->peak), "512+512+512");

  // Parts are equal numbers of operations, each with its fullest moment.
  profile = computeMemoryProfile(function, 2);
  ASSERT_TRUE(succeeded(profile));
  ASSERT_EQ(profile->samples.size(), 2u);
  EXPECT_EQ(profile->samples[0].getBytes(), 1536);
  EXPECT_EQ(profile->samples[1].getBytes(), 1536);
}
