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

/// The kind of a scaling state tensor, and whether an update made it.
static std::pair<StringRef, ScaleVersion>
getStateKind(Value state, RecipeAttrInterface recipe,
             ArrayRef<RecipeState> states) {
  Operation *op = state.getDefiningOp();
  if (!op)
    return {getArgumentText(state, kKindAttr), ScaleVersion::Old};
  if (std::optional<ScaleUpdate> update = recipe.getUpdate(op))
    for (auto [known, value] : llvm::zip_equal(states, update->newStates))
      if (value == state)
        return {known.kind, ScaleVersion::Updated};
  return {};
}

std::optional<ScaleOrigin> mlir::te::traceScale(Value value,
                                                RecipeAttrInterface recipe,
                                                ArrayRef<RecipeState> states) {
  if (std::optional<InitialScale> initial = recipe.getInitialScale(value))
    return ScaleOrigin{ScaleVersion::Initial, value == initial->scaleInv, -1,
                       *initial};
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  std::optional<int64_t> slot =
      slice ? getElementIndex(slice) : std::optional<int64_t>();
  if (!slot)
    return std::nullopt;
  auto [kind, version] = getStateKind(slice.getSource(), recipe, states);
  if (kind != "fp8_scale" && kind != "fp8_scale_inv")
    return std::nullopt;
  return ScaleOrigin{version, kind == "fp8_scale_inv", *slot, {}};
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
