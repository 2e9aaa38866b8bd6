// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tool.h"

#include <cmath>
#include <filesystem>
#include <sstream>

using namespace test;

namespace {
class Compare : public ::testing::Test {
protected:
  Result compare(const std::vector<NamedTensor> &a,
                 const std::vector<NamedTensor> &b,
                 std::vector<std::string> more = {}) {
    writeText(folder / "a", safetensorsOf(a));
    writeText(folder / "b", safetensorsOf(b));
    more.insert(more.begin(), {"compare", folder / "a", folder / "b"});
    return teRun(more);
  }
  TemporaryFolder folder;
};

NamedTensor floats(const std::string &name, const std::vector<float> &values) {
  return {name, "F32", "[" + std::to_string(values.size()) + "]",
          bytesOf(values)};
}
} // namespace

TEST_F(Compare, RelativeErrorsWorstFirst) {
  // |a-b| / |b|: 1/5, and sqrt(2)/10.
  Result result = compare({floats("p", {3, 5}), floats("q", {7, 7, 0})},
                          {floats("p", {3, 4}), floats("q", {8, 6, 0})});
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_CONTAINS(result.out, "2.000e-01");
  EXPECT_CONTAINS(result.out, "1.414e-01");
  EXPECT_LT(result.out.find("2.000e-01"), result.out.find("1.414e-01"));
  EXPECT_CONTAINS(result.out, "2 tensors, worst error 2.000e-01");
  EXPECT_LACKS(result.out, "\033");
}

TEST_F(Compare, ToleranceDecidesTheExitCode) {
  std::vector<NamedTensor> a = {floats("p", {3, 5})}, b = {floats("p", {3, 4})};
  EXPECT_EQ(compare(a, b, {"--tolerance", "0.2"}).code, 0);
  Result above = compare(a, b, {"--tolerance", "0.19"});
  EXPECT_EQ(above.code, 1);
  EXPECT_CONTAINS(above.out, "1 above 0.19");
  EXPECT_EQ(compare(b, b, {"--tolerance", "0"}).code, 0);
}

TEST_F(Compare, ZeroReferencesAreComparedAbsolutely) {
  // The reference is zero but for rounding, next to tensors of size 100.
  std::vector<NamedTensor> a = {floats("bias", {2e-6f, -1e-6f}),
                                floats("w", {100})};
  std::vector<NamedTensor> b = {floats("bias", {1e-6f, 1e-6f}),
                                floats("w", {100})};
  Result result = compare(a, b, {"--tolerance", "1e-6"});
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_CONTAINS(result.out, "2.000e-08"); // 2e-6 / 100
  EXPECT_CONTAINS(result.out, "absolute");
  EXPECT_EQ(
      compare(a, b, {"--tolerance", "1e-6", "--absolute-below", "0"}).code, 1);
  // Nothing but zeros to compare with.
  EXPECT_EQ(
      compare({floats("z", {1})}, {floats("z", {0})}, {"--tolerance", "1"})
          .code,
      1);
  EXPECT_EQ(
      compare({floats("z", {0})}, {floats("z", {0})}, {"--tolerance", "0"})
          .code,
      0);
}

TEST_F(Compare, NonFiniteElements) {
  float infinity = HUGE_VALF, nan = std::nanf("");
  EXPECT_EQ(compare({floats("x", {1, nan, infinity})},
                    {floats("x", {1, nan, infinity})}, {"--tolerance", "0"})
                .code,
            0);
  Result result = compare({floats("x", {1, nan})}, {floats("x", {1, 2})},
                          {"--tolerance", "1e9"});
  EXPECT_EQ(result.code, 1);
  EXPECT_CONTAINS(result.out, "not finite");
  EXPECT_EQ(compare({floats("x", {infinity})}, {floats("x", {-infinity})},
                    {"--tolerance", "1e9"})
                .code,
            1);
}

TEST_F(Compare, EveryDtypeByValue) {
  const std::vector<double> values = {1, -2, 0, 4};
  std::string reference = bytesOf(values);
  const std::vector<NamedTensor> forms = {
      {"t", "F16", "[4]", bytesOf<uint16_t>({0x3c00, 0xc000, 0, 0x4400})},
      {"t", "BF16", "[4]", bytesOf<uint16_t>({0x3f80, 0xc000, 0, 0x4080})},
      {"t", "F8_E4M3", "[4]", bytesOf<uint8_t>({0x38, 0xc0, 0, 0x48})},
      {"t", "F8_E5M2", "[4]", bytesOf<uint8_t>({0x3c, 0xc0, 0, 0x44})},
      {"t", "I8", "[4]", bytesOf<int8_t>({1, -2, 0, 4})},
      {"t", "I64", "[4]", bytesOf<int64_t>({1, -2, 0, 4})}};
  for (const NamedTensor &form : forms) {
    Result result =
        compare({form}, {{"t", "F64", "[4]", reference}}, {"--tolerance", "0"});
    EXPECT_EQ(result.code, 0) << form.dtype << result.out;
    EXPECT_CONTAINS(result.out, form.dtype + "/F64 [4]");
  }
}

