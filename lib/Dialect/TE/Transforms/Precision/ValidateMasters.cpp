// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks what stays in higher precision: parameters, optimizer states and sums
// of gradients are not made of FP8 copies, and not rounded on their way from
// step to step.

#include "Precision/Validation.h"

#include "te/Dialect/TE/IR/GradientResults.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"

using namespace mlir;
using namespace mlir::te;

namespace {
class MasterValidator {
public:
  MasterValidator(ScalingModule &module, func::FuncOp func)
      : module(module), func(func) {}

  void run();

private:
  void checkSources(Value value, StringRef what);
  void checkCarried(Value value, StringRef attribute, StringRef name);

  ScalingModule &module;
  func::FuncOp func;
  /// What was looked at for one result need not be for another.
  llvm::DenseSet<Operation *> seen;
};
} // namespace

/// Whether each element of a result is made of a few of the operands', so that
/// these are as precise as it needs to be. Products sum over many.
static bool isElementByElement(Operation *op) {
  if (auto generic = dyn_cast<linalg::LinalgOp>(op))
    return generic.getNumReductionLoops() == 0;
  return isa<UpdateOp, AddOp, DataMovementOpInterface>(op) ||
         op->hasTrait<OpTrait::Elementwise>() ||
         isa_and_present<shard::ShardDialect>(op->getDialect());
}

/// What a value is computed from element by element is no FP8 copy.
void MasterValidator::checkSources(Value value, StringRef what) {
  SmallVector<Value> todo = {value};
  while (!todo.empty()) {
    Operation *op = todo.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (auto dequantize = dyn_cast<DequantizeOp>(op)) {
      std::optional<CopyOrigin> copy = module.traceCopy(dequantize.getX());
      InFlightDiagnostic diagnostic = module.error(op);
      diagnostic << "makes " << what << " of an FP8 copy";
      if (copy && module.isSlot(copy->slot))
        diagnostic << " of " << module.describe(copy->slot);
      diagnostic << "; parameters, optimizer states and sums of gradients are "
                    "computed of values in higher precision: expects the "
                    "tensor that was quantized";
    } else if (isElementByElement(op)) {
      llvm::append_range(todo, op->getOperands());
    }
  }
}

/// A parameter or a state of the optimizer goes from the argument through its
/// update to the result without being rounded to a narrower type.
void MasterValidator::checkCarried(Value value, StringRef attribute,
                                   StringRef name) {
  StringRef what = attribute == kParamAttr ? "parameter" : "state";
  while (Operation *op = value.getDefiningOp()) {
    if (auto update = dyn_cast<UpdateOp>(op)) {
      if (value == update.getNewParam()) {
        value = update.getParam();
        continue;
      }
      auto newStates = update.getNewStates();
      auto it = llvm::find(newStates, value);
      if (it == newStates.end())
        return;
      value = update.getStates()[it - newStates.begin()];
    } else if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
      Value input = op->getOperand(0);
      Type narrow =
          getElementTypeOrSelf(isa<arith::ExtFOp>(op) ? input : value);
      module.error(op) << "keeps the " << what << " '" << name << "' as "
                       << narrow
                       << " on its way to the next step, which loses what is "
                          "smaller than its last bit; expects the value in "
                       << getElementTypeOrSelf(isa<arith::ExtFOp>(op) ? value
                                                                      : input);
      return;
    } else {
      auto movement = dyn_cast<DataMovementOpInterface>(op);
      if (!movement || movement.getMovedOperands().size() != 1)
        return;
      value = op->getOperand(movement.getMovedOperands()[0]);
    }
  }
  StringRef source = getArgumentText(value, attribute);
  if (!source.empty() && source != name)
    module.error(func) << "returns as the " << what << " '" << name
                       << "' what becomes of the " << what << " '" << source
                       << "'; expects the new value of '" << name << "'";
}

void MasterValidator::run() {
  // Results need not say of which kind a state is.
  llvm::StringMap<StringRef> kinds;
  for (BlockArgument argument : func.getArguments())
    if (StringRef state = getArgumentText(argument, kStateAttr); !state.empty())
      kinds[state] = getArgumentText(argument, kKindAttr);
  Operation *terminator = func.getBody().front().getTerminator();
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i) {
    Value value = terminator->getOperand(i);
    auto param = func.getResultAttrOfType<StringAttr>(i, kParamAttr);
    auto state = func.getResultAttrOfType<StringAttr>(i, kStateAttr);
    StringRef kind = state ? kinds.lookup(state.getValue()) : StringRef();
    if (param) {
      checkSources(value,
                   ("the new parameter '" + param.getValue() + "'").str());
      checkCarried(value, kParamAttr, param.getValue());
    } else if (kind == "optimizer") {
      checkSources(value, ("the state '" + state.getValue() + "'").str());
      checkCarried(value, kStateAttr, state.getValue());
    } else if (kind == kGradientSumKind) {
      checkSources(value,
                   ("the sum of gradients '" + state.getValue() + "'").str());
    }
  }
}

void mlir::te::validateMasters(ScalingModule &module, func::FuncOp func) {
  MasterValidator(module, func).run();
}
