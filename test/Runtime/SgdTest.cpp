// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fp8Reference.h"
#include "SafetensorsFixture.h"
#include "Updates.h"

using namespace tert_test;

namespace {

/// State and hyperparameters of one tensor.
struct Sgd {
  explicit Sgd(std::vector<int64_t> shape, int32_t gradientType = TERT_F32,
               int64_t gradientGap = 0)
      : gradient(gradientType, shape, gradientGap), param(TERT_F32, shape),
        buffer(param) {
    gradient.randomize(1);
    param.randomize(2);
    buffer.randomize(3);
    step.setBits(0, 2);
  }

  tert_status run(Context &context, const tert_quantized *quantized = nullptr) {
    Tensors states;
    if (hasMomentum)
      states.push_back(buffer);
    return updateOfOne(context, rule(), gradient, coefficient, scalars(), step,
                       param, states, quantized, decay);
  }

  const char *rule() const {
    return !hasMomentum ? "sgd" : nesterov ? "sgd_nesterov" : "sgd_momentum";
  }
  Tensors scalars() const {
    Tensors scalars = {lr, weightDecay};
    if (hasMomentum)
      scalars.push_back(momentum);
    if (hasMomentum && !nesterov)
      scalars.push_back(hasDampening ? dampening : none);
    return scalars;
  }

  Tensor gradient, param, buffer;
  Tensor coefficient = Tensor::scalar(0.7f), lr = Tensor::scalar(5e-2f);
  Tensor momentum = Tensor::scalar(0.9f), dampening = Tensor::scalar(0.25f);
  Tensor weightDecay = Tensor::scalar(0.1f), none = Tensor::scalar(0);
  Tensor step{TERT_I64, {}};
  bool hasMomentum = true, hasDampening = false, nesterov = false, decay = true;
};

/// Every combination that there is.
template <typename Fn> void forEachForm(const Fn &fn) {
  for (bool decay : {false, true})
    for (int form : {0, 1, 2, 3})
      fn([&](Sgd &sgd) {
        sgd.decay = decay;
        sgd.hasMomentum = form > 0;
        sgd.hasDampening = form == 2;
        sgd.nesterov = form == 3;
      });
}

} // namespace

TEST(SgdTest, FiveStepsAgainstFloat64) {
  Context context;
  forEachForm([&](const auto &choose) {
    for (std::vector<int64_t> shape : std::vector<std::vector<int64_t>>{
             {}, {1}, {5000}, {65, 33}, {3, 5, 7}, {0, 4}})
      for (int32_t gradientType : {TERT_F32, TERT_BF16}) {
        Sgd sgd(shape, gradientType, shape.size() > 1 ? 3 : 0);
        choose(sgd);
        // What the buffer holds before the first step does not matter.
        sgd.buffer.fill([](int64_t) { return NAN; });
        int64_t n = sgd.param.numElements();
        std::vector<double> p(n), b(n);
        for (int64_t i = 0; i < n; ++i)
          p[i] = sgd.param.at(i);
        double momentum = sgd.momentum.at(0);
        double dampening = sgd.hasDampening ? sgd.dampening.at(0) : 0;
        for (int step = 1; step <= 5; ++step) {
          sgd.step.setBits(0, step);
          sgd.gradient.randomize(step, 0.1);
          EXPECT_OK(context, sgd.run(context));
          for (int64_t i = 0; i < n; ++i) {
            double d = sgd.gradient.at(i) * sgd.coefficient.at(0);
            if (sgd.decay)
              d += sgd.weightDecay.at(0) * p[i];
            if (sgd.hasMomentum) {
              b[i] = step == 1 ? d : momentum * b[i] + (1 - dampening) * d;
              ASSERT_NEAR(sgd.buffer.at(i), b[i], 1e-6 * (std::fabs(b[i]) + 1));
              d = sgd.nesterov ? d + momentum * b[i] : b[i];
            }
            p[i] -= sgd.lr.at(0) * d;
            ASSERT_NEAR(sgd.param.at(i), p[i], 1e-6 * (std::fabs(p[i]) + 0.1));
          }
        }
        sgd.param.checkGaps();
        sgd.buffer.checkGaps();
      }
  });
}

