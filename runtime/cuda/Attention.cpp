// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Attention.h"

#include "cuda/AttentionFallback.h"
#include "cuda/Ops.h"
#include "cuda/kernels/AttentionGrad.h"
#include "program/Contiguous.h"

#include <algorithm>

using namespace tert;
using namespace tert::cuda;

AttentionProblem cuda::describeAttention(const tert_tensor &q,
                                         const tert_tensor &k,
                                         const tert_tensor &v,
                                         const tert_tensor &o,
                                         const tert_tensor &lse,
                                         const AttentionOptions &options) {
  tert_attention_layout layout = options.layout;
  // Positions of batch, sequence and heads in each layout.
  constexpr int bshd[] = {0, 1, 2}, bhsd[] = {0, 2, 1}, sbhd[] = {1, 0, 2};
  const int *order = layout == TERT_BSHD   ? bshd
                     : layout == TERT_BHSD ? bhsd
                                           : sbhd;
  AttentionProblem problem;
  problem.batch = sizeOf(q, order[0]);
  problem.queries = sizeOf(q, order[1]);
  problem.heads = sizeOf(q, order[2]);
  problem.keys = sizeOf(k, order[1]);
  problem.kvHeads = sizeOf(k, order[2]);
  problem.dimension = sizeOf(q, 3);
  problem.scale = options.scale;
  problem.causal = options.causal;
  problem.window = options.window;
  problem.softcap = options.softcap;
  problem.hasBias = options.bias;
  problem.hasLengths = options.lengths;
  problem.hasSinks = options.sinks;
  problem.q = stridesOf(q, layout);
  problem.k = stridesOf(k, layout);
  problem.v = stridesOf(v, layout);
  problem.o = stridesOf(o, layout);
  problem.lse = {strideOf(lse, 0), strideOf(lse, 1), strideOf(lse, 2)};
  return problem;
}

/// A phrase such as "the gradient of attention over batch 8, 2048 queries, …".
static std::string describeProblem(const AttentionProblem &problem) {
  auto text = [](int64_t number) { return std::to_string(number); };
  return std::string(problem.gradient ? "the gradient of " : "") +
         "attention over a batch of " + text(problem.batch) + ", " +
         text(problem.queries) + " queries, " + text(problem.keys) + " keys, " +
         text(problem.heads) + " heads (" + text(problem.kvHeads) +
         " of keys) of " + text(problem.dimension);
}

/// The feature of a problem that this runtime does not use cuDNN for; null if
/// there is none.
static const char *beyondCudnn(const AttentionProblem &problem) {
  return problem.softcap != 0.0f ? "it caps scores"
         : problem.hasBias       ? "it adds a bias to scores"
         : problem.hasLengths    ? "its sequences have lengths of their own"
         : problem.hasSinks      ? "it has attention sinks"
                                 : nullptr;
}

const AttentionPlan *Attention::planFor(LaunchContext &launch,
                                        const AttentionProblem &problem) {
  auto [entry, isNew] = plans.try_emplace(problem);
  if (isNew) {
    if (!handle)
      handle.emplace(launch.stream);
    std::string why;
    const char *beyond = beyondCudnn(problem);
    if (!beyond)
      entry->second = AttentionPlan::create(*handle, problem, why);
    // The fallback kernels run instead.
    if (!entry->second)
      refusals.push_back(describeProblem(problem) +
                         " is computed by plain kernels, which take many times "
                         "longer, because " +
                         (beyond ? beyond : "cuDNN refuses it: " + why));
  }
  return entry->second.get();
}

/// True if cuDNN is asked for a plan. Without a key or a query there is nothing
/// to plan; the fallback kernels write the results.
static bool suitsCudnn(const AttentionProblem &problem,
                       std::initializer_list<const tert_tensor *> tensors) {
  for (const tert_tensor *tensor : tensors)
    if (dtypeOf(*tensor) != TERT_BF16)
      return false;
  return problem.batch && problem.heads && problem.queries && problem.keys &&
         problem.dimension % 8 == 0 && problem.dimension != 0;
}

/// Strides of packed statistics [batch, heads, queries], which cuDNN requires.
static AttentionStrides packedStatistics(const AttentionProblem &problem) {
  return {problem.heads * problem.queries, problem.queries, 1};
}

static tert_layout packedLayout(const AttentionProblem &problem) {
  const AttentionStrides strides = packedStatistics(problem);
  return {TERT_F32,
          3,
          {problem.batch, problem.heads, problem.queries},
          {strides[0], strides[1], strides[2]}};
}

void Attention::forward(LaunchContext &launch, const tert_site &site,
                        const tert_tensor &q, const tert_tensor &k,
                        const tert_tensor &v, const tert_tensor &o,
                        const tert_tensor &lse,
                        const AttentionOptions &options) {
  const AttentionProblem problem = describeAttention(q, k, v, o, lse, options);
  AttentionProblem packed = problem;
  packed.lse = packedStatistics(problem);
  const AttentionPlan *plan =
      suitsCudnn(problem, {&q, &k, &v, &o}) ? planFor(launch, packed) : nullptr;
  if (!plan)
    return attentionFallback(launch, problem, q, k, v, o, lse, options);
  void *workspace = launch.scratch.take(int64_t(plan->workspaceBytes()));
  const bool isPacked = isContiguous(lse);
  const tert_layout layout = packedLayout(problem);
  const tert_tensor statistics = {
      isPacked ? lse.data
               : launch.scratch.take<float>(problem.batch * packed.lse[0]),
      &layout};
  plan->run(*handle, {q.data, k.data, v.data, o.data, statistics.data},
            workspace);
  if (!isPacked)
    cuda::copy(launch, site, statistics, lse);
}

