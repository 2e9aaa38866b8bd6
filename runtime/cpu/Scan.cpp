// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans. A task takes the channels of one block of one batch from token to
// token, or a chunk of tokens of them; vectors are of channels.

#include "cpu/Ops.h"

#include "cpu/Loops.h"
#include "program/ScanShape.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Scan.cpp"
#include <hwy/foreach_target.h>

#include "cpu/VectorMath-inl.h"

#ifndef TERT_CPU_SCAN_ARGUMENTS
#define TERT_CPU_SCAN_ARGUMENTS
namespace tert::cpu {

/// Channels of a task, a multiple of every vector's lanes. Where a group has
/// fewer, the others count as zero.
constexpr int64_t scanBlock = 64;

/// [B,T,C] with an inner stride of 1.
struct ScanRows {
  ScanRows() = default;
  explicit ScanRows(const tert_tensor &tensor)
      : data(static_cast<char *>(tensor.data)), dtype(dtypeOf(tensor)),
        batch(strideOf(tensor, 0)), token(strideOf(tensor, 1)) {}
  explicit ScanRows(const tert_tensor *tensor)
      : ScanRows(tensor ? ScanRows(*tensor) : ScanRows()) {}
  void *at(int64_t b, int64_t t, int64_t col) const {
    return data + (b * batch + t * token + col) * bytesOf(dtype);
  }
  explicit operator bool() const { return data != nullptr; }

  char *data = nullptr;
  tert_dtype dtype = TERT_F32;
  int64_t batch = 0, token = 0; // strides
};

/// The tensors of a scan; those that are not there are null.
struct ScanTensors {
  ScanShape shape;
  ScanRows decay, x, keys, queries;
  const float *rates;
  float *states; ///< [B, chunks, D, N]

  ScanTensors(const ScanShape &shape, const tert_tensor &decay,
              const tert_tensor &x, const tert_tensor *keys,
              const tert_tensor *queries, const tert_tensor *rates,
              const tert_tensor &states)
      : shape(shape), decay(decay), x(x), keys(keys), queries(queries),
        rates(rates ? static_cast<const float *>(rates->data) : nullptr),
        states(static_cast<float *>(states.data)) {}

  float *statesAt(int64_t b, int64_t chunk, int64_t channel) const {
    return states +
           ((b * shape.chunks + chunk) * shape.channels + channel) * shape.size;
  }
  int64_t tokensOf(int64_t chunk) const {
    return std::min(shape.chunk, shape.tokens - chunk * shape.chunk);
  }
};

/// One block of channels of one batch.
struct ScanTask {
  ScanTask(const ScanShape &shape, int64_t task) {
    const int64_t blocks = blocksOf(shape);
    const int64_t block = task % blocks;
    group = task / blocks % shape.groups;
    batch = task / blocks / shape.groups;
    channel = group * shape.groupChannels() + block * scanBlock;
    channels = std::min(scanBlock, shape.groupChannels() - block * scanBlock);
  }
  static int64_t blocksOf(const ScanShape &shape) {
    return ceilDiv(shape.groupChannels(), scanBlock);
  }
  static int64_t countOf(const ScanShape &shape) {
    return shape.batch * shape.groups * blocksOf(shape);
  }

