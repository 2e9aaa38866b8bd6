// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA kernels of optimizers, and of the norm and the clipping of what they
// are given, against the CPU's.

#include "../Updates.h"
#include "KernelTest.h"

using namespace tert_test;

TEST_F(KernelTest, AdamwIsBitForBit) {
  for (std::vector<int64_t> shape : std::vector<std::vector<int64_t>>{
           {}, {1}, {5000}, {65, 33}, {3, 5, 7}, {0, 4}, {256, 384}, {70, 300}})
    for (int32_t dtype : {TERT_F32, TERT_BF16})
      for (bool skip : {false, true}) {
        bool quantizes = shape.size() == 2 && shape[0] > 0;
        std::vector<Tensor> t = {
            random(dtype, shape, shape.size() > 1 ? 3 : 0, 19, 0.1),
            random(TERT_F32, shape, 0, 20), random(TERT_F32, shape, 0, 21, 0.1),
            random(TERT_F32, shape, 0, 22, 0.1)};
        for (int64_t i = 0; i < t[3].numElements(); ++i)
          t[3].set(i, std::fabs(t[3].at(i)));
        Tensor step(TERT_I64, {});
        step.setBits(0, 3);
        t.push_back(step);
        for (float value :
             {skip ? NAN : 0.7f, 1e-2f, 0.9f, 0.95f, 1e-8f, 0.1f, 30.0f})
          t.push_back(Tensor::scalar(value));
        if (quantizes)
          addQuantized(t, TERT_F8E4M3,
                       {shape[0], shape[1], shape[0] == 70 ? 1 : 0});
        runBoth(t, [&](tert_context *c, const Arguments &a) {
          return adamwOfOne(c, nullptr, a[0], a[5], a[6], a[7], a[8], a[9],
                            a[10], a[4], a[1], a[2], a[3],
                            Quantized(a[11], quantizes ? a[12] : nullptr,
                                      quantizes ? a[13] : nullptr,
                                      quantizes ? a[14] : nullptr),
                            1);
        });
        for (size_t i = 1; i < t.size(); ++i)
          if (i < 4 || i > 11)
            expectSameBits(i);
      }
}

TEST_F(KernelTest, MultiAdamwIsBitForBit) {
  // More parameters than one table holds; shapes with and without whole tiles.
  const std::vector<std::vector<int64_t>> kinds = {
      {768}, {256, 384}, {70, 300}, {}, {128, 128}, {3, 5, 7}, {40000}, {0, 4}};
  constexpr size_t count = 200;
  for (bool skip : {false, true}) {
    std::vector<Tensor> t = {Tensor(TERT_I64, {})};
    t[0].setBits(0, 3);
    for (float value : {skip ? NAN : 0.7f, 1e-2f, 0.9f, 0.95f, 1e-8f, 0.1f})
      t.push_back(Tensor::scalar(value));
    std::vector<int32_t> decays;
    // Which tensors of t make up each list; 0 stands for none.
    std::vector<size_t> gradients, params, expAvgs, expAvgSqs, scales, rowwise,
        columnwise, amaxes;
    auto add = [&](std::vector<size_t> &list, Tensor tensor) {
      list.push_back(t.size());
      t.push_back(std::move(tensor));
    };
    auto addIf = [&](bool wanted, std::vector<size_t> &list, Tensor tensor) {
      if (wanted)
        add(list, std::move(tensor));
      else
        list.push_back(0);
    };
    for (size_t i = 0; i < count; ++i) {
      const std::vector<int64_t> &shape = kinds[i % kinds.size()];
      decays.push_back(i % 3 != 0);
      const bool isMatrix = shape.size() == 2 && shape[0] > 0;
      // Bits: row-wise, column-wise, amax.
      const size_t wanted = isMatrix ? i / kinds.size() % 8 : 0;
      const uint32_t seed = 100 + uint32_t(i);
      add(gradients, random(i % 2 ? TERT_BF16 : TERT_F32, shape, 0, seed, 0.1));
      add(params, random(TERT_F32, shape, 0, seed + 1));
      add(expAvgs, random(TERT_F32, shape, 0, seed + 2, 0.1));
      Tensor square = random(TERT_F32, shape, 0, seed + 3, 0.1);
      for (int64_t k = 0; k < square.numElements(); ++k)
        square.set(k, std::fabs(square.at(k)));
      add(expAvgSqs, std::move(square));
      const bool padded = isMatrix && shape[0] == 70;
      const int64_t rows = isMatrix ? shape[0] + padded * 10 : 0;
      const int64_t cols = isMatrix ? shape[1] + padded * 4 : 0;
      addIf(wanted & 3, scales, Tensor::scalar(float(10 + i)));
      addIf(wanted & 1, rowwise, poisoned(TERT_F8E4M3, {rows, cols}));
      // A block of columns of a wider copy.
      addIf(wanted & 2, columnwise, poisoned(TERT_F8E4M3, {cols, rows}, 48));
      addIf(wanted & 4, amaxes, poisoned(TERT_F32, {}));
    }
    runBoth(t, [&](tert_context *c, const Arguments &a) {
      auto handles = [&](const std::vector<size_t> &list) {
        std::vector<tert_tensor> result;
        for (size_t index : list)
          result.push_back(*a[index]);
        return result;
      };
      auto g = handles(gradients), p = handles(params), m = handles(expAvgs),
           v = handles(expAvgSqs);
      auto orNull = [&](size_t index) { return index ? a[index] : nullptr; };
      std::vector<tert_quantized> q;
      for (size_t i = 0; i < count; ++i)
        q.push_back(Quantized(orNull(scales[i]), orNull(rowwise[i]),
                              orNull(columnwise[i]), orNull(amaxes[i]))
                        .get());
      auto size = [](const std::vector<tert_tensor> &list) {
        return int32_t(list.size());
      };
      return tert_adamw(c, nullptr, size(g), g.data(), a[1], a[2], a[3], a[4],
                        a[5], a[6], a[0], size(p), p.data(), size(m), m.data(),
                        size(v), v.data(), int32_t(count), q.data(),
                        decays.data());
    });
    for (size_t i = 7; i < t.size(); ++i)
      expectSameBits(i);
  }
}

