// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scatters: elements written, or added to, by position.

#include "Lookup.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

namespace {
struct Scatter {
  IndexNumbers numbers;
  SmallVector<int64_t> windowDims;
};
} // namespace

static std::optional<Scatter> getScatter(const HloOp &op) {
  auto lists = op.getDimensionNumbers("scatter_dimension_numbers", "scatter");
  if (op->getNumOperands() != 3 || op->getNumResults() != 1 || !lists ||
      op->getOperand(0).getType() != op.getType())
    return std::nullopt;
  auto numbers = IndexNumbers::get(
      op, *lists,
      {"inserted_window_dims", "input_batching_dims",
       "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"});
  SmallVector<int64_t> windowDims = lists->lookup("update_window_dims");
  auto updates = op.getOperandType(2);
  if (!numbers || !areDimensions(windowDims, updates.getRank()) ||
      !llvm::is_sorted(windowDims) ||
      updates.getElementType() != op.getType().getElementType() ||
      numbers->kept.size() != windowDims.size() ||
      updates.getRank() !=
          int64_t(numbers->kept.size() + numbers->batch.size()))
    return std::nullopt;
  for (auto [dim, from] : llvm::zip(numbers->kept, windowDims))
    if (updates.getDimSize(from) > op.getType().getDimSize(dim))
      return std::nullopt;
  size_t batch = 0;
  for (int64_t dim = 0; dim < updates.getRank(); ++dim)
    if (!llvm::is_contained(windowDims, dim) &&
        updates.getDimSize(dim) != numbers->batch[batch++])
      return std::nullopt;
  return Scatter{std::move(*numbers), windowDims};
}

namespace {
enum class Update { Set, Add };
} // namespace

/// The region's combination of the old and the new value.
static std::optional<Update> getUpdate(const HloOp &op) {
  Type scalar = op.getType().clone(ArrayRef<int64_t>());
  if (op->getNumRegions() != 1 ||
      !ModuleImporter::isBlockOf(op->getRegion(0), {scalar, scalar}))
    return std::nullopt;
  Block &block = op->getRegion(0).front();
  Operation &end = block.back();
  if (end.getNumOperands() != 1)
    return std::nullopt;
  if (llvm::hasSingleElement(block))
    return end.getOperand(0) == block.getArgument(1)
               ? std::optional(Update::Set)
               : std::nullopt;
  Operation &first = block.front();
  bool adds = llvm::range_size(block) == 2 &&
              first.getName().getStringRef() == "stablehlo.add" &&
              first.getNumOperands() == 2 && first.getNumResults() == 1 &&
              end.getOperand(0) == first.getResult(0) &&
              ((first.getOperand(0) == block.getArgument(0) &&
                first.getOperand(1) == block.getArgument(1)) ||
               (first.getOperand(0) == block.getArgument(1) &&
                first.getOperand(1) == block.getArgument(0)));
  return adds && !op.getType().getElementType().isInteger(1)
             ? std::optional(Update::Add)
             : std::nullopt;
}

