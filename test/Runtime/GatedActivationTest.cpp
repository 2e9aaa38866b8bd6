// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ActivationReference.h"
#include "Compare.h"
#include "SafetensorsFixture.h"

using namespace tert_test;

namespace {

/// Gate and up apart and joined, with what becomes of them.
struct Problem {
  Problem(int64_t rows, int64_t cols, int32_t dtype, int32_t kind, bool upFirst)
      : gate(dtype, {rows, cols}, 3), up(dtype, {rows, cols}, 1),
        joined(dtype, {rows, 2 * cols}, 2), dy(dtype, {rows, cols}, 5) {
    gate.randomize(1, 2.0);
    up.randomize(2);
    dy.randomize(3);
    dgate.resize(size_t(rows * cols));
    dup = y = dgate;
    dJoined.resize(size_t(2 * rows * cols));
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < cols; ++j) {
        size_t at = size_t(i * cols + j);
        double g = gate.at(i, j), u = up.at(i, j), d = dy.at(i, j);
        y[at] = activation(kind, g) * u;
        dgate[at] = d * u * activationGrad(kind, g);
        dup[at] = d * activation(kind, g);
        int64_t first = i * 2 * cols + j;
        int64_t gateAt = first + (upFirst ? cols : 0);
        int64_t upAt = first + (upFirst ? 0 : cols);
        joined.set(gateAt, g);
        joined.set(upAt, u);
        dJoined[size_t(gateAt)] = dgate[at];
        dJoined[size_t(upAt)] = dup[at];
      }
  }

  Tensor gate, up, joined, dy;
  std::vector<double> y, dgate, dup, dJoined;
};

using Parameters = std::tuple<int32_t, int32_t, bool>;
class GatedActivationTest : public testing::TestWithParam<Parameters> {
protected:
  int32_t kind = std::get<0>(GetParam()), dtype = std::get<1>(GetParam());
  bool upFirst = std::get<2>(GetParam());
  Context context;
};

const std::pair<int64_t, int64_t> shapes[] = {
    {1, 1}, {3, 40}, {64, 64}, {65, 129}, {2, 2100}};

} // namespace

INSTANTIATE_TEST_SUITE_P(
    Kinds, GatedActivationTest,
    testing::Combine(testing::Range(0, int32_t(TERT_TANH) + 1),
                     testing::Values(TERT_F32, TERT_BF16), testing::Bool()),
    [](const testing::TestParamInfo<Parameters> &info) {
      return "kind" + std::to_string(std::get<0>(info.param)) + "_" +
             dtypeName(std::get<1>(info.param)) +
             (std::get<2>(info.param) ? "_up_first" : "");
    });

TEST_P(GatedActivationTest, AgreesWithFormula) {
  for (auto [rows, cols] : shapes) {
    Problem problem(rows, cols, dtype, kind, upFirst);
    for (bool isJoined : {true, false}) {
      Tensor y(dtype, {rows, cols}, 2);
      QuantizedOutputs quantized(TERT_F8E4M3, rows, cols);
      EXPECT_OK(
          context,
          tert_gated_activation(
              context, nullptr, isJoined ? problem.joined : problem.gate,
              isJoined ? nullptr : static_cast<const tert_tensor *>(problem.up),
              y,
              Quantized(Tensor::scalar(20), quantized.rowwise,
                        quantized.columnwise, quantized.amax),
              kind, isJoined && upFirst));
      expectClose(y, problem.y, 2e-6, "y");
      quantized.expect(problem.y, 20, 2e-6, "quantized");
    }
  }
}

TEST_P(GatedActivationTest, GradAgreesWithFormula) {
  for (auto [rows, cols] : shapes) {
    Problem problem(rows, cols, dtype, kind, upFirst);
    Tensor dx(dtype, {rows, 2 * cols}, 2), dbias(TERT_F32, {2 * cols});
    QuantizedOutputs quantized(TERT_F8E5M2, rows, 2 * cols);
    EXPECT_OK(context, tert_gated_activation_grad(
                           context, nullptr, problem.dy, problem.joined,
                           nullptr, dx, nullptr,
                           Quantized(Tensor::scalar(100), quantized.rowwise,
                                     quantized.columnwise, quantized.amax),
                           dbias, kind, upFirst));
    expectClose(dx, problem.dJoined, 4e-6, "dx");
    quantized.expect(problem.dJoined, 100, 4e-6, "quantized");
    std::vector<double> sums(size_t(2 * cols), 0.0);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < 2 * cols; ++j)
        sums[size_t(j)] += problem.dJoined[size_t(i * 2 * cols + j)];
    expectClose(dbias, sums, 2e-5, "dbias");

    Tensor dgate(dtype, {rows, cols}, 2), dup(dtype, {rows, cols}, 4);
    EXPECT_OK(context, tert_gated_activation_grad(
                           context, nullptr, problem.dy, problem.gate,
                           problem.up, dgate, dup, nullptr, nullptr, kind, 0));
    expectClose(dgate, problem.dgate, 4e-6, "dgate");
    expectClose(dup, problem.dup, 4e-6, "dup");
  }
}

