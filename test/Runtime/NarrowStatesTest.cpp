// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AdamW with states in bf16 and FP8, and parameters in bf16, against float64
// formulas of their rounding.

#include "Fp8Reference.h"
#include "Updates.h"

using namespace tert_test;

namespace {

constexpr double kLearningRate = 0.0078125, kBeta1 = 0.875, kEps = 1e-8,
                 kDecay = 0.5, kCoefficient = 0.75;

int64_t scalesOf(int64_t cols) { return (cols + 127) / 128; }

/// A parameter with states of `first` and `second`.
struct Narrow {
  Narrow(int32_t first, int32_t second, std::vector<int64_t> shape,
         int32_t gradientType = TERT_F32, int64_t gap = 0,
         int32_t paramType = TERT_F32)
      : gradient(gradientType, shape, gap), param(paramType, shape),
        states{Tensor(first, shape), Tensor(second, shape)} {
    param.randomize(2);
    gradient.randomize(3, 0.1);
    for (Tensor &state : states)
      state.fill([](int64_t) { return 0; });
    if (isFp8())
      for (int i = 0; i < 2; ++i) {
        std::vector<int64_t> blocks = shape;
        blocks.back() = scalesOf(shape.back());
        scales.emplace_back(TERT_F32, blocks);
        scales.back().fill([](int64_t) { return 0; });
      }
  }

  bool isFp8() const {
    return states[0].layout.dtype != TERT_BF16 &&
           states[0].layout.dtype != TERT_F32;
  }
  double scaleAt(int i, int64_t element) const {
    if (!isFp8())
      return 1;
    const int64_t cols = param.size(1);
    return scales[i].at(element / cols * scalesOf(cols) + element % cols / 128);
  }
  double stateAt(int i, int64_t element) const {
    return states[i].at(element) * scaleAt(i, element);
  }
  tert_status run(Context &context, int number, bool decay = true,
                  const tert_quantized *quantized = nullptr) {
    step.setBits(0, number);
    Tensors scaleList;
    for (const Tensor &scale : scales)
      scaleList.push_back(scale);
    return updateOfOne(context, "adamw", gradient, coefficient,
                       {lr, beta1, beta2, eps, weightDecay}, step, param,
                       {states[0], states[1]}, quantized, decay, scaleList);
  }

