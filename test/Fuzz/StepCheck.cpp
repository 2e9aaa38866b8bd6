// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole training step against the gradients of @grad and the formulas of
// clipping and of the optimizers, which are written here once more.

#include "Checks.h"

#include "te/Analysis/EntryInterface.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;
using test::HostTensor;

static Result fail(StringRef stage, const Twine &message) {
  return {Ending::Failed, stage.str(), message.str()};
}

namespace {
/// The first step of an optimizer without weight decay.
struct FirstStep {
  StringRef optimizer; ///< as te-update-parameters reads it
  double (*change)(double gradient, double rate);
};
} // namespace

static constexpr double kRate = 0.0625;
static const FirstStep kOptimizers[] = {
    // Both moments are their corrected values.
    {"adamw<learning_rate=0.0625,weight_decay=0>",
     [](double g, double rate) { return rate * g / (std::abs(g) + 1e-8); }},
    {"sgd<learning_rate=0.0625,momentum=0.5,nesterov=true>",
     [](double g, double rate) { return rate * (g + 0.5 * g); }},
    {"sgd<learning_rate=0.0625,momentum=0>",
     [](double g, double rate) { return rate * g; }},
};
/// What gradients are clipped to.
static constexpr double kMaxNorm = 1;

Result GraphChecks::checkStep(unsigned which) {
  const FirstStep &step = kOptimizers[which % std::size(kOptimizers)];
  std::string logits = getLogits(forward);
  if (logits.empty())
    return {};
  OwningOpRef<ModuleOp> program(graph.clone());
  std::string pipeline = llvm::formatv(
      "{0}te-raise,te-fuse-elementwise,te-differentiate{{entries=train,grad "
      "loss=cross-entropy logits={1} max-grad-norm={2} optimizer={3}}",
      hasCalls(graph) ? "inline,symbol-dce," : "", logits, kMaxNorm,
      step.optimizer);
  if (Result result = passes.run(*program, pipeline); !result)
    return result;
  ErrorCollector errors(graph.getContext());
  std::string stage = ("step of " + step.optimizer.split('<').first).str();
  auto oracle = [&] { return fail(stage, "oracle: " + errors.first()); };
  auto train = program->lookupSymbol<func::FuncOp>("train");
  auto grad = program->lookupSymbol<func::FuncOp>("grad");
  if (!train || !grad)
    return fail(stage, "made no @train and @grad");
  FailureOr<EntryInterface> trained = EntryInterface::get(train);
  FailureOr<EntryInterface> derived = EntryInterface::get(grad);
  auto trainArguments = arguments.get(train),
       gradArguments = arguments.get(grad);
  if (failed(trained) || failed(derived) || failed(trainArguments) ||
      failed(gradArguments))
    return oracle();
  auto after = test::evaluate(train, *trainArguments);
  auto gradients = test::evaluate(grad, *gradArguments);
  if (failed(after) || failed(gradients))
    return oracle();

  auto gradientOf = [&](StringRef name) -> const HostTensor * {
    const BoundaryValue *value =
        derived->find(BoundaryRole::Output, ("grad." + name).str());
    return value ? &(*gradients)[*value->result] : nullptr;
  };
  double squares = 0;
  for (const BoundaryValue &value : trained->values)
    if (value.role == BoundaryRole::Param)
      if (const HostTensor *gradient = gradientOf(value.name))
        for (double g : gradient->data)
          squares += g * g;
  // A step whose gradients are not finite is left out.
  bool isSkipped = !std::isfinite(std::sqrt(squares));
  double coefficient = std::min(1.0, kMaxNorm / (std::sqrt(squares) + 1e-6));
  for (const BoundaryValue &value : trained->values) {
    if (value.role != BoundaryRole::Param || !value.argument || !value.result)
      continue;
    const HostTensor &before = (*trainArguments)[*value.argument];
    const HostTensor &got = (*after)[*value.result];
    const HostTensor *gradient = gradientOf(value.name);
    if (!gradient)
      return fail(stage, "@grad does not return 'grad." + value.name + "'");
    for (int64_t i = 0; i < before.size(); ++i) {
      double change =
          isSkipped ? 0 : step.change((*gradient)[i] * coefficient, kRate);
      double expected = before[i] - change;
      if (!(std::abs(got[i] - expected) <=
            1e-7 * (kRate + std::abs(before[i]))))
        return fail(stage,
                    llvm::formatv("'{0}' is {1:E12} at element {2} after the "
                                  "step, where the formula gives {3:E12}",
                                  value.name, got[i], i, expected));
    }
    tally.judged += before.size();
  }
  ++tally.evaluations;
  return {};
}
