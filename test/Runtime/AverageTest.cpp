// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fp8Reference.h"
#include "Updates.h"

using namespace tert_test;

// The average of what stands for the gradient: torch.optim.swa_utils's
// AveragedModel with get_ema_multi_avg_fn takes the first value, then moves
// towards later ones; in float64.
TEST(AverageTest, FiveStepsAgainstFloat64) {
  Context context;
  const std::vector<int64_t> shape = {65, 33};
  const double decay = 0.875;
  Tensor value(TERT_F32, shape), average(TERT_F32, shape), step(TERT_I64, {});
  average.randomize(1);
  std::vector<double> expected(average.numElements());
  auto update = [&](float coefficient) {
    EXPECT_OK(context,
              updateOfOne(context, "ema", value, Tensor::scalar(coefficient),
                          {Tensor::scalar(decay)}, step, average, {}, nullptr,
                          /*decay=*/false));
  };
  for (int number = 1; number <= 5; ++number) {
    step.setBits(0, number);
    value.randomize(number + 7);
    update(1);
    for (size_t i = 0; i < expected.size(); ++i) {
      const double now = value.at(i);
      expected[i] =
          number == 1 ? now : expected[i] + (1 - decay) * (now - expected[i]);
      ASSERT_NEAR(average.at(i), expected[i], 1e-6) << i;
    }
  }
  // A skipped step changes nothing.
  const double before = average.at(3);
  value.randomize(50);
  update(NAN);
  EXPECT_EQ(average.at(3), before);
}