  Tensor gradient, param;
  std::vector<Tensor> states, scales;
  Tensor coefficient = Tensor::scalar(kCoefficient),
         lr = Tensor::scalar(kLearningRate), beta1 = Tensor::scalar(kBeta1),
         beta2 = Tensor::scalar(0.984375), eps = Tensor::scalar(kEps),
         weightDecay = Tensor::scalar(kDecay);
  Tensor step{TERT_I64, {}};
};

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// As tert/ops.h describes it: MurmurHash3's finalizer, and its use.
uint32_t mixed(uint32_t h) {
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}
uint32_t hashOf(float gradient, float param, int64_t step) {
  return mixed(uint32_t((uint64_t(bitsOf(gradient)) * 0x9e3779b1u) ^
                        bitsOf(param) ^ (uint64_t(step) * 0x85ebca77u)));
}

/// The magnitude that x, of float64, becomes in a format with `mantissa` bits
/// and normal numbers from 2^smallest on, by 16 random bits. NaN where x is so
/// close to the border of two results that rounding in float32 decides.
double roundedBy(uint32_t random, double x, int mantissa, int smallest) {
  const int exponent = std::max(x > 0 ? std::ilogb(x) : smallest, smallest);
  const double distance = std::ldexp(1.0, exponent - mantissa);
  const double steps = x / distance + random / 65536.0;
  if (std::fabs(steps - std::round(steps)) < 1e-3)
    return NAN;
  return std::floor(steps) * distance;
}

void fiveStepsAgainstFloat64(int32_t first, int32_t second,
                             std::vector<int64_t> shape, int32_t gradientType,
                             int64_t gap, int32_t paramType = TERT_F32) {
  Context context;
  Narrow x(first, second, shape, gradientType, gap, paramType);
  const int64_t n = x.param.numElements();
  int64_t compared = 0, wanted = 0;
  for (int number = 1; number <= 5; ++number) {
    x.gradient.randomize(uint32_t(number), 0.1);
    const Narrow before = x;
    EXPECT_OK(context, x.run(context, number, number % 2));
    std::vector<double> values[2];
    for (int64_t i = 0; i < n; ++i) {
      const double g = x.gradient.at(i) * kCoefficient, b2 = x.beta2.at(0);
      const double m = kBeta1 * before.stateAt(0, i) + (1 - kBeta1) * g;
      const double v = b2 * before.stateAt(1, i) + (1 - b2) * g * g;
      double p = before.param.at(i);
      if (number % 2)
        p *= 1 - kLearningRate * kDecay;
      p -= kLearningRate * (m / (1 - std::pow(kBeta1, number))) /
           (std::sqrt(v / (1 - std::pow(b2, number))) + kEps);
      if (paramType == TERT_F32) {
        ASSERT_NEAR(x.param.at(i), p, 2e-6 * (std::fabs(p) + 0.05)) << i;
      } else {
        const uint32_t hash =
            hashOf(float(g), float(before.param.at(i)), number);
        const double expected = roundedBy(mixed(hash * 0x9e3779b1u) & 0xffff,
                                          std::fabs(p), 7, -126);
        ++wanted;
        if (!std::isnan(expected)) {
          ++compared;
          ASSERT_EQ(std::fabs(x.param.at(i)), expected) << i << " of " << p;
        }
      }
      values[0].push_back(m);
      values[1].push_back(v);
    }
    for (int s = 0; s < 2; ++s) {
      const int32_t dtype = x.states[s].layout.dtype;
      if (dtype == TERT_F32) {
        for (int64_t i = 0; i < n; ++i)
          ASSERT_NEAR(x.states[s].at(i), values[s][i], 1e-7) << i;
        continue;
      }
      const double largest = dtype == TERT_F8E5M2 ? 57344 : 448;
      const int mantissa = dtype == TERT_BF16     ? 7
                           : dtype == TERT_F8E5M2 ? 2
                                                  : 3;
      const int smallest = dtype == TERT_BF16     ? -126
                           : dtype == TERT_F8E5M2 ? -14
                                                  : -6;
      for (int64_t i = 0; i < n; ++i) {
        if (x.isFp8() && i % shape[1] % 128 == 0) {
          double amax = 0;
          const int64_t end =
              std::min(i + 128, i / shape[1] * shape[1] + shape[1]);
          for (int64_t k = i; k < end; ++k)
            amax = std::max(amax, std::fabs(values[s][k]));
          ASSERT_NEAR(x.scaleAt(s, i), amax / largest, 1e-5 * amax / largest);
        }
        const auto g = float(float(x.gradient.at(i)) * float(kCoefficient));
        const uint32_t hash = hashOf(g, float(before.param.at(i)), number);
        const double value = values[s][i];
        double expected = roundedBy(s == 0 ? hash & 0xffff : hash >> 16,
                                    std::min(std::fabs(value) / x.scaleAt(s, i),
                                             x.isFp8() ? largest : INFINITY),
                                    mantissa, smallest);
        ++wanted;
        if (std::isnan(expected))
          continue;
        ++compared;
        if (x.isFp8() && s == 1 && value > 0)
          expected = std::max(expected, std::ldexp(1.0, smallest - mantissa));
        ASSERT_EQ(std::fabs(x.states[s].at(i)), expected)
            << s << " " << i << " of " << value;
        if (expected != 0) {
          ASSERT_EQ(std::signbit(x.states[s].at(i)), std::signbit(value));
        }
      }
    }
  }
  // Few are too close to a border to be compared.
  EXPECT_GT(double(compared), 0.98 * double(wanted));
  EXPECT_GT(wanted, 0);
  x.param.checkGaps();
}

} // namespace

TEST(NarrowStatesTest, FiveStepsAgainstFloat64) {
  for (int32_t gradientType : {TERT_F32, TERT_BF16}) {
    for (std::vector<int64_t> shape : std::vector<std::vector<int64_t>>{
             {1, 128}, {65, 300}, {40, 129}, {300, 256}})
      fiveStepsAgainstFloat64(TERT_F8E4M3, TERT_F8E5M2, shape, gradientType, 3);
    for (std::vector<int64_t> shape :
         std::vector<std::vector<int64_t>>{{5000}, {65, 33}, {3, 5, 7}})
      fiveStepsAgainstFloat64(TERT_BF16, TERT_BF16, shape, gradientType,
                              shape.size() > 1 ? 3 : 0);
    for (int32_t type : {TERT_F32, TERT_BF16})
      fiveStepsAgainstFloat64(type, type, {65, 33}, gradientType, 3, TERT_BF16);
    fiveStepsAgainstFloat64(TERT_F8E4M3, TERT_F8E5M2, {65, 300}, gradientType,
                            3, TERT_BF16);
  }
}