TEST_F(Compare, WhatOneFileLacks) {
  Result result = compare({floats("both", {1}), floats("mine", {1})},
                          {floats("both", {1}), floats("theirs", {1})},
                          {"--tolerance", "0"});
  EXPECT_EQ(result.code, 0);
  EXPECT_CONTAINS(result.out, "only in " + (folder / "a") + ":\n  mine");
  EXPECT_CONTAINS(result.out, "only in " + (folder / "b") + ":\n  theirs");

  Result mapped = compare({floats("both", {1}), floats("mine", {1})},
                          {floats("both", {1}), floats("theirs", {1})},
                          {"--tolerance", "0", "--map", "mine=theirs"});
  EXPECT_CONTAINS(mapped.out, "2 tensors");
  EXPECT_LACKS(mapped.out, "only in");
  EXPECT_FAILS(
      compare({floats("x", {1})}, {floats("x", {1})}, {"--map", "y=x"}), "'y'");

  Result nothing = compare({floats("x", {1})}, {floats("y", {1})});
  EXPECT_EQ(nothing.code, 1);
  EXPECT_CONTAINS(nothing.out, "no tensor to compare");
  Result shapes = compare({floats("x", {1}), floats("y", {1})},
                          {floats("x", {1}), floats("y", {1, 2})});
  EXPECT_EQ(shapes.code, 1);
  EXPECT_CONTAINS(shapes.out, "y: [1] and [2]");
}

TEST_F(Compare, DamagedFiles) {
  writeText(folder / "good", safetensorsOf({floats("x", {1, 2, 3})}));
  std::string whole = readText(folder / "good");
  writeText(folder / "cut", whole.substr(0, whole.size() - 4));
  EXPECT_FAILS(teRun({"compare", folder / "good", folder / "cut"}),
               "may be truncated");
  EXPECT_FAILS(teRun({"compare", folder / "absent", folder / "good"}),
               "No such file");
}

TEST_F(Compare, TwoRunsSideBySide) {
  std::filesystem::create_directories(folder / "x");
  writeText(folder / "x/run.toml", "steps = 3\nlr = 1e-3\ndata = \"a\"\n");
  writeText(folder / "x/metrics.jsonl",
            R"({"step":1,"loss":4.0,"lr":1,"tokens_per_second":100}
{"step":2,"loss":3.0,"lr":1,"tokens_per_second":300,"eval_loss":2.5}
{"step":3,"loss":2.0,"lr":1,"tokens_per_second":200,"eval_loss":2.75}
)");
  // A file of metrics without a folder; its last line was cut by a kill.
  writeText(folder / "y.jsonl",
            R"({"step":1,"loss":2.0,"lr":1,"tokens_per_second":50}
{"step":2,"loss":1.0,"lr":1,"tokens_per_second":50,"skipped":true}
{"step":3,"lo)");
  Result result = teRun({"compare", folder / "x", folder / "y.jsonl", "--plot",
                         folder / "losses.svg"});
  ASSERT_EQ(result.code, 0) << result.error;
  // Numbers of a line, without the names of the runs.
  auto line = [&](const std::string &begin) {
    const size_t at = result.out.find("\n" + begin);
    std::istringstream words(
        at == std::string::npos
            ? ""
            : result.out.substr(at + 1 + begin.size(),
                                result.out.find('\n', at + 1) - at - 1 -
                                    begin.size()));
    std::string all;
    for (std::string word; words >> word;)
      all += (all.empty() ? "" : " ") + word;
    return all;
  };
  EXPECT_EQ(line("steps "), "3 2");
  EXPECT_EQ(line("loss "), "2.0000 1.0000 +100.00 %");
  EXPECT_EQ(line("mean of the last 50"), "3.0000 1.5000 +100.00 %");
  EXPECT_EQ(line("best eval loss"), "2.5000");
  EXPECT_EQ(line("eval loss"), "2.7500");
  EXPECT_EQ(line("median tokens/s"), "200 50 +300.00 %");
  EXPECT_EQ(line("steps skipped"), "0 1");
  EXPECT_EQ(line("   2"), "3.5000 1.5000 +133.33 %");
  EXPECT_EQ(readText(folder / "losses.svg").rfind("<svg", 0), 0u);

  std::filesystem::create_directories(folder / "z");
  writeText(folder / "z/run.toml", "steps = 3\nlr = 2e-3\nclip = 1\n"
                                   "data = \"a\"\n");
  writeText(folder / "z/metrics.jsonl", R"({"step":7,"loss":4.0})");
  result = teRun({"compare", folder / "x", folder / "z"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(line("lr "), "1e-3 2e-3");
  EXPECT_EQ(line("clip "), "not given 1");
  EXPECT_LACKS(result.out, "\ndata");
  EXPECT_CONTAINS(result.out, "no step that both have");

  writeText(folder / "z/metrics.jsonl", "");
  EXPECT_FAILS(teRun({"compare", folder / "x", folder / "z"}),
               "has no steps of a run");
  writeText(folder / "mine.svg", "mine");
  EXPECT_FAILS(teRun({"compare", folder / "x", folder / "y.jsonl", "--plot",
                      folder / "mine.svg"}),
               "--plot");
  EXPECT_EQ(readText(folder / "mine.svg"), "mine");
  EXPECT_EQ(teRun({"compare", folder / "x/run.toml", folder / "y.jsonl",
                   "--plot", folder / "losses.svg"})
                .code,
            2);
}
