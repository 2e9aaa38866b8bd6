// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Linalg/BodyOnTensors.h"

#include "Raise/LoopLabels.h"
#include "Raise/ScalarOperands.h"

#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Linalg/ConstantEvaluator.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

/// Counters are computed as 64-bit integers: models have no tensors of index.
static Type numberType(Type type) {
  return type.isIndex() ? IntegerType::get(type.getContext(), 64) : type;
}

BodyOnTensors::BodyOnTensors(OpBuilder &builder, linalg::GenericOp op)
    : builder(builder), loc(op.getLoc()), op(op),
      sizes(op.getStaticLoopRanges()) {}

SmallVector<int64_t> BodyOnTensors::shapeOf(const Loops &loops) const {
  SmallVector<int64_t> shape;
  for (unsigned loop : loops.set_bits())
    shape.push_back(sizes[loop]);
  return shape;
}

Value BodyOnTensors::splat(ArrayRef<int64_t> shape, TypedAttr element) {
  Type type = numberType(element.getType());
  if (auto integer = dyn_cast<IntegerAttr>(element);
      integer && type != integer.getType())
    element = builder.getIntegerAttr(type, integer.getInt());
  return arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get(shape, type),
                             Attribute(element)));
}

Value BodyOnTensors::makeCounter(const LoopTensor &counter) {
  int64_t size = sizes[counter.loops.find_first()];
  SmallVector<int64_t> counts = llvm::to_vector(
      llvm::seq<int64_t>(counter.offset, counter.offset + size));
  return arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          RankedTensorType::get({size}, builder.getI64Type()),
          ArrayRef<int64_t>(counts)));
}

Value BodyOnTensors::slice(Value tensor, ArrayRef<int64_t> offsets,
                           ArrayRef<int64_t> shape) {
  RankedTensorType type = tensorType(tensor);
  if (type.getShape() == shape)
    return tensor;
  return sliceTensor(builder, loc, tensor, offsets, shape,
                     SmallVector<int64_t>(shape.size(), 1));
}

LoopTensor BodyOnTensors::sorted(Value tensor, ArrayRef<unsigned> order) {
  LoopTensor result{tensor, Loops(sizes.size())};
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, order.size()));
  llvm::sort(permutation,
             [&](int64_t a, int64_t b) { return order[a] < order[b]; });
  for (unsigned loop : order)
    result.loops.set(loop);
  if (isIdentityPermutation(permutation))
    return result;
  Value init = tensor::EmptyOp::create(builder, loc, shapeOf(result.loops),
                                       tensorType(tensor).getElementType());
  result.tensor =
      linalg::TransposeOp::create(builder, loc, tensor, init, permutation)
          ->getResult(0);
  return result;
}

std::optional<LoopTensor> BodyOnTensors::readOperand(Value operand,
                                                     AffineMap map) {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  if (!type) {
    if (!operand.getType().isIntOrFloat())
      return std::nullopt;
    return LoopTensor{getAsTensor(builder, operand), Loops(sizes.size())};
  }
  SmallVector<unsigned> order;
  SmallVector<int64_t> shape, offsets, extents;
  for (auto [expr, size] : llvm::zip_equal(map.getResults(), type.getShape())) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      offsets.push_back(constant.getValue());
      extents.push_back(1);
      continue;
    }
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || llvm::is_contained(order, dim.getPosition()) ||
        size != sizes[dim.getPosition()])
      return std::nullopt;
    order.push_back(dim.getPosition());
    shape.push_back(size);
    offsets.push_back(0);
    extents.push_back(size);
  }
  operand = slice(operand, offsets, extents);
  return sorted(reshapeTo(builder, loc, operand, shape), order);
}

Value BodyOnTensors::spread(const LoopTensor &value, const Loops &loops) {
  Value tensor = value.isCounter() ? makeCounter(value) : value.tensor;
  if (value.loops == loops)
    return tensor;
  SmallVector<int64_t> shape = shapeOf(loops), added;
  DenseElementsAttr data;
  if (matchPattern(tensor, m_Constant(&data)) && data.isSplat())
    return splat(shape, cast<TypedAttr>(data.getSplatValue<Attribute>()));
  bool repeats = false;
  for (auto [dim, loop] : llvm::enumerate(loops.set_bits()))
    if (!value.loops.test(loop)) {
      added.push_back(dim);
      repeats |= sizes[loop] != 1;
    }
  if (!repeats)
    return reshapeTo(builder, loc, tensor, shape);
  Value init = tensor::EmptyOp::create(builder, loc, shape,
                                       tensorType(tensor).getElementType());
  return linalg::BroadcastOp::create(builder, loc, tensor, init, added)
      ->getResult(0);
}

