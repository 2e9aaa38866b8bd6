// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that FP8 values are made by quantizations alone, from values that were
// not rounded before, and that whoever reads them has their scale_inv.

#include "Precision/Validation.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"

using namespace mlir;
using namespace mlir::te;

namespace {
class BitValidator {
public:
  BitValidator(ScalingModule &module, func::FuncOp func,
               const Quantizations &quantizations)
      : module(module), func(func), quantizations(quantizations) {}

  void run();

private:
  bool checkReads(Operation *op);
  void checkReturned(Operation *terminator);
  void checkMade(Operation *op);
  void checkPlace(Operation *op);
  void checkSource(const Quantization &quantization);
  bool hasScaleInv(Operation *op, const CopyOrigin &copy) const;
  std::string describeCopy(Value value) const;

  ScalingModule &module;
  func::FuncOp func;
  const Quantizations &quantizations;
};
} // namespace

/// Whether an op hands on FP8 values as they are.
static bool movesCopies(Operation *op) {
  return isa<DataMovementOpInterface>(op) ||
         isa_and_present<shard::ShardDialect>(op->getDialect());
}

std::string BitValidator::describeCopy(Value value) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "'" << getElementTypeOrSelf(value) << "' values";
  std::optional<CopyOrigin> copy = module.traceCopy(value);
  if (copy && !copy->state.empty())
    os << " of the state '" << copy->state << "'";
  else if (copy && module.isSlot(copy->slot))
    os << " of " << module.describe(copy->slot);
  return text;
}

/// Whether an op that reads a copy reads its scale_inv, too.
bool BitValidator::hasScaleInv(Operation *op, const CopyOrigin &copy) const {
  return llvm::any_of(op->getOperands(), [&](Value value) {
    if (isFp8(value))
      return false;
    if (module.carriesScales()) {
      std::optional<ScaleOrigin> scale = module.traceScale(value);
      return scale && scale->inverse && scale->version == ScaleVersion::Old &&
             scale->slot == copy.slot;
    }
    if (!copy.quantization)
      return false;
    const Quantization &quantization =
        quantizations.find(copy.quantization)->second;
    return !module.checkScaleOfStep(quantization, value);
  });
}

/// Whether an update reads a value with the scales of its blocks, as a state,
/// or makes it as one; its verifier checks them.
static bool isStateOf(UpdateOp update, Value value) {
  return update && (llvm::is_contained(update.getStates(), value) ||
                    llvm::is_contained(update.getNewStates(), value));
}

/// Products and te.dequantize are checked with the reads (ValidateReads.cpp).
bool BitValidator::checkReads(Operation *op) {
  if (isa<ScaledProductOpInterface, DequantizeOp>(op))
    return true;
  for (Value value : op->getOperands()) {
    if (!isFp8(value) || isStateOf(dyn_cast<UpdateOp>(op), value))
      continue;
    std::optional<CopyOrigin> copy = module.traceCopy(value);
    if (copy && hasScaleInv(op, *copy))
      continue;
    module.error(op) << "reads the " << describeCopy(value)
                     << " without their scale_inv, so that it takes scaled "
                        "numbers for the tensor's; expects it to read what "
                        "te.dequantize makes of them";
    return false;
  }
  return true;
}

/// What an entry returns in FP8 is the copy of a weight.
void BitValidator::checkReturned(Operation *terminator) {
  if (!func->hasAttr(kEntryAttr))
    return;
  for (auto [i, value] : llvm::enumerate(terminator->getOperands()))
    if (auto kind = func.getResultAttrOfType<StringAttr>(i, kKindAttr);
        isFp8(value) && (!kind || kind.getValue() != "fp8_weight") &&
        !isStateOf(value.getDefiningOp<UpdateOp>(), value))
      module.error(terminator)
          << "returns the " << describeCopy(value) << " as result " << i
          << " without their scale_inv; only copies of weights leave an entry "
             "(te.kind = \"fp8_weight\"), so expects te.dequantize before it";
}

void BitValidator::checkMade(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op))
    return;
  auto it = quantizations.find(op);
  for (Value result : op->getResults()) {
    if (!isFp8(result) || isStateOf(dyn_cast<UpdateOp>(op), result) ||
        (it != quantizations.end() &&
         (result == it->second.rowwise || result == it->second.columnwise)))
      continue;
    module.error(op) << "makes " << getElementTypeOrSelf(result)
                     << " values without a scale; expects FP8 values to be the "
                        "copies of a quantization (te.quantize)";
    return;
  }
}

/// What depends on control flow is quantized, and counted, in some steps alone.
void BitValidator::checkPlace(Operation *op) {
  if (!module.carriesScales() || op->getParentOp() == func)
    return;
  RecipeAttrInterface recipe = module.getRecipe();
  StringRef does = quantizations.contains(op) ? "quantizes"
                   : recipe.getUpdate(op)     ? "updates the scales"
                   : recipe.getRecord(op)     ? "records amaxes"
                                              : "";
  if (!does.empty())
    module.error(op) << does << " inside '" << op->getParentOp()->getName()
                     << "', so that amaxes count only where control flow comes "
                        "by; expects it in the body of the function";
}

/// The operands whose elements an op moves or casts.
static SmallVector<Value> getSources(Operation *op) {
  SmallVector<Value> sources;
  if (auto movement = dyn_cast<DataMovementOpInterface>(op))
    for (unsigned operand : movement.getMovedOperands())
      sources.push_back(op->getOperand(operand));
  else if (isa<arith::ExtFOp, arith::TruncFOp, shard::AllGatherOp>(op))
    sources.push_back(op->getOperand(0));
  return sources;
}

/// A tensor that was an FP8 copy before loses as much again when it becomes
/// another one.
void BitValidator::checkSource(const Quantization &quantization) {
  SmallVector<Value> todo = {quantization.source};
  llvm::DenseSet<Value> seen;
  while (!todo.empty()) {
    Value value = todo.pop_back_val();
    Operation *op = value ? value.getDefiningOp() : nullptr;
    if (!op || !seen.insert(value).second)
      continue;
    if (auto dequantize = dyn_cast<DequantizeOp>(op)) {
      InFlightDiagnostic diagnostic = module.error(quantization.op);
      diagnostic << "quantizes what te.dequantize made of the "
                 << describeCopy(dequantize.getX())
                 << ": the tensor is rounded to FP8 twice; expects it to "
                    "quantize the tensor itself, or its readers to read that "
                    "copy";
      diagnostic.attachNote(dequantize.getLoc()) << "it is dequantized here";
      return;
    }
    llvm::append_range(todo, getSources(op));
  }
}

void BitValidator::run() {
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == func)
      return WalkResult::advance();
    // What is in its region, if it has one, moves elements, too.
    if (movesCopies(op))
      return WalkResult::skip();
    if (op == func.getBody().front().getTerminator()) {
      checkReturned(op);
      return WalkResult::advance();
    }
    checkPlace(op);
    if (checkReads(op))
      checkMade(op);
    return WalkResult::advance();
  });
  for (auto &[op, quantization] : quantizations)
    checkSource(quantization);
}

void mlir::te::validateBits(ScalingModule &module, func::FuncOp func,
                            const Quantizations &quantizations) {
  BitValidator(module, func, quantizations).run();
}
