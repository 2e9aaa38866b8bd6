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
  SmallVector<int64_t> offsetDims, collapsed, batching, indexBatching, map,
      sizes;
  int64_t indexVectorDim = 0;
  /// The operand's dimensions that the result has, in order.
  SmallVector<int64_t> kept;
};
} // namespace

/// The operation's dimension numbers, checked against its types.
static std::optional<Gather> getGather(const HloOp &op) {
  auto numbers = op.getDimensionNumbers("dimension_numbers", "gather");
  auto sizes = op.getInts("slice_sizes");
  if (op->getNumOperands() != 2 || !numbers || !sizes)
    return std::nullopt;
  auto type = cast<RankedTensorType>(op->getOperand(0).getType()),
       indices = cast<RankedTensorType>(op->getOperand(1).getType());
  int64_t rank = type.getRank();
  Gather gather{numbers->lookup("offset_dims"),
                numbers->lookup("collapsed_slice_dims"),
                numbers->lookup("operand_batching_dims"),
                numbers->lookup("start_indices_batching_dims"),
                numbers->lookup("start_index_map"),
                *sizes,
                0,
                {}};
  if (auto dim = numbers->lookup("index_vector_dim"); !dim.empty())
    gather.indexVectorDim = dim.front();
  SmallVector<int64_t> removed(gather.collapsed);
  llvm::append_range(removed, gather.batching);
  SmallVector<int64_t> positioned(gather.map);
  llvm::append_range(positioned, gather.batching);
  int64_t depth =
      gather.indexVectorDim == indices.getRank() ? 1
      : gather.indexVectorDim >= 0 && gather.indexVectorDim < indices.getRank()
          ? indices.getDimSize(gather.indexVectorDim)
          : -1;
  if (!areDimensions(removed, rank) || !areDimensions(positioned, rank) ||
      int64_t(sizes->size()) != rank || depth != int64_t(gather.map.size()) ||
      gather.batching.size() != gather.indexBatching.size() ||
      !areDimensions(gather.indexBatching, indices.getRank()) ||
      llvm::is_contained(gather.indexBatching, gather.indexVectorDim) ||
      !areDimensions(gather.offsetDims, op.getType().getRank()) ||
      !llvm::is_sorted(gather.offsetDims))
    return std::nullopt;
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isRemoved = llvm::is_contained(removed, dim);
    int64_t size = gather.sizes[dim];
    if (size < 1 || size > type.getDimSize(dim) || (isRemoved && size != 1))
      return std::nullopt;
    if (!isRemoved)
      gather.kept.push_back(dim);
  }
  for (auto [dim, from] : llvm::zip(gather.batching, gather.indexBatching))
    if (type.getDimSize(dim) != indices.getDimSize(from))
      return std::nullopt;
  // The result has the batch of the indices, and the kept dimensions of slices.
  SmallVector<int64_t> shape;
  size_t offset = 0;
  int64_t batch = 0;
  if (gather.offsetDims.size() != gather.kept.size() ||
      op.getType().getRank() !=
          int64_t(gather.kept.size()) + indices.getRank() -
              (gather.indexVectorDim < indices.getRank() ? 1 : 0))
    return std::nullopt;
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
    if (offset < gather.offsetDims.size() && gather.offsetDims[offset] == dim) {
      shape.push_back(gather.sizes[gather.kept[offset++]]);
      continue;
    }
    if (batch == gather.indexVectorDim)
      ++batch;
    shape.push_back(indices.getDimSize(batch++));
  }
  if (op.getShape() != ArrayRef<int64_t>(shape) ||
      op.getType().getElementType() != type.getElementType())
    return std::nullopt;
  return gather;
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
  ConstantTensor ordered = table.permute(rows.getOrder());
  auto run = [&](auto values) {
    using T = typename decltype(values)::value_type;
    std::vector<T> all = ordered.toVector<T>();
    for (int64_t row : *rows.known)
      values.insert(values.end(), all.begin() + row * rows.numColumns,
                    all.begin() + (row + 1) * rows.numColumns);
    return ConstantTensor(std::move(values),
                          {int64_t(rows.known->size()), rows.numColumns});
  };
  return table.isFloat() ? run(std::vector<float>())
         : table.isInt() ? run(std::vector<int64_t>())
                         : run(std::vector<uint8_t>());
}

static LogicalResult importGather(ModuleImporter &importer, const HloOp &op) {
  std::optional<Gather> gather = getGather(op);
  if (!gather)
    return importer.unsupported(op, "its dimension numbers do not fit its "
                                    "operands");
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  SmallVector<int64_t> dims(type.getShape());
  // Dimensions that no index moves in, or that are read in full, are not rows.
  SmallVector<IndexedDim> indexed;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t size = gather->sizes[dim];
    auto *part = llvm::find(gather->map, dim);
    auto *batch = llvm::find(gather->batching, dim);
    if (batch != gather->batching.end()) {
      // The number of the batch dimension, not counting the index vector.
      int64_t from = gather->indexBatching[batch - gather->batching.begin()];
      indexed.push_back({dim, -1, from - (from > gather->indexVectorDim), 1});
    } else if (part != gather->map.end() && size < dims[dim]) {
      indexed.push_back({dim, part - gather->map.begin(), -1, size});
    } else {
      dims[dim] = size;
    }
  }
  auto rows =
      RowPositions::get(importer, op, dims, indexed, gather->indexVectorDim,
                        RowPositions::Outside::Clamp);
  if (failed(rows))
    return failure();
  if (!importer.isConstantSize(op.getShape()))
    return importer.unsupported(op, "its result is too large");

  // [batch, windows, columns], then in the result's order.
  SmallVector<int64_t> unfolded(rows->shape);
  SmallVector<int64_t> columnsKept;
  for (int64_t dim : rows->columnDims)
    if (llvm::is_contained(gather->kept, dim)) {
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
    int64_t own = gather->kept[offset++];
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
    y = y.withShape(unfolded, contiguousStrides(unfolded), y.getOffset())
            .permute(order);
    Shape strides;
    size_t at = 0;
    for (int64_t size : op.getShape())
      strides.push_back(size == 1 &&
                                (at >= order.size() || y.getShape()[at] != 1)
                            ? 0
                            : y.getStrides()[at++]);
    importer.define(op, y.withShape(op.getShape(), strides, y.getOffset()));
    return success();
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
  importer.define(op, math.reshape(y, op.getShape()));
  return success();
}

void mlir::te::stablehlo_import::populateLookupHandlers(HandlerTable &table) {
  table["stablehlo.gather"] = importGather;
}
