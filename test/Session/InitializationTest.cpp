// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/Initialization.h"

#include "TestFiles.h"
#include "session/Random.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tert::session;
using namespace test;

namespace {
std::unique_ptr<Session> open(const std::string &path) {
  Expected<Artifact> artifact = Artifact::open(path);
  EXPECT_TRUE(artifact);
  Expected<std::unique_ptr<Session>> session =
      Session::create(std::move(*artifact), {});
  EXPECT_TRUE(session) << session.takeError().message();
  return session ? std::move(*session) : nullptr;
}

std::vector<float> floats(const Session &session, size_t index) {
  std::vector<float> values(session.description().states[index].type.bytes() /
                            4);
  EXPECT_FALSE(session.readState(index, values.data(), values.size() * 4));
  return values;
}

/// The toy with its parameters' file, in a folder of their own.
std::string toyWithData(const TemporaryFolder &folder) {
  std::string path = folder / "model.so";
  std::filesystem::copy_file(toyPath("with_data"), path);
  return path;
}

std::string parameterFile(const std::string &name, const std::string &dtype,
                          const std::string &shape, const std::string &bytes) {
  return safetensors("{\"" + name + "\":{\"dtype\":\"" + dtype +
                         "\",\"shape\":" + shape + ",\"data_offsets\":[0," +
                         std::to_string(bytes.size()) + "]}}",
                     bytes);
}

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE((text).find(part), std::string::npos) << (text)
} // namespace

TEST(Initialization, RandomConstantAndDerivedStates) {
  std::unique_ptr<Session> session = open(toyPath("toy"));
  ASSERT_TRUE(session);
  ASSERT_FALSE(initializeStates(*session, {"", 5}));
  std::vector<float> weight = floats(*session, 0);
  std::vector<float> expected(weight.size());
  RandomStream(5, "bigram.weight").normal(0, expected.data(), expected.size());
  float sum = 0;
  for (size_t i = 0; i < weight.size(); ++i) {
    ASSERT_EQ(weight[i], 0.02f * expected[i]);
    sum += weight[i];
  }
  EXPECT_EQ(floats(*session, 1)[0], sum); // By the init entry.
  for (float value : floats(*session, 2))
    ASSERT_EQ(value, 0.0f);
  for (float value : floats(*session, 4))
    EXPECT_EQ(value, 1.0f);
}

TEST(Initialization, AnotherSeedGivesOtherParameters) {
  std::unique_ptr<Session> a = open(toyPath("toy")), b = open(toyPath("toy"));
  ASSERT_FALSE(initializeStates(*a, {"", 1}));
  ASSERT_FALSE(initializeStates(*b, {"", 2}));
  EXPECT_NE(floats(*a, 0), floats(*b, 0));
}

TEST(Initialization, ParametersFromTheFileBeside) {
  TemporaryFolder folder;
  std::unique_ptr<Session> session = open(toyWithData(folder));
  Error missing = initializeStates(*session, {});
  EXPECT_CONTAINS(missing.message(), "model.safetensors' is missing");

  std::vector<float> values(128 * 128);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i) * 0.5f;
  writeText(
      folder / "model.safetensors",
      parameterFile("bigram.weight", "F32", "[128,128]", bytesOf(values)));
  ASSERT_FALSE(initializeStates(*session, {}));
  EXPECT_EQ(floats(*session, 0), values);
}

TEST(Initialization, GivenWeightsOverrideAndWiden) {
  TemporaryFolder folder;
  std::unique_ptr<Session> session = open(toyPath("toy"));
  std::vector<uint16_t> halves(128 * 128, 0x3fc0); // 1.5 in bfloat16
  writeText(folder / "w", parameterFile("bigram.weight", "BF16", "[128,128]",
                                        bytesOf(halves)));
  ASSERT_FALSE(initializeStates(*session, {folder / "w", 0}));
  for (float value : floats(*session, 0))
    ASSERT_EQ(value, 1.5f);
}

TEST(Initialization, WrongWeightsAreAllNamed) {
  TemporaryFolder folder;
  std::unique_ptr<Session> session = open(toyPath("toy"));
  auto errorOf = [&](const std::string &file) {
    writeText(folder / "w", file);
    return initializeStates(*session, {folder / "w", 0}).message();
  };
  EXPECT_CONTAINS(errorOf(parameterFile("other", "U8", "[1]", "x")),
                  "bigram.weight: missing, f32 [128, 128] expected");
  EXPECT_CONTAINS(errorOf(parameterFile("bigram.weight", "U8", "[1]", "x")),
                  "has shape [1]");
  EXPECT_CONTAINS(errorOf(parameterFile("bigram.weight", "U8", "[128,128]",
                                        std::string(128 * 128, 'x'))),
                  "U8 cannot stand for F32");
  EXPECT_CONTAINS(
      errorOf(parameterFile("bigram.weight", "F64", "[128,128]",
                            bytesOf(std::vector<double>(128 * 128, 0.1)))),
      "does not hold exactly");
  EXPECT_CONTAINS(errorOf("junk"), "not a whole safetensors file");
}

TEST(Initialization, UnusedTensorsAreAWarning) {
  TemporaryFolder folder;
  std::unique_ptr<Session> session = open(toyPath("toy"));
  std::string weight = bytesOf(std::vector<float>(128 * 128, 1.0f));
  std::string size = std::to_string(weight.size());
  writeText(folder / "w",
            safetensors("{\"bigram.weight\":{\"dtype\":\"F32\",\"shape\":[128,"
                        "128],\"data_offsets\":[0," +
                            size +
                            "]},\"stray\":{\"dtype\":\"U8\",\"shape\":[0],"
                            "\"data_offsets\":[" +
                            size + "," + size + "]}}",
                        weight));
  std::string warning;
  ASSERT_FALSE(initializeStates(*session, {folder / "w", 0}, &warning));
  EXPECT_CONTAINS(warning, "stray");
}
