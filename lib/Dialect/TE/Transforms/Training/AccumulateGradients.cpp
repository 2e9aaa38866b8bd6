// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-accumulate-gradients: accumulates gradients and loss in states, one
// microbatch after the other; the last one ends the step.

#include "Training/EntryEditor.h"
#include "Training/LateDivision.h"
#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/GradientResults.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Support/Signature.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEACCUMULATEGRADIENTS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {

/// A state that accumulates over the microbatches of a step.
struct Sum {
  std::string name;
  StringRef kind;
  /// The value that this microbatch adds.
  Value term;
  /// The sum before this microbatch, and after it.
  Value before;
  Value after;

  RankedTensorType type() const {
    return cast<RankedTensorType>(term.getType());
  }
};

class TEAccumulateGradients
    : public mlir::te::impl::TEAccumulateGradientsBase<TEAccumulateGradients> {
public:
  using TEAccumulateGradientsBase::TEAccumulateGradientsBase;

  void runOnOperation() override {
    FailureOr<SmallVector<func::FuncOp>> accumulating =
        findEntries(getOperation(), entries,
                    [](const EntryKind &kind) { return kind.accumulates; });
    FailureOr<SmallVector<func::FuncOp>> ending =
        findEntries(getOperation(), finishing,
                    [](const EntryKind &kind) { return kind.hasUpdates; });
    if (failed(accumulating) || failed(ending))
      return signalPassFailure();
    if (accumulating->empty())
      return;
    if (ending->empty()) {
      emitError(accumulating->front().getLoc())
          << "entry '" << getEntryName(accumulating->front())
          << "' sums gradients, but there is no entry that ends the step; "
             "build the entry train, too";
      return signalPassFailure();
    }
    for (func::FuncOp function : *accumulating)
      if (failed(rewrite(function, /*finishes=*/false)))
        return signalPassFailure();
    for (func::FuncOp function : *ending)
      if (failed(rewrite(function, /*finishes=*/true)))
        return signalPassFailure();
  }

private:
  LogicalResult rewrite(func::FuncOp function, bool finishes);
  /// Fails unless the states are those of the first entry.
  LogicalResult checkAlike(EntryEditor &entry, ArrayRef<Sum> sums);

  func::FuncOp first;
  llvm::MapVector<StringAttr, Type> states;
};

} // namespace

static FailureOr<unsigned> findLoss(EntryEditor &entry) {
  auto scalar = RankedTensorType::get({}, entry.getBuilder().getF32Type());
  for (const EntryValue &output : entry.getValues(BoundaryRole::Output)) {
    if (output.name() != "loss")
      continue;
    if (output.type() != scalar)
      return entry.error() << "has the loss " << output.boundary.type
                           << "; tensor<f32> can be summed over microbatches";
    return *output.boundary.result;
  }
  return entry.error() << "has no output 'loss' to sum; te-add-loss adds one";
}

LogicalResult TEAccumulateGradients::checkAlike(EntryEditor &entry,
                                                ArrayRef<Sum> sums) {
  llvm::MapVector<StringAttr, Type> mine;
  for (const Sum &sum : sums)
    mine[StringAttr::get(&getContext(), sum.name)] = sum.type();
  if (!first) {
    first = entry.getFunction();
    states = std::move(mine);
    return success();
  }
  auto report = [&](StringAttr name, func::FuncOp has, func::FuncOp lacks) {
    return emitError(has.getLoc())
           << "entry '" << getEntryName(has) << "' sums '" << name.getValue()
           << "', but entry '" << getEntryName(lacks)
           << "' does not; the entries of a step are made of one model";
  };
  for (auto &[name, type] : states)
    if (!mine.contains(name))
      return report(name, first, entry.getFunction());
  for (auto &[name, type] : mine) {
    auto *known = states.find(name);
    if (known == states.end())
      return report(name, entry.getFunction(), first);
    if (known->second != type)
      return entry.error() << "sums '" << name.getValue() << "' as " << type
                           << ", but entry '" << getEntryName(first) << "' as "
                           << known->second;
  }
  return success();
}

