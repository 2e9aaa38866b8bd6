// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Causal depthwise convolutions. A task has a band of tokens of one batch;
// vectors are of channels. Rows on which others depend are kept in rings of as
// many as there are taps.

#include "cpu/Ops.h"

#include "cpu/Loops.h"
#include "cpu/RowSums.h"
#include "program/CausalConvShape.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/CausalConv.cpp"
#include <hwy/foreach_target.h>

#include "cpu/ActivationFunctions-inl.h"

#ifndef TERT_CPU_CAUSALCONV_ARGUMENTS
#define TERT_CPU_CAUSALCONV_ARGUMENTS
namespace tert::cpu {

/// Tokens of a task.
constexpr int64_t convBand = 64;

/// [B,T,D] with an inner stride of 1.
struct ConvRows {
  explicit ConvRows(const tert_tensor &tensor)
      : data(static_cast<char *>(tensor.data)), dtype(dtypeOf(tensor)),
        batch(strideOf(tensor, 0)), token(strideOf(tensor, 1)) {}
  void *at(int64_t b, int64_t t) const {
    return data + (b * batch + t * token) * bytesOf(dtype);
  }

  char *data;
  tert_dtype dtype;
  int64_t batch, token; // strides
};

struct ConvTask {
  ConvTask(const CausalConvShape &shape, int64_t number) {
    const int64_t bands = ceilDiv(shape.tokens, convBand);
    batch = number / bands;
    first = number % bands * convBand;
    end = std::min(shape.tokens, first + convBand);
  }
  static int64_t countOf(const CausalConvShape &shape) {
    return shape.batch * ceilDiv(shape.tokens, convBand);
  }

  int64_t batch, first, end; ///< tokens [first, end)
};

struct ConvTensors {
  CausalConvShape shape;
  ConvRows x;
  const float *weight, *bias; ///< bias may be null
  bool silu;

  const float *row(const float *ring, int64_t token) const {
    return ring + token % shape.taps * shape.channels;
  }
  float *row(float *ring, int64_t token) const {
    return ring + token % shape.taps * shape.channels;
  }
};

} // namespace tert::cpu
#endif // TERT_CPU_CAUSALCONV_ARGUMENTS

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// The sum of one token at channels [c, c + count), from rows of x in a ring.
HWY_INLINE VecF32 convolve(const ConvTensors &conv, const float *ring,
                           int64_t token, int64_t c, int64_t count) {
  const int64_t taps = conv.shape.taps, channels = conv.shape.channels;
  VecF32 sum = conv.bias ? loadF32(conv.bias + c, count) : hn::Zero(F32());
  for (int64_t k = std::max<int64_t>(0, taps - 1 - token); k < taps; ++k)
    sum = hn::MulAdd(loadF32(conv.weight + k * channels + c, count),
                     loadF32(conv.row(ring, token - (taps - 1) + k) + c, count),
                     sum);
  return sum;
}

/// Reads the rows before a band that its first token depends on.
HWY_INLINE void fillRing(const ConvTensors &conv, const ConvTask &task,
                         float *ring) {
  for (int64_t t = std::max<int64_t>(0, task.first - (conv.shape.taps - 1));
       t < task.first; ++t)
    readRow(conv.x.dtype, conv.x.at(task.batch, t), conv.row(ring, t),
            conv.shape.channels);
}

/// `memory`: a ring, and one row.
void convForward(const ConvTensors &conv, const ConvRows &y, int64_t number,
                 float *memory) {
  const int64_t channels = conv.shape.channels;
  const ConvTask task(conv.shape, number);
  float *ring = memory, *result = ring + conv.shape.taps * channels;
  fillRing(conv, task, ring);
  for (int64_t t = task.first; t < task.end; ++t) {
    readRow(conv.x.dtype, conv.x.at(task.batch, t), conv.row(ring, t),
            channels);
    forVectors(channels, [&](int64_t c, int64_t count) HWY_ATTR {
      const VecF32 sum = convolve(conv, ring, t, c, count);
      storeF32(conv.silu ? Silu::value(sum) : sum, result + c, count);
    });
    writeRow(y.dtype, result, y.at(task.batch, t), channels);
  }
}

