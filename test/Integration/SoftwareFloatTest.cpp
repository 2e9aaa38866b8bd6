// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's casts against LLVM's software floats, which upstream's
// --convert-arith-to-apfloat calls for arith.truncf and arith.extf.

#include "TestTensor.h"

#include <cstdio>

using namespace tert_test;

namespace {

constexpr int numPatterns = 65536, numCodes = 256;

/// What a command prints, one integer a line. Fails the test if the command
/// fails.
std::vector<uint32_t> numbersOf(const std::string &command) {
  std::vector<uint32_t> numbers;
  FILE *pipe = ::popen(command.c_str(), "r");
  if (!pipe) {
    ADD_FAILURE() << "cannot start: " << command;
    return numbers;
  }
  unsigned long long number;
  while (std::fscanf(pipe, "%llu", &number) == 1)
    numbers.push_back(uint32_t(number));
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return numbers;
}

std::string quoted(const std::string &path) { return "'" + path + "'"; }

class SoftwareFloatTest : public testing::Test {
protected:
  /// Runs the program once for all tests.
  static void SetUpTestSuite() {
    if (!haveTools())
      return;
    numbers = numbersOf(
        quoted(TE_MLIR_OPT) + " " +
        quoted(TE_INTEGRATION_INPUTS "/software_floats.mlir") +
        " --convert-arith-to-apfloat --convert-scf-to-cf --convert-to-llvm"
        " --reconcile-unrealized-casts | " +
        quoted(TE_MLIR_RUNNER) +
        " -e main --entry-point-result=void"
        " --shared-libs=" +
        quoted(TE_MLIR_APFLOAT) + "," + quoted(TE_MLIR_C_RUNNER));
  }

  void SetUp() override {
    if (!haveTools())
      GTEST_SKIP() << "needs mlir-opt, mlir-runner, libmlir_apfloat_wrappers "
                      "and libmlir_c_runner_utils of MLIR 22 (Debian: "
                      "mlir-22-tools, libmlir-22-dev) at configure time";
    ASSERT_EQ(numbers.size(), size_t(2 * numPatterns + 2 * numCodes));
  }

  static bool haveTools() {
    for (const char *path :
         {TE_MLIR_OPT, TE_MLIR_RUNNER, TE_MLIR_APFLOAT, TE_MLIR_C_RUNNER})
      if (*path == '\0')
        return false;
    return true;
  }

  /// All bf16 patterns, cast with scale 1.
  void checkQuantize(int32_t format, size_t first) {
    Tensor x(TERT_BF16, {256, 256}), q(format, {256, 256}),
        qt(format, {256, 256});
    for (int i = 0; i < numPatterns; ++i)
      x.setBits(i, i);
    EXPECT_OK(context,
              tert_quantize(context, nullptr, x,
                            Quantized(Tensor::scalar(1), q, qt, nullptr),
                            nullptr));
    for (int i = 0; i < numPatterns; ++i) {
      ASSERT_EQ(q.bitsAt(i), numbers[first + i]) << "bf16 pattern " << i;
      ASSERT_EQ(qt.bitsAt(i % 256, i / 256), numbers[first + i])
          << "bf16 pattern " << i;
    }
  }

  /// All codes, back to f32; any NaN is as good as another.
  void checkDequantize(int32_t format, size_t first) {
    Tensor q(format, {16, 16}), x(TERT_F32, {16, 16});
    for (int i = 0; i < numCodes; ++i)
      q.setBits(i, i);
    EXPECT_OK(context, tert_dequantize(context, nullptr,
                                       Scaled(q, Tensor::scalar(1)), x));
    for (int i = 0; i < numCodes; ++i) {
      float expected;
      std::memcpy(&expected, &numbers[first + i], sizeof(expected));
      if (std::isnan(expected))
        ASSERT_TRUE(std::isnan(x.at(i))) << "code " << i;
      else
        ASSERT_EQ(x.bitsAt(i), numbers[first + i]) << "code " << i;
    }
  }

  Context context;
  static std::vector<uint32_t> numbers;
};

std::vector<uint32_t> SoftwareFloatTest::numbers;

} // namespace

TEST_F(SoftwareFloatTest, EveryBf16ToE4M3) { checkQuantize(TERT_F8E4M3, 0); }

TEST_F(SoftwareFloatTest, EveryBf16ToE5M2) {
  checkQuantize(TERT_F8E5M2, numPatterns);
}

TEST_F(SoftwareFloatTest, EveryE4M3ToF32) {
  checkDequantize(TERT_F8E4M3, 2 * numPatterns);
}

TEST_F(SoftwareFloatTest, EveryE5M2ToF32) {
  checkDequantize(TERT_F8E5M2, 2 * numPatterns + numCodes);
}
