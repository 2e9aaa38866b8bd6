// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fp8Reference.h"
#include "Updates.h"

using namespace tert_test;

namespace {

/// State and hyperparameters of one tensor.
struct Adamw {
  Adamw(std::vector<int64_t> shape, int32_t gradientType = TERT_F32,
        int64_t gradientGap = 0)
      : gradient(gradientType, shape, gradientGap), param(TERT_F32, shape),
        expAvg(param), expAvgSq(param) {
    gradient.randomize(1);
    param.randomize(2);
    expAvg.fill([](int64_t) { return 0; });
    expAvgSq.fill([](int64_t) { return 0; });
    step.setBits(0, 1);
  }

  tert_status run(Context &context, bool decay = true,
                  const tert_tensor *scale = nullptr,
                  const tert_tensor *rowwise = nullptr,
                  const tert_tensor *columnwise = nullptr,
                  const tert_tensor *amax = nullptr) {
    return updateOfOne(context, "adamw", gradient, coefficient,
                       {lr, beta1, beta2, eps, weightDecay}, step, param,
                       {expAvg, expAvgSq},
                       Quantized(scale, rowwise, columnwise, amax), decay);
  }

  Tensor gradient, param, expAvg, expAvgSq;
  Tensor coefficient = Tensor::scalar(0.7f), lr = Tensor::scalar(1e-2f);
  Tensor beta1 = Tensor::scalar(0.9f), beta2 = Tensor::scalar(0.95f);
  Tensor eps = Tensor::scalar(1e-8f), weightDecay = Tensor::scalar(0.1f);
  Tensor step{TERT_I64, {}};
};

} // namespace

TEST(AdamwTest, FiveStepsAgainstFloat64) {
  Context context;
  for (bool decay : {false, true})
    for (std::vector<int64_t> shape : std::vector<std::vector<int64_t>>{
             {}, {1}, {5000}, {65, 33}, {3, 5, 7}, {0, 4}})
      for (int32_t gradientType : {TERT_F32, TERT_BF16}) {
        Adamw adamw(shape, gradientType, shape.size() > 1 ? 3 : 0);
        int64_t n = adamw.param.numElements();
        std::vector<double> p(n), m(n, 0.0), v(n, 0.0);
        for (int64_t i = 0; i < n; ++i)
          p[i] = adamw.param.at(i);
        double lr = adamw.lr.at(0), b1 = adamw.beta1.at(0);
        double b2 = adamw.beta2.at(0);
        for (int step = 1; step <= 5; ++step) {
          adamw.step.setBits(0, step);
          adamw.gradient.randomize(step, 0.1);
          EXPECT_OK(context, adamw.run(context, decay));
          for (int64_t i = 0; i < n; ++i) {
            double g = adamw.gradient.at(i) * adamw.coefficient.at(0);
            if (decay)
              p[i] *= 1 - lr * adamw.weightDecay.at(0);
            m[i] = b1 * m[i] + (1 - b1) * g;
            v[i] = b2 * v[i] + (1 - b2) * g * g;
            p[i] -=
                lr / (1 - std::pow(b1, step)) * m[i] /
                (std::sqrt(v[i] / (1 - std::pow(b2, step))) + adamw.eps.at(0));
            ASSERT_NEAR(adamw.param.at(i), p[i],
                        2e-6 * (std::fabs(p[i]) + 0.05));
            ASSERT_NEAR(adamw.expAvg.at(i), m[i], 1e-6 * 0.1);
            ASSERT_NEAR(adamw.expAvgSq.at(i), v[i], 1e-5 * v[i] + 1e-30);
          }
        }
        adamw.param.checkGaps();
        adamw.expAvg.checkGaps();
        adamw.expAvgSq.checkGaps();
      }
}

