// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SafetensorsFixture.h"

#include <algorithm>
#include <cfloat>
#include <deque>

using namespace tert_test;

namespace {

/// Slots and their state.
struct Slots {
  Slots(int64_t length, std::vector<int32_t> formats)
      : formats(formats), amaxes(formats.size(), Tensor::scalar(0)),
        scales(TERT_F32, {int64_t(formats.size())}), scaleInvs(scales),
        history(TERT_F32, {length, int64_t(formats.size())}),
        nonfinite(TERT_I64, {int64_t(formats.size())}) {
    scales.fill([](int64_t) { return 1; });
    scaleInvs.fill([](int64_t) { return 1; });
    history.fill([](int64_t) { return 0; });
    nonfinite.fill([](int64_t) { return 0; });
  }

  std::vector<tert_tensor> handles() const {
    std::vector<tert_tensor> handles;
    for (const Tensor &amax : amaxes)
      handles.push_back(amax.get());
    return handles;
  }
  tert_status update(Context &context, int32_t algo, int32_t margin) {
    return tert_update_scales(context, nullptr, int32_t(formats.size()),
                              handles().data(), scales, scaleInvs, history,
                              nonfinite, formats.data(), algo, margin);
  }
  tert_status record(Context &context) {
    return tert_record_amaxes(context, nullptr, int32_t(formats.size()),
                              handles().data(), history);
  }
  void setAmaxes(const std::vector<double> &values) {
    for (size_t i = 0; i < values.size(); ++i)
      amaxes[i].set(0, values[i]);
  }

  std::vector<int32_t> formats;
  std::vector<Tensor> amaxes;
  Tensor scales, scaleInvs, history, nonfinite;
};

} // namespace

TEST(ScaleUpdateTest, AgreesWithTransformerEngine) {
  SafetensorsFixture file(TERT_TEST_INPUTS "/transformer_engine.safetensors");
  Context context;
  int numSequences = 0;
  for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2})
    for (int length : {1, 2, 4, 16})
      for (int32_t algo : {TERT_AMAX_MAX, TERT_AMAX_MOST_RECENT})
        for (int margin : {0, 1, 3}) {
          std::string name = std::string("update.") +
                             (format == TERT_F8E4M3 ? "e4m3" : "e5m2") +
                             ".len" + std::to_string(length) +
                             (algo == TERT_AMAX_MAX ? ".max" : ".most_recent") +
                             ".margin" + std::to_string(margin);
          Tensor amaxes = file.get(name + ".amax");
          Tensor scales = file.get(name + ".scale");
          Tensor history = file.get(name + ".history");
          int64_t numSteps = amaxes.size(0), numSlots = amaxes.size(1);
          Slots slots(length, std::vector<int32_t>(numSlots, format));
          for (int64_t step = 0; step < numSteps; ++step) {
            for (int64_t i = 0; i < numSlots; ++i)
              slots.amaxes[i].set(0, amaxes.at(step, i));
            EXPECT_OK(context, slots.update(context, algo, margin));
            for (int64_t i = 0; i < numSlots; ++i) {
              ASSERT_EQ(slots.scales.bitsAt(i), scales.bitsAt(step, i))
                  << name << " step " << step << " slot " << i;
              ASSERT_EQ(slots.scaleInvs.at(i),
                        1.0f / float(scales.at(step, i)));
              ASSERT_EQ(slots.nonfinite.at(i), 0);
            }
          }
          EXPECT_TRUE(slots.history.sameBits(history)) << name;
          ++numSequences;
        }
  EXPECT_EQ(numSequences, 48);
}

TEST(ScaleUpdateTest, NonFiniteAmaxLeavesTheSlotAlone) {
  Context context;
  Slots slots(/*length=*/3, {TERT_F8E4M3, TERT_F8E5M2});
  auto step = [&](double first, double second) {
    slots.amaxes[0].set(0, first);
    slots.amaxes[1].set(0, second);
    EXPECT_OK(context, slots.update(context, TERT_AMAX_MAX, 0));
  };
  step(2, 7);
  EXPECT_EQ(slots.scales.at(0), 448.0f / 2);
  EXPECT_EQ(slots.scales.at(1), 57344.0f / 7);
  Tensor history = slots.history, scales = slots.scales;
  step(INFINITY, NAN);
  EXPECT_TRUE(slots.history.sameBits(history));
  EXPECT_TRUE(slots.scales.sameBits(scales));
  EXPECT_EQ(slots.nonfinite.at(0), 1);
  EXPECT_EQ(slots.nonfinite.at(1), 1);
  // It does not poison the window either.
  step(1, 8);
  EXPECT_EQ(slots.scales.at(0), 448.0f / 2);
  EXPECT_EQ(slots.scales.at(1), 57344.0f / 8);
}