  int64_t batch, group, channel, channels;
};

/// Scratch of one thread, in floats, for `size` numbers of a state: rates and
/// state [N][block], then of a chunk decay, x, y [L][block], keys and queries
/// [L][N].
struct ScanBuffers {
  static int64_t sizeOf(int64_t chunk, int64_t size) {
    return 2 * size * scanBlock + 3 * chunk * scanBlock + 2 * chunk * size;
  }
  ScanBuffers(float *memory, int64_t chunk, int64_t size) {
    auto take = [&](int64_t count) {
      float *taken = memory;
      memory += count;
      return taken;
    };
    rates = take(size * scanBlock);
    state = take(size * scanBlock);
    decay = take(chunk * scanBlock);
    x = take(chunk * scanBlock);
    y = take(chunk * scanBlock);
    keys = take(chunk * size);
    queries = take(chunk * size);
  }
  float *rates, *state, *decay, *x, *y, *keys, *queries;
};

/// Where the gradient of a scan goes. The states' gradients [N][block], sums of
/// rates [N][block], keys and queries [L][N] are partial ones of each task.
struct ScanGradient {
  ScanRows dy, ddecay, dx;
  float *carries, *rateSums, *keySums, *querySums;
};

/// numbers[n][c] = source[c][n] for the channels of a task; zero for others.
inline void transposeIn(const float *source, float *numbers, int64_t channels,
                        int64_t size) {
  for (int64_t n = 0; n < size; ++n)
    for (int64_t c = 0; c < scanBlock; ++c)
      numbers[n * scanBlock + c] = c < channels ? source[c * size + n] : 0.0f;
}

inline void transposeOut(const float *numbers, float *target, int64_t channels,
                         int64_t size) {
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t n = 0; n < size; ++n)
      target[c * size + n] = numbers[n * scanBlock + c];
}

} // namespace tert::cpu
#endif // TERT_CPU_SCAN_ARGUMENTS

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// buffer[t][c] = the channels of a task; zero for others.
HWY_INLINE void readChannels(const ScanRows &rows, const ScanTask &task,
                             int64_t first, int64_t tokens, float *buffer) {
  for (int64_t t = 0; t < tokens; ++t) {
    float *row = buffer + t * scanBlock;
    readRow(rows.dtype, rows.at(task.batch, first + t, task.channel), row,
            task.channels);
    for (int64_t c = task.channels; c < scanBlock; ++c)
      row[c] = 0.0f;
  }
}

/// buffer[t][n] = the numbers of a task's group, or 1.
HWY_INLINE void readNumbers(const ScanRows &rows, const ScanTask &task,
                            int64_t size, int64_t first, int64_t tokens,
                            float *buffer) {
  for (int64_t t = 0; t < tokens; ++t)
    if (rows)
      readRow(rows.dtype, rows.at(task.batch, first + t, task.group * size),
              buffer + t * size, size);
    else
      std::fill_n(buffer + t * size, size, 1.0f);
}

HWY_INLINE void readChunk(const ScanTensors &scan, const ScanTask &task,
                          int64_t first, int64_t tokens,
                          const ScanBuffers &buffers) {
  const int64_t size = scan.shape.size;
  readChannels(scan.decay, task, first, tokens, buffers.decay);
  readChannels(scan.x, task, first, tokens, buffers.x);
  readNumbers(scan.keys, task, size, first, tokens, buffers.keys);
  readNumbers(scan.queries, task, size, first, tokens, buffers.queries);
}

/// The factor of a state's number.
template <bool hasRates>
HWY_INLINE VecF32 factorOf(VecF32 decay, const float *rates) {
  return hasRates ? exp(hn::Mul(decay, loadF32(rates))) : decay;
}

template <bool hasRates>
HWY_INLINE void scanTokens(int64_t tokens, int64_t size,
                           const ScanBuffers &buffers) {
  const int64_t lanes = lanesF32();
  for (int64_t t = 0; t < tokens; ++t)
    for (int64_t c = 0; c < scanBlock; c += lanes) {
      const int64_t at = t * scanBlock + c;
      const VecF32 decay = loadF32(buffers.decay + at);
      VecF32 input = loadF32(buffers.x + at), y = hn::Zero(F32());
      if (hasRates)
        input = hn::Mul(input, decay);
      for (int64_t n = 0; n < size; ++n) {
        float *state = buffers.state + n * scanBlock + c;
        const VecF32 factor =
            factorOf<hasRates>(decay, buffers.rates + n * scanBlock + c);
        const VecF32 added =
            hn::Mul(input, hn::Set(F32(), buffers.keys[t * size + n]));
        const VecF32 h = hn::MulAdd(factor, loadF32(state), added);
        storeF32(h, state);
        y = hn::MulAdd(h, hn::Set(F32(), buffers.queries[t * size + n]), y);
      }
      storeF32(y, buffers.y + at);
    }
}

