// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/RopeTables.h"

#include "Raise/LoopLabels.h"
#include "Raise/Matchers.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/Captures.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::te;

/// True if `value` does not depend on anything that could have a gradient.
static bool isComputedOfIntegers(Value value) {
  // Angles are few ops away from the positions.
  constexpr size_t kMostValues = 256;
  llvm::SmallSetVector<Value, 16> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (!op) {
      if (!getElementTypeOrSelf(values[i].getType()).isIntOrIndex())
        return false;
      continue;
    }
    if (values.size() > kMostValues)
      return false;
    values.insert_range(getReadValues(op));
  }
  return true;
}

/// A table that was repeated when the model was imported: all sequences and
/// heads of a constant have the same rows.
static std::optional<RopeTable> getRepeatedTable(Value value,
                                                 DenseElementsAttr data) {
  RankedTensorType type = tensorType(value);
  if (type.getRank() != 4 || !type.getElementType().isF32() || data.isSplat())
    return std::nullopt;
  RopeTable table;
  table.values = value;
  table.heads.assign(type.getShape().begin(), type.getShape().end());
  int64_t size = table.heads[3];
  auto all = data.getValues<float>();
  for (auto layout : {AttentionLayout::BSHD, AttentionLayout::BHSD}) {
    bool isBSHD = layout == AttentionLayout::BSHD;
    int64_t sequence = table.heads[isBSHD ? 1 : 2],
            heads = table.heads[isBSHD ? 2 : 1];
    int64_t positionStep = isBSHD ? heads : 1, headStep = isBSHD ? 1 : sequence;
    SmallVector<float> rows;
    rows.reserve(sequence * size);
    for (int64_t s = 0; s < sequence; ++s)
      for (int64_t i = 0; i < size; ++i)
        rows.push_back(all[s * positionStep * size + i]);
    bool repeats = true;
    for (int64_t b = 0; repeats && b < table.heads[0]; ++b)
      for (int64_t h = 0; repeats && h < heads; ++h)
        for (int64_t s = 0; repeats && s < sequence; ++s) {
          int64_t at =
              (b * sequence * heads + s * positionStep + h * headStep) * size;
          for (int64_t i = 0; repeats && i < size; ++i)
            repeats = all[at + i] == rows[s * size + i];
        }
    if (!repeats)
      continue;
    table.rows = sequence;
    table.layout = layout;
    table.constant = DenseElementsAttr::get(type.clone({sequence, size}),
                                            ArrayRef<float>(rows));
    return table;
  }
  return std::nullopt;
}

std::optional<RopeTable> mlir::te::getRopeTable(Value value) {
  DenseElementsAttr data;
  if (Value source = skipReshapesAndCasts(value);
      matchPattern(source, m_Constant(&data)))
    return getRepeatedTable(source, data);
  auto broadcast =
      skipReshapesAndCasts(value).getDefiningOp<linalg::BroadcastOp>();
  if (!broadcast || !broadcast.hasPureTensorSemantics())
    return std::nullopt;
  auto type = cast<RankedTensorType>(broadcast.getInit().getType());
  if (type.getRank() != 4)
    return std::nullopt;
  RopeTable table;
  table.heads.assign(type.getShape().begin(), type.getShape().end());
  bool repeats[4] = {};
  for (int64_t dim : broadcast.getDimensions())
    repeats[dim] = true;
  // A dimension of one element matches both.
  auto matches = [&](bool batch, bool one, bool two) {
    bool wanted[] = {batch, one, two, false};
    for (int dim = 0; dim < 4; ++dim)
      if (repeats[dim] != wanted[dim] && table.heads[dim] != 1)
        return false;
    return true;
  };
  if (matches(true, true, false) || matches(false, true, false))
    table.layout = AttentionLayout::BHSD;
  else if (matches(true, false, true) || matches(false, false, true))
    table.layout = AttentionLayout::BSHD;
  else
    return std::nullopt;
  table.values = skipReshapesAndCasts(broadcast.getInput());
  if (!tensorType(table.values).getElementType().isF32() ||
      !isComputedOfIntegers(table.values))
    return std::nullopt;
  table.rows = tensorType(table.values).getNumElements() / table.heads[3];
  if (matchPattern(table.values, m_Constant(&data)))
    table.constant =
        data.reshape(data.getType().clone({table.rows, table.heads[3]}));
  return table;
}

bool mlir::te::isSameTable(const RopeTable &a, const RopeTable &b) {
  if (a.heads != b.heads || a.layout != b.layout || a.rows != b.rows)
    return false;
  if (a.constant && b.constant)
    return a.constant == b.constant;
  return isSameData(a.values, b.values);
}

namespace {
/// Traces the columns of a table [rows, size] to before they were repeated, and
/// rebuilds the ops between on half of the columns. Without a builder, only
/// checks, returning an arbitrary value, whether that is possible.
class PairReader {
public:
  PairReader(OpBuilder *builder, Location loc, int64_t size, bool interleaved)
      : builder(builder), loc(loc), size(size), half(size / 2),
        interleaved(interleaved) {}

  Value read(const RopeTable &table) {
    return table.constant
               ? readConstant(table.values, table.constant, table.rows)
               : read(table.values, table.rows);
  }

private:
  /// The columns of `value`, `rows` rows of `size` elements in any shape.
  Value read(Value value, int64_t rows, unsigned depth = 0);
  Value readConstant(Value value, DenseElementsAttr data, int64_t rows);
  /// The source that `value` repeats for the two elements of every pair; null
  /// if there is none.
  Value getRepeated(Value value);
  Value readElementwise(Operation *op, int64_t rows, unsigned depth);

