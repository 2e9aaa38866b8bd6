// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fastest program that needs no more memory than was allowed: other layers
// are FP8, and more is computed twice, until the memory plan fits.

#include "te/Driver/Compilation.h"

#include "Errors.h"
#include "te/Planning/MemorySummary.h"
#include "te/Planning/Plan.h"

#include "support/Text.h"

#include "mlir/IR/Diagnostics.h"

#include <limits>

using namespace mlir;
using namespace mlir::te;
using ::tert::session::formatBytes;

/// In seconds for a byte: a millisecond and ten for a GiB, and whatever it
/// takes.
static constexpr double kPrices[] = {1e-12, 1e-11, 1e-3};
/// What the logits of a loss in parts may take: what te-fuse-loss says, or
/// less.
static constexpr std::optional<int64_t> kLogitsBytes[] = {
    std::nullopt, int64_t(192) << 20, int64_t(48) << 20};
/// Programs that are compiled to find out what to recompute, at most.
static constexpr int kMaxTries = 5;
/// What is left free at the end of that, as a part of the memory.
static constexpr double kSlack = 0.02;

namespace {
struct Variant {
  double memoryPrice = 0;
  Recomputation recompute = Recomputation::None;
  /// What values may take at a time, for te-recompute.
  int64_t bytes = 0;
  std::optional<int64_t> logitsBytes = std::nullopt;
  MemorySummary memory = {};
  /// Of a step, if it is known.
  double seconds = 0;

  int64_t getBytes() const { return memory.getBytes(); }
};

/// Programs that may be taken, and the best of them.
class Choice {
public:
  Choice(int64_t limit, Variant first) : limit(limit), best(std::move(first)) {}

  bool fits(const Variant &variant) const {
    return variant.getBytes() <= limit;
  }
  /// Takes the faster of two that fit, and where no times are known the one
  /// that keeps more; else the smaller one.
  void consider(const Variant &variant) {
    const bool bothFit = fits(variant) && fits(best);
    auto key = [&](const Variant &one) {
      return bothFit ? std::tuple(one.seconds, -one.getBytes())
                     : std::tuple(0.0, one.getBytes());
    };
    if (key(variant) < key(best))
      best = variant;
  }
  const Variant &getBest() const { return best; }
  bool hasFound() const { return fits(best); }

private:
  const int64_t limit;
  Variant best;
};
} // namespace