void scanForward(const ScanTensors &scan, const float *initial,
                 const ScanRows &y, float *final, int64_t number,
                 float *memory) {
  const ScanShape &shape = scan.shape;
  const ScanTask task(shape, number);
  const ScanBuffers buffers(memory, shape.chunk, shape.size);
  const int64_t stateAt =
      (task.batch * shape.channels + task.channel) * shape.size;
  if (initial)
    transposeIn(initial + stateAt, buffers.state, task.channels, shape.size);
  else
    std::fill_n(buffers.state, shape.size * scanBlock, 0.0f);
  if (scan.rates)
    transposeIn(scan.rates + task.channel * shape.size, buffers.rates,
                task.channels, shape.size);
  for (int64_t chunk = 0; chunk < shape.chunks; ++chunk) {
    const int64_t first = chunk * shape.chunk, tokens = scan.tokensOf(chunk);
    transposeOut(buffers.state, scan.statesAt(task.batch, chunk, task.channel),
                 task.channels, shape.size);
    readChunk(scan, task, first, tokens, buffers);
    if (scan.rates)
      scanTokens<true>(tokens, shape.size, buffers);
    else
      scanTokens<false>(tokens, shape.size, buffers);
    for (int64_t t = 0; t < tokens; ++t)
      writeRow(y.dtype, buffers.y + t * scanBlock,
               y.at(task.batch, first + t, task.channel), task.channels);
  }
  transposeOut(buffers.state, final + stateAt, task.channels, shape.size);
}

/// The gradient by way of one chunk: buffers.y holds dy, and then dx;
/// buffers.decay becomes ddecay. `states` has the tokens' states
/// [L+1][N][block], those before the first one set, and `factors`
/// [L][N][block] is overwritten.
template <bool hasRates>
HWY_INLINE void scanTokensGrad(int64_t tokens, int64_t size,
                               const ScanBuffers &buffers, float *states,
                               float *factors, float *carry, float *rateSums,
                               float *keySums, float *querySums) {
  const int64_t lanes = lanesF32(), stateSize = size * scanBlock;
  for (int64_t t = 0; t < tokens; ++t)
    for (int64_t c = 0; c < scanBlock; c += lanes) {
      const VecF32 decay = loadF32(buffers.decay + t * scanBlock + c);
      VecF32 input = loadF32(buffers.x + t * scanBlock + c);
      if (hasRates)
        input = hn::Mul(input, decay);
      for (int64_t n = 0; n < size; ++n) {
        const int64_t at = n * scanBlock + c;
        const VecF32 factor = factorOf<hasRates>(decay, buffers.rates + at);
        const VecF32 added =
            hn::Mul(input, hn::Set(F32(), buffers.keys[t * size + n]));
        storeF32(factor, factors + t * stateSize + at);
        storeF32(
            hn::MulAdd(factor, loadF32(states + t * stateSize + at), added),
            states + (t + 1) * stateSize + at);
      }
    }
  HWY_ALIGN float ddecay[scanBlock], dinput[scanBlock];
  for (int64_t t = tokens; t-- > 0;) {
    std::fill_n(ddecay, scanBlock, 0.0f);
    std::fill_n(dinput, scanBlock, 0.0f);
    float *dy = buffers.y + t * scanBlock,
          *decays = buffers.decay + t * scanBlock;
    const float *x = buffers.x + t * scanBlock;
    for (int64_t n = 0; n < size; ++n) {
      const VecF32 key = hn::Set(F32(), buffers.keys[t * size + n]);
      const VecF32 query = hn::Set(F32(), buffers.queries[t * size + n]);
      VecF32 keySum = hn::Zero(F32()), querySum = hn::Zero(F32());
      for (int64_t c = 0; c < scanBlock; c += lanes) {
        const int64_t at = n * scanBlock + c;
        const VecF32 decay = loadF32(decays + c), cotangent = loadF32(dy + c);
        VecF32 input = loadF32(x + c);
        if (hasRates)
          input = hn::Mul(input, decay);
        const VecF32 before = loadF32(states + t * stateSize + at);
        const VecF32 behind = loadF32(states + (t + 1) * stateSize + at);
        const VecF32 factor = loadF32(factors + t * stateSize + at);
        const VecF32 dh = hn::MulAdd(query, cotangent, loadF32(carry + at));
        querySum = hn::MulAdd(cotangent, behind, querySum);
        keySum = hn::MulAdd(dh, input, keySum);
        storeF32(hn::MulAdd(dh, key, loadF32(dinput + c)), dinput + c);
        const VecF32 kept = hn::Mul(dh, factor);
        storeF32(kept, carry + at);
        if (hasRates) {
          const VecF32 exponent = hn::Mul(kept, before);
          storeF32(hn::MulAdd(exponent, loadF32(buffers.rates + at),
                              loadF32(ddecay + c)),
                   ddecay + c);
          storeF32(hn::MulAdd(exponent, decay, loadF32(rateSums + at)),
                   rateSums + at);
        } else {
          storeF32(hn::MulAdd(dh, before, loadF32(ddecay + c)), ddecay + c);
        }
      }
      keySums[t * size + n] = hn::GetLane(hn::SumOfLanes(F32(), keySum));
      querySums[t * size + n] = hn::GetLane(hn::SumOfLanes(F32(), querySum));
    }
    for (int64_t c = 0; c < scanBlock; c += lanes) {
      VecF32 dx = loadF32(dinput + c), dd = loadF32(ddecay + c);
      if (hasRates) {
        dd = hn::MulAdd(dx, loadF32(x + c), dd);
        dx = hn::Mul(dx, loadF32(decays + c));
      }
      storeF32(dx, dy + c);
      storeF32(dd, decays + c);
    }
  }
}

