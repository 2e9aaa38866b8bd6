// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA kernels of optimizers, and of the norm and the clipping of what they
// are given, against the CPU's.

#include "../Updates.h"
#include "KernelTest.h"

using namespace tert_test;

namespace {

struct Rule {
  const char *name;
  std::vector<float> scalars;
  size_t numStates;
};

std::vector<Rule> allRules() {
  return {{"adamw", {1e-2f, 0.9f, 0.95f, 1e-8f, 0.1f}, 2},
          {"lion", {1e-3f, 0.9f, 0.99f, 0.1f}, 1},
          {"sgd", {1e-2f, 0.1f}, 0},
          {"sgd_momentum", {1e-2f, 0.1f, 0.9f, 0.25f}, 1},
          {"sgd_nesterov", {1e-2f, 0.1f, 0.9f}, 1},
          {"ema", {0.99f}, 0}};
}

/// The step and the scalars of an update, of which `coefficient` is the first.
std::vector<Tensor> stepInputs(const Rule &rule, float coefficient,
                               int64_t step) {
  std::vector<Tensor> tensors = {Tensor(TERT_I64, {}),
                                 Tensor::scalar(coefficient)};
  tensors[0].setBits(0, step);
  for (float value : rule.scalars)
    tensors.push_back(Tensor::scalar(value));
  return tensors;
}

} // namespace

TEST_F(KernelTest, EveryRuleIsBitForBit) {
  for (const Rule &rule : allRules())
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
          const bool quantizes = shape.size() == 2 && shape[0] > 0;
          std::vector<Tensor> t =
              stepInputs(rule, step ? 0.7f : NAN, step ? step : 3);
          const size_t first = t.size();
          t.push_back(random(dtype, shape, shape.size() > 1 ? 3 : 0, 19, 0.1));
          // Second moments are not negative.
          for (size_t i = 0; i <= rule.numStates; ++i) {
            t.push_back(random(TERT_F32, shape, 0, 20 + uint32_t(i), 0.1));
            for (int64_t k = 0; i == 2 && k < t.back().numElements(); ++k)
              t.back().set(k, std::fabs(t.back().at(k)));
          }
          const size_t scale = t.size();
          t.push_back(Tensor::scalar(30));
          if (quantizes)
            addQuantized(t, TERT_F8E4M3,
                         {shape[0], shape[1], shape[0] == 70 ? 1 : 0});
          runBoth(t, [&](tert_context *c, const Arguments &a) {
            const Tensors scalars(a.begin() + 2, a.begin() + first),
                states(a.begin() + first + 2, a.begin() + scale);
            auto copy = [&](size_t i) {
              return quantizes ? a[scale + i] : nullptr;
            };
            return updateOfOne(c, rule.name, a[first], a[1], scalars, a[0],
                               a[first + 1], states,
                               Quantized(a[scale], copy(1), copy(2), copy(3)),
                               dtype == TERT_F32);
          });
          for (size_t i = first + 1; i < t.size(); ++i)
            if (i != scale)
              expectSameBits(i);
        }
}

TEST_F(KernelTest, NarrowParametersAreBitForBit) {
  for (const Rule &rule : allRules())
    for (std::vector<int64_t> shape :
         std::vector<std::vector<int64_t>>{{256, 384}, {70, 300}, {3, 5, 7}})
      for (bool quantizes : {false, true}) {
        if (quantizes && shape.size() != 2)
          continue;
        std::vector<Tensor> t = stepInputs(rule, 0.7f, 3);
        const size_t first = t.size();
        t.push_back(random(TERT_BF16, shape, 3, 19, 0.1));
        t.push_back(random(TERT_BF16, shape, 0, 20, 0.1));
        for (size_t i = 0; i < rule.numStates; ++i) {
          t.push_back(random(TERT_F32, shape, 0, 21 + uint32_t(i), 0.1));
          for (int64_t k = 0; i == 1 && k < t.back().numElements(); ++k)
            t.back().set(k, std::fabs(t.back().at(k)));
        }
        const size_t scale = t.size();
        t.push_back(Tensor::scalar(30));
        if (quantizes)
          addQuantized(t, TERT_F8E4M3,
                       {shape[0], shape[1], shape[0] == 70 ? 1 : 0});
        runBoth(t, [&](tert_context *c, const Arguments &a) {
          const Tensors scalars(a.begin() + 2, a.begin() + first),
              states(a.begin() + first + 2, a.begin() + scale);
          auto copy = [&](size_t i) {
            return quantizes ? a[scale + i] : nullptr;
          };
          return updateOfOne(c, rule.name, a[first], a[1], scalars, a[0],
                             a[first + 1], states,
                             Quantized(a[scale], copy(1), copy(2), copy(3)),
                             /*decay=*/true);
        });
        for (size_t i = first + 1; i < t.size(); ++i)
          if (i != scale)
            expectSameBits(i);
      }
}

