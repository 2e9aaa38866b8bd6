// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tool.h"
#include "support/Safetensors.h"

#include <numeric>

using namespace test;
using tert::session::Expected;
using tert::session::SafetensorsFile;

namespace {
/// 4 x 16 token ids below 128.
std::vector<int64_t> someIds() {
  std::vector<int64_t> ids(64);
  for (size_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<int64_t>(i * 37 % 128);
  return ids;
}

template <typename T> std::string idBytes() {
  std::vector<T> narrow;
  for (int64_t id : someIds())
    narrow.push_back(static_cast<T>(id));
  return bytesOf(narrow);
}

/// weight[i, j] = i + j / 256.
std::string weightFile() {
  std::vector<float> weight(128 * 128);
  for (size_t i = 0; i < weight.size(); ++i)
    weight[i] =
        static_cast<float>(i / 128) + static_cast<float>(i % 128) / 256.0f;
  return safetensorsOf(
      {{"bigram.weight", "F32", "[128,128]", bytesOf(weight)}});
}

std::vector<float> floatsOf(const std::string &path, const std::string &name) {
  Expected<SafetensorsFile> file = SafetensorsFile::open(path);
  EXPECT_TRUE(file) << path;
  if (!file || !file->find(name))
    return {};
  std::vector<float> values(file->find(name)->bytes / 4);
  std::memcpy(values.data(), file->find(name)->data, values.size() * 4);
  return values;
}

class Call : public ::testing::Test {
protected:
  Result forward(const std::string &inputs,
                 std::vector<std::string> more = {}) {
    writeText(folder / "in", inputs);
    std::vector<std::string> arguments = {"forward",   toyPath("toy"),
                                          "--inputs",  folder / "in",
                                          "--outputs", folder / "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return teRun(arguments);
  }
  Result vjp(const std::string &inputs, std::vector<std::string> more = {}) {
    writeText(folder / "in", inputs);
    std::vector<std::string> arguments = {"vjp",       toyPath("toy"),
                                          "--inputs",  folder / "in",
                                          "--outputs", folder / "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return teRun(arguments);
  }
  std::string outputs() { return folder / "out"; }
  TemporaryFolder folder;
};

const std::vector<float> x = {0.5f, -1, 2, 3.25f, -4, 0};
const std::vector<float> dy = {1, 2, 3, 4, 5, 6};
std::string vjpInputs() {
  return safetensorsOf({{"x", "F32", "[2,3]", bytesOf(x)},
                        {"cotangent.y", "F32", "[2,3]", bytesOf(dy)}});
}
} // namespace

TEST_F(Call, ForwardWritesTheOutputsByName) {
  writeText(folder / "w", weightFile());
  for (const NamedTensor &ids :
       {NamedTensor{"input_ids", "I64", "[4,16]", idBytes<int64_t>()},
        NamedTensor{"input.input_ids", "I32", "[4,16]", idBytes<int32_t>()},
        NamedTensor{"input_ids", "U8", "[4,16]", idBytes<uint8_t>()},
        NamedTensor{"input_ids", "U16", "[4,16]", idBytes<uint16_t>()}}) {
    std::filesystem::remove(outputs());
    Result result = forward(safetensorsOf({ids}), {"--weights", folder / "w"});
    EXPECT_EQ(result.code, 0) << ids.dtype << result.error;
    std::vector<float> logits = floatsOf(outputs(), "logits");
    ASSERT_EQ(logits.size(), size_t(64 * 128));
    for (size_t i = 0; i < logits.size(); ++i)
      ASSERT_EQ(logits[i], static_cast<float>(someIds()[i / 128]) +
                               static_cast<float>(i % 128) / 256.0f);
  }
}

// A user's weights have the names that people give to outputs.
TEST_F(Call, OutputsReplaceOnlyResults) {
  std::string ids =
      safetensorsOf({{"input_ids", "I64", "[4,16]", idBytes<int64_t>()}});
  writeText(folder / "w", weightFile());
  for (const std::string &foreign : {weightFile(), std::string("notes")}) {
    writeText(outputs(), foreign);
    EXPECT_FAILS(forward(ids), "te-run did not write it");
    EXPECT_EQ(readText(outputs()), foreign);
  }
  EXPECT_EQ(forward(ids, {"--force"}).code, 0);
  EXPECT_EQ(forward(ids).code, 0) << "a result replaces a result";
  // Not even a result, where it is what the call reads.
  EXPECT_FAILS(forward(ids, {"--weights", outputs()}),
               "is read by this command");
  std::string before = readText(folder / "in");
  EXPECT_FAILS(teRun({"forward", toyPath("toy"), "--inputs", folder / "in",
                      "--outputs", folder / "in"}),
               "is read by this command");
  EXPECT_EQ(readText(folder / "in"), before);
  // An empty file, as mktemp makes it.
  writeText(folder / "empty", "");
  EXPECT_EQ(teRun({"forward", toyPath("toy"), "--inputs", folder / "in",
                   "--outputs", folder / "empty"})
                .code,
            0);
}

TEST_F(Call, TensorsUnderOtherNames) {
  std::string file =
      safetensorsOf({{"batch.0", "I64", "[4,16]", idBytes<int64_t>()}});
  Result missing = forward(file);
  EXPECT_FAILS(missing, "input_ids: missing");
  EXPECT_CONTAINS(missing.error, "input_ids: i64 [4, 16]");
  EXPECT_CONTAINS(missing.error, "batch.0: I64 [4, 16]");
  EXPECT_EQ(forward(file, {"--input", "input_ids=batch.0"}).code, 0);
  EXPECT_FAILS(forward(file, {"--input", "input_ids=batch.1"}),
               "the file has no 'batch.1'");
  EXPECT_FAILS(forward(file, {"--input", "ids=batch.0"}),
               "no input of this entry");
}

TEST_F(Call, InputsThatDoNotFit) {
  EXPECT_FAILS(forward(safetensorsOf(
                   {{"input_ids", "I64", "[16,4]", idBytes<int64_t>()}})),
               "has shape [16, 4], expected [4, 16]");
  EXPECT_FAILS(
      forward(safetensorsOf({{"input_ids", "F32", "[4,16]",
                              bytesOf(std::vector<float>(64, 1.0f))}})),
      "F32 cannot stand for I64");
  std::vector<uint64_t> huge(64, UINT64_MAX);
  EXPECT_FAILS(
      forward(safetensorsOf({{"input_ids", "U64", "[4,16]", bytesOf(huge)}})),
      "18446744073709551615");
  EXPECT_FAILS(forward("junk"), "not a complete safetensors file");
  EXPECT_FALSE(std::filesystem::exists(outputs()));
}

TEST_F(Call, ATokenOutsideTheVocabulary) {
  std::vector<int64_t> ids = someIds();
  ids[5] = 128;
  Result result =
      forward(safetensorsOf({{"input_ids", "I64", "[4,16]", bytesOf(ids)}}));
  EXPECT_FAILS(result, "token id 128 at position 5");
  EXPECT_CONTAINS(result.error, "toy.py:7");
  EXPECT_FALSE(std::filesystem::exists(outputs()));
}

TEST_F(Call, VjpTakesCotangentsAndConvertsFloats) {
  std::vector<double> wide(x.begin(), x.end());
  std::vector<uint16_t> narrow = {0x3f80, 0x4000, 0x4040,
                                  0x4080, 0x40a0, 0x40c0}; // 1 … 6
  for (const std::string &inputs :
       {vjpInputs(),
        safetensorsOf({{"x", "F64", "[2,3]", bytesOf(wide)},
                       {"cotangent.y", "BF16", "[2,3]", bytesOf(narrow)}})}) {
    Result result = vjp(inputs);
    EXPECT_EQ(result.code, 0) << result.error;
    std::vector<float> y = floatsOf(outputs(), "y"),
                       gradient = floatsOf(outputs(), "grad.x");
    ASSERT_EQ(y.size(), 6u);
    ASSERT_EQ(gradient.size(), 6u);
    for (size_t i = 0; i < 6; ++i) {
      EXPECT_EQ(y[i], 2 * x[i]);
      EXPECT_EQ(gradient[i], 2 * dy[i]);
    }
  }
  wide[3] = 0.1;
  EXPECT_FAILS(
      vjp(safetensorsOf({{"x", "F64", "[2,3]", bytesOf(wide)},
                         {"cotangent.y", "F32", "[2,3]", bytesOf(dy)}})),
      "x: element 3 is 0.1");
  // Everything that is wrong at once.
  Result both = vjp(safetensorsOf({{"z", "F32", "[2,3]", bytesOf(x)}}));
  EXPECT_FAILS(both, "x: missing");
  EXPECT_CONTAINS(both.error, "cotangent.y: missing");
}

TEST_F(Call, StateIsKeptBetweenCalls) {
  for (int64_t call = 1; call <= 3; ++call) {
    Result result = vjp(vjpInputs(), {"--state", folder / "state"});
    ASSERT_EQ(result.code, 0) << result.error;
    Expected<SafetensorsFile> state = SafetensorsFile::open(folder / "state");
    ASSERT_TRUE(state);
    EXPECT_EQ(state->tensors().size(), 7u);
    EXPECT_EQ(
        readAsDouble(tert::session::DType::I64, state->find("sgd.step")->data),
        static_cast<double>(call));
  }
  writeText(folder / "w", weightFile());
  EXPECT_FAILS(vjp(vjpInputs(),
                   {"--state", folder / "state", "--weights", folder / "w"}),
               "--weights and --checkpoint would have no effect");
}

TEST_F(Call, ScalesThatNothingHasUpdatedAreTold) {
  Result fresh = vjp(vjpInputs(), {"--state", folder / "state"});
  EXPECT_EQ(fresh.code, 0);
  EXPECT_CONTAINS(fresh.error, "have never been updated");
  EXPECT_CONTAINS(fresh.error, "--calibrate");
  Result second = vjp(vjpInputs(), {"--state", folder / "state"});
  EXPECT_LACKS(second.error, "never been updated");
  // Its entry 'forward' quantizes nothing.
  EXPECT_LACKS(forward(safetensorsOf({{"input_ids", "I64", "[4,16]",
                                       idBytes<int64_t>()}}))
                   .error,
               "never been updated");

  Result calibrated =
      vjp(vjpInputs(), {"--state", folder / "new", "--calibrate"});
  EXPECT_EQ(calibrated.code, 0) << calibrated.error;
  EXPECT_LACKS(calibrated.error, "never been updated");
  EXPECT_CONTAINS(calibrated.out, "calibrated on these inputs, 2 passes");
  Expected<SafetensorsFile> state = SafetensorsFile::open(folder / "new");
  ASSERT_TRUE(state);
  // The counter counts the call alone. max |x| is 4.
  using tert::session::DType;
  EXPECT_EQ(readAsDouble(DType::I64, state->find("sgd.step")->data), 1);
  EXPECT_EQ(readAsDouble(DType::F32, state->find("fp8.scale")->data), 112);
}

TEST_F(Call, StatesFromACheckpointOfATraining) {
  writeText(folder / "text", std::string(500, 'a'));
  ASSERT_EQ(teRun({"train", toyPath("toy"), "--data", folder / "text",
                   "--steps", "2", "--checkpoint", folder / "run"})
                .code,
            0);
  std::string ids =
      safetensorsOf({{"input_ids", "I64", "[4,16]", idBytes<int64_t>()}});
  std::string file = folder / "run/step-00000002.safetensors";
  std::string before = readText(file);
  // By the file, by the folder, and as weights: the same logits.
  ASSERT_EQ(forward(ids, {"--weights", file}).code, 0);
  std::vector<float> expected = floatsOf(outputs(), "logits");
  for (const std::string &checkpoint : {file, folder / "run"}) {
    ASSERT_EQ(forward(ids, {"--checkpoint", checkpoint}).code, 0);
    EXPECT_EQ(floatsOf(outputs(), "logits"), expected);
  }
  EXPECT_EQ(readText(file), before);
  EXPECT_FAILS(forward(ids, {"--checkpoint", file, "--weights", file}),
               "give one of the two");
  EXPECT_FAILS(forward(ids, {"--checkpoint", folder.path()}),
               "holds no checkpoint");
}

TEST_F(Call, AStateFileThatDoesNotFitIsLeftAlone) {
  ASSERT_EQ(vjp(vjpInputs(), {"--state", folder / "state"}).code, 0);
  std::string whole = readText(folder / "state");
  EXPECT_FAILS(teRun({"vjp", toyPath("other_model"), "--inputs", folder / "in",
                      "--outputs", outputs(), "--state", folder / "state"}),
               "of another model");
  EXPECT_EQ(readText(folder / "state"), whole);

  std::string damaged = whole;
  damaged[damaged.size() - 100] ^= 1;
  writeText(folder / "state", damaged);
  EXPECT_FAILS(vjp(vjpInputs(), {"--state", folder / "state"}),
               "do not match its checksum");
  EXPECT_EQ(readText(folder / "state"), damaged);
}

TEST_F(Call, OutputsThatCannotBeWritten) {
  writeText(folder / "in", vjpInputs());
  for (const std::string &path :
       {folder / "in/below", std::string("/proc/te-run-test")})
    EXPECT_FAILS(teRun({"vjp", toyPath("toy"), "--inputs", folder / "in",
                        "--outputs", path}),
                 "cannot write '" + path);
}

TEST_F(Call, MissingEntryAndMissingWeights) {
  writeText(folder / "in", vjpInputs());
  EXPECT_FAILS(teRun({"grad", toyPath("toy"), "--inputs", folder / "in",
                      "--outputs", outputs()}),
               "no entry 'grad'; it has: init, train, forward, vjp, echo");
  EXPECT_FAILS(teRun({"vjp", toyPath("with_data"), "--inputs", folder / "in",
                      "--outputs", outputs()}),
               "with_data.so.weights.safetensors' is missing");
}