TEST(AdamwTest, QuantizesTheNewParameter) {
  Context context;
  for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2})
    for (bool skipped : {false, true}) {
      Adamw adamw({70, 300}), plain({70, 300});
      if (skipped) {
        adamw.coefficient.set(0, NAN);
        plain.coefficient.set(0, NAN);
      }
      Fp8Copies copies(format, 70, 300);
      EXPECT_OK(context, adamw.run(context, true, copies.scale, copies.rowwise,
                                   copies.columnwise, copies.amax));
      EXPECT_OK(context, plain.run(context, true));
      EXPECT_TRUE(adamw.param.sameBits(plain.param));
      EXPECT_TRUE(adamw.expAvg.sameBits(plain.expAvg));
      EXPECT_TRUE(adamw.expAvgSq.sameBits(plain.expAvgSq));
      EXPECT_EQ(skipped, adamw.param.sameBits(Adamw({70, 300}).param));
      copies.expectOf(adamw.param);
    }
}

TEST(AdamwTest, QuantizesAllRowsAsAMatrix) {
  Context context;
  Adamw experts({7, 10, 300}), matrix({70, 300});
  experts.gradient = matrix.gradient;
  Fp8Copies copies(TERT_F8E4M3, 70, 300), wanted(TERT_F8E4M3, 70, 300);
  EXPECT_OK(context, experts.run(context, true, copies.scale, copies.rowwise,
                                 copies.columnwise, copies.amax));
  EXPECT_OK(context, matrix.run(context, true, wanted.scale, wanted.rowwise,
                                wanted.columnwise, wanted.amax));
  for (int64_t i = 0; i < matrix.param.numElements(); ++i) {
    ASSERT_EQ(experts.param.at(i), matrix.param.at(i));
    ASSERT_EQ(experts.expAvg.at(i), matrix.expAvg.at(i));
    ASSERT_EQ(experts.expAvgSq.at(i), matrix.expAvgSq.at(i));
  }
  copies.expectOf(matrix.param);
}

TEST(AdamwTest, ThreadsDoNotMatter) {
  Context one(1), three(3);
  Adamw first({300, 301}), second({300, 301});
  EXPECT_OK(one, first.run(one));
  EXPECT_OK(three, second.run(three));
  EXPECT_TRUE(first.param.sameBits(second.param));
}

TEST(AdamwTest, RefusesBadArguments) {
  Context context;
  Adamw adamw({4, 6});
  adamw.gradient = Tensor(TERT_F32, {6, 4});
  EXPECT_EQ(adamw.run(context), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.update: parameter 0: 'gradient' is [6, 4] f32, "
            "but must be [4, 6], the shape of 'param'");
  Adamw experts({2, 4, 6});
  Fp8Copies copies(TERT_F8E4M3, 8, 6);
  EXPECT_EQ(experts.run(context, true, copies.scale, copies.rowwise,
                        copies.columnwise, copies.amax),
            TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.update: parameter 0: 'gradient' is [2, 4, 6] f32, "
            "but must be [8, 6], the shape of 'param'");
  Adamw vector({4});
  Tensor q(TERT_F8E4M3, {4, 4});
  EXPECT_EQ(vector.run(context, true, Tensor::scalar(1), q),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("of rank 2"), std::string::npos);
  Adamw gap({4, 6});
  gap.param = Tensor(TERT_F32, {4, 6}, 1);
  EXPECT_EQ(gap.run(context), TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("contiguous"), std::string::npos);
}