void scanBackward(const ScanTensors &scan, const ScanGradient &gradient,
                  int64_t chunk, int64_t number, float *memory) {
  const ScanShape &shape = scan.shape;
  const ScanTask task(shape, number);
  const ScanBuffers buffers(memory, shape.chunk, shape.size);
  const int64_t stateSize = shape.size * scanBlock;
  float *states = memory + ScanBuffers::sizeOf(shape.chunk, shape.size);
  float *factors = states + (shape.chunk + 1) * stateSize;
  const int64_t first = chunk * shape.chunk, tokens = scan.tokensOf(chunk);
  readChunk(scan, task, first, tokens, buffers);
  readChannels(gradient.dy, task, first, tokens, buffers.y);
  transposeIn(scan.statesAt(task.batch, chunk, task.channel), states,
              task.channels, shape.size);
  if (scan.rates)
    transposeIn(scan.rates + task.channel * shape.size, buffers.rates,
                task.channels, shape.size);
  float *carry = gradient.carries + number * stateSize;
  float *rateSums = gradient.rateSums + number * stateSize;
  float *keySums = gradient.keySums + number * shape.chunk * shape.size;
  float *querySums = gradient.querySums + number * shape.chunk * shape.size;
  if (scan.rates)
    scanTokensGrad<true>(tokens, shape.size, buffers, states, factors, carry,
                         rateSums, keySums, querySums);
  else
    scanTokensGrad<false>(tokens, shape.size, buffers, states, factors, carry,
                          rateSums, keySums, querySums);
  for (int64_t t = 0; t < tokens; ++t) {
    writeRow(gradient.dx.dtype, buffers.y + t * scanBlock,
             gradient.dx.at(task.batch, first + t, task.channel),
             task.channels);
    writeRow(gradient.ddecay.dtype, buffers.decay + t * scanBlock,
             gradient.ddecay.at(task.batch, first + t, task.channel),
             task.channels);
  }
}