TEST_F(KernelTest, SgdIsBitForBit) {
  // Without momentum, with it, dampened, Nesterov's.
  for (int form = 0; form < 4; ++form)
    for (std::vector<int64_t> shape :
         std::vector<std::vector<int64_t>>{{},
                                           {1},
                                           {5000},
                                           {65, 33},
                                           {3, 5, 7},
                                           {0, 4},
                                           {256, 384},
                                           {70, 300}})
      for (int32_t dtype : {TERT_F32, TERT_BF16})
        for (int step : {0, 1, 3}) { // 0: the step is skipped.
          bool quantizes = shape.size() == 2 && shape[0] > 0;
          std::vector<Tensor> t = {
              random(dtype, shape, shape.size() > 1 ? 3 : 0, 19, 0.1),
              random(TERT_F32, shape, 0, 20),
              random(TERT_F32, shape, 0, 21, 0.1), Tensor(TERT_I64, {})};
          t[3].setBits(0, step ? step : 3);
          for (float value :
               {step ? 0.7f : NAN, 1e-2f, 0.9f, 0.25f, 0.1f, 30.0f})
            t.push_back(Tensor::scalar(value));
          if (quantizes)
            addQuantized(t, TERT_F8E4M3,
                         {shape[0], shape[1], shape[0] == 70 ? 1 : 0});
          runBoth(t, [&](tert_context *c, const Arguments &a) {
            return sgdOfOne(c, nullptr, a[0], a[4], a[5], form ? a[6] : nullptr,
                            form == 2 ? a[7] : nullptr, a[8], a[3], a[1],
                            form ? a[2] : nullptr,
                            Quantized(a[9], quantizes ? a[10] : nullptr,
                                      quantizes ? a[11] : nullptr,
                                      quantizes ? a[12] : nullptr),
                            form == 3, dtype == TERT_F32);
          });
          expectSameBits(1);
          expectSameBits(2);
          for (size_t i = 10; i < t.size(); ++i)
            expectSameBits(i);
        }
}

