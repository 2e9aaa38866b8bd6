// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-average-parameters: states that are averages of the new parameters.

#include "Training/EntryEditor.h"
#include "Training/LateDivision.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Support/Signature.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEAVERAGEPARAMETERS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
class TEAverageParameters
    : public mlir::te::impl::TEAverageParametersBase<TEAverageParameters> {
public:
  using TEAverageParametersBase::TEAverageParametersBase;

  void runOnOperation() override {
    if (!(decay >= 0 && decay < 1)) {
      getOperation().emitError()
          << "expects a decay of averages of at least 0 and less than 1, got "
          << decay;
      return signalPassFailure();
    }
    FailureOr<SmallVector<func::FuncOp>> functions =
        findEntries(getOperation(), {},
                    [](const EntryKind &kind) { return kind.hasUpdates; });
    if (failed(functions))
      return signalPassFailure();
    for (func::FuncOp function : *functions)
      if (failed(average(function)))
        return signalPassFailure();
  }

private:
  LogicalResult average(func::FuncOp function);
};

/// A parameter's new value, and its average.
struct Average {
  StringAttr name; ///< of the state
  Value updated;
  Attribute shard; ///< null if replicated
  Value state;
};
} // namespace

LogicalResult TEAverageParameters::average(func::FuncOp function) {
  FailureOr<EntryEditor> entry = EntryEditor::get(function);
  if (failed(entry))
    return failure();
  auto steps = entry->getBody().getOps<AdvanceStepOp>();
  if (steps.empty())
    return entry->error() << "does not count its steps; te-average-parameters "
                             "is for what te-update-parameters has made";
  AdvanceStepOp step = *steps.begin();
  Value decayRate = entry->addScalar("ema_decay", decay,
                                     /*behind=*/{kInputAttr, kScalarAttr});
  OpBuilder &builder = entry->getBuilder();
  Location loc =
      NameLoc::get(builder.getStringAttr("optimizer"), entry->getLoc());
  SmallVector<Average> averages;
  SignatureExtension extension(function);
  for (const EntryValue &param : entry->getValues(BoundaryRole::Param)) {
    if (!param.boundary.result)
      continue;
    Average &average = averages.emplace_back();
    average.name = builder.getStringAttr("ema." + param.name());
    average.updated = entry->getResult(*param.boundary.result);
    average.shard = function.getArgAttr(*param.boundary.argument, kShardAttr);
    SmallVector<NamedAttribute> attrs = {
        entry->attr(kStateAttr, average.name),
        entry->attr(kKindAttr, "average"),
        entry->attr(kInitAttr, builder.getF32FloatAttr(0.0f))};
    if (average.shard)
      attrs.push_back(entry->attr(kShardAttr, average.shard));
    average.state = extension.addArgument(param.value.getLoc(), param.type(),
                                          builder.getDictionaryAttr(attrs));
  }
  extension.commit();
  // 1, or NaN where the step is skipped.
  Value zero = arith::MulFOp::create(builder, loc, step.getCoefficient(),
                                     createFloat(builder, loc, 0.0f));
  Value coefficient = arith::AddFOp::create(builder, loc, zero,
                                            createFloat(builder, loc, 1.0f));
  auto rule = EmaAttr::get(&getContext());
  SignatureExtension results(function);
  for (const Average &average : averages) {
    ParameterUpdate update;
    update.type = cast<RankedTensorType>(average.state.getType());
    update.param = average.state;
    update.gradient = average.updated;
    update.scalars = {decayRate};
    update.coefficient = coefficient;
    update.step = step.getNewStep();
    SmallVector<NamedAttribute> attrs = {entry->attr(kStateAttr, average.name)};
    if (average.shard)
      attrs.push_back(entry->attr(kShardAttr, average.shard));
    results.addResult(
        rule.buildUpdate(builder, average.state.getLoc(), update).front(),
        builder.getDictionaryAttr(attrs));
    ++numAverages;
  }
  results.commit();
  return entry->finish();
}