TEST_F(KernelTest, NarrowStatesAreBitForBit) {
  const Rule rule = allRules().front();
  for (auto [isFp8, paramType] : {std::pair(false, TERT_F32),
                                  {true, TERT_F32},
                                  {false, TERT_BF16},
                                  {true, TERT_BF16}})
    for (std::vector<int64_t> shape :
         std::vector<std::vector<int64_t>>{{1, 128},
                                           {65, 300},
                                           {256, 384},
                                           {70, 129},
                                           {3, 5, 7},
                                           {6, 15, 301},
                                           {4, 64, 256},
                                           {2, 3, 4, 130},
                                           {5000}})
      for (int32_t dtype : {TERT_F32, TERT_BF16})
        for (int step : {0, 1, 3}) { // 0: the step is skipped.
          if (isFp8 && shape.size() < 2)
            continue;
          for (bool quantizes : {false, true}) {
            if (quantizes && shape.size() != 2)
              continue;
            std::vector<Tensor> t =
                stepInputs(rule, step ? 0.7f : NAN, step ? step : 3);
            const size_t first = t.size();
            // Scaled states of several matrices round as those of one, which
            // the gradient is.
            std::vector<int64_t> matrix = shape;
            if (isFp8) {
              matrix = {1, shape.back()};
              for (size_t i = 0; i + 1 < shape.size(); ++i)
                matrix[0] *= shape[i];
            }
            t.push_back(
                random(dtype, matrix, shape.size() > 1 ? 3 : 0, 19, 0.1));
            t.push_back(random(paramType, shape, 0, 20, 0.1));
            for (int i = 0; i < 2; ++i) {
              // Second moments are not negative.
              if (isFp8) {
                t.push_back(Tensor(i ? TERT_F8E5M2 : TERT_F8E4M3, shape));
                t.back().fill([&](int64_t k) {
                  return double(k * 37 % 120 + (i == 0 && k % 3 ? 128 : 0));
                });
                continue;
              }
              t.push_back(random(TERT_BF16, shape, 0, 21 + uint32_t(i), 0.1));
              for (int64_t k = 0; i == 1 && k < t.back().numElements(); ++k)
                t.back().set(k, std::fabs(t.back().at(k)));
            }
            const size_t scales = t.size();
            for (int i = 0; isFp8 && i < 2; ++i) {
              std::vector<int64_t> blocks = shape;
              blocks.back() = (blocks.back() + 127) / 128;
              t.push_back(random(TERT_F32, blocks, 0, 23 + uint32_t(i), 0.1));
              for (int64_t k = 0; k < t.back().numElements(); ++k)
                t.back().set(k, std::fabs(t.back().at(k)));
            }
            const size_t scale = t.size();
            t.push_back(Tensor::scalar(30));
            if (quantizes)
              addQuantized(t, TERT_F8E4M3,
                           {shape[0], shape[1], shape[0] == 70 ? 1 : 0});
            runBoth(t, [&](tert_context *c, const Arguments &a) {
              const Tensors scalars(a.begin() + 2, a.begin() + first),
                  states(a.begin() + first + 2, a.begin() + scales),
                  stateScales(a.begin() + scales, a.begin() + scale);
              auto copy = [&](size_t i) {
                return quantizes ? a[scale + i] : nullptr;
              };
              return updateOfOne(c, rule.name, a[first], a[1], scalars, a[0],
                                 a[first + 1], states,
                                 Quantized(a[scale], copy(1), copy(2), copy(3)),
                                 dtype == TERT_F32, stateScales);
            });
            for (size_t i = first + 1; i < t.size(); ++i)
              if (i != scale)
                expectSameBits(i);
          }
        }
}

TEST_F(KernelTest, MultiUpdateIsBitForBit) {
  // More parameters than one table holds; shapes with and without whole tiles.
  const std::vector<std::vector<int64_t>> kinds = {
      {768}, {256, 384}, {70, 300}, {}, {128, 128}, {3, 5, 7}, {40000}, {0, 4}};
  constexpr size_t count = 200;
  for (const Rule &rule : allRules())
    for (bool skip : {false, true}) {
      std::vector<Tensor> t = stepInputs(rule, skip ? NAN : 0.7f, 3);
      const size_t first = t.size();
      std::vector<int32_t> decays;
      // Which tensors of t make up each list; 0 stands for none.
      std::vector<size_t> gradients, params, states, scales, rowwise,
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
        add(gradients,
            random(i % 2 ? TERT_BF16 : TERT_F32, shape, 0, seed, 0.1));
        add(params, random(TERT_F32, shape, 0, seed + 1));
        for (size_t k = 0; k < rule.numStates; ++k) {
          Tensor state =
              random(TERT_F32, shape, 0, seed + 2 + uint32_t(k), 0.1);
          for (int64_t j = 0; k == 1 && j < state.numElements(); ++j)
            state.set(j, std::fabs(state.at(j)));
          add(states, std::move(state));
        }
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
        auto g = handles(gradients), p = handles(params), s = handles(states);
        std::vector<tert_tensor> scalars;
        for (size_t i = 2; i < first; ++i)
          scalars.push_back(*a[i]);
        auto orNull = [&](size_t index) { return index ? a[index] : nullptr; };
        std::vector<tert_quantized> q;
        for (size_t i = 0; i < count; ++i)
          q.push_back(Quantized(orNull(scales[i]), orNull(rowwise[i]),
                                orNull(columnwise[i]), orNull(amaxes[i]))
                          .get());
        auto size = [](const std::vector<tert_tensor> &list) {
          return int32_t(list.size());
        };
        return tert_update(c, nullptr, size(g), g.data(), a[1], size(scalars),
                           scalars.data(), a[0], size(p), p.data(), size(s),
                           s.data(), 0, nullptr, int32_t(count), q.data(),
                           rule.name, decays.data());
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
