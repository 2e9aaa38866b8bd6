// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fastest program that needs no more memory than was allowed: what the
// backward pass keeps is priced until the memory plan fits.

#include "te/Driver/Compilation.h"

#include "te/Planning/MemorySummary.h"
#include "te/Planning/Plan.h"

#include "support/Text.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::te;
using ::tert::session::formatBytes;

/// In seconds for a byte: a millisecond and ten for a GiB, and whatever it
/// takes.
static constexpr double kPrices[] = {1e-12, 1e-11, 1e-3};

namespace {
struct Variant {
  double memoryPrice;
  Recomputation recompute;
  MemorySummary memory = {};
  /// Of a step, if it is known.
  double seconds = 0;
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

LogicalResult Compilation::fitMemory() {
  auto measureVariant = [&](Variant &variant) {
    options.graph.memoryPrice = variant.memoryPrice;
    options.runtime.recompute = variant.recompute;
    return measure(context, model.module, [&]() -> LogicalResult {
      CostModelAttrInterface costs;
      if (failed(runGraph(costs)) || failed(runRuntime()))
        return failure();
      variant.memory = summarizeMemory(description);
      FailureOr<Plan> made =
          makePlan(*model.module, description, costs,
                   cluster ? *cluster : getReferenceCluster(),
                   options.microbatches.value_or(1));
      if (succeeded(made) && made->hasTimes)
        variant.seconds = made->seconds;
      return success();
    });
  };
  Variant fastest = {0, options.runtime.recompute};
  // What is wrong with the model, run() says.
  if (failed(measureVariant(fastest)) ||
      fastest.memory.getBytes() <= *options.memory)
    return success();

  SmallVector<Recomputation> recomputations = {fastest.recompute};
  SmallVector<double> prices = {0};
  if (options.graph.precision == ComputePrecision::FP8) {
    if (fastest.recompute == Recomputation::InGradients)
      recomputations.push_back(Recomputation::Copies);
    if (!options.graph.costTarget.empty())
      llvm::append_range(prices, kPrices);
  }
  Variant best = fastest;
  for (Recomputation recompute : recomputations)
    for (double price : prices) {
      if (price == fastest.memoryPrice && recompute == fastest.recompute)
        continue;
      Variant variant = {price, recompute};
      if (failed(measureVariant(variant)))
        continue;
      auto fits = [&](const Variant &one) {
        return one.memory.getBytes() <= *options.memory;
      };
      // The faster of two that fit, the smaller one otherwise.
      if (fits(variant) && fits(best)
              ? variant.seconds < best.seconds
              : variant.memory.getBytes() < best.memory.getBytes())
        best = std::move(variant);
    }
  options.graph.memoryPrice = best.memoryPrice;
  options.runtime.recompute = best.recompute;
  const int64_t bytes = best.memory.getBytes();
  if (bytes <= *options.memory) {
    fastestBytes = fastest.memory.getBytes();
    return success();
  }
  auto text = [](int64_t bytes) { return formatBytes(double(bytes)); };
  const int64_t states = best.memory.getStateBytes();
  InFlightDiagnostic refusal = emitError(UnknownLoc::get(&context));
  refusal << "--memory=" << text(*options.memory)
          << " is too little: the program needs " << text(bytes) << ", "
          << text(states) << " of parameters and other states and "
          << text(bytes - states) << " for a step";
  if (bytes < fastest.memory.getBytes())
    refusal << "; the fastest program needs "
            << text(fastest.memory.getBytes());
  refusal << ". What helps: fewer or shorter sequences in the exported model, "
             "which train --accumulate makes up for, --mesh=dp=R with --zero=3";
  if (!options.graph.quality.empty())
    refusal << ", a larger --quality, since FP8 layers keep less";
  return refusal;
}
