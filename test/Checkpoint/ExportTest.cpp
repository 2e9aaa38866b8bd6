// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/Export.h"

#include "TestFiles.h"
#include "checkpoint/Checkpoint.h"
#include "session/Initialization.h"
#include "session/Session.h"

#include <gtest/gtest.h>

using namespace tert::session;
using namespace test;

namespace {
class Export : public ::testing::Test {
protected:
  /// A checkpoint of the toy at step 7.
  Export() {
    Expected<Artifact> artifact = Artifact::open(toyPath("small"));
    EXPECT_TRUE(artifact);
    auto opened = Session::create(std::move(*artifact), {});
    EXPECT_TRUE(opened);
    session = std::move(*opened);
    EXPECT_FALSE(initializeStates(*session, {"", 3}));
    EXPECT_FALSE(saveCheckpoint(*session, folder / "c", {7, 3, "{}", {}}));
  }

  Expected<ExportSummary> write(std::optional<DType> dtype = {},
                                const std::string &from = "") {
    return exportParameters(
        {from.empty() ? folder / "c" : from, folder / "out", dtype},
        from.empty() ? nullptr : &session->description());
  }

  /// The values of the parameter.
  std::vector<float> weight() {
    std::vector<float> values(64);
    EXPECT_FALSE(session->readState(0, values.data(), 256));
    return values;
  }

  TemporaryFolder folder;
  std::unique_ptr<Session> session;
};
} // namespace

TEST_F(Export, ParametersUnderEveryName) {
  Expected<ExportSummary> summary = write();
  ASSERT_TRUE(summary) << summary.takeError().message();
  EXPECT_EQ(summary->parameters, 1u);
  EXPECT_EQ(summary->names, 3u);
  EXPECT_EQ(summary->step, 7u);
  Expected<SafetensorsFile> file = SafetensorsFile::open(folder / "out");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->metadata().at("format"), "pt");
  EXPECT_EQ(file->tensors().size(), 3u);
  for (const char *name : {"bigram.weight", "bigram.table", "head.weight"}) {
    const TensorView *tensor = file->find(name);
    ASSERT_TRUE(tensor) << name;
    EXPECT_EQ(tensor->dtype, DType::F32);
    EXPECT_EQ(tensor->shape, (Shape{8, 8}));
    EXPECT_EQ(std::string(tensor->data, tensor->bytes), bytesOf(weight()));
  }
}

TEST_F(Export, RoundsToBF16) {
  ASSERT_TRUE(write(DType::BF16));
  Expected<SafetensorsFile> file = SafetensorsFile::open(folder / "out");
  ASSERT_TRUE(file);
  const TensorView *tensor = file->find("head.weight");
  ASSERT_TRUE(tensor);
  ASSERT_EQ(tensor->dtype, DType::BF16);
  std::vector<float> exact = weight();
  for (size_t i = 0; i < exact.size(); ++i) {
    double rounded = readAsDouble(DType::BF16, tensor->data + 2 * i);
    // Eight bits of significand: half a unit of the last place is 2^-9.
    EXPECT_LE(std::abs(rounded - exact[i]), std::abs(exact[i]) / 256) << i;
  }
}

TEST_F(Export, WhatIsNoCheckpointOrDamaged) {
  writeText(folder / "other", safetensors("{}", ""));
  EXPECT_NE(write({}, folder / "other")
                .takeError()
                .message()
                .find("not a checkpoint"),
            std::string::npos);
  std::string bytes = readText(folder / "c");
  bytes[bytes.size() - 9] ^= 1;
  writeText(folder / "c", bytes);
  EXPECT_NE(write().takeError().message().find("is damaged"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

// Written by a te-run that did not keep the parameters' names.
TEST_F(Export, OlderCheckpointsNeedTheProgram) {
  std::string old = std::string(TE_INPUTS) + "/old_checkpoint.safetensors";
  Expected<ExportSummary> alone =
      exportParameters({old, folder / "out", {}}, nullptr);
  EXPECT_NE(alone.takeError().message().find("--program"), std::string::npos);
  Expected<ExportSummary> summary = write({}, old);
  ASSERT_TRUE(summary) << summary.takeError().message();
  EXPECT_EQ(summary->step, 3u);
  Expected<SafetensorsFile> file = SafetensorsFile::open(folder / "out");
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->find("head.weight"));
  EXPECT_FALSE(file->find("sgd.step"));
}