TEST(MultiAdamwTest, IsAdamwOfEach) {
  Context context;
  std::vector<std::vector<int64_t>> shapes = {
      {70, 300}, {5000}, {16, 32}, {}, {65, 33}};
  // Copies of the first are complete, of the third row-wise, of the last none.
  std::vector<int32_t> decays = {1, 0, 1, 0, 0};
  std::vector<Adamw> alone, together;
  for (size_t i = 0; i < shapes.size(); ++i) {
    alone.emplace_back(shapes[i], i % 2 ? TERT_BF16 : TERT_F32);
    together.push_back(alone.back());
  }
  auto scales = [] {
    return std::vector<Tensor>{Tensor::scalar(30), Tensor::scalar(7)};
  };
  auto rowwise = [] {
    return std::vector<Tensor>{Tensor(TERT_F8E4M3, {80, 304}),
                               Tensor(TERT_F8E5M2, {16, 32})};
  };
  auto columnwise = [] {
    return std::vector<Tensor>{Tensor(TERT_F8E4M3, {304, 80})};
  };
  auto amaxes = [] {
    return std::vector<Tensor>{Tensor::scalar(0), Tensor::scalar(0)};
  };
  std::vector<Tensor> s = scales(), q = rowwise(), qt = columnwise(),
                      amax = amaxes();
  EXPECT_OK(context, alone[0].run(context, true, s[0], q[0], qt[0], amax[0]));
  EXPECT_OK(context, alone[1].run(context, false));
  EXPECT_OK(context, alone[2].run(context, true, s[1], q[1]));
  EXPECT_OK(context, alone[3].run(context, false));
  EXPECT_OK(context,
            alone[4].run(context, false, nullptr, nullptr, nullptr, amax[1]));

  std::vector<Tensor> q2 = rowwise(), qt2 = columnwise(), amax2 = amaxes();
  auto handle = [](const Tensor &tensor) -> tert_tensor {
    return *static_cast<const tert_tensor *>(tensor);
  };
  std::vector<tert_tensor> gradients, params, states;
  for (Adamw &each : together) {
    gradients.push_back(handle(each.gradient));
    params.push_back(handle(each.param));
    states.push_back(handle(each.expAvg));
    states.push_back(handle(each.expAvgSq));
  }
  std::vector<tert_quantized> quantized = {
      Quantized(s[0], q2[0], qt2[0], amax2[0]).get(),
      {},
      Quantized(s[1], q2[1], nullptr, nullptr).get(),
      {},
      Quantized(nullptr, nullptr, nullptr, amax2[1]).get()};
  const Adamw &x = together[0];
  auto run = [&](int32_t numParams) {
    const std::vector<tert_tensor> scalars = {handle(x.lr), handle(x.beta1),
                                              handle(x.beta2), handle(x.eps),
                                              handle(x.weightDecay)};
    return tert_update(context, nullptr, int32_t(gradients.size()),
                       gradients.data(), x.coefficient, int32_t(scalars.size()),
                       scalars.data(), x.step, numParams, params.data(),
                       int32_t(states.size()), states.data(), 0, nullptr,
                       int32_t(quantized.size()), quantized.data(), "adamw",
                       decays.data());
  };
  EXPECT_EQ(run(4), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.update: 'params' has 4 entries, but must have 5");
  EXPECT_OK(context, run(5));
  for (size_t i = 0; i < shapes.size(); ++i) {
    EXPECT_TRUE(together[i].param.sameBits(alone[i].param)) << i;
    EXPECT_TRUE(together[i].expAvg.sameBits(alone[i].expAvg)) << i;
    EXPECT_TRUE(together[i].expAvgSq.sameBits(alone[i].expAvgSq)) << i;
    EXPECT_FALSE(together[i].param.sameBits(Adamw(shapes[i]).param)) << i;
  }
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(q2[i].sameBits(q[i]));
    EXPECT_TRUE(amax2[i].sameBits(amax[i]));
  }
  EXPECT_TRUE(qt2[0].sameBits(qt[0]));

  together[2].gradient = Tensor(TERT_F32, {32, 16});
  gradients[2] = handle(together[2].gradient);
  EXPECT_EQ(run(5), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.update: parameter 2: 'gradient' is [32, 16] f32, but "
            "must be [16, 32], the shape of 'param'");
}

TEST(GlobalNormTest, AgainstFloat64) {
  Context one(1), three(3);
  std::vector<Tensor> tensors = {
      Tensor(TERT_F32, {}), Tensor(TERT_BF16, {300, 517}, 3),
      Tensor(TERT_F32, {0, 5}), Tensor(TERT_F32, {70000}),
      Tensor(TERT_F32, {3, 4, 5}, 1)};
  std::vector<tert_tensor> handles;
  double sum = 0;
  for (Tensor &tensor : tensors) {
    tensor.randomize(uint32_t(handles.size()), 1e-3);
    for (int64_t i = 0; i < tensor.numElements(); ++i)
      sum += tensor.at(i) * tensor.at(i);
    handles.push_back(tensor.get());
  }
  Tensor norm = Tensor::scalar(0), norm3 = Tensor::scalar(0);
  EXPECT_OK(one, tert_global_norm(one, nullptr, 5, handles.data(), norm));
  EXPECT_OK(three, tert_global_norm(three, nullptr, 5, handles.data(), norm3));
  // f64 sums: right to the last bit of f32.
  EXPECT_EQ(norm.at(0), float(std::sqrt(sum)));
  EXPECT_TRUE(norm.sameBits(norm3));
  EXPECT_OK(one, tert_global_norm(one, nullptr, 0, nullptr, norm));
  EXPECT_EQ(norm.at(0), 0);
  tensors[1].set(300 * 517 - 1, INFINITY);
  EXPECT_OK(one, tert_global_norm(one, nullptr, 5, handles.data(), norm));
  EXPECT_EQ(norm.at(0), INFINITY);
  tensors[3].set(7, NAN);
  EXPECT_OK(one, tert_global_norm(one, nullptr, 5, handles.data(), norm));
  EXPECT_TRUE(std::isnan(norm.at(0)));
}