/// `memory`: two rings, and two rows. `weightSums` [K,D] and `biasSums` [D] are
/// those of the band.
void convBackward(const ConvTensors &conv, const ConvRows &dy,
                  const ConvRows &dx, int64_t number, float *memory,
                  float *weightSums, float *biasSums) {
  const int64_t channels = conv.shape.channels, taps = conv.shape.taps;
  const ConvTask task(conv.shape, number);
  float *ring = memory, *sums = ring + taps * channels; // of x, and of ds
  float *cotangent = sums + taps * channels, *result = cotangent + channels;
  std::fill_n(weightSums, taps * channels, 0.0f);
  std::fill_n(biasSums, channels, 0.0f);
  fillRing(conv, task, ring);
  for (int64_t t = task.first; t < task.end + taps - 1; ++t) {
    if (t < conv.shape.tokens) {
      readRow(conv.x.dtype, conv.x.at(task.batch, t), conv.row(ring, t),
              channels);
      readRow(dy.dtype, dy.at(task.batch, t), cotangent, channels);
      forVectors(channels, [&](int64_t c, int64_t count) HWY_ATTR {
        VecF32 ds = loadF32(cotangent + c, count);
        if (conv.silu)
          ds = hn::Mul(ds, Silu::derivative(convolve(conv, ring, t, c, count)));
        storeF32(ds, conv.row(sums, t) + c, count);
        if (t >= task.end)
          return;
        storeF32(hn::Add(ds, loadF32(biasSums + c, count)), biasSums + c,
                 count);
        for (int64_t k = std::max<int64_t>(0, taps - 1 - t); k < taps; ++k) {
          float *sum = weightSums + k * channels + c;
          storeF32(
              hn::MulAdd(ds,
                         loadF32(conv.row(ring, t - (taps - 1) + k) + c, count),
                         loadF32(sum, count)),
              sum, count);
        }
      });
    }
    const int64_t from = t - (taps - 1);
    if (from < task.first)
      continue;
    // Token t read it with tap 0, the token itself with the last one.
    forVectors(channels, [&](int64_t c, int64_t count) HWY_ATTR {
      VecF32 sum = hn::Zero(F32());
      for (int64_t k = std::max<int64_t>(0, t + 1 - conv.shape.tokens);
           k < taps; ++k)
        sum = hn::MulAdd(loadF32(conv.weight + k * channels + c, count),
                         loadF32(conv.row(sums, t - k) + c, count), sum);
      storeF32(sum, result + c, count);
    });
    writeRow(dx.dtype, result, dx.at(task.batch, from), channels);
  }
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tert::cpu {
HWY_EXPORT(convForward);
HWY_EXPORT(convBackward);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

static ConvTensors getTensors(const tert_tensor &x, const tert_tensor &weight,
                              const tert_tensor *bias, bool silu) {
  return {CausalConvShape(x, weight), ConvRows(x),
          static_cast<const float *>(weight.data),
          bias ? static_cast<const float *>(bias->data) : nullptr, silu};
}

void cpu::causalConv(Execution &execution, const tert_tensor &x,
                     const tert_tensor &weight, const tert_tensor *bias,
                     const tert_tensor &y, bool silu) {
  const ConvTensors conv = getTensors(x, weight, bias, silu);
  const int64_t size = (conv.shape.taps + 1) * conv.shape.channels;
  Scratch::Frame frame(execution.scratch);
  float *memory = frame.take<float>(execution.pool.getNumThreads() * size);
  auto kernel = HWY_DYNAMIC_DISPATCH(convForward);
  const ConvRows result(y);
  execution.pool.parallelFor(
      ConvTask::countOf(conv.shape), [&](int64_t task, int worker) {
        kernel(conv, result, task, memory + worker * size);
      });
}

void cpu::causalConvGrad(Execution &execution, const tert_tensor &dy,
                         const tert_tensor &x, const tert_tensor &weight,
                         const tert_tensor *bias, const tert_tensor &dx,
                         const tert_tensor &dweight, const tert_tensor *dbias,
                         bool silu) {
  const ConvTensors conv = getTensors(x, weight, bias, silu);
  const int64_t channels = conv.shape.channels,
                taps = conv.shape.taps * channels;
  const int64_t tasks = ConvTask::countOf(conv.shape);
  const int64_t size = 2 * taps + 2 * channels;
  Scratch::Frame frame(execution.scratch);
  float *memory = frame.take<float>(execution.pool.getNumThreads() * size);
  float *weightSums = frame.take<float>(tasks * taps),
        *biasSums = frame.take<float>(tasks * channels);
  auto kernel = HWY_DYNAMIC_DISPATCH(convBackward);
  const ConvRows cotangent(dy), result(dx);
  execution.pool.parallelFor(tasks, [&](int64_t task, int worker) {
    kernel(conv, cotangent, result, task, memory + worker * size,
           weightSums + task * taps, biasSums + task * channels);
  });
  auto add = [&](const float *sums, const tert_tensor &gradient,
                 int64_t count) {
    sumRows(
        execution, sums, tasks,
        Matrix{static_cast<char *>(gradient.data), TERT_F32, 1, count, count});
  };
  add(weightSums, dweight, taps);
  if (dbias)
    add(biasSums, *dbias, channels);
}

#endif // HWY_ONCE