static LogicalResult importScatter(ModuleImporter &importer, const HloOp &op) {
  for (Value operand : op->getOperands())
    if (std::holds_alternative<Poison>(importer.getDefinition(operand))) {
      for (unsigned i = 0; i < op->getNumResults(); ++i)
        importer.defineAt(op, i, Poison());
      return success();
    }
  std::optional<Scatter> scatter = getScatter(op);
  if (!scatter)
    return importer.unsupported(op, "its dimension numbers do not fit its "
                                    "operands");
  std::optional<Update> kind = getUpdate(op);
  if (!kind)
    return importer.unsupported(op, "it combines what it writes with what was "
                                    "there otherwise than by a sum");
  auto updateType = op.getOperandType(2);
  ArrayRef<int64_t> dims = op.getShape();
  // Dimensions that are written in full are columns.
  SmallVector<IndexedDim> indexed;
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
    auto *kept = llvm::find(scatter->numbers.kept, dim);
    int64_t size =
        kept == scatter->numbers.kept.end()
            ? 1
            : updateType.getDimSize(
                  scatter->windowDims[kept - scatter->numbers.kept.begin()]);
    if (auto entry = scatter->numbers.find(dim, size))
      indexed.push_back(*entry);
    else if (size != dims[dim])
      return importer.unsupported(op, "it writes to a part of its operand");
  }
  auto rows =
      RowPositions::get(importer, op, dims, indexed, scatter->numbers.vectorDim,
                        RowPositions::Outside::Drop);
  if (failed(rows))
    return failure();
  Value data = importer.getValue(op, 0), updates = importer.getValue(op, 2);
  if (!data || !updates)
    return failure();
  TensorMath math(importer, op.getLoc());

  // Updates as [batch, windows, columns].
  SmallVector<int64_t> order, windows, columns;
  for (int64_t dim = 0; dim < updateType.getRank(); ++dim)
    if (!llvm::is_contained(scatter->windowDims, dim))
      order.push_back(dim);
  for (auto [dim, from] :
       llvm::zip(scatter->numbers.kept, scatter->windowDims)) {
    bool isRow = llvm::is_contained(rows->rowDims, dim);
    (isRow ? windows : columns).push_back(from);
  }
  llvm::append_range(order, windows);
  llvm::append_range(order, columns);
  int64_t count = ShapedType::getNumElements(rows->shape);
  updates =
      math.reshape(math.transpose(updates, order), {count, rows->numColumns});
  SmallVector<int64_t> dataOrder = rows->getOrder();
  Value moved = math.transpose(data, dataOrder);
  SmallVector<int64_t> movedShape(tensorType(moved).getShape());
  Value old = math.reshape(moved, {rows->numRows, rows->numColumns});
  Type element = op.getType().getElementType();

  Value y;
  bool isFloatOrTruth = isFloat(old) || element.isInteger(1);
  llvm::SmallDenseSet<int64_t> distinct;
  if (rows->known)
    distinct.insert(rows->known->begin(), rows->known->end());
  if (rows->known && isFloatOrTruth &&
      (kind == Update::Set || int64_t(distinct.size()) == count)) {
    if (!isFloat(old)) {
      old = math.widen(old);
      updates = math.widen(updates);
    }
    if (kind == Update::Add) {
      Value before = math.lookup(math.constant(*rows->known, {count}), old);
      updates = math.apply<arith::AddFOp>(before, updates);
    }
    y = math.convert(math.replaceRows(old, updates, *rows->known), element);
  } else {
    Value ids = rows->known ? math.constant(*rows->known, {count})
                            : math.reshape(rows->computed, {count});
    SmallVector<int64_t> each{1, count, rows->numColumns},
        all{1, rows->numRows, rows->numColumns};
    ids = math.reshape(ids, {1, count, 1});
    // Of those that write one element, the last one does.
    if (kind == Update::Set && !op.getBool("unique_indices") && count > 1) {
      Value later = math.countEqualBehind(ids, 1);
      Value isLast = math.compare(arith::CmpIPredicate::eq, later,
                                  math.number(tensorType(later), 0));
      ids = math.select(isLast, ids, math.number(tensorType(ids), -1));
    }
    ids = math.broadcast(ids, each);
    if (element.isInteger(1))
      updates = math.convert(updates, tensorType(ids).getElementType());
    Value sum = math.scatterSum(ids, math.reshape(updates, each), all);
    old = math.reshape(old, all);
    if (kind == Update::Add) {
      y = isFloat(old) ? math.apply<arith::AddFOp>(old, sum)
                       : math.apply<arith::AddIOp>(old, sum);
    } else {
      Value written =
          math.scatterSum(ids, math.number(tensorType(ids), 1), all);
      Value isWritten = math.compare(arith::CmpIPredicate::ne, written,
                                     math.number(tensorType(written), 0));
      if (element.isInteger(1))
        sum = math.convert(sum, element);
      y = math.select(isWritten, sum, old);
    }
  }
  y = math.transpose(math.reshape(y, movedShape),
                     invertPermutationVector(dataOrder));
  return importer.define(op, y);
}

void mlir::te::stablehlo_import::populateScatterHandlers(HandlerTable &table) {
  table["stablehlo.scatter"] = importScatter;
}