/// Compiles a copy of the model, silently; failure where it cannot be.
static LogicalResult measure(MLIRContext &context,
                             OwningOpRef<ModuleOp> &module,
                             llvm::function_ref<LogicalResult()> compile) {
  ScopedDiagnosticHandler silent(&context,
                                 [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> original = std::move(module);
  module = original->clone();
  LogicalResult result = compile();
  module = std::move(original);
  return result;
}

/// Recomputes activations, as few as will do. How much the values of a step
/// take, te-recompute only estimates, so it is told to take less, or may take
/// more, by what the plan of the last try was off.
static void
fitActivations(Choice &choice, Variant variant, int64_t limit,
               llvm::function_ref<LogicalResult(Variant &)> measureVariant) {
  int64_t tooMuch = std::numeric_limits<int64_t>::max(), enough = 0;
  for (int i = 0; i < kMaxTries; ++i) {
    if (failed(measureVariant(variant)))
      return;
    choice.consider(variant);
    const int64_t off = variant.getBytes() - limit;
    if (off > 0) {
      // As little as can be was too much.
      if (variant.bytes == 0)
        return;
      tooMuch = std::min(tooMuch, variant.bytes);
    } else {
      enough = std::max(enough, variant.bytes);
      if (double(-off) < kSlack * double(limit))
        return;
    }
    if (tooMuch - enough < int64_t(kSlack * double(limit)))
      return;
    // At first where the plan says; then halfway.
    int64_t next = variant.bytes == 0 ? limit - variant.memory.getStateBytes()
                                      : variant.bytes - off;
    if (next <= enough || next >= tooMuch)
      next = tooMuch == std::numeric_limits<int64_t>::max()
                 ? 2 * enough
                 : enough + (tooMuch - enough) / 2;
    variant.bytes = std::max<int64_t>(next, 1);
  }
}

/// Leaves, in the order of what they need, those that are faster than all that
/// need less, or hardly more.
static void keepFastest(std::vector<std::pair<int64_t, double>> &alternatives) {
  constexpr double noticeable = 1.01;
  llvm::sort(alternatives);
  std::vector<std::pair<int64_t, double>> kept;
  for (auto [bytes, seconds] : alternatives) {
    if (!kept.empty() && seconds >= kept.back().second)
      continue;
    if (!kept.empty() && double(bytes) < noticeable * double(kept.back().first))
      kept.pop_back();
    kept.push_back({bytes, seconds});
  }
  alternatives = std::move(kept);
}

LogicalResult Compilation::fitMemory() {
  if (*options.memory == CompileOptions::kMemoryOfDevice) {
    if (!cluster->device || cluster->target != options.target)
      return error(context)
             << "--memory=auto: how much memory a device of the target "
             << options.target
             << " has is not known; say how much the program may take, as in "
                "--memory=20GiB";
    options.memory = int64_t(cluster->device->memory);
  }
  auto setOptions = [&](const Variant &variant) {
    options.graph.memoryPrice = variant.memoryPrice;
    options.graph.recomputeBytes = variant.bytes;
    options.graph.logitsBytes = variant.logitsBytes;
    options.runtime.recompute = variant.recompute;
  };
  auto measureVariant = [&](Variant &variant) {
    setOptions(variant);
    return measure(context, model.module, [&]() -> LogicalResult {
      CostModelAttrInterface costs;
      if (failed(runGraph(costs)) || failed(runRuntime(costs)))
        return failure();
      variant.memory = summarizeMemory(description);
      FailureOr<Plan> made =
          makePlan(*model.module, description, costs,
                   cluster ? *cluster : getReferenceCluster(),
                   options.microbatches.value_or(1));
      if (succeeded(made) && made->hasTimes) {
        variant.seconds = made->seconds;
        alternatives.push_back({variant.getBytes(), variant.seconds});
      }
      return success();
    });
  };
  const int64_t limit = *options.memory;
  // --recompute that says something else than the default holds.
  const bool isFree = options.runtime.recompute == Recomputation::Cheap;
  Variant fastest = {0, isFree ? Recomputation::InGradients
                               : options.runtime.recompute};
  // What is wrong with the model, run() says.
  if (failed(measureVariant(fastest)) || fastest.getBytes() <= limit)
    return success();
  SmallVector<Recomputation> recomputations = {fastest.recompute};
  if (isFree && !options.graph.costTarget.empty())
    recomputations.push_back(Recomputation::Cheap);
  SmallVector<double> prices = {0};
  if (options.graph.precision == ComputePrecision::FP8) {
    if (isFree)
      recomputations.push_back(Recomputation::Copies);
    if (!options.graph.costTarget.empty())
      llvm::append_range(prices, kPrices);
  }
  Choice choice(limit, fastest);
  for (Recomputation recompute : recomputations)
    for (double price : prices) {
      if (price == fastest.memoryPrice && recompute == fastest.recompute)
        continue;
      Variant variant = {price, recompute};
      if (succeeded(measureVariant(variant)))
        choice.consider(variant);
    }
  // What changes no bits comes first, then what changes the order of sums in
  // the gradient of the head, then what is FP8.
  if (isFree)
    for (double price : {prices.front(), prices.back()})
      for (std::optional<int64_t> logits : kLogitsBytes) {
        // Recomputing may be faster than what was found, where that is known.
        const bool mayBeFaster = fastest.seconds > 0 && price == 0 && !logits;
        if ((choice.hasFound() && !mayBeFaster) ||
            (logits && options.graph.loss == "none"))
          break;
        Variant variant = {price, Recomputation::Layers};
        variant.logitsBytes = logits;
        fitActivations(choice, variant, limit, measureVariant);
      }
  keepFastest(alternatives);
  const Variant &best = choice.getBest();
  setOptions(best);
  if (choice.hasFound()) {
    fastestBytes = fastest.getBytes();
    return success();
  }
  const int64_t bytes = best.getBytes();
  auto text = [](int64_t bytes) { return formatBytes(double(bytes)); };
  const int64_t states = best.memory.getStateBytes();
  InFlightDiagnostic refusal = error(context);
  refusal << "--memory=" << text(*options.memory)
          << " is too little: the program needs " << text(bytes) << ", "
          << text(states) << " of parameters and other states and "
          << text(bytes - states) << " for a step";
  if (bytes < fastest.getBytes())
    refusal << "; the fastest program needs " << text(fastest.getBytes());
  refusal << ". What helps: fewer or shorter sequences in the exported model, "
             "which train --accumulate makes up for, states in fewer bits "
             "(docs/training.md), --mesh=dp=R with --zero=3";
  if (!options.graph.quality.empty())
    refusal << ", a larger --quality, since FP8 layers keep less";
  return refusal;
}