/// True if cuDNN's gradient is faster, which adds in any order: five products
/// instead of seven count where these take the time.
static bool isFasterInCudnn(const AttentionProblem &problem) {
  constexpr int64_t manyKeys = 2048;
  const int64_t keys =
      problem.causal ? problem.keys - problem.queries / 2 : problem.keys;
  return !problem.deterministic && problem.dimension > 64 &&
         (problem.window == 0 ? keys : std::min(keys, problem.window)) >
             manyKeys;
}

void Attention::backward(LaunchContext &launch, const tert_site &site,
                         const tert_tensor &dO, const tert_tensor &q,
                         const tert_tensor &k, const tert_tensor &v,
                         const tert_tensor &o, const tert_tensor &lse,
                         const tert_tensor &dq, const tert_tensor &dk,
                         const tert_tensor &dv, const tert_tensor *dbias,
                         const tert_tensor *dsinks,
                         const AttentionOptions &options) {
  tert_attention_layout layout = options.layout;
  const AttentionProblem given = describeAttention(q, k, v, o, lse, options);
  AttentionProblem problem = given;
  problem.lse = packedStatistics(given);
  problem.gradient = true;
  problem.deterministic = deterministic;
  problem.dO = stridesOf(dO, layout);
  problem.dq = stridesOf(dq, layout);
  problem.dk = stridesOf(dk, layout);
  problem.dv = stridesOf(dv, layout);
  const AttentionCall whole = {problem,
                               {q.data, k.data, v.data, o.data, lse.data,
                                dO.data, dq.data, dk.data, dv.data}};
  const bool suits = suitsCudnn(problem, {&q, &k, &v, &o, &dO, &dq, &dk, &dv});
  AttentionCall own = whole;
  own.problem.lse = given.lse;
  if (suits && !isFasterInCudnn(problem) &&
      attentionGradOnHopper(launch, own.problem, own.operands))
    return;
  std::vector<AttentionCall> calls;
  // The rectangle's term of dQ; both terms are rounded to bf16, like their sum.
  tert_layout termLayout = contiguousLike(dq);
  tert_tensor term = {nullptr, &termLayout};
  if (suits) {
    calls = {whole};
    if (!beyondCudnn(problem) && isFasterSplit(problem)) {
      term.data = launch.scratch.take(numElements(dq) * bytesOf(TERT_BF16));
      AttentionCall rectangle = rectangleOf(whole);
      rectangle.problem.dq = stridesOf(term, layout);
      rectangle.operands.dq = term.data;
      calls = {rectangle, triangleOf(whole)};
    }
  }
  std::vector<const AttentionPlan *> plans;
  size_t workspaceBytes = 0;
  for (const AttentionCall &call : calls)
    if (const AttentionPlan *plan = planFor(launch, call.problem)) {
      plans.push_back(plan);
      workspaceBytes = std::max(workspaceBytes, plan->workspaceBytes());
    }
  if (calls.empty() || plans.size() != calls.size()) {
    problem.lse = given.lse;
    return attentionGradFallback(launch, problem, dO, q, k, v, o, lse, dq, dk,
                                 dv, dbias, dsinks, options);
  }
  void *workspace = launch.scratch.take(int64_t(workspaceBytes));
  void *statistics = lse.data;
  if (!isContiguous(lse)) {
    const tert_layout packed = packedLayout(problem);
    statistics = launch.scratch.take<float>(problem.batch * problem.lse[0]);
    cuda::copy(launch, site, lse, {statistics, &packed});
  }
  for (size_t i = 0; i < calls.size(); ++i) {
    calls[i].operands.lse = statistics;
    plans[i]->run(*handle, calls[i].operands, workspace);
  }
  if (term.data)
    cuda::add(launch, site, dq, term, dq);
}

void cuda::attention(LaunchContext &launch, const tert_site &site,
                     const tert_tensor &q, const tert_tensor &k,
                     const tert_tensor &v, const tert_tensor *bias,
                     const tert_tensor *lengths, const tert_tensor *sinks,
                     const tert_tensor &o, const tert_tensor &lse, float scale,
                     bool causal, tert_attention_layout layout, int64_t window,
                     float softcap) {
  launch.attention.forward(
      launch, site, q, k, v, o, lse,
      {scale, causal, layout, window, softcap, bias, lengths, sinks});
}

void cuda::attentionGrad(LaunchContext &launch, const tert_site &site,
                         const tert_tensor &dO, const tert_tensor &q,
                         const tert_tensor &k, const tert_tensor &v,
                         const tert_tensor &o, const tert_tensor &lse,
                         const tert_tensor *bias, const tert_tensor *lengths,
                         const tert_tensor *sinks, const tert_tensor &dq,
                         const tert_tensor &dk, const tert_tensor &dv,
                         const tert_tensor *dbias, const tert_tensor *dsinks,
                         float scale, bool causal, tert_attention_layout layout,
                         int64_t window, float softcap) {
  launch.attention.backward(
      launch, site, dO, q, k, v, o, lse, dq, dk, dv, dbias, dsinks,
      {scale, causal, layout, window, softcap, bias, lengths, sinks});
}