// A parameter in bf16 moves by steps smaller than its last bit, on average.
TEST(NarrowStatesTest, SmallStepsMoveParameters) {
  Context context;
  for (const char *rule : {"sgd", "lion"}) {
    const std::vector<int64_t> shape = {64, 256};
    Tensor param(TERT_BF16, shape), gradient(TERT_F32, shape),
        state(TERT_F32, shape), step(TERT_I64, {});
    param.fill([](int64_t) { return 1; });
    gradient.randomize(5, 0.001);
    for (int64_t i = 0; i < gradient.numElements(); ++i)
      gradient.set(i, gradient.at(i) + 1);
    state.fill([](int64_t) { return 0; });
    const bool isLion = rule[0] == 'l';
    const Tensor lr = Tensor::scalar(-0x1p-12f), beta = Tensor::scalar(0.5),
                 zero = Tensor::scalar(0), one = Tensor::scalar(1);
    const Tensors scalars =
        isLion ? Tensors{lr, beta, beta, zero} : Tensors{lr, zero};
    for (int64_t number = 1; number <= 64; ++number) {
      step.setBits(0, uint64_t(number));
      EXPECT_OK(context,
                updateOfOne(context, rule, gradient, one, scalars, step, param,
                            isLion ? Tensors{state} : Tensors{}, nullptr,
                            /*decay=*/false));
    }
    double sum = 0;
    for (int64_t i = 0; i < param.numElements(); ++i)
      sum += param.at(i);
    // 64 steps of 2^-12, where the last bit of 1 is 2^-7.
    EXPECT_NEAR(sum / double(param.numElements()), 1 + 0x1p-6, 0x1p-10);
  }
}

// Rounded to nearest, a second moment would never become less by 1 / 1024.
TEST(NarrowStatesTest, SmallChangesAreKeptOnAverage) {
  Context context;
  for (int32_t type : {TERT_BF16, TERT_F8E5M2}) {
    Narrow x(type == TERT_BF16 ? TERT_BF16 : TERT_F8E4M3, type, {64, 256});
    x.beta2 = Tensor::scalar(1 - 0x1p-10f);
    EXPECT_OK(context, x.run(context, 1));
    auto sum = [&] {
      double total = 0;
      for (int64_t i = 0; i < x.param.numElements(); ++i)
        total += x.stateAt(1, i);
      return total;
    };
    const double first = sum();
    x.gradient.fill([](int64_t) { return 0; });
    for (int step = 2; step <= 513; ++step)
      EXPECT_OK(context, x.run(context, step));
    EXPECT_NEAR(sum() / first, std::pow(1 - 0x1p-10, 512), 0.02);
  }
}

// A divisor of 0 would make the next step as large as 1 / eps.
TEST(NarrowStatesTest, PositiveSecondMomentsStayPositive) {
  Context context;
  Narrow x(TERT_F8E4M3, TERT_F8E5M2, {1, 128});
  x.gradient.fill([](int64_t i) { return i == 0 ? 1 : i == 1 ? 0 : 1e-9; });
  EXPECT_OK(context, x.run(context, 1));
  EXPECT_EQ(x.stateAt(1, 1), 0);
  for (int64_t i = 2; i < 128; ++i)
    EXPECT_EQ(x.states[1].at(i), 0x1p-16) << i;
}

TEST(NarrowStatesTest, QuantizesTheNewParameterAndSkipsSteps) {
  Context context;
  for (auto [paramType, skipped] : std::vector<std::pair<int32_t, bool>>{
           {TERT_F32, false}, {TERT_F32, true}, {TERT_BF16, false}}) {
    Narrow one(TERT_F8E4M3, TERT_F8E5M2, {70, 300}, TERT_F32, 0, paramType),
        plain = one;
    EXPECT_OK(context, one.run(context, 1));
    EXPECT_OK(context, plain.run(context, 1));
    if (skipped) {
      one.coefficient.set(0, NAN);
      plain.coefficient.set(0, NAN);
    }
    const Narrow before = one;
    Fp8Copies copies(TERT_F8E4M3, 70, 300);
    EXPECT_OK(context, one.run(context, 2, true,
                               Quantized(copies.scale, copies.rowwise,
                                         copies.columnwise, copies.amax)));
    EXPECT_OK(context, plain.run(context, 2));
    EXPECT_TRUE(one.param.sameBits(plain.param));
    EXPECT_EQ(skipped, one.param.sameBits(before.param));
    for (int s = 0; s < 2; ++s) {
      EXPECT_TRUE(one.states[s].sameBits(plain.states[s]));
      EXPECT_TRUE(one.scales[s].sameBits(plain.scales[s]));
      EXPECT_EQ(skipped, one.states[s].sameBits(before.states[s]));
      EXPECT_EQ(skipped, one.scales[s].sameBits(before.scales[s]));
    }
    copies.expectOf(one.param);
  }
}