// torch.optim.SGD in float64 (Inputs/make_sgd.py).
TEST(SgdTest, IsPyTorchs) {
  Context context;
  SafetensorsFixture reference(std::string(TERT_TEST_INPUTS) +
                               "/sgd.safetensors");
  struct Case {
    std::string name;
    float momentum, dampening, weightDecay;
    bool nesterov;
  };
  Tensor gradients = reference.get("gradients");
  for (const Case &c :
       std::vector<Case>{{"plain", 0, 0, 0, false},
                         {"decay", 0, 0, 0.1f, false},
                         {"momentum", 0.9f, 0, 0, false},
                         {"dampening", 0.8f, 0.25f, 0.1f, false},
                         {"nesterov", 0.9f, 0, 0.1f, true}}) {
    Sgd sgd({7, 5});
    sgd.param = reference.get("param");
    sgd.coefficient = Tensor::scalar(1);
    sgd.momentum = Tensor::scalar(c.momentum);
    sgd.dampening = Tensor::scalar(c.dampening);
    sgd.weightDecay = Tensor::scalar(c.weightDecay);
    sgd.hasMomentum = c.momentum > 0;
    sgd.hasDampening = c.dampening > 0;
    sgd.nesterov = c.nesterov;
    Tensor params = reference.get(c.name + ".params");
    for (int step = 0; step < 4; ++step) {
      sgd.step.setBits(0, step + 1);
      for (int64_t i = 0; i < 35; ++i)
        sgd.gradient.set(i, gradients.at(step * 35 + i));
      EXPECT_OK(context, sgd.run(context));
      for (int64_t i = 0; i < 35; ++i)
        ASSERT_NEAR(sgd.param.at(i), params.at(step * 35 + i), 2e-6)
            << c.name << " step " << step;
    }
    if (!sgd.hasMomentum)
      continue;
    Tensor buffer = reference.get(c.name + ".momentum_buffer");
    for (int64_t i = 0; i < 35; ++i)
      ASSERT_NEAR(sgd.buffer.at(i), buffer.at(i), 5e-6) << c.name;
  }
}

TEST(SgdTest, QuantizesTheNewParameter) {
  Context context;
  for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2})
    for (bool hasMomentum : {false, true})
      for (bool skipped : {false, true}) {
        Sgd sgd({70, 300}), plain({70, 300});
        for (Sgd *each : {&sgd, &plain}) {
          each->hasMomentum = hasMomentum;
          if (skipped)
            each->coefficient.set(0, NAN);
        }
        Fp8Copies copies(format, 70, 300);
        EXPECT_OK(context,
                  sgd.run(context, Quantized(copies.scale, copies.rowwise,
                                             copies.columnwise, copies.amax)));
        EXPECT_OK(context, plain.run(context));
        EXPECT_TRUE(sgd.param.sameBits(plain.param));
        EXPECT_TRUE(sgd.buffer.sameBits(plain.buffer));
        EXPECT_EQ(skipped, sgd.param.sameBits(Sgd({70, 300}).param));
        EXPECT_EQ(skipped || !hasMomentum,
                  sgd.buffer.sameBits(Sgd({70, 300}).buffer));
        copies.expectOf(sgd.param);
      }
}

TEST(SgdTest, ThreadsDoNotMatter) {
  Context one(1), three(3);
  forEachForm([&](const auto &choose) {
    Sgd first({300, 301}), second({300, 301});
    choose(first);
    choose(second);
    EXPECT_OK(one, first.run(one));
    EXPECT_OK(three, second.run(three));
    EXPECT_TRUE(first.param.sameBits(second.param));
    EXPECT_TRUE(first.buffer.sameBits(second.buffer));
  });
}