std::optional<LoopTensor> BodyOnTensors::find(Value value) {
  if (auto known = values.find(value); known != values.end())
    return known->second;
  // Captured values.
  if (op.getRegion().isAncestor(value.getParentRegion()))
    return std::nullopt;
  TypedAttr constant;
  Attribute attribute;
  if (matchPattern(value, m_Constant(&attribute)))
    constant = dyn_cast<TypedAttr>(attribute);
  Loops none(sizes.size());
  if (constant && isa<IntegerAttr, FloatAttr>(constant))
    return values[value] = {splat({}, constant), none};
  if (!value.getType().isIntOrFloat())
    return std::nullopt;
  return values[value] = {getAsTensor(builder, value), none};
}

/// The integer that a value has in every iteration.
static std::optional<int64_t> getInteger(const LoopTensor &value) {
  APInt number;
  if (value.isCounter() || !matchPattern(value.tensor, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

std::optional<LoopTensor> BodyOnTensors::compute(Operation *operation) {
  Loops none(sizes.size());
  if (auto index = dyn_cast<linalg::IndexOp>(operation)) {
    // Larger counters are computed in a kernel instead of stored as constants.
    constexpr int64_t kMostElements = int64_t(1) << 24;
    if (sizes[index.getDim()] > kMostElements)
      return std::nullopt;
    none.set(index.getDim());
    return LoopTensor{{}, none};
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(operation)) {
    if (!isa<IntegerAttr, FloatAttr>(constant.getValue()))
      return std::nullopt;
    return LoopTensor{splat({}, constant.getValue()), none};
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(operation))
    return lookUp(extract);
  if (operation->getNumResults() != 1 || operation->getNumRegions() != 0 ||
      !OpTrait::hasElementwiseMappableTraits(operation))
    return std::nullopt;
  SmallVector<LoopTensor> operands;
  Loops loops = none;
  for (Value operand : operation->getOperands()) {
    std::optional<LoopTensor> value = find(operand);
    if (!value)
      return std::nullopt;
    loops |= value->loops;
    operands.push_back(std::move(*value));
  }
  // A counter that is only converted stays one for lookups.
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(operation) &&
      operation->getResult(0).getType().isInteger(64) &&
      operands[0].isCounter())
    return operands[0];
  // A counter plus a constant offset is one, too.
  if (isa<arith::AddIOp>(operation))
    for (auto [counter, other] : {std::pair(operands[0], operands[1]),
                                  std::pair(operands[1], operands[0])})
      if (std::optional<int64_t> number = getInteger(other);
          number && counter.isCounter()) {
        counter.offset += *number;
        return counter;
      }
  Type element = numberType(operation->getResult(0).getType());
  if (!element.isIntOrFloat())
    return std::nullopt;
  auto type = RankedTensorType::get(shapeOf(loops), element);
  SmallVector<Value> tensors;
  for (const LoopTensor &operand : operands)
    tensors.push_back(spread(operand, loops));
  auto result = [&](Value tensor) { return LoopTensor{tensor, loops}; };
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(operation)) {
    unsigned from = tensorType(tensors[0]).getElementTypeBitWidth(),
             to = element.getIntOrFloatBitWidth();
    if (from == to)
      return result(tensors[0]);
    if (from > to)
      return result(arith::TruncIOp::create(builder, loc, type, tensors[0]));
    if (isa<arith::IndexCastUIOp>(operation))
      return result(arith::ExtUIOp::create(builder, loc, type, tensors[0]));
    return result(arith::ExtSIOp::create(builder, loc, type, tensors[0]));
  }
  OperationState state(operation->getLoc(), operation->getName());
  state.addOperands(tensors);
  state.addTypes(type);
  state.addAttributes(operation->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = operation->getPropertiesAsAttribute();
  Operation *created = builder.create(state);
  // Positions are compared after folding.
  SmallVector<Value> folded;
  if (succeeded(builder.tryFold(created, folded)) && !folded.empty()) {
    created->erase();
    return result(folded.front());
  }
  return result(created->getResult(0));
}

/// The integer of 32 or 64 bits that `value` is, before it was widened.
static Value skipWidening(Value value) {
  auto widened = value.getDefiningOp<arith::ExtSIOp>();
  if (widened && (getElementTypeOrSelf(widened.getIn()).isInteger(32)))
    return widened.getIn();
  return value;
}

/// A constant that counts along one loop is that loop's counter.
LoopTensor BodyOnTensors::asCounter(LoopTensor value) const {
  if (value.isCounter())
    return value;
  Loops walked = value.loops;
  for (unsigned loop : value.loops.set_bits())
    if (sizes[loop] == 1)
      walked.reset(loop);
  if (walked.count() != 1 ||
      !isa<IntegerType>(getElementTypeOrSelf(value.tensor.getType())))
    return value;
  DenseElementsAttr data = ConstantEvaluator().get(value.tensor);
  if (!data || data.empty())
    return value;
  int64_t first = (*data.value_begin<APInt>()).getSExtValue(), next = first;
  for (const APInt &number : data.getValues<APInt>())
    if (number.getSExtValue() != next++)
      return value;
  return {{}, walked, first};
}

std::optional<LoopTensor> BodyOnTensors::lookUp(tensor::ExtractOp extract) {
  RankedTensorType type = extract.getTensor().getType();
  Type element = type.getElementType();
  if (op.getRegion().isAncestor(extract.getTensor().getParentRegion()) ||
      !type.hasStaticShape())
    return std::nullopt;
  SmallVector<LoopTensor> position;
  SmallVector<unsigned> followers(sizes.size(), 0);
  for (Value index : extract.getIndices()) {
    std::optional<LoopTensor> value = find(index);
    if (!value)
      return std::nullopt;
    value = asCounter(std::move(*value));
    for (unsigned loop : value->loops.set_bits())
      ++followers[loop];
    position.push_back(std::move(*value));
  }
  // Dimensions that a loop walks are columns, if nothing else in the position
  // depends on that loop; others are read at a fixed offset, or select rows.
  SmallVector<int64_t> offsets, extents, shape, columnSizes;
  SmallVector<int64_t> rowDims, columnDims; // of the remaining tensor
  SmallVector<unsigned> columns;
  SmallVector<LoopTensor> rowPositions;
  for (auto [dim, value] : llvm::enumerate(position)) {
    int64_t size = type.getDimSize(dim);
    std::optional<int64_t> number = getInteger(value);
    unsigned loop = value.isCounter() ? value.loops.find_first() : 0;
    if (number && *number >= 0 && *number < size) {
      offsets.push_back(*number);
      extents.push_back(1);
      continue;
    }
    if (value.isCounter() && followers[loop] == 1 && value.offset >= 0 &&
        value.offset + sizes[loop] <= size) {
      offsets.push_back(value.offset);
      extents.push_back(sizes[loop]);
      columnDims.push_back(shape.size());
      columnSizes.push_back(sizes[loop]);
      columns.push_back(loop);
    } else {
      offsets.push_back(0);
      extents.push_back(size);
      rowDims.push_back(shape.size());
      rowPositions.push_back(value);
    }
    shape.push_back(extents.back());
  }
  Value table = slice(extract.getTensor(), offsets, extents);
  table = reshapeTo(builder, loc, table, shape);
  if (rowDims.empty())
    return sorted(table, columns);
  if (!element.isF32() && !element.isBF16())
    return std::nullopt;

  // Moves rows to the front.
  SmallVector<int64_t> order(rowDims);
  llvm::append_range(order, columnDims);
  if (!isIdentityPermutation(order)) {
    Value init = tensor::EmptyOp::create(
        builder, loc, applyPermutation(shape, order), element);
    table = linalg::TransposeOp::create(builder, loc, table, init, order)
                ->getResult(0);
  }
  int64_t numRows = 1, numColumns = ShapedType::getNumElements(columnSizes);
  Loops rows(sizes.size());
  for (auto [dim, value] : llvm::zip_equal(rowDims, rowPositions)) {
    numRows *= shape[dim];
    rows |= value.loops;
  }
  SmallVector<int64_t> rowShape = shapeOf(rows);
  Value ids;
  int64_t stride = numRows;
  for (auto [dim, value] : llvm::zip_equal(rowDims, rowPositions)) {
    stride /= shape[dim];
    Value part = spread(value, rows);
    if (stride != 1)
      part = arith::MulIOp::create(
          builder, loc, part,
          splat(rowShape, builder.getI64IntegerAttr(stride)));
    ids = ids ? arith::AddIOp::create(builder, loc, ids, part) : part;
  }
  ids = skipWidening(ids);
  int64_t count = ShapedType::getNumElements(rowShape);
  ids = reshapeTo(builder, loc, ids, {count});
  table = reshapeTo(builder, loc, table, {numRows, numColumns});
  Value y = EmbeddingOp::create(
      builder, loc, RankedTensorType::get({count, numColumns}, element), ids,
      table);
  SmallVector<unsigned> walked;
  for (unsigned loop : rows.set_bits())
    walked.push_back(loop);
  llvm::append_range(walked, columns);
  llvm::append_range(rowShape, columnSizes);
  return sorted(reshapeTo(builder, loc, y, rowShape), walked);
}

bool BodyOnTensors::write(Operation *without) {
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return false;
  Block *body = op.getBody();
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty() ||
        (without &&
         llvm::all_of(argument.getUsers(),
                      [&](Operation *user) { return user == without; }) &&
         op.isDpsInit(&operand)))
      continue;
    std::optional<LoopTensor> value =
        readOperand(operand.get(), op.getMatchingIndexingMap(&operand));
    if (!value)
      return false;
    values[argument] = std::move(*value);
  }
  for (Operation &inner : body->without_terminator()) {
    // Lookups check their positions themselves.
    if (&inner == without || isa<cf::AssertOp>(inner))
      continue;
    std::optional<LoopTensor> value = compute(&inner);
    if (!value)
      return false;
    values[inner.getResult(0)] = std::move(*value);
  }
  return true;
}

Value BodyOnTensors::getOnAllLoops(Value value) {
  std::optional<LoopTensor> found = find(value);
  if (!found)
    return {};
  return spread(*found, Loops(sizes.size(), true));
}