TEST_F(KernelTest, MultiSgdIsBitForBit) {
  // More parameters than one table holds; shapes with and without whole tiles.
  const std::vector<std::vector<int64_t>> kinds = {
      {768}, {256, 384}, {70, 300}, {}, {128, 128}, {3, 5, 7}, {40000}, {0, 4}};
  constexpr size_t count = 200;
  for (bool hasMomentum : {false, true}) {
    std::vector<Tensor> t = {Tensor(TERT_I64, {})};
    t[0].setBits(0, 3);
    for (float value : {0.7f, 1e-2f, 0.9f, 0.1f})
      t.push_back(Tensor::scalar(value));
    const size_t first = t.size();
    std::vector<int32_t> decays;
    for (size_t i = 0; i < count; ++i) {
      const std::vector<int64_t> &shape = kinds[i % kinds.size()];
      const uint32_t seed = 100 + uint32_t(i);
      decays.push_back(i % 3 != 0);
      t.push_back(random(i % 2 ? TERT_BF16 : TERT_F32, shape, 0, seed, 0.1));
      t.push_back(random(TERT_F32, shape, 0, seed + 1));
      t.push_back(random(TERT_F32, shape, 0, seed + 2, 0.1));
    }
    runBoth(t, [&](tert_context *c, const Arguments &a) {
      std::vector<tert_tensor> g, p, b;
      for (size_t i = first; i < a.size(); i += 3) {
        g.push_back(*a[i]);
        p.push_back(*a[i + 1]);
        b.push_back(*a[i + 2]);
      }
      std::vector<tert_quantized> q(count);
      const auto n = int32_t(count);
      return tert_sgd(c, nullptr, n, g.data(), a[1], a[2],
                      hasMomentum ? a[3] : nullptr, nullptr, a[4], a[0], n,
                      p.data(), hasMomentum ? n : 0, b.data(), n, q.data(), 0,
                      decays.data());
    });
    for (size_t i = first; i < t.size(); ++i)
      expectSameBits(i);
  }
}

// As many amaxes as one small table, one large one, and several hold.
TEST_F(KernelTest, NonfiniteAmaxSkipsTheStep) {
  for (int32_t count : {1, 255, 480, 481, 3072, 3073, 7000})
    for (float last : {1.0f, INFINITY, NAN})
      for (bool atFront : {false, true}) {
        runBoth({Tensor::scalar(2), Tensor::scalar(1), Tensor::scalar(3),
                 Tensor::scalar(last), poisoned(TERT_F32, {})},
                [&](tert_context *c, const Arguments &a) {
                  std::vector<tert_tensor> amaxes(count, *a[2]);
                  (atFront ? amaxes.front() : amaxes.back()) = *a[3];
                  return tert_clip_coefficient(c, nullptr, a[0], a[1], count,
                                               amaxes.data(), a[4]);
                });
        if (std::isfinite(last))
          expectSameBits(4);
        else
          EXPECT_TRUE(std::isnan(onGpu[4].at(0))) << count << " " << last;
      }
}

TEST_F(KernelTest, NormAndClipping) {
  std::vector<Tensor> t = {random(TERT_F32, {}, 0, 23),
                           random(TERT_BF16, {300, 517}, 3, 24, 1e-3),
                           Tensor(TERT_F32, {0, 5}),
                           random(TERT_F32, {70000}, 0, 25, 1e-3),
                           random(TERT_F32, {3, 4, 5}, 1, 26),
                           poisoned(TERT_F32, {})};
  auto norm = [&](tert_context *c, const Arguments &a) {
    std::vector<tert_tensor> list;
    for (int repeat = 0; repeat < 100; ++repeat)
      for (int i = 0; i < 5; ++i)
        list.push_back(*a[i]);
    return tert_global_norm(c, nullptr, 500, list.data(), a[5]);
  };
  runBoth(t, norm);
  expectClose(5, 1.2e-7);
  t[1].set(1000, INFINITY);
  runBoth(t, norm);
  EXPECT_EQ(onGpu[5].at(0), INFINITY);
  t[3].set(7, NAN);
  runBoth(t, norm);
  EXPECT_TRUE(std::isnan(onGpu[5].at(0)));
  for (auto [value, limit] : std::vector<std::pair<float, float>>{{2, 1},
                                                                  {0.5, 1},
                                                                  {0, 1},
                                                                  {5, 0},
                                                                  {5, -1},
                                                                  {INFINITY, 1},
                                                                  {NAN, 0}}) {
    Tensor step(TERT_I64, {});
    step.setBits(0, 41);
    runBoth({Tensor::scalar(value), Tensor::scalar(limit),
             poisoned(TERT_F32, {}), step},
            [&](tert_context *c, const Arguments &a) {
              if (auto status = tert_clip_coefficient(c, nullptr, a[0], a[1], 0,
                                                      nullptr, a[2]))
                return status;
              return tert_advance_step(c, nullptr, a[2], a[3]);
            });
    if (std::isfinite(value))
      expectSameBits(2);
    else
      EXPECT_TRUE(std::isnan(onGpu[2].at(0)));
    expectSameBits(3);
  }
}
