// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MaskedKeys.h"

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::te;

namespace {

/// What a value is at every pair of a query and a later key.
enum class Later { Unknown, Low, True, False };

/// Follows values whose row-major order ends with queries and keys, and the
/// scalars that kernels compute of their elements.
class LaterKeys {
public:
  LaterKeys(int64_t queries, int64_t keys) : queries(queries), keys(keys) {}
  Later get(Value value);

private:
  Later compute(Value value);
  Later getConstant(DenseElementsAttr data);
  Later getArgument(BlockArgument argument);
  Later getResult(linalg::GenericOp op, unsigned result);
  bool canBeLarge(Value value);
  bool keepsOrder(ArrayRef<int64_t> sizes, ArrayRef<bool> isRead) const;

  int64_t queries, keys;
  llvm::DenseMap<Value, Later> known;
  llvm::DenseSet<Value> notLarge;
};

} // namespace

Later LaterKeys::get(Value value) {
  auto [it, isNew] = known.try_emplace(value, Later::Unknown);
  if (!isNew)
    return it->second;
  Later later = compute(value);
  known[value] = later;
  return later;
}

Later LaterKeys::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return getArgument(argument);
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant))) {
    if (auto data = dyn_cast<DenseElementsAttr>(constant))
      return getConstant(data);
    if (auto number = dyn_cast<FloatAttr>(constant))
      return number.getValueAsDouble() <= -1e4 ? Later::Low : Later::Unknown;
    if (auto truth = dyn_cast<BoolAttr>(constant))
      return truth.getValue() ? Later::True : Later::False;
    return Later::Unknown;
  }
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned i) { return get(op->getOperand(i)); };
  auto hasEither = [&](Later later) {
    return operand(0) == later || operand(1) == later;
  };
  auto both = [&](Later later) {
    return operand(0) == later && operand(1) == later;
  };
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, arith::ExtFOp,
          arith::TruncFOp>(op))
    return operand(0);
  // What is added to a low number is a bias, and none is as large, unless it is
  // made so: 1e9 * m - 1e9 hides nothing where m is 1.
  if (isa<arith::AddFOp, AddOp>(op)) {
    if (both(Later::Low))
      return Later::Low;
    return hasEither(Later::Low) && !canBeLarge(op->getOperand(0)) &&
                   !canBeLarge(op->getOperand(1))
               ? Later::Low
               : Later::Unknown;
  }
  if (isa<arith::SelectOp>(op)) {
    Later yes = operand(1), no = operand(2);
    switch (operand(0)) {
    case Later::True:
      return yes;
    case Later::False:
      return no;
    default:
      return yes == no ? yes : Later::Unknown;
    }
  }
  if (isa<arith::AndIOp>(op))
    return hasEither(Later::False) ? Later::False
           : both(Later::True)     ? Later::True
                                   : Later::Unknown;
  if (isa<arith::OrIOp>(op))
    return hasEither(Later::True) ? Later::True
           : both(Later::False)   ? Later::False
                                  : Later::Unknown;
  if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op)) {
    ArrayRef<int64_t> sizes =
        cast<RankedTensorType>(broadcast.getInit().getType()).getShape();
    SmallVector<bool> isRead(sizes.size(), true);
    for (int64_t dim : broadcast.getDimensions())
      isRead[dim] = false;
    return keepsOrder(sizes, isRead) ? get(broadcast.getInput())
                                     : Later::Unknown;
  }
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return getResult(generic, cast<OpResult>(value).getResultNumber());
  return Later::Unknown;
}