  OpBuilder *builder;
  Location loc;
  int64_t size, half;
  bool interleaved;
};
} // namespace

Value PairReader::readConstant(Value value, DenseElementsAttr data,
                               int64_t rows) {
  if (!data.getElementType().isF32())
    return {};
  auto all = llvm::to_vector(data.getValues<float>());
  SmallVector<float> pairs;
  pairs.reserve(all.size() / 2);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0; i < half; ++i) {
      const float *first = all.data() + row * size;
      float a = first[interleaved ? 2 * i : i];
      float b = first[interleaved ? 2 * i + 1 : i + half];
      if (!(a == b))
        return {};
      pairs.push_back(a);
    }
  if (!builder)
    return value;
  auto type = RankedTensorType::get({rows, half}, builder->getF32Type());
  return arith::ConstantOp::create(
      *builder, loc, DenseElementsAttr::get(type, ArrayRef<float>(pairs)));
}

Value PairReader::getRepeated(Value value) {
  RankedTensorType type = tensorType(value);
  int64_t last = type.getRank() - 1, columns = type.getShape().back();
  if (auto concat = value.getDefiningOp<tensor::ConcatOp>()) {
    // Concatenated halves, or pairs in a separate dimension.
    bool isPair = interleaved ? columns == 2 : columns == size;
    if (concat.getInputs().size() != 2 || int64_t(concat.getDim()) != last ||
        !isPair || !isSameData(concat.getInputs()[0], concat.getInputs()[1]))
      return {};
    return concat.getInputs()[0];
  }
  auto broadcast = value.getDefiningOp<linalg::BroadcastOp>();
  if (!broadcast || !broadcast.hasPureTensorSemantics())
    return {};
  ArrayRef<int64_t> dims = broadcast.getDimensions();
  // [..., half] -> [..., half, 2] or [..., 2, half]
  int64_t at = interleaved ? last : last - 1;
  bool isPair = interleaved ? columns == 2
                            : last > 0 && columns == half &&
                                  type.getDimSize(last - 1) == 2;
  return isPair && dims == ArrayRef<int64_t>{at} ? broadcast.getInput()
                                                 : Value();
}

/// Applies an elementwise op to the columns of its operands.
Value PairReader::readElementwise(Operation *op, int64_t rows, unsigned depth) {
  if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1 ||
      op->getNumRegions() != 0)
    return {};
  SmallVector<Value> operands;
  SmallVector<std::pair<RankedTensorType, DenseElementsAttr>> numbers;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    DenseElementsAttr data;
    if (!type)
      return {};
    if (matchPattern(operand, m_Constant(&data)) && data.isSplat()) {
      if (builder)
        operand = arith::ConstantOp::create(
            *builder, loc, data.resizeSplat(type.clone({rows, half})));
    } else {
      operand = read(operand, rows, depth + 1);
    }
    if (!operand)
      return {};
    operands.push_back(operand);
  }
  if (!builder)
    return op->getResult(0);
  OperationState state(loc, op->getName(), operands,
                       tensorType(op->getResult(0)).clone({rows, half}),
                       op->getAttrs());
  return builder->create(state)->getResult(0);
}

Value PairReader::read(Value value, int64_t rows, unsigned depth) {
  constexpr unsigned kDeepest = 16;
  value = skipReshapes(value);
  RankedTensorType type = tensorType(value);
  if (depth > kDeepest || type.getRank() == 0 || size % 2 != 0 ||
      type.getNumElements() != rows * size)
    return {};
  DenseElementsAttr data;
  if (matchPattern(value, m_Constant(&data)))
    return readConstant(value, data, rows);
  if (Value repeated = getRepeated(value)) {
    if (!builder)
      return repeated;
    return reshapeTo(*builder, loc, repeated, {rows, half});
  }
  // Rows of a table whose columns are pairs.
  if (auto lookup = value.getDefiningOp<EmbeddingOp>()) {
    RankedTensorType table = lookup.getTable().getType();
    if (table.getDimSize(1) != size)
      return {};
    Value pairs = read(lookup.getTable(), table.getDimSize(0), depth + 1);
    if (!pairs || !builder)
      return pairs;
    return EmbeddingOp::create(
        *builder, loc,
        RankedTensorType::get({rows, half}, tensorType(value).getElementType()),
        lookup.getIds(), pairs);
  }
  Operation *op = value.getDefiningOp();
  return op ? readElementwise(op, rows, depth) : Value();
}

bool mlir::te::hasPairs(const RopeTable &table, bool interleaved) {
  PairReader reader(nullptr, table.values.getLoc(), table.heads[3],
                    interleaved);
  return bool(reader.read(table));
}

Value mlir::te::buildTable(OpBuilder &builder, Location loc,
                           const RopeTable &table) {
  if (table.constant)
    return arith::ConstantOp::create(builder, loc, table.constant);
  return reshapeTo(builder, loc, table.values, {table.rows, table.heads[3]});
}

Value mlir::te::buildPairs(OpBuilder &builder, Location loc,
                           const RopeTable &table, bool interleaved) {
  return PairReader(&builder, loc, table.heads[3], interleaved).read(table);
}