TEST(SgdTest, RefusesBadArguments) {
  Context context;
  Sgd shape({4, 6});
  shape.buffer = Tensor(TERT_F32, {6, 4});
  EXPECT_EQ(shape.run(context), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.update: parameter 0: 'state' is [6, 4] f32, but must be "
            "[4, 6], the shape of 'param'");
  Sgd plain({4, 6});
  auto run = [&](const char *rule, const Tensors &scalars,
                 const Tensors &states) {
    return updateOfOne(context, rule, plain.gradient, plain.coefficient,
                       scalars, plain.step, plain.param, states, nullptr, 0);
  };
  EXPECT_EQ(run("sgd", {plain.lr}, {}), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.update: 'scalars' has 1 entries, but must have 2");
  EXPECT_EQ(run("sgd", {plain.lr, plain.weightDecay}, {plain.buffer}),
            TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.update: 'states' has 1 entries, but must have 0");
  EXPECT_EQ(run("adam", {}, {}), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.update: there is no update rule 'adam'; there are adamw, "
            "lion, sgd, sgd_momentum, sgd_nesterov, ema");
}

TEST(MultiSgdTest, IsSgdOfEach) {
  Context context;
  forEachForm([&](const auto &choose) {
    std::vector<std::vector<int64_t>> shapes = {
        {70, 300}, {5000}, {16, 32}, {}, {65, 33}};
    std::vector<int32_t> decays = {1, 0, 1, 0, 1};
    std::vector<Sgd> alone, together;
    std::vector<tert_tensor> gradients, params, buffers;
    for (size_t i = 0; i < shapes.size(); ++i) {
      alone.emplace_back(shapes[i], i % 2 ? TERT_BF16 : TERT_F32);
      choose(alone.back());
      alone.back().decay = decays[i] != 0;
      together.push_back(alone.back());
    }
    for (Sgd &sgd : together) {
      gradients.push_back(sgd.gradient.get());
      params.push_back(sgd.param.get());
      buffers.push_back(sgd.buffer.get());
    }
    Tensor scale = Tensor::scalar(30);
    Tensor q(TERT_F8E4M3, {80, 304}), q2(TERT_F8E4M3, {80, 304});
    Tensor amax = Tensor::scalar(0), amax2 = Tensor::scalar(0);
    EXPECT_OK(context,
              alone[0].run(context, Quantized(scale, q, nullptr, amax)));
    for (size_t i = 1; i < shapes.size(); ++i)
      EXPECT_OK(context, alone[i].run(context));

    std::vector<tert_quantized> quantized(shapes.size());
    quantized[0] = Quantized(scale, q2, nullptr, amax2).get();
    const Sgd &x = together[0];
    auto count = int32_t(shapes.size());
    auto run = [&](int32_t numParams) {
      std::vector<tert_tensor> scalars;
      for (const tert_tensor *scalar : x.scalars())
        scalars.push_back(*scalar);
      return tert_update(context, nullptr, count, gradients.data(),
                         x.coefficient, int32_t(scalars.size()), scalars.data(),
                         x.step, numParams, params.data(),
                         x.hasMomentum ? count : 0, buffers.data(), 0, nullptr,
                         count, quantized.data(), x.rule(), decays.data());
    };
    EXPECT_EQ(run(count - 1), TERT_INVALID_ARGUMENT);
    EXPECT_EQ(context.error(),
              "tert.update: 'params' has 4 entries, but must have 5");
    EXPECT_OK(context, run(count));
    for (size_t i = 0; i < shapes.size(); ++i) {
      EXPECT_TRUE(together[i].param.sameBits(alone[i].param)) << i;
      EXPECT_TRUE(together[i].buffer.sameBits(alone[i].buffer)) << i;
      EXPECT_FALSE(together[i].param.sameBits(Sgd(shapes[i]).param)) << i;
    }
    EXPECT_TRUE(q2.sameBits(q));
    EXPECT_TRUE(amax2.sameBits(amax));
  });
}
