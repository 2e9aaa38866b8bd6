// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Precision/ScaleTrace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::te;

std::optional<Quantization> mlir::te::getQuantization(Operation *op) {
  auto quantizing = dyn_cast<QuantizingOpInterface>(op);
  if (!quantizing)
    return std::nullopt;
  Quantization quantization = quantizing.getQuantization();
  if (!quantization.scale)
    return std::nullopt;
  return quantization;
}

static func::FuncOp owningFunction(BlockArgument argument) {
  return dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
}

StringRef mlir::te::getArgumentAttr(Value value, StringRef name) {
  auto argument = dyn_cast<BlockArgument>(value);
  func::FuncOp func = argument ? owningFunction(argument) : func::FuncOp();
  if (!func)
    return {};
  auto attr = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), name);
  return attr ? attr.getValue() : StringRef();
}

std::optional<ScaleOrigin> mlir::te::traceScale(Value value) {
  if (auto compute = value.getDefiningOp<ComputeScaleOp>())
    return ScaleOrigin{ScaleVersion::Initial, value == compute.getScaleInv(),
                       -1, compute};
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice)
    return std::nullopt;
  std::optional<int64_t> slot = getElementIndex(slice);
  if (!slot)
    return std::nullopt;
  Value state = slice.getSource();
  if (auto update = state.getDefiningOp<UpdateScalesOp>()) {
    if (state == update.getNewScales())
      return ScaleOrigin{ScaleVersion::Updated, false, *slot, {}};
    if (state == update.getNewScaleInvs())
      return ScaleOrigin{ScaleVersion::Updated, true, *slot, {}};
    return std::nullopt;
  }
  StringRef kind = getArgumentAttr(state, kKindAttr);
  if (kind == "fp8_scale")
    return ScaleOrigin{ScaleVersion::Old, false, *slot, {}};
  if (kind == "fp8_scale_inv")
    return ScaleOrigin{ScaleVersion::Old, true, *slot, {}};
  return std::nullopt;
}

std::optional<std::pair<StringRef, bool>>
mlir::te::splitWeightName(StringRef name) {
  if (!name.consume_front("fp8.weight."))
    return std::nullopt;
  if (name.consume_back(".rowwise"))
    return std::make_pair(name, false);
  if (name.consume_back(".columnwise"))
    return std::make_pair(name, true);
  return std::nullopt;
}

StringRef mlir::te::getSlotRole(StringRef slot) {
  auto [rest, last] = slot.rsplit('.');
  if (!last.empty() && llvm::all_of(last, llvm::isDigit))
    last = rest.rsplit('.').second;
  return last;
}