/// Whether a constant that could lift what is hidden goes into `value`.
bool LaterKeys::canBeLarge(Value value) {
  if (!notLarge.insert(value).second)
    return false; // known, or being looked at
  auto isLarge = [](const APFloat &x) { return x.convertToDouble() >= 1e4; };
  auto isAny = [&](ValueRange values) {
    return llvm::any_of(values, [&](Value v) { return canBeLarge(v); });
  };
  Attribute constant;
  bool large = false;
  if (matchPattern(value, m_Constant(&constant))) {
    if (auto number = dyn_cast<FloatAttr>(constant))
      large = isLarge(number.getValue());
    else if (auto data = dyn_cast<DenseFPElementsAttr>(constant))
      large = data.isSplat() ? isLarge(data.getSplatValue<APFloat>())
                             : llvm::any_of(data.getValues<APFloat>(), isLarge);
  } else if (Operation *op = value.getDefiningOp()) {
    large = isAny(op->getOperands());
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      large |= isAny(generic.getBody()->getTerminator()->getOperands());
  } else if (auto generic = dyn_cast<linalg::GenericOp>(
                 cast<BlockArgument>(value).getOwner()->getParentOp())) {
    large = canBeLarge(
        generic.getMatchingOpOperand(cast<BlockArgument>(value))->get());
  }
  if (large)
    notLarge.erase(value);
  return large;
}

Later LaterKeys::getConstant(DenseElementsAttr data) {
  int64_t matrix = queries * keys, count = data.getNumElements();
  bool isFloat = data.getElementType().isF32();
  if ((!isFloat && !data.getElementType().isInteger(1)) || count == 0 ||
      matrix == 0)
    return Later::Unknown;
  Later all = Later::Unknown;
  auto include = [&](Later later) {
    bool isFirst = all == Later::Unknown;
    all = isFirst || all == later ? later : Later::Unknown;
    return all != Later::Unknown;
  };
  auto later = [&](int64_t i) {
    if (isFloat)
      return data.getValues<float>()[i] <= -1e4F ? Later::Low : Later::Unknown;
    return data.getValues<bool>()[i] ? Later::True : Later::False;
  };
  if (data.isSplat())
    return later(0);
  if (count % matrix != 0)
    return Later::Unknown;
  for (int64_t i = 0; i < count; ++i)
    if (i % keys > i / keys % queries + keys - queries && !include(later(i)))
      return Later::Unknown;
  return all;
}

/// Whether what reads these of the dimensions, in their order, ends with
/// queries and keys if the whole does: what it repeats lies in front of them.
bool LaterKeys::keepsOrder(ArrayRef<int64_t> sizes,
                           ArrayRef<bool> isRead) const {
  int64_t behind = 1;
  if (queries == 0 || keys == 0)
    return false;
  for (size_t dim = sizes.size(); dim-- > 0; behind *= sizes[dim])
    if (!isRead[dim] && sizes[dim] != 1 && behind % (queries * keys) != 0)
      return false;
  return true;
}

/// An element of what a kernel reads.
Later LaterKeys::getArgument(BlockArgument argument) {
  auto generic =
      dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp());
  if (!generic)
    return Later::Unknown;
  OpOperand *operand = generic.getMatchingOpOperand(argument);
  AffineMap map = generic.getMatchingIndexingMap(operand);
  SmallVector<int64_t> sizes = generic.getStaticLoopRanges();
  if (ShapedType::isDynamicShape(sizes))
    return Later::Unknown;
  SmallVector<bool> isRead(sizes.size());
  unsigned next = 0;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || dim.getPosition() < next)
      return Later::Unknown;
    next = dim.getPosition() + 1;
    isRead[dim.getPosition()] = true;
  }
  return keepsOrder(sizes, isRead) ? get(operand->get()) : Later::Unknown;
}

Later LaterKeys::getResult(linalg::GenericOp op, unsigned result) {
  if (op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(result)).isIdentity())
    return Later::Unknown;
  return get(op.getBody()->getTerminator()->getOperand(result));
}

bool mlir::te::masksLaterKeys(Value bias) {
  auto type = cast<RankedTensorType>(bias.getType());
  int64_t rank = type.getRank();
  if (rank < 2 || !type.hasStaticShape())
    return false;
  return LaterKeys(type.getDimSize(rank - 2), type.getDimSize(rank - 1))
             .get(bias) == Later::Low;
}