TEST(ScaleUpdateTest, WindowIsTheMostRecentAmaxes) {
  Context context;
  for (int64_t length : {1, 2, 3, 7}) {
    Slots slots(length, {TERT_F8E4M3});
    std::deque<float> window;
    std::mt19937 generator(1);
    for (int step = 0; step < 50; ++step) {
      // Zeros are slots that did not run: nothing enters the window.
      float amax =
          step % 5 == 3 ? 0.0f : std::ldexp(1.0f, -int(generator() % 20));
      slots.amaxes[0].set(0, amax);
      EXPECT_OK(context, slots.update(context, TERT_AMAX_MAX, 2));
      if (amax != 0)
        window.push_back(amax);
      if (window.size() > size_t(length))
        window.pop_front();
      float largest = *std::max_element(window.begin(), window.end());
      ASSERT_EQ(slots.scales.at(0), 448.0f / 4 / largest);
    }
  }
}

TEST(ScaleUpdateTest, RecordedAmaxesCountInTheNextUpdate) {
  Context context;
  for (int32_t algo : {TERT_AMAX_MAX, TERT_AMAX_MOST_RECENT}) {
    // The step in microbatches has what a step with the largest amaxes has.
    Slots parts(/*length=*/4, {TERT_F8E4M3, TERT_F8E5M2, TERT_F8E4M3});
    Slots whole = parts;
    for (int step = 0; step < 6; ++step) {
      const double far = std::ldexp(1, step % 3);
      parts.setAmaxes({1, far, 0});
      EXPECT_OK(context, parts.record(context));
      for (int slot = 0; slot < 3; ++slot)
        EXPECT_EQ(parts.history.at(0, slot), slot == 0   ? 1
                                             : slot == 1 ? far
                                                         : 0);
      parts.setAmaxes({far, 1, 0});
      EXPECT_OK(context, parts.record(context));
      parts.setAmaxes({0.5, 0.25, step == 2 ? 3.0 : 0});
      EXPECT_OK(context, parts.update(context, algo, 1));
      whole.setAmaxes({far, far, step == 2 ? 3.0 : 0});
      EXPECT_OK(context, whole.update(context, algo, 1));
      EXPECT_TRUE(parts.history.sameBits(whole.history)) << step;
      EXPECT_TRUE(parts.scales.sameBits(whole.scales)) << step;
      EXPECT_TRUE(parts.scaleInvs.sameBits(whole.scaleInvs)) << step;
    }
    EXPECT_EQ(parts.history.at(0, 0), 0);
  }
}

TEST(ScaleUpdateTest, ARecordedAmaxThatIsNotFiniteLeavesTheSlotAlone) {
  Context context;
  Slots slots(/*length=*/3, {TERT_F8E4M3, TERT_F8E4M3, TERT_F8E4M3});
  slots.setAmaxes({2, 2, 2});
  EXPECT_OK(context, slots.update(context, TERT_AMAX_MAX, 0));
  const Tensor before = slots.history, scales = slots.scales;
  // NaN wins, whether it comes first or last, and over infinity.
  slots.setAmaxes({NAN, 5, INFINITY});
  EXPECT_OK(context, slots.record(context));
  slots.setAmaxes({7, NAN, 1});
  EXPECT_OK(context, slots.record(context));
  slots.setAmaxes({INFINITY, 3, 2});
  EXPECT_OK(context, slots.record(context));
  EXPECT_TRUE(std::isnan(slots.history.at(0, 0)));
  EXPECT_TRUE(std::isnan(slots.history.at(0, 1)));
  EXPECT_EQ(slots.history.at(0, 2), INFINITY);
  for (int64_t i = 3; i < 9; ++i)
    EXPECT_EQ(slots.history.bitsAt(i), before.bitsAt(i)) << i;
  slots.setAmaxes({1, 1, 1});
  EXPECT_OK(context, slots.update(context, TERT_AMAX_MAX, 0));
  EXPECT_TRUE(slots.history.sameBits(before));
  EXPECT_TRUE(slots.scales.sameBits(scales));
  for (int64_t slot = 0; slot < 3; ++slot)
    EXPECT_EQ(slots.nonfinite.at(slot), 1) << slot;
  // The staging row is empty again.
  slots.setAmaxes({4, 4, 4});
  EXPECT_OK(context, slots.update(context, TERT_AMAX_MAX, 0));
  EXPECT_EQ(slots.scales.at(0), 448.0f / 4);
}

TEST(ScaleUpdateTest, RecordChecksItsHistory) {
  Context context;
  Tensor amax = Tensor::scalar(1), history(TERT_F32, {3, 2});
  EXPECT_EQ(tert_record_amaxes(context, nullptr, 1, amax, history),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("'history' is [3, 2] f32, but must be "
                                 "[length, 1]"),
            std::string::npos)
      << context.error();
  EXPECT_EQ(tert_record_amaxes(context, nullptr, 1, nullptr, history),
            TERT_INVALID_ARGUMENT);
}

