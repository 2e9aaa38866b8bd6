// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "artifact/Artifact.h"

#include "TestFiles.h"
#include "artifact/ArtifactSeal.h"

#include <gtest/gtest.h>
#include <random>

using namespace tert::session;
using namespace test;

namespace {
std::string errorOf(const std::string &path) {
  Expected<Artifact> artifact = Artifact::open(path);
  return artifact ? "" : artifact.takeError().message();
}

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE((text).find(part), std::string::npos) << (text)
} // namespace

TEST(Artifact, OpensAWholeOne) {
  Expected<Artifact> artifact = Artifact::open(toyPath("toy"));
  ASSERT_TRUE(artifact) << artifact.takeError().message();
  EXPECT_EQ(artifact->description().fingerprint, "toy-1");
  EXPECT_EQ(artifact->description().entryNames(),
            "init, train, forward, vjp, echo, eval");
  EXPECT_TRUE(artifact->entry(1));
  EXPECT_FALSE(artifact->checkDevice("cpu"));
  std::string weights = artifact->weightsPath();
  EXPECT_EQ(weights.substr(weights.rfind('/')), "/toy.so.weights.safetensors");
}

TEST(Artifact, AnotherVersionOfTheInterface) {
  EXPECT_CONTAINS(errorOf(toyPath("abi")), "version 999");
  EXPECT_CONTAINS(errorOf(toyPath("abi")), "Compile it again");
}

TEST(Artifact, AnotherTarget) {
  Expected<Artifact> artifact = Artifact::open(toyPath("sm90"));
  ASSERT_TRUE(artifact) << artifact.takeError().message();
  EXPECT_CONTAINS(artifact->checkDevice("cpu").message(), "compiled for sm_90");
  EXPECT_CONTAINS(artifact->checkDevice("cpu").message(), "--device cuda:0");
  EXPECT_FALSE(artifact->checkDevice("cuda:1"));
}

TEST(Artifact, ATargetWithoutABackend) {
  EXPECT_CONTAINS(errorOf(toyPath("sm70")),
                  "compiled for 'sm_70', which this runtime has no backend "
                  "for; it runs programs for cpu, sm_90, "
                  "sm_80, sm_89, sm_120");
}

TEST(Artifact, ADamagedDescription) {
  EXPECT_CONTAINS(errorOf(toyPath("damaged")), "not valid JSON");
}

TEST(Artifact, AMissingEntry) {
  EXPECT_CONTAINS(errorOf(toyPath("no_symbol")),
                  "lacks the function 'tert_entry_that_is_absent'");
}

TEST(Artifact, FilesThatAreNone) {
  TemporaryFolder folder;
  EXPECT_CONTAINS(errorOf(folder / "absent.so"), "No such file");
  writeText(folder / "text.so", "hello");
  EXPECT_CONTAINS(errorOf(folder / "text.so"), "not a shared library");
  EXPECT_CONTAINS(errorOf(folder.path()), "folder");
  // A shared library that is not an artifact.
  EXPECT_CONTAINS(errorOf("/lib/x86_64-linux-gnu/libm.so.6"),
                  "not one that te-compile wrote");
}

TEST(Artifact, TruncationsAreNoticedBeforeTheyKill) {
  TemporaryFolder folder;
  std::string whole = readText(toyPath("toy"));
  ASSERT_FALSE(whole.empty());
  // Up to the end of the last loaded segment; what follows is for debuggers.
  for (size_t share = 0; share < 16; ++share) {
    std::string path = folder / ("cut" + std::to_string(share) + ".so");
    writeText(path, whole.substr(0, whole.size() * share / 32));
    EXPECT_NE(errorOf(path), "") << share;
  }
}

// Constructors run when a library is loaded.
TEST(Artifact, IsReadWithoutRunningIt) {
  Expected<ArtifactFile> file = ArtifactFile::read(toyPath("startling"));
  ASSERT_TRUE(file) << file.takeError().message();
  EXPECT_EQ(file->description.fingerprint, "toy-1");
  EXPECT_EXIT((void)Artifact::open(toyPath("startling")),
              testing::ExitedWithCode(42), "");
}

TEST(Artifact, LinkedBySomethingElse) {
  EXPECT_CONTAINS(errorOf(toyPath("unsealed")),
                  "was linked by something else than te-compile");
}

// Every bit of the file counts: programs with one that is flipped trained on
// with another loss, or killed the loader.
TEST(Artifact, AFlippedBitIsNoticedBeforeItIsLoaded) {
  TemporaryFolder folder;
  const std::string whole = readText(toyPath("startling"));
  std::string path = folder / "flipped.so";
  std::mt19937 random(12);
  for (int i = 0; i < 500; ++i) {
    std::string bytes = whole;
    size_t bit = random() % (8 * bytes.size());
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    writeText(path, bytes);
    // Loading it would end the test.
    EXPECT_NE(errorOf(path), "") << "bit " << bit;
  }
}

TEST(Artifact, IsSealedTogetherWithItsWeights) {
  std::string image = readText(toyPath("unsealed"));
  std::string other = image, weights(32, 'a');
  ASSERT_FALSE(sealProgram(image, weights));
  ASSERT_FALSE(sealProgram(other, ""));
  Expected<SealedProgram> program = checkSealedProgram(image, "a.so");
  ASSERT_TRUE(program) << program.takeError().message();
  EXPECT_EQ(program->weights, weights);
  EXPECT_NE(program->seal, checkSealedProgram(other, "b.so")->seal);
  EXPECT_EQ(checkSealedProgram(other, "b.so")->weights, "");
}