TEST(GlobalNormTest, SquaresDoNotOverflow) {
  Context context;
  Tensor x(TERT_F32, {2}), norm = Tensor::scalar(0);
  x.set(0, 3e30);
  x.set(1, 4e30);
  EXPECT_OK(context, tert_global_norm(context, nullptr, 1, &x.get(), norm));
  EXPECT_FLOAT_EQ(float(norm.at(0)), 5e30f);
}

TEST(ClipTest, Coefficient) {
  Context context;
  struct Case {
    float norm, maxNorm, expected;
  };
  for (Case c : std::vector<Case>{{2, 1, 1.0f / (2.0f + 1e-6f)},
                                  {0.5, 1, 1},
                                  {0, 1, 1},
                                  {5, 0, 1},
                                  {5, -1, 1},
                                  {INFINITY, 1, NAN},
                                  {NAN, 1, NAN},
                                  {NAN, 0, NAN}}) {
    Tensor coefficient = Tensor::scalar(-1);
    EXPECT_OK(context, tert_clip_coefficient(
                           context, nullptr, Tensor::scalar(c.norm),
                           Tensor::scalar(c.maxNorm), 0, nullptr, coefficient));
    if (std::isnan(c.expected))
      EXPECT_TRUE(std::isnan(coefficient.at(0)));
    else
      EXPECT_EQ(coefficient.at(0), c.expected);
  }
}

// An FP8 cast of an infinity is finite, and so are the gradients behind it: the
// amax alone knows.
TEST(ClipTest, NonfiniteAmaxSkipsTheStep) {
  Context context;
  for (auto [amax, skips] : std::vector<std::pair<float, bool>>{
           {0, false}, {3e38f, false}, {INFINITY, true}, {NAN, true}}) {
    for (size_t at : {0, 1, 2}) {
      Tensor first = Tensor::scalar(1), second = Tensor::scalar(0),
             third = Tensor::scalar(448);
      (at == 0 ? first : at == 1 ? second : third) = Tensor::scalar(amax);
      std::vector<tert_tensor> amaxes = {first.get(), second.get(),
                                         third.get()};
      Tensor coefficient = Tensor::scalar(-1);
      EXPECT_OK(context, tert_clip_coefficient(
                             context, nullptr, Tensor::scalar(2),
                             Tensor::scalar(0), 3, amaxes.data(), coefficient));
      if (skips)
        EXPECT_TRUE(std::isnan(coefficient.at(0))) << amax << " at " << at;
      else
        EXPECT_EQ(coefficient.at(0), 1.0f) << amax << " at " << at;
    }
  }
}

TEST(ClipTest, StepAdvancesUnlessSkipped) {
  Context context;
  Tensor step(TERT_I64, {});
  step.setBits(0, (uint64_t(1) << 40) + 1);
  EXPECT_OK(context,
            tert_advance_step(context, nullptr, Tensor::scalar(0.5), step));
  EXPECT_EQ(step.bitsAt(0), (uint64_t(1) << 40) + 2);
  EXPECT_OK(context,
            tert_advance_step(context, nullptr, Tensor::scalar(NAN), step));
  EXPECT_EQ(step.bitsAt(0), (uint64_t(1) << 40) + 2);
  EXPECT_EQ(
      tert_advance_step(context, nullptr, Tensor::scalar(1), Tensor::scalar(1)),
      TERT_INVALID_ARGUMENT);
}