LogicalResult TEAccumulateGradients::rewrite(func::FuncOp function,
                                             bool finishes) {
  FailureOr<EntryEditor> entry = EntryEditor::get(function);
  if (failed(entry))
    return failure();
  SmallVector<EntryGradient> gradients = entry->getGradients();
  if (gradients.empty())
    return entry->error()
           << "has no gradients to accumulate; te-add-gradients adds them";
  if (entry->findCoefficient())
    return entry->error()
           << "has a coefficient of its gradients already; they are summed "
              "before te-clip-gradients";
  FailureOr<unsigned> loss = findLoss(*entry);
  if (failed(loss))
    return failure();
  std::optional<unsigned> divisor = entry->findResult(kLossDivisorAttr);

  OpBuilder &builder = entry->getBuilder();
  Location loc = NameLoc::get(builder.getStringAttr("loss"), entry->getLoc());
  SmallVector<Sum> sums;
  for (const EntryGradient &gradient : gradients) {
    if (!getElementTypeOrSelf(gradient.value).isF32())
      return entry->error()
             << "has the gradient of '" << gradient.of << "' as "
             << gradient.value.getType() << "; gradients are float32";
    Value term = gradient.value;
    // Where it is made, so that the product that makes it can add to the sum.
    if (auto tensor = cast<RankedTensorType>(term.getType());
        type == GradientSums::BF16 && tensor.getRank() > 1) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointAfterValue(term);
      term = arith::TruncFOp::create(builder, term.getLoc(),
                                     tensor.clone(builder.getBF16Type()), term);
    }
    sums.push_back({getGradientName(gradient.of), kGradientSumKind, term,
                    Value(), Value()});
  }
  Value lossTerm = entry->getResult(*loss);
  if (divisor)
    lossTerm = arith::MulFOp::create(builder, loc, lossTerm,
                                     entry->getResult(*divisor));
  auto addSum = [&](StringRef name, Value term, StringRef kind = kLossSumKind) {
    sums.push_back({name.str(), kind, term, Value(), Value()});
  };
  addSum("loss.sum", lossTerm);
  if (divisor)
    addSum("loss.count", entry->getResult(*divisor));
  // Combined differently, but carried in the same way.
  addSum("loss.guard", lossTerm, kGuardKind);
  if (failed(checkAlike(*entry, sums)))
    return failure();

  auto attrsOf = [&](const Sum &sum, bool isArgument) {
    SmallVector<NamedAttribute> attrs = {entry->attr(kStateAttr, sum.name),
                                         entry->attr(kKindAttr, sum.kind)};
    if (isArgument)
      attrs.push_back(entry->attr(
          kInitAttr, FloatAttr::get(sum.type().getElementType(), 0.0)));
    return builder.getDictionaryAttr(attrs);
  };
  SignatureExtension arguments(function);
  for (Sum &sum : sums)
    sum.before = arguments.addArgument(sum.term.getLoc(), sum.type(),
                                       attrsOf(sum, /*isArgument=*/true));
  arguments.commit();
  for (Sum &sum : MutableArrayRef(sums).drop_back()) {
    Location at = sum.term.getLoc();
    if (sum.kind != kGradientSumKind) {
      sum.after = arith::AddFOp::create(builder, at, sum.before, sum.term);
      continue;
    }
    // Added right after the term, which then need not be kept until the end.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(sum.term);
    sum.after = addTensors(builder, at, sum.before, sum.term);
  }
  Sum &guard = sums.back();
  // A norm of 1, whose amaxes te-quantize adds: NaN stays NaN.
  guard.after =
      finishes
          ? guard.before
          : ClipCoefficientOp::create(builder, loc, guard.type(), guard.before,
                                      createFloat(builder, loc, 0.0f),
                                      /*amaxes=*/ValueRange())
                .getResult();

  if (finishes) {
    Operation *terminator = entry->getBody().getTerminator();
    for (auto [gradient, sum] : llvm::zip(gradients, sums))
      terminator->setOperand(gradient.result, sum.after);
    Value lossSum = sums[gradients.size()].after;
    if (divisor) {
      Value count = sums[gradients.size() + 1].after;
      terminator->setOperand(*divisor, count);
      lossSum = divideOrZero(builder, loc, lossSum, count);
    }
    terminator->setOperand(*loss, lossSum);
    entry->addResult(guard.after,
                     {entry->attr(kOutputAttr, "gradient_guard"),
                      entry->attr(kGradientGuardAttr, builder.getUnitAttr())});
    for (Sum &sum : sums)
      sum.after = createZeros(builder, sum.term.getLoc(), sum.type());
  } else {
    entry->eraseResults([&](unsigned result) {
      return result == *loss || result == divisor ||
             function.getResultAttr(result, kGradientAttr);
    });
  }
  SignatureExtension results(function);
  for (const Sum &sum : sums)
    results.addResult(sum.after, attrsOf(sum, /*isArgument=*/false));
  results.commit();
  numSums += gradients.size();
  return entry->finish();
}