// The copy that the gradient makes in passing is the forward call's, and
// nothing else of the gradient changes.
TEST_P(GatedActivationTest, GradMakesTheCopyAnew) {
  for (auto [rows, cols] : shapes) {
    Problem problem(rows, cols, dtype, kind, upFirst);
    QuantizedOutputs y(TERT_F8E4M3, rows, cols);
    EXPECT_OK(context, tert_gated_activation(
                           context, nullptr, problem.joined, nullptr, nullptr,
                           Quantized(Tensor::scalar(20), y.rowwise,
                                     y.columnwise, y.amax),
                           kind, upFirst));
    auto run = [&, rows = rows, cols = cols](bool anew, Tensor &copy) {
      QuantizedOutputs dx(TERT_F8E5M2, rows, 2 * cols);
      Tensor dbias(TERT_F32, {2 * cols}), scale = Tensor::scalar(100);
      Quantized quantized(scale, dx.rowwise, dx.columnwise, dx.amax);
      EXPECT_OK(context, anew ? tert_gated_activation_grad_recompute(
                                    context, nullptr, problem.dy,
                                    problem.joined, Tensor::scalar(20), nullptr,
                                    quantized, dbias, copy, kind, upFirst)
                              : tert_gated_activation_grad(
                                    context, nullptr, problem.dy,
                                    problem.joined, nullptr, nullptr, nullptr,
                                    quantized, dbias, kind, upFirst));
      return std::vector<Tensor>{dx.rowwise, dx.columnwise, dx.amax, dbias};
    };
    Tensor copy = y.columnwise;
    for (int64_t i = 0; i < copy.numElements(); ++i)
      copy.setBits(i, 0x7e);
    std::vector<Tensor> expected = run(false, copy), got = run(true, copy);
    EXPECT_TRUE(copy.sameBits(y.columnwise));
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_TRUE(got[i].sameBits(expected[i])) << i;
  }
}

TEST(GatedActivationThreadsTest, DoNotMatter) {
  Problem problem(130, 2100, TERT_BF16, TERT_SILU, false);
  auto run = [&](int threads) {
    Context pool(threads);
    std::vector<Tensor> results = {Tensor(TERT_F8E5M2, {4200, 130}),
                                   Tensor::scalar(0), Tensor(TERT_F32, {4200})};
    EXPECT_OK(pool,
              tert_gated_activation_grad(
                  pool, nullptr, problem.dy, problem.joined, nullptr, nullptr,
                  nullptr,
                  Quantized(Tensor::scalar(9), nullptr, results[0], results[1]),
                  results[2], TERT_SILU, 0));
    return results;
  };
  std::vector<Tensor> one = run(1), three = run(3);
  for (size_t i = 0; i < one.size(); ++i)
    EXPECT_TRUE(one[i].sameBits(three[i])) << i;
}

TEST(GatedActivationErrorsTest, NamesWhatDoesNotFit) {
  Context context;
  Tensor odd(TERT_F32, {4, 7}), x(TERT_F32, {4, 8}), y(TERT_F32, {4, 4}),
      narrow(TERT_F32, {4, 3});
  auto expectError = [&](tert_status status, const std::string &what) {
    EXPECT_EQ(status, TERT_INVALID_ARGUMENT);
    EXPECT_NE(std::string(context.error()).find(what), std::string::npos)
        << context.error();
  };
  expectError(tert_gated_activation(context, nullptr, odd, nullptr, y, nullptr,
                                    TERT_SILU, 0),
              "gate and up side by side");
  expectError(tert_gated_activation(context, nullptr, x, nullptr, narrow,
                                    nullptr, TERT_SILU, 0),
              "'y'");
  expectError(
      tert_gated_activation(context, nullptr, y, y, y, nullptr, TERT_SILU, 1),
      "'up_first' is set");
  expectError(tert_gated_activation_grad(context, nullptr, y, x, nullptr, x, y,
                                         nullptr, nullptr, TERT_SILU, 0),
              "'dup' is given");
  expectError(tert_gated_activation_grad(context, nullptr, y, y, y, y, nullptr,
                                         nullptr, nullptr, TERT_SILU, 0),
              "the outputs are 'dx' and 'dup'");
  Tensor scale = Tensor::scalar(1), small(TERT_F8E4M3, {4, 3});
  expectError(tert_gated_activation_grad_recompute(
                  context, nullptr, y, x, scale, nullptr, nullptr, nullptr,
                  small, TERT_SILU, 0),
              "'y_columnwise'");
}

TEST(GatedActivationReferenceTest, EveryByteOfTransformerEngine) {
  SafetensorsFixture file(TERT_TEST_INPUTS "/transformer_engine.safetensors");
  Context context;
  Tensor x = file.get("act.x");
  for (auto [name, kind] :
       std::vector<std::pair<std::string, int32_t>>{{"swiglu", TERT_SILU},
                                                    {"geglu", TERT_GELU_TANH},
                                                    {"reglu", TERT_RELU}}) {
    Tensor rowwise(TERT_F8E4M3, {x.size(0), x.size(1) / 2});
    Tensor amax = Tensor::scalar(0);
    EXPECT_OK(context,
              tert_gated_activation(
                  context, nullptr, x, nullptr, nullptr,
                  Quantized(Tensor::scalar(40), rowwise, nullptr, amax), kind,
                  0));
    EXPECT_TRUE(
        rowwise.sameBits(file.get("act." + name + ".rowwise", TERT_F8E4M3)))
        << name;
    EXPECT_TRUE(amax.sameBits(file.get("act." + name + ".amax"))) << name;
  }
}
