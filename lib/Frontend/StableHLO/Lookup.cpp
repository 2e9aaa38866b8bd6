// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lookup.h"
#include "Pieces.h"

#include "te/Support/SkipOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

//===----------------------------------------------------------------------===//
// Ids that JAX wraps and checks
//===----------------------------------------------------------------------===//

static Value skipRepeats(Value value) {
  return skipOps<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                 linalg::BroadcastOp>(value);
}

/// The integer of a splat.
static std::optional<int64_t> getInteger(Value value) {
  DenseIntElementsAttr data;
  if (!matchPattern(skipRepeats(value), m_Constant(&data)) || !data.isSplat())
    return std::nullopt;
  return data.getSplatValue<APInt>().getSExtValue();
}

static arith::CmpIOp findComparison(Value value, arith::CmpIPredicate predicate,
                                    int64_t with) {
  auto op = skipRepeats(value).getDefiningOp<arith::CmpIOp>();
  return op && op.getPredicate() == predicate && getInteger(op.getRhs()) == with
             ? op
             : arith::CmpIOp();
}

/// The value x of select(x < 0, x + size, x), which counts negative positions
/// from the end; else `value` itself.
static Value getUnwrapped(Value value, int64_t size) {
  value = skipRepeats(value);
  auto select = value.getDefiningOp<arith::SelectOp>();
  if (!select)
    return value;
  Value x = skipRepeats(select.getFalseValue());
  arith::CmpIOp isNegative =
      findComparison(select.getCondition(), arith::CmpIPredicate::slt, 0);
  auto sum = skipRepeats(select.getTrueValue()).getDefiningOp<arith::AddIOp>();
  bool wraps = isNegative && skipRepeats(isNegative.getLhs()) == x && sum &&
               skipRepeats(sum.getLhs()) == x &&
               getInteger(sum.getRhs()) == size;
  return wraps ? x : value;
}

bool mlir::te::stablehlo_import::isLookupInside(Value x, Value where) {
  while (Operation *op = x.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             linalg::TransposeOp>(op))
      break;
    x = op->getOperand(0);
  }
  auto embedding = x.getDefiningOp<EmbeddingOp>();
  auto both = skipRepeats(where).getDefiningOp<arith::AndIOp>();
  if (!embedding || !both)
    return false;
  int64_t rows = embedding.getTable().getType().getDimSize(0);
  Value ids = skipRepeats(embedding.getIds());
  for (auto [a, b] : {std::pair(both.getLhs(), both.getRhs()),
                      std::pair(both.getRhs(), both.getLhs())}) {
    arith::CmpIOp low = findComparison(a, arith::CmpIPredicate::sge, 0),
                  high = findComparison(b, arith::CmpIPredicate::sle, rows - 1);
    if (low && high && getUnwrapped(low.getLhs(), rows) == ids &&
        getUnwrapped(high.getLhs(), rows) == ids)
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

std::optional<IndexNumbers> IndexNumbers::get(const HloOp &op,
                                              const DimensionNumbers &numbers,
                                              std::array<StringRef, 4> names) {
  auto type = op.getOperandType(0), indices = op.getOperandType(1);
  int64_t rank = type.getRank(), indexRank = indices.getRank();
  IndexNumbers result{numbers.lookup(names[0]),
                      numbers.lookup(names[1]),
                      numbers.lookup(names[2]),
                      numbers.lookup(names[3]),
                      0,
                      {},
                      {}};
  if (auto dim = numbers.lookup("index_vector_dim"); !dim.empty())
    result.vectorDim = dim.front();
  SmallVector<int64_t> positioned(result.map);
  llvm::append_range(result.removed, result.batching);
  llvm::append_range(positioned, result.batching);
  int64_t depth = result.vectorDim == indexRank ? 1
                  : result.vectorDim >= 0 && result.vectorDim < indexRank
                      ? indices.getDimSize(result.vectorDim)
                      : -1;
  if (!areDimensions(result.removed, rank) ||
      !areDimensions(positioned, rank) || depth != int64_t(result.map.size()) ||
      result.batching.size() != result.indexBatching.size() ||
      !areDimensions(result.indexBatching, indexRank) ||
      llvm::is_contained(result.indexBatching, result.vectorDim))
    return std::nullopt;
  for (auto [dim, from] : llvm::zip(result.batching, result.indexBatching))
    if (type.getDimSize(dim) != indices.getDimSize(from))
      return std::nullopt;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(result.removed, dim))
      result.kept.push_back(dim);
  for (int64_t dim = 0; dim < indexRank; ++dim)
    if (dim != result.vectorDim)
      result.batch.push_back(indices.getDimSize(dim));
  return result;
}

std::optional<IndexedDim> IndexNumbers::find(int64_t dim, int64_t size) const {
  // A batch dimension is numbered without that of index vectors.
  if (auto *at = llvm::find(batching, dim); at != batching.end()) {
    int64_t from = indexBatching[at - batching.begin()];
    return IndexedDim{dim, -1, from - (from > vectorDim), 1};
  }
  if (auto *part = llvm::find(map, dim); part != map.end())
    return IndexedDim{dim, part - map.begin(), -1, size};
  return std::nullopt;
}

SmallVector<int64_t> RowPositions::getOrder() const {
  SmallVector<int64_t> order(rowDims);
  llvm::append_range(order, columnDims);
  return order;
}