TEST(ScaleUpdateTest, ComputeScale) {
  Context context;
  struct Case {
    float amax;
    int32_t format, margin;
    float scale;
  };
  for (Case c :
       std::vector<Case>{{3.0f, TERT_F8E4M3, 0, 448.0f / 3.0f},
                         {3.0f, TERT_F8E5M2, 0, 57344.0f / 3.0f},
                         {3.0f, TERT_F8E4M3, 1, 224.0f / 3.0f},
                         {3.0f, TERT_F8E4M3, -1, 896.0f / 3.0f},
                         {0.0f, TERT_F8E4M3, 0, 1.0f},
                         {INFINITY, TERT_F8E4M3, 0, 1.0f},
                         {NAN, TERT_F8E4M3, 0, 1.0f},
                         {1e-45f, TERT_F8E4M3, 0, FLT_MAX},
                         {FLT_MAX, TERT_F8E4M3, 0, 448.0f / FLT_MAX}}) {
    Tensor scale = Tensor::scalar(0), scaleInv = Tensor::scalar(0);
    EXPECT_OK(context,
              tert_compute_scale(context, nullptr, Tensor::scalar(c.amax),
                                 scale, scaleInv, c.format, c.margin,
                                 /*epsilon=*/0, /*power_of_two=*/0));
    EXPECT_EQ(scale.at(0), c.scale) << c.amax;
    EXPECT_EQ(scaleInv.at(0), 1.0f / c.scale) << c.amax;
  }
}

TEST(ScaleUpdateTest, EpsilonAndPowersOfTwo) {
  Context context;
  struct Case {
    float amax, epsilon;
    bool powerOfTwo;
    float scale;
  };
  for (Case c :
       std::vector<Case>{{3.0f, 0.0f, true, 128.0f}, // 149.33
                         {3.5f, 0.0f, true, 128.0f}, // 128 itself
                         {std::nextafter(3.5f, 4.0f), 0.0f, true, 64.0f},
                         {1e-45f, 0.0f, true, 0x1p127f},   // FLT_MAX
                         {FLT_MAX, 0.0f, true, 0x1p-120f}, // 448 * 2^-128
                         {0.0f, 0.0f, true, 1.0f},
                         {INFINITY, 0.0f, true, 1.0f},
                         {NAN, 0.5f, true, 1.0f},
                         {INFINITY, 0.5f, false, 1.0f},
                         {0.0f, 0.5f, false, 896.0f},
                         {0.25f, 0.5f, false, 896.0f},
                         {0.25f, 0.5f, true, 512.0f},
                         {0.75f, 0.5f, false, 448.0f / 0.75f}}) {
    Tensor scale = Tensor::scalar(0), scaleInv = Tensor::scalar(0);
    EXPECT_OK(context,
              tert_compute_scale(context, nullptr, Tensor::scalar(c.amax),
                                 scale, scaleInv, TERT_F8E4M3, /*margin=*/0,
                                 c.epsilon, c.powerOfTwo));
    EXPECT_EQ(scale.at(0), c.scale) << c.amax << ", " << c.epsilon;
    EXPECT_EQ(scaleInv.at(0), 1.0f / c.scale) << c.amax << ", " << c.epsilon;
  }
  Tensor one = Tensor::scalar(1), scale = Tensor::scalar(0),
         scaleInv = Tensor::scalar(0);
  for (float epsilon : {-1.0f, INFINITY, NAN}) {
    EXPECT_EQ(tert_compute_scale(context, nullptr, one, scale, scaleInv,
                                 TERT_F8E4M3, 0, epsilon, 0),
              TERT_INVALID_ARGUMENT);
    EXPECT_NE(context.error().find("must be finite and not negative"),
              std::string::npos)
        << context.error();
  }
}

TEST(ScaleUpdateTest, RefusesBadArguments) {
  Context context;
  Slots slots(3, {TERT_F8E4M3, TERT_F32});
  EXPECT_EQ(slots.update(context, TERT_AMAX_MAX, 0), TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("'formats[1]' is f32"), std::string::npos);
  slots.formats[1] = TERT_F8E5M2;
  EXPECT_EQ(slots.update(context, 5, 0), TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("'algo' is 5"), std::string::npos);
  EXPECT_EQ(slots.update(context, 0, 500), TERT_INVALID_ARGUMENT);
  slots.history = Tensor(TERT_F32, {0, 2});
  EXPECT_EQ(slots.update(context, 0, 0), TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("'history' is [0, 2] f32"), std::string::npos);
}
