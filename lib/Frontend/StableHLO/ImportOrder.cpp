// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The largest elements of rows, in order, and whole rows in order.

#include "ModuleImporter.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

static LogicalResult importTopK(ModuleImporter &importer, const HloOp &op) {
  auto k = op.getInt("k");
  if (op->getNumOperands() != 1 || op->getNumResults() != 2 || !k)
    return importer.unsupported(op, "it has no number of elements to take");
  auto type = op.getOperandType(0);
  SmallVector<int64_t> shape(type.getShape());
  if (shape.empty() || *k < 1 || *k > shape.back() ||
      type.getElementType().isInteger(1))
    return importer.unsupported(op, "it takes more elements than there are");
  shape.back() = *k;
  if (op.getType() != type.clone(shape) ||
      op.getType(1).getShape() != ArrayRef<int64_t>(shape) ||
      !op.getType(1).getElementType().isInteger())
    return importer.unsupported(op, "its types do not fit its operand");
  Value x = importer.getValue(op, 0);
  if (!x)
    return failure();
  TensorMath math(importer, op.getLoc());
  auto [values, positions] =
      math.topK(x, type.getRank() - 1, *k, /*largest=*/true);
  importer.defineAt(op, 0, values);
  importer.defineAt(op, 1,
                    math.convert(positions, op.getType(1).getElementType()));
  return success();
}

/// The operand by which a sort orders, and whether the largest come first:
/// its region compares two elements of one operand.
static std::optional<std::pair<unsigned, bool>> getKey(const HloOp &op) {
  SmallVector<Type> scalars;
  for (Value operand : op->getOperands())
    scalars.append(
        2,
        cast<RankedTensorType>(operand.getType()).clone(ArrayRef<int64_t>()));
  if (op->getNumRegions() != 1 ||
      !ModuleImporter::isBlockOf(op->getRegion(0), scalars))
    return std::nullopt;
  Block &block = op->getRegion(0).front();
  Operation &first = block.front(), &end = block.back();
  if (llvm::range_size(block) != 2 || first.getNumOperands() != 2 ||
      first.getNumResults() != 1 ||
      first.getName().getStringRef() != "stablehlo.compare" ||
      end.getNumOperands() != 1 || end.getOperand(0) != first.getResult(0))
    return std::nullopt;
  auto a = dyn_cast<BlockArgument>(first.getOperand(0)),
       b = dyn_cast<BlockArgument>(first.getOperand(1));
  StringRef direction =
      HloOp(&first, op.getLoc()).getEnum("comparison_direction");
  if (!a || !b || a.getArgNumber() / 2 != b.getArgNumber() / 2 || a == b ||
      (direction != "LT" && direction != "GT"))
    return std::nullopt;
  // That the second is larger is that the first is smaller.
  const bool isSwapped = a.getArgNumber() > b.getArgNumber();
  return std::pair(a.getArgNumber() / 2, (direction == "GT") != isSwapped);
}

/// Equal elements keep their order, which a sort that need not be stable may
/// do.
static LogicalResult importSort(ModuleImporter &importer, const HloOp &op) {
  auto dim = op.getInt("dimension");
  std::optional<std::pair<unsigned, bool>> key = getKey(op);
  if (!key || op->getNumResults() != op->getNumOperands())
    return importer.unsupported(op, "it orders otherwise than by the smallest "
                                    "or largest elements of one operand");
  auto [number, largest] = *key;
  RankedTensorType type = op.getOperandType(number);
  const int64_t rank = type.getRank();
  if (!dim || *dim < -rank || *dim >= rank)
    return importer.unsupported(op, "it has no dimension");
  for (auto [operand, result] : llvm::zip(op->getOperands(), op->getResults()))
    if (operand.getType() != result.getType() ||
        cast<RankedTensorType>(operand.getType()).getShape() != type.getShape())
      return importer.unsupported(op, "its types do not fit its operands");
  if (!isa<IntegerType>(type.getElementType()) ||
      type.getElementType().isInteger(1))
    return importer.unsupported(op, "it orders by others than integers");
  const int64_t along = *dim < 0 ? *dim + rank : *dim;
  Value keys = importer.getValue(op, number);
  if (!keys)
    return failure();
  TensorMath math(importer, op.getLoc());
  Value places = math.rank(keys, along, largest);
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    Value x = importer.getValue(op, i);
    if (!x)
      return failure();
    importer.defineAt(op, i, math.permute(x, places, along));
  }
  return success();
}

void mlir::te::stablehlo_import::populateOrderHandlers(HandlerTable &table) {
  table["chlo.top_k"] = importTopK;
  table["stablehlo.sort"] = importSort;
}