FailureOr<RowPositions>
RowPositions::get(ModuleImporter &importer, const HloOp &op,
                  ArrayRef<int64_t> dims, ArrayRef<IndexedDim> indexed,
                  int64_t indexVectorDim, Outside outside) {
  RowPositions result;
  auto indexType = op.getOperandType(1);
  int64_t indexRank = indexType.getRank();
  if (!indexType.getElementType().isInteger() ||
      indexType.getElementType().isInteger(1))
    return importer.unsupported(op, "its indices are not integers");
  for (int64_t dim = 0; dim < indexRank; ++dim)
    if (dim != indexVectorDim)
      result.shape.push_back(indexType.getDimSize(dim));
  size_t batchRank = result.shape.size();
  for (const IndexedDim &entry : indexed) {
    result.rowDims.push_back(entry.dim);
    result.numRows *= dims[entry.dim];
    if (entry.window > 1)
      result.shape.push_back(entry.window);
  }
  for (int64_t dim = 0; dim < int64_t(dims.size()); ++dim)
    if (!llvm::is_contained(result.rowDims, dim)) {
      result.columnDims.push_back(dim);
      result.numColumns *= dims[dim];
    }
  auto count = countElements(result.shape);
  if (!count || !importer.isConstantSize(result.shape) || *count == 0)
    return importer.unsupported(op, "it has too many indices, or none");

  // Dimensions of one element have one position.
  if (indexed.empty()) {
    result.known = SmallVector<int64_t>(*count, 0);
    return result;
  }

  // The distance of one step in each indexed dimension.
  SmallVector<int64_t> strides(indexed.size(), 1);
  for (size_t i = indexed.size(); i-- > 1;)
    strides[i - 1] = strides[i] * dims[indexed[i].dim];

  if (const ConstantTensor *indices = importer.getConstant(op, 1)) {
    SmallVector<int64_t> rows(*count, 0);
    size_t windowDim = batchRank;
    for (size_t i = 0; i < indexed.size(); ++i) {
      const IndexedDim &entry = indexed[i];
      Shape positionStrides(result.shape.size(), 0),
          walk(result.shape.size(), 0);
      int64_t offset = 0;
      if (entry.part >= 0) {
        // Strides of the component's positions in the indices.
        size_t at = 0;
        for (int64_t dim = 0; dim < indexRank; ++dim)
          if (dim != indexVectorDim)
            positionStrides[at++] = indices->getStrides()[dim];
        if (indexVectorDim < indexRank)
          offset = entry.part * indices->getStrides()[indexVectorDim];
      } else {
        walk[entry.batch] = 1;
      }
      if (entry.window > 1)
        walk[windowDim++] = 1;
      size_t row = 0;
      bool inside = true;
      int64_t last = dims[entry.dim] - entry.window;
      forEachOffset<2>(
          result.shape,
          {ArrayRef<int64_t>(positionStrides), ArrayRef<int64_t>(walk)},
          [&](int64_t from, int64_t steps) {
            int64_t start =
                entry.part >= 0 ? indices->at(offset + from).integer : 0;
            inside &= start >= 0 && start <= last;
            start = std::clamp<int64_t>(start, 0, last);
            rows[row++] += (start + steps) * strides[i];
          });
      if (!inside && outside == Outside::Drop)
        return importer.unsupported(op, "it writes outside its operand");
    }
    result.known = std::move(rows);
    return result;
  }

  Value indices = importer.getValue(op, 1);
  if (!indices)
    return failure();
  TensorMath math(importer, op.getLoc());
  Type i64 = importer.builder.getI64Type();
  bool isLookup = indexed.size() == 1 && indexed.front().window == 1;
  size_t windowDim = batchRank;
  Value total, isInside;
  for (auto [i, entry] : llvm::enumerate(indexed)) {
    Value position;
    int64_t last = dims[entry.dim] - entry.window;
    if (entry.part >= 0) {
      position = indices;
      if (indexVectorDim < indexRank)
        position = math.slice(position, indexVectorDim, entry.part, 1);
      SmallVector<int64_t> batch(
          ArrayRef<int64_t>(result.shape).take_front(batchRank));
      position = math.reshape(position, batch);
      Value ids = getUnwrapped(position, dims[entry.dim]);
      if (isLookup && outside == Outside::Clamp && importer.isInput(ids)) {
        // The runtime rejects ids outside the table.
        result.computed = math.reshape(ids, batch);
        return result;
      }
      if (!isLookup)
        position = math.convert(position, i64);
      Value low = math.number(tensorType(position), 0),
            high = math.number(tensorType(position), double(last));
      if (outside == Outside::Clamp) {
        position = math.apply<arith::MinSIOp>(
            math.apply<arith::MaxSIOp>(position, low), high);
      } else {
        Value here = math.apply<arith::AndIOp>(
            math.compare(arith::CmpIPredicate::sge, position, low),
            math.compare(arith::CmpIPredicate::sle, position, high));
        isInside = isInside ? math.apply<arith::AndIOp>(isInside, here) : here;
      }
      batch.append(result.shape.size() - batchRank, 1);
      position = math.broadcast(math.reshape(position, batch), result.shape);
    } else {
      position = math.iota(result.shape, entry.batch);
    }
    if (entry.window > 1)
      position = math.apply<arith::AddIOp>(
          position, math.iota(result.shape, windowDim++));
    if (strides[i] != 1)
      position = math.apply<arith::MulIOp>(
          position, math.number(tensorType(position), double(strides[i])));
    total = total ? math.apply<arith::AddIOp>(total, position) : position;
  }
  if (isInside) {
    SmallVector<int64_t> batch(
        ArrayRef<int64_t>(result.shape).take_front(batchRank));
    batch.append(result.shape.size() - batchRank, 1);
    total =
        math.select(math.broadcast(math.reshape(isInside, batch), result.shape),
                    total, math.number(tensorType(total), -1));
  }
  result.computed = total;
  return result;
}