/// Adds up what the blocks of a group have for one token's keys or queries.
void addScanNumbers(const ScanShape &shape, const float *sums,
                    const ScanRows &target, int64_t batch, int64_t group,
                    int64_t first, int64_t token, float *row) {
  const int64_t blocks = ScanTask::blocksOf(shape), size = shape.size;
  const int64_t task = (batch * shape.groups + group) * blocks;
  const float *source = sums + (task * shape.chunk + token) * size;
  std::copy_n(source, size, row);
  for (int64_t block = 1; block < blocks; ++block) {
    source += shape.chunk * size;
    forVectors(size, [&](int64_t n, int64_t count) HWY_ATTR {
      storeF32(hn::Add(loadF32(row + n, count), loadF32(source + n, count)),
               row + n, count);
    });
  }
  writeRow(target.dtype, row, target.at(batch, first + token, group * size),
           size);
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tert::cpu {
HWY_EXPORT(scanForward);
HWY_EXPORT(scanBackward);
HWY_EXPORT(addScanNumbers);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

static float *dataOf(const tert_tensor *tensor) {
  return tensor ? static_cast<float *>(tensor->data) : nullptr;
}

void cpu::scan(Execution &execution, const tert_tensor &decay,
               const tert_tensor &x, const tert_tensor *rates,
               const tert_tensor *keys, const tert_tensor *queries,
               const tert_tensor *initial, const tert_tensor &y,
               const tert_tensor &states, const tert_tensor &final,
               int64_t chunk) {
  const ScanShape shape(x, states, keys, chunk);
  const ScanTensors scan(shape, decay, x, keys, queries, rates, states);
  const int64_t size = ScanBuffers::sizeOf(shape.chunk, shape.size);
  Scratch::Frame frame(execution.scratch);
  float *memory = frame.take<float>(execution.pool.getNumThreads() * size);
  auto kernel = HWY_DYNAMIC_DISPATCH(scanForward);
  const ScanRows result(y);
  execution.pool.parallelFor(
      ScanTask::countOf(shape), [&](int64_t task, int worker) {
        kernel(scan, dataOf(initial), result, dataOf(&final), task,
               memory + worker * size);
      });
}

void cpu::scanGrad(Execution &execution, const tert_tensor &dy,
                   const tert_tensor &decay, const tert_tensor &x,
                   const tert_tensor &states, const tert_tensor *rates,
                   const tert_tensor *keys, const tert_tensor *queries,
                   const tert_tensor *dfinal, const tert_tensor &ddecay,
                   const tert_tensor &dx, const tert_tensor *drates,
                   const tert_tensor *dkeys, const tert_tensor *dqueries,
                   const tert_tensor &dinitial, int64_t chunk) {
  const ScanShape shape(x, states, keys, chunk);
  const ScanTensors scan(shape, decay, x, keys, queries, rates, states);
  const int64_t tasks = ScanTask::countOf(shape);
  const int64_t blockState = shape.size * scanBlock;
  const int64_t size = ScanBuffers::sizeOf(shape.chunk, shape.size) +
                       (2 * shape.chunk + 1) * blockState;
  Scratch::Frame frame(execution.scratch);
  float *memory = frame.take<float>(execution.pool.getNumThreads() * size);
  ScanGradient gradient;
  gradient.dy = ScanRows(dy);
  gradient.ddecay = ScanRows(ddecay);
  gradient.dx = ScanRows(dx);
  gradient.carries = frame.take<float>(tasks * blockState);
  gradient.rateSums = frame.take<float>(tasks * blockState);
  gradient.keySums = frame.take<float>(tasks * shape.chunk * shape.size);
  gradient.querySums = frame.take<float>(tasks * shape.chunk * shape.size);

  auto stateOf = [&](float *all, const ScanTask &task) {
    return all + (task.batch * shape.channels + task.channel) * shape.size;
  };
  execution.pool.parallelFor(tasks, [&](int64_t number, int) {
    const ScanTask task(shape, number);
    std::fill_n(gradient.rateSums + number * blockState, blockState, 0.0f);
    float *carry = gradient.carries + number * blockState;
    if (dfinal)
      transposeIn(stateOf(dataOf(dfinal), task), carry, task.channels,
                  shape.size);
    else
      std::fill_n(carry, blockState, 0.0f);
  });
  auto kernel = HWY_DYNAMIC_DISPATCH(scanBackward);
  auto add = HWY_DYNAMIC_DISPATCH(addScanNumbers);
  for (int64_t number = shape.chunks; number-- > 0;) {
    execution.pool.parallelFor(tasks, [&](int64_t task, int worker) {
      kernel(scan, gradient, number, task, memory + worker * size);
    });
    const int64_t tokens = scan.tokensOf(number);
    execution.pool.parallelFor(
        shape.batch * shape.groups * tokens, [&](int64_t row, int worker) {
          const int64_t token = row % tokens, owner = row / tokens;
          for (auto [target, sums] : {std::pair(dkeys, gradient.keySums),
                                      std::pair(dqueries, gradient.querySums)})
            if (target)
              add(shape, sums, ScanRows(*target), owner / shape.groups,
                  owner % shape.groups, number * shape.chunk, token,
                  memory + worker * size);
        });
  }
  execution.pool.parallelFor(tasks, [&](int64_t number, int) {
    const ScanTask task(shape, number);
    transposeOut(gradient.carries + number * blockState,
                 stateOf(dataOf(&dinitial), task), task.channels, shape.size);
  });
  if (!drates)
    return;
  const int64_t perBatch = shape.batch ? tasks / shape.batch : 0;
  if (shape.batch == 0)
    std::fill_n(dataOf(drates), shape.channels * shape.size, 0.0f);
  execution.pool.parallelFor(perBatch, [&](int64_t number, int) {
    const ScanTask task(shape, number);
    float *sum = gradient.rateSums + number * blockState;
    for (int64_t b = 1; b < shape.batch; ++b) {
      const float *other = sum + b * perBatch * blockState;
      for (int64_t i = 0; i < blockState; ++i)
        sum[i] += other[i];
    }
    transposeOut(sum, dataOf(drates) + task.channel * shape.size, task.channels,
                 shape.size);
  });
}
#endif // HWY_ONCE