TEST(NarrowStatesTest, ThreadsDoNotMatter) {
  Context one(1), three(3);
  Narrow all(TERT_F8E4M3, TERT_F8E5M2, {300, 301}), again = all;
  EXPECT_OK(one, all.run(one, 1));
  EXPECT_OK(three, again.run(three, 1));
  EXPECT_TRUE(all.param.sameBits(again.param));
  for (int s = 0; s < 2; ++s) {
    EXPECT_TRUE(all.states[s].sameBits(again.states[s]));
    EXPECT_TRUE(all.scales[s].sameBits(again.scales[s]));
  }
}

// Ranks that hold rows each round as one rank does.
TEST(NarrowStatesTest, RowsAreUpdatedAlike) {
  Context context;
  Narrow whole(TERT_F8E4M3, TERT_F8E5M2, {90, 301}), parts = whole;
  for (int number : {1, 2}) {
    EXPECT_OK(context, whole.run(context, number));
    parts.step.setBits(0, number);
    for (int64_t first : {0, 30, 60}) {
      auto rows = [&](const Tensor &of) { return of.rows(first, 30); };
      auto m = rows(parts.states[0]), v = rows(parts.states[1]),
           ms = rows(parts.scales[0]), vs = rows(parts.scales[1]);
      EXPECT_OK(context,
                updateOfOne(context, "adamw", rows(parts.gradient),
                            parts.coefficient,
                            {parts.lr, parts.beta1, parts.beta2, parts.eps,
                             parts.weightDecay},
                            parts.step, rows(parts.param), {m, v}, nullptr,
                            /*decay=*/true, {ms, vs}));
    }
  }
  EXPECT_TRUE(whole.param.sameBits(parts.param));
  for (int s = 0; s < 2; ++s) {
    EXPECT_TRUE(whole.states[s].sameBits(parts.states[s]));
    EXPECT_TRUE(whole.scales[s].sameBits(parts.scales[s]));
  }
}

// The matrices of experts [E, N, K] round as the matrix [E * N, K], which their
// gradient is.
TEST(NarrowStatesTest, ExpertsAreUpdatedAlike) {
  Context context;
  Narrow matrix(TERT_F8E4M3, TERT_F8E5M2, {90, 301});
  Narrow experts(TERT_F8E4M3, TERT_F8E5M2, {6, 15, 301});
  experts.gradient = matrix.gradient;
  ASSERT_TRUE(matrix.param.sameBits(experts.param));
  for (int number : {1, 2}) {
    EXPECT_OK(context, matrix.run(context, number));
    EXPECT_OK(context, experts.run(context, number));
  }
  EXPECT_TRUE(matrix.param.sameBits(experts.param));
  for (int s = 0; s < 2; ++s) {
    EXPECT_TRUE(matrix.states[s].sameBits(experts.states[s]));
    EXPECT_TRUE(matrix.scales[s].sameBits(experts.scales[s]));
  }
  experts.scales[0] = Tensor(TERT_F32, {6, 3, 15});
  EXPECT_EQ(experts.run(context, 1), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.update: parameter 0: 'state_scales' is [6, 3, 15] f32, but "
            "must be [6, 15, 3], one for 128 elements of a row of 'state'");
}

TEST(NarrowStatesTest, RefusesBadArguments) {
  Context context;
  Narrow x(TERT_F8E4M3, TERT_F8E5M2, {4, 300});
  auto refuses = [&](Narrow bad, const std::string &message) {
    EXPECT_EQ(bad.run(context, 1), TERT_INVALID_ARGUMENT);
    EXPECT_EQ(context.error(), "tert.update: " + message);
  };
  Narrow bad = x;
  bad.scales.pop_back();
  refuses(bad, "'state_scales' has 1 entries, but must have 2");
  bad = x;
  bad.scales[1] = Tensor(TERT_F32, {4, 2});
  refuses(bad, "parameter 0: 'state_scales' is [4, 2] f32, but must be [4, 3], "
               "one for 128 elements of a row of 'state'");
  bad = x;
  bad.states[1] = Tensor(TERT_F32, {4, 300});
  refuses(bad, "parameter 0: 'state' is [4, 300] f32, but must be f32, bf16 or "
               "FP8 as the first state");
  bad = x;
  bad.states[0] = Tensor(TERT_I64, {4, 300});
  refuses(bad, "'state' is [4, 300] i64, but must be f32, bf16 or FP8");
}
