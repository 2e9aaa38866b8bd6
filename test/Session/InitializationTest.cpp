// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/Initialization.h"

#include "ShardedSessions.h"
#include "TestFiles.h"
#include "artifact/ArtifactSeal.h"
#include "support/Random.h"
#include "support/Safetensors.h"

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

// 128 columns over three ranks, what each has over two: neither divides.
TEST(Initialization, RanksHaveTheirPartsOfWhatOneDraws) {
  Sessions one = openRanks(toyPath("still1x1")),
           six = openRanks(toyPath("still2x3")),
           half = openRanks(toyPath("still2x3_half"));
  ASSERT_EQ(one.size(), 1u);
  ASSERT_EQ(six.size(), 6u);
  for (const Sessions *sessions : {&one, &six, &half})
    for (const auto &session : *sessions)
      ASSERT_FALSE(initializeStates(*session, {"", 5}));
  for (size_t index = 0; index < one[0]->description().states.size(); ++index)
    EXPECT_TRUE(wholeState(six, index) == wholeState(one, index)) << index;
  EXPECT_EQ(six[0]->description().states[0].type.shape, (Shape{2752}));
  EXPECT_NE(bytesOfState(*six[0], 0), bytesOfState(*six[1], 0));
  EXPECT_TRUE(wholeState(half, 0) ==
              bytesOf(std::vector<float>(128 * 128, 0.5f)));
}

TEST(Initialization, RanksReadTheirPartsOfTheWeights) {
  TemporaryFolder folder;
  Sessions six = openRanks(toyPath("still2x3_data"));
  std::vector<double> values(128 * 128);
  std::vector<float> rounded(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = rounded[i] = static_cast<float>(i) * 0.37f;
  writeText(folder / "w", parameterFile("bigram.weight", "F64", "[128,128]",
                                        bytesOf(values)));
  for (const auto &session : six)
    ASSERT_FALSE(initializeStates(*session, {folder / "w", 0}));
  EXPECT_TRUE(wholeState(six, 0) == bytesOf(rounded));

  // What it must be is said of the whole; an element is counted there, too.
  writeText(folder / "w", parameterFile("bigram.weight", "F32", "[2752]",
                                        std::string(2752 * 4, 'x')));
  EXPECT_CONTAINS(initializeStates(*six[3], {folder / "w", 0}).message(),
                  "bigram.weight: has shape [2752], f32 [128, 128] expected");
  values[128 * 127 + 127] = 0.1;
  writeText(folder / "w", parameterFile("bigram.weight", "F64", "[128,128]",
                                        bytesOf(values)));
  EXPECT_FALSE(initializeStates(*six[0], {folder / "w", 0}));
  EXPECT_CONTAINS(initializeStates(*six[5], {folder / "w", 0}).message(),
                  "element 16383 is 0.1");
}

// The first rank of those that share the states looks through the file.
TEST(Initialization, OneRankChecksTheWholeFile) {
  TemporaryFolder folder;
  Expected<SafetensorsWriter> writer = SafetensorsWriter::create(
      folder / "w", {{"bigram.weight", DType::F32, {128, 128}}},
      {{SafetensorsWriter::checksumKey, Digest::placeholder()}});
  std::vector<float> values(128 * 128, 1.0f);
  ASSERT_FALSE(writer->append(values.data(), values.size() * sizeof(float)));
  ASSERT_FALSE(writer->commit());
  std::string text = readText(folder / "w");
  text.back() ^= 1;
  writeText(folder / "w", text);
  Sessions six = openRanks(toyPath("still2x3_data"));
  EXPECT_CONTAINS(initializeStates(*six[0], {folder / "w", 0}).message(),
                  "damaged");
  EXPECT_FALSE(initializeStates(*six[1], {folder / "w", 0}));
}

TEST(Initialization, ParametersFromTheFileBeside) {
  TemporaryFolder folder;
  std::unique_ptr<Session> session = open(toyWithData(folder));
  Error missing = initializeStates(*session, {});
  EXPECT_CONTAINS(missing.message(),
                  "model.so.weights.safetensors' is missing");

  std::vector<float> values(128 * 128);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i) * 0.5f;
  writeText(
      folder / "model.so.weights.safetensors",
      parameterFile("bigram.weight", "F32", "[128,128]", bytesOf(values)));
  ASSERT_FALSE(initializeStates(*session, {}));
  EXPECT_EQ(floats(*session, 0), values);
}

/// A file with a checksum, as te-compile writes it; returns the checksum.
static std::string writeSummed(const std::string &path, float value) {
  std::vector<float> values(128 * 128, value);
  Expected<SafetensorsWriter> writer = SafetensorsWriter::create(
      path, {{"bigram.weight", DType::F32, {128, 128}}},
      {{SafetensorsWriter::checksumKey, Digest::placeholder()}});
  EXPECT_TRUE(writer);
  EXPECT_FALSE(writer->append(values.data(), values.size() * sizeof(float)));
  EXPECT_FALSE(writer->commit());
  return SafetensorsFile::open(path)->storedChecksum();
}

// Program and weights are of one compilation, or nothing starts.
TEST(Initialization, WeightsOfAnotherCompilation) {
  TemporaryFolder folder;
  std::string weights = folder / "model.so.weights.safetensors";
  std::string checksum = writeSummed(weights, 1.0f);
  EXPECT_EQ(checksum, writeSummed(folder / "same", 1.0f));
  std::string other = writeSummed(folder / "other", 2.0f);
  EXPECT_NE(checksum, other);
  std::string image = readText(toyPath("unsealed_with_data"));
  ASSERT_FALSE(sealProgram(image, checksum));
  writeText(folder / "model.so", image);
  std::unique_ptr<Session> session = open(folder / "model.so");
  ASSERT_TRUE(session);
  EXPECT_FALSE(initializeStates(*session, {}));

  std::filesystem::copy_file(folder / "other", weights,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_CONTAINS(initializeStates(*session, {}).message(),
                  "was not written together with");
  // A file without a checksum is none of ours, either.
  writeText(weights, parameterFile("bigram.weight", "F32", "[128,128]",
                                   std::string(4 * 128 * 128, '\0')));
  EXPECT_CONTAINS(initializeStates(*session, {}).message(),
                  "was not written together with");
  // Whoever names a file means it.
  EXPECT_FALSE(initializeStates(*session, {folder / "other", 0}));
  EXPECT_EQ(floats(*session, 0)[0], 2.0f);
}

TEST(Initialization, AFlippedBitInWeights) {
  TemporaryFolder folder;
  std::unique_ptr<Session> session = open(toyPath("toy"));
  writeSummed(folder / "w", 1.0f);
  const std::string whole = readText(folder / "w");
  EXPECT_FALSE(initializeStates(*session, {folder / "w", 0}));
  for (size_t at : {whole.size() - 1, whole.size() / 2, size_t(60)}) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    writeText(folder / "w", flipped);
    EXPECT_TRUE(initializeStates(*session, {folder / "w", 0})) << at;
  }
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
  EXPECT_CONTAINS(errorOf("junk"), "not a complete safetensors file");
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
