// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lookups: rows of tables, elements along a dimension, windows.

#include "Lookup.h"
#include "Pieces.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

namespace {
struct Gather {
  IndexNumbers numbers;
  SmallVector<int64_t> offsetDims, sizes;
};
} // namespace

/// The operation's dimension numbers, checked against its types.
static std::optional<Gather> getGather(const HloOp &op) {
  auto lists = op.getDimensionNumbers("dimension_numbers", "gather");
  auto sizes = op.getInts("slice_sizes");
  if (op->getNumOperands() != 2 || !lists || !sizes)
    return std::nullopt;
  auto numbers =
      IndexNumbers::get(op, *lists,
                        {"collapsed_slice_dims", "operand_batching_dims",
                         "start_indices_batching_dims", "start_index_map"});
  SmallVector<int64_t> offsetDims = lists->lookup("offset_dims");
  auto type = op.getOperandType(0);
  int64_t rank = op.getType().getRank();
  if (!numbers || int64_t(sizes->size()) != type.getRank() ||
      !areDimensions(offsetDims, rank) || !llvm::is_sorted(offsetDims) ||
      offsetDims.size() != numbers->kept.size() ||
      rank != int64_t(numbers->kept.size() + numbers->batch.size()))
    return std::nullopt;
  for (auto [dim, size] : llvm::enumerate(*sizes))
    if (size < 1 || size > type.getDimSize(dim) ||
        (llvm::is_contained(numbers->removed, dim) && size != 1))
      return std::nullopt;
  // The result has the batch of the indices, and the kept dimensions of slices.
  SmallVector<int64_t> shape;
  size_t offset = 0, batch = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isOffset = offset < offsetDims.size() && offsetDims[offset] == dim;
    shape.push_back(isOffset ? (*sizes)[numbers->kept[offset++]]
                             : numbers->batch[batch++]);
  }
  if (op.getShape() != ArrayRef<int64_t>(shape) ||
      op.getType().getElementType() != type.getElementType())
    return std::nullopt;
  return Gather{std::move(*numbers), offsetDims, *sizes};
}

/// Rows of a matrix of any element type.
static Value lookUp(ModuleImporter &importer, TensorMath &math, Value table,
                    const RowPositions &rows) {
  int64_t count = ShapedType::getNumElements(rows.shape);
  if (rows.known) {
    ArrayRef<int64_t> known = *rows.known;
    int64_t step = known.size() > 1 ? known[1] - known[0] : 1;
    bool isSlice = step > 0;
    for (size_t i = 1; i < known.size(); ++i)
      isSlice &= known[i] - known[i - 1] == step;
    if (isSlice)
      return math.slice(table, 0, known.front(), count, step);
  }
  Value ids = rows.known ? math.constant(*rows.known, {count})
                         : math.reshape(rows.computed, {count});
  if (isFloat(table))
    return math.lookup(ids, table);
  Type element = tensorType(table).getElementType();
  if (element.isInteger(1))
    return math.convert(math.lookup(ids, math.widen(table)), element);
  // Integers are exact as sums of one term.
  ids = math.broadcast(math.reshape(ids, {1, count, 1}),
                       {1, count, rows.numColumns});
  Value y = math.gatherAt(
      ids, math.reshape(table, {1, rows.numRows, rows.numColumns}));
  return math.reshape(y, {count, rows.numColumns});
}

/// A gather of constants by constants.
static ConstantTensor lookUp(const ConstantTensor &table,
                             const RowPositions &rows) {
  SmallVector<int64_t> offsets;
  for (int64_t row : *rows.known)
    for (int64_t column = 0; column < rows.numColumns; ++column)
      offsets.push_back(row * rows.numColumns + column);
  ConstantTensor ordered = table.permute(rows.getOrder());
  return ordered.reshape(ordered.getNumElements())
      .take(offsets, {int64_t(rows.known->size()), rows.numColumns});
}

static LogicalResult importGather(ModuleImporter &importer, const HloOp &op) {
  std::optional<Gather> gather = getGather(op);
  if (!gather)
    return importer.unsupported(op, "its dimension numbers do not fit its "
                                    "operands");
  auto type = op.getOperandType(0);
  SmallVector<int64_t> dims(type.getShape());
  // Dimensions that no index moves in, or that are read in full, are not rows.
  SmallVector<IndexedDim> indexed;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t size = gather->sizes[dim];
    auto entry = gather->numbers.find(dim, size);
    if (entry && (entry->batch >= 0 || size < dims[dim]))
      indexed.push_back(*entry);
    else
      dims[dim] = size;
  }
  auto rows =
      RowPositions::get(importer, op, dims, indexed, gather->numbers.vectorDim,
                        RowPositions::Outside::Clamp);
  if (failed(rows))
    return failure();
  if (!importer.isConstantSize(op.getShape()))
    return importer.unsupported(op, "its result is too large");

  // [batch, windows, columns], then in the result's order.
  SmallVector<int64_t> unfolded(rows->shape);
  SmallVector<int64_t> columnsKept;
  for (int64_t dim : rows->columnDims)
    if (llvm::is_contained(gather->numbers.kept, dim)) {
      columnsKept.push_back(dim);
      unfolded.push_back(dims[dim]);
    }
  SmallVector<int64_t> order, windows;
  int64_t batchRank = rows->shape.size();
  for (const IndexedDim &entry : indexed)
    if (entry.window > 1) {
      windows.push_back(entry.dim);
      --batchRank;
    }
  SmallVector<int64_t> result;
  size_t offset = 0;
  int64_t batch = 0;
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
    if (offset >= gather->offsetDims.size() ||
        gather->offsetDims[offset] != dim) {
      order.push_back(batch++);
      continue;
    }
    int64_t own = gather->numbers.kept[offset++];
    auto *window = llvm::find(windows, own);
    auto *column = llvm::find(columnsKept, own);
    if (window != windows.end())
      order.push_back(batchRank + (window - windows.begin()));
    else if (column != columnsKept.end())
      order.push_back(int64_t(rows->shape.size()) +
                      (column - columnsKept.begin()));
    // The only element of an indexed dimension remains.
  }

  if (const ConstantTensor *table = importer.getConstant(op, 0);
      table && rows->known) {
    ConstantTensor part = *table;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      part = part.slice(dim, 0, 1, dims[dim]);
    ConstantTensor y = lookUp(part, *rows);
    return importer.define(
        op, y.reshape(unfolded).permute(order).reshape(op.getShape()));
  }

  Value value = importer.getValue(op, 0);
  if (!value)
    return failure();
  TensorMath math(importer, importer.getLayerLoc(op, value));
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    value = math.slice(value, dim, 0, dims[dim]);
  Value table = math.reshape(math.transpose(value, rows->getOrder()),
                             {rows->numRows, rows->numColumns});
  Value y = lookUp(importer, math, table, *rows);
  y = math.transpose(math.reshape(y, unfolded), order);
  return importer.define(op, math.reshape(y, op.getShape()));
}

void mlir::te::stablehlo_import::populateLookupHandlers(HandlerTable &table) {
  table["stablehlo.gather"] = importGather;
}
