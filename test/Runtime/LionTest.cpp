// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fp8Reference.h"
#include "Updates.h"

using namespace tert_test;

// The formula of Chen et al., 2023, in float64.
TEST(LionTest, FiveStepsAgainstFloat64) {
  Context context;
  for (bool decay : {false, true})
    for (int32_t gradientType : {TERT_F32, TERT_BF16}) {
      const std::vector<int64_t> shape = {65, 33};
      Tensor gradient(gradientType, shape), param(TERT_F32, shape),
          average(TERT_F32, shape), step(TERT_I64, {});
      param.randomize(2);
      average.fill([](int64_t) { return 0; });
      const double lr = 0.0078125, beta1 = 0.875, beta2 = 0.984375, wd = 0.5,
                   coefficient = 0.75;
      const int64_t n = param.numElements();
      std::vector<double> p(n), m(n);
      for (int64_t i = 0; i < n; ++i)
        p[i] = param.at(i);
      for (int number = 1; number <= 5; ++number) {
        step.setBits(0, number);
        gradient.randomize(number, 0.1);
        // Of a direction of 0 the sign is 0.
        gradient.set(7, 0);
        EXPECT_OK(context,
                  updateOfOne(context, "lion", gradient,
                              Tensor::scalar(coefficient),
                              {Tensor::scalar(lr), Tensor::scalar(beta1),
                               Tensor::scalar(beta2), Tensor::scalar(wd)},
                              step, param, {average}, nullptr, decay));
        for (int64_t i = 0; i < n; ++i) {
          const double g = gradient.at(i) * coefficient;
          const double c = beta1 * m[i] + (1 - beta1) * g;
          // Rounding decides about directions that all but cancel.
          if (std::fabs(c) < 1e-8 && c != 0)
            continue;
          if (decay)
            p[i] *= 1 - lr * wd;
          p[i] -= lr * ((c > 0) - (c < 0));
          m[i] = beta2 * m[i] + (1 - beta2) * g;
          ASSERT_NEAR(param.at(i), p[i], 1e-6) << i;
          ASSERT_NEAR(average.at(i), m[i], 1e-8) << i;
        }
      }
    }
}
