// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Attention.h"

#include "cuda/AttentionFallback.h"
#include "cuda/AttentionPartitions.h"
#include "cuda/Ops.h"
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

/// Copies the statistics of one partition between packed memory and `lse`,
/// where they begin in the full tensor.
static void pack(LaunchContext &launch, const tert_site &site, void *lse,
                 const AttentionProblem &whole, const AttentionProblem &part,
                 void *packed) {
  int64_t rowSize = part.lse[0];
  tert_layout from = {TERT_F32, 2, {part.batch, rowSize}, {whole.lse[0], 1}};
  tert_layout to = {TERT_F32, 2, {part.batch, rowSize}, {rowSize, 1}};
  cuda::copy(launch, site, {lse, &from}, {packed, &to});
}

/// A gradient computed one partition at a time.
struct Attention::GradientRun {
  AttentionCall whole;
  AttentionPartitions parts;
  const AttentionPlan *plan; ///< of each partition
};

std::optional<Attention::GradientRun>
Attention::planGradient(LaunchContext &launch, const AttentionCall &call) {
  const AttentionPlan *plan = planFor(launch, call.problem);
  if (!plan)
    return std::nullopt;
  // A deterministic gradient stores the gradient of all scores,
  // [batch, heads, queries, keys] in bf16, many times the size of the op's
  // tensors.
  AttentionPartitions parts = AttentionPartitions::choose(
      call.problem, plan->workspaceBytes(),
      std::max(launch.scratch.spareBytes(), Scratch::expectedBytes),
      launch.device.multiprocessors);
  plan = planFor(launch, parts.problem());
  if (!plan)
    return std::nullopt;
  return GradientRun{call, parts, plan};
}

void Attention::run(LaunchContext &launch, const tert_site &site,
                    const tert_tensor &lse,
                    std::vector<GradientRun> gradients) {
  int64_t workspaceBytes = 0, packedCount = 0;
  for (const auto &[whole, parts, plan] : gradients) {
    workspaceBytes = std::max(workspaceBytes, int64_t(plan->workspaceBytes()));
    const AttentionProblem part = parts.problem();
    if (!parts.hasPackedStatistics())
      packedCount = std::max(packedCount, part.batch * part.lse[0]);
  }
  void *workspace = launch.scratch.take(workspaceBytes);
  float *packedLse =
      packedCount ? launch.scratch.take<float>(packedCount) : nullptr;
  if (!isContiguous(lse)) {
    const AttentionProblem &problem = gradients.front().whole.problem;
    const tert_layout packed = packedLayout(problem);
    void *all = launch.scratch.take<float>(problem.batch * problem.lse[0]);
    cuda::copy(launch, site, lse, {all, &packed});
    for (GradientRun &gradient : gradients)
      gradient.whole.operands.lse = all;
  }
  for (const auto &[whole, parts, plan] : gradients)
    for (int64_t i = 0; i < parts.count(); ++i) {
      AttentionOperands part = parts.operands(whole.operands, i);
      if (!parts.hasPackedStatistics()) {
        pack(launch, site, part.lse, whole.problem, parts.problem(), packedLse);
        part.lse = packedLse;
      }
      plan->run(*handle, part, workspace);
    }
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
  std::vector<AttentionCall> calls;
  // The rectangle's term of dQ; both terms are rounded to bf16, like their sum.
  tert_layout termLayout = contiguousLike(dq);
  tert_tensor term = {nullptr, &termLayout};
  if (suitsCudnn(problem, {&q, &k, &v, &o, &dO, &dq, &dk, &dv})) {
    calls = {whole};
    if (!beyondCudnn(problem) && isFasterSplit(problem)) {
      term.data = launch.scratch.take(numElements(dq) * bytesOf(TERT_BF16));
      AttentionCall rectangle = rectangleOf(whole);
      rectangle.problem.dq = stridesOf(term, layout);
      rectangle.operands.dq = term.data;
      calls = {rectangle, triangleOf(whole)};
    }
  }
  std::vector<GradientRun> gradients;
  for (const AttentionCall &call : calls)
    if (std::optional<GradientRun> gradient = planGradient(launch, call))
      gradients.push_back(*gradient);
  if (calls.empty() || gradients.size() != calls.size()) {
    problem.lse = given.lse;
    return attentionGradFallback(launch, problem, dO, q, k, v, o, lse, dq, dk,
                                 dv, dbias, dsinks, options);
  }
  run(launch, site, lse, std::move(gradients));
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
