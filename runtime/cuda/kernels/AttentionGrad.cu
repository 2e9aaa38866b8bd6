// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/kernels/AttentionGrad.cuh"

#include "cuda/TensorMap.h"
#include "cuda/kernels/AttentionGrad.h"
#include "cuda/kernels/Vector.cuh"

#include <algorithm>

using namespace tert;
using namespace tert::cuda;
using namespace tert::cuda::attention;

namespace {
/// A tensor [batch, heads, sequence, head dimension].
struct Operand {
  const void *data;
  const AttentionStrides &strides;
  int64_t heads, sequence;
};
} // namespace

/// Copies move `rows` of a head's rows.
static CUtensorMap mapOf(const AttentionProblem &problem,
                         const Operand &operand, int64_t rows) {
  const AttentionStrides &strides = operand.strides;
  return mapTensor(
      operand.data, TERT_BF16,
      {{problem.dimension, operand.sequence, operand.heads, problem.batch},
       {strides[2], strides[1], strides[0]},
       rowBytes / bytesOf(TERT_BF16),
       rows});
}

template <class V>
static void
launchVariant(LaunchContext &launch, const AttentionProblem &problem,
              const AttentionOperands &operands, const Arguments &args) {
  const Operand q = {operands.q, problem.q, problem.heads, problem.queries},
                dO = {operands.dO, problem.dO, problem.heads, problem.queries},
                k = {operands.k, problem.k, problem.kvHeads, problem.keys},
                v = {operands.v, problem.v, problem.kvHeads, problem.keys},
                dq = {operands.dq, problem.dq, problem.heads, problem.queries},
                dk = {operands.dk, problem.dk, problem.kvHeads, problem.keys},
                dv = {operands.dv, problem.dv, problem.kvHeads, problem.keys};
  const Operand &x = V::keys ? k : q, &y = V::keys ? v : dO,
                &streamedX = V::keys ? q : k, &streamedY = V::keys ? dO : v,
                &dx = V::keys ? dk : dq, &dy = V::keys ? dv : dq;
  const int64_t blocks =
      ceilDiv(x.sequence, heldRows) * problem.batch * x.heads;
  const auto kernel = gradientKernel<V>;
  check(cudaFuncSetAttribute(kernel,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(sizeof(Shared<V>))),
        "attention_grad");
  kernel<<<unsigned(std::min<int64_t>(blocks, launch.device.multiprocessors)),
           threads, sizeof(Shared<V>), launch.stream>>>(
      mapOf(problem, x, heldRows), mapOf(problem, y, heldRows),
      mapOf(problem, streamedX, V::streamedRows),
      mapOf(problem, streamedY, V::streamedRows), mapOf(problem, dx, partRows),
      mapOf(problem, dy, partRows), args);
  checkLaunch("attention_grad");
}

template <int dimension>
static void launchKernels(LaunchContext &launch,
                          const AttentionProblem &problem,
                          const AttentionOperands &operands, Arguments args,
                          const StatisticsArguments &statistics) {
  constexpr int blockThreads = 256;
  const int64_t threads = int64_t(statistics.rows) * (dimension / 8);
  statisticsKernel<dimension><<<unsigned(ceilDiv(threads, blockThreads)),
                                blockThreads, 0, launch.stream>>>(statistics);
  checkLaunch("attention_grad");
  launchVariant<Variant<dimension, true>>(launch, problem, operands, args);
  launchVariant<Variant<dimension, false>>(launch, problem, operands, args);
}

/// Whether bulk copies take an address and the strides of dimensions of more
/// than one element.
static bool isAligned(const AttentionProblem &problem, const Operand &operand) {
  const int64_t sizes[] = {problem.batch, operand.heads, operand.sequence};
  for (int i = 0; i < 3; ++i)
    if (sizes[i] != 1 && (operand.strides[i] <= 0 || operand.strides[i] % 8))
      return false;
  return reinterpret_cast<uintptr_t>(operand.data) % 16 == 0;
}

static bool takes(const AttentionProblem &problem,
                  const AttentionOperands &operands) {
  if (problem.softcap != 0.0f || problem.hasBias || problem.hasLengths ||
      problem.hasSinks || (problem.window != 0 && !problem.causal) ||
      problem.dimension % 8 || problem.dimension == 0 ||
      problem.dimension > 128 || !problem.batch || !problem.kvHeads ||
      !problem.queries || !problem.keys)
    return false;
  // Counts of rows and threads have 32 bits.
  constexpr int64_t limit = int64_t(1) << 26;
  if (problem.batch * problem.heads * (problem.queries + heldRows) > limit ||
      problem.batch * problem.heads * (problem.keys + heldRows) > limit)
    return false;
  const auto ofQueries = [&](const void *data,
                             const AttentionStrides &strides) {
    return isAligned(problem, {data, strides, problem.heads, problem.queries});
  };
  const auto ofKeys = [&](const void *data, const AttentionStrides &strides) {
    return isAligned(problem, {data, strides, problem.kvHeads, problem.keys});
  };
  return ofQueries(operands.q, problem.q) && ofKeys(operands.k, problem.k) &&
         ofKeys(operands.v, problem.v) && ofQueries(operands.o, problem.o) &&
         ofQueries(operands.dO, problem.dO) &&
         ofQueries(operands.dq, problem.dq) &&
         ofKeys(operands.dk, problem.dk) && ofKeys(operands.dv, problem.dv);
}

static Strides stridesFrom(const AttentionStrides &strides) {
  return {strides[0], strides[1], strides[2]};
}

bool cuda::attentionGradOnHopper(LaunchContext &launch,
                                 const AttentionProblem &problem,
                                 const AttentionOperands &operands) {
  if (launch.device.major != 9 || !takes(problem, operands))
    return false;
  const int64_t paddedQueries = ceilDiv(problem.queries, heldRows) * heldRows,
                rows = problem.batch * problem.heads * paddedQueries;
  auto *memory = launch.scratch.take<float2>(rows);
  StatisticsArguments statistics;
  statistics.o = static_cast<const __nv_bfloat16 *>(operands.o);
  statistics.dO = static_cast<const __nv_bfloat16 *>(operands.dO);
  statistics.lse = static_cast<const float *>(operands.lse);
  statistics.oStrides = stridesFrom(problem.o);
  statistics.dOStrides = stridesFrom(problem.dO);
  statistics.lseStrides = stridesFrom(problem.lse);
  statistics.statistics = memory;
  statistics.heads = int32_t(problem.heads);
  statistics.dimension = int32_t(problem.dimension);
  statistics.queries = int32_t(problem.queries);
  statistics.paddedQueries = int32_t(paddedQueries);
  statistics.rows = int32_t(rows);
  Arguments args;
  args.statistics = memory;
  args.paddedQueries = int32_t(paddedQueries);
  args.batch = int32_t(problem.batch);
  args.heads = int32_t(problem.heads);
  args.kvHeads = int32_t(problem.kvHeads);
  args.queries = int32_t(problem.queries);
  args.keys = int32_t(problem.keys);
  // Without a mask each query reads keys up to one beyond the last.
  args.offset =
      int32_t(problem.causal ? problem.keys - problem.queries : problem.keys);
  constexpr int64_t noWindow = int64_t(1) << 30;
  args.window = int32_t(
      problem.window == 0 ? noWindow : std::min(problem.window, noWindow));
  args.scale = problem.scale;
  args.scoreScale = problem.scale * log2OfE;
  if (problem.dimension <= 64)
    launchKernels<64>(launch, problem, operands, args, statistics);
  else
    launchKernels<128>(launch, problem, operands, args, statistics);
  return true;
}
