// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/Matchers.h"

#include "te/Support/SkipOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

bool mlir::te::isClose(double value, double expected) {
  return std::abs(value - expected) <= 1e-5 * std::abs(expected);
}

std::optional<double> mlir::te::getNumber(Value value) {
  DenseElementsAttr data;
  if (!matchPattern(value, m_Constant(&data)) || !data.isSplat() ||
      !isa<FloatType>(data.getElementType()))
    return std::nullopt;
  return data.getSplatValue<APFloat>().convertToDouble();
}

std::optional<std::pair<Value, Value>> mlir::te::getSum(Value value) {
  if (auto add = value.getDefiningOp<arith::AddFOp>())
    return std::pair(add.getLhs(), add.getRhs());
  if (auto add = value.getDefiningOp<AddOp>();
      add && add.getA().getType() == add.getB().getType())
    return std::pair(Value(add.getA()), Value(add.getB()));
  return std::nullopt;
}

template <typename... Ops> static Value skip(Value value) {
  return skipOps<tensor::CollapseShapeOp, tensor::ExpandShapeOp, Ops...>(value);
}

Value mlir::te::skipReshapes(Value value) { return skip<>(value); }
Value mlir::te::skipReshapesAndCasts(Value value) {
  return skip<arith::ExtFOp, arith::TruncFOp>(value);
}
bool mlir::te::isSameData(Value a, Value b) {
  return skip<arith::ExtFOp>(a) == skip<arith::ExtFOp>(b);
}

Value mlir::te::getNegated(Value value) {
  value = skipReshapes(value);
  if (auto op = value.getDefiningOp<arith::NegFOp>())
    return op.getOperand();
  if (auto op = value.getDefiningOp<arith::MulFOp>()) {
    if (getNumber(op.getRhs()) == -1.0)
      return op.getLhs();
    if (getNumber(op.getLhs()) == -1.0)
      return op.getRhs();
  }
  return {};
}

static linalg::BroadcastOp getBroadcast(Value value) {
  auto op = skipReshapesAndCasts(value).getDefiningOp<linalg::BroadcastOp>();
  return op && op.hasPureTensorSemantics() ? op : nullptr;
}

static int64_t getNumElements(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

Value mlir::te::getRepeatedRow(Value value, int64_t size) {
  linalg::BroadcastOp op = getBroadcast(value);
  if (!op || getNumElements(op.getInput()) != size)
    return {};
  for (auto [i, dim] : llvm::enumerate(op.getDimensions()))
    if (dim != int64_t(i))
      return {};
  return op.getInput();
}

Value mlir::te::getRepeatedColumn(Value value, int64_t rows, int64_t size) {
  linalg::BroadcastOp op = getBroadcast(value);
  if (!op || op.getDimensions().size() != 1)
    return {};
  auto type = cast<RankedTensorType>(op.getInit().getType());
  if (op.getDimensions()[0] != type.getRank() - 1 ||
      type.getShape().back() != size || getNumElements(op.getInput()) != rows)
    return {};
  return op.getInput();
}

bool mlir::te::addsUp(Block &body) {
  auto yield = cast<linalg::YieldOp>(body.getTerminator());
  auto add = yield.getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add)
    return false;
  Value term = add.getLhs(), sum = add.getRhs();
  if (term == body.getArgument(1))
    std::swap(term, sum);
  if (auto widened = term.getDefiningOp<arith::ExtFOp>())
    term = widened.getIn();
  return term == body.getArgument(0) && sum == body.getArgument(1);
}

bool mlir::te::isZero(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
  return matchPattern(value, m_AnyZeroFloat());
}

Value mlir::te::getSummedRows(Value value, int64_t size) {
  auto op = skipReshapesAndCasts(value).getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 1)
    return {};
  Value terms = op.getDpsInputOperand(0)->get();
  auto type = dyn_cast<RankedTensorType>(terms.getType());
  unsigned rank = op.getNumLoops();
  if (!type || type.getRank() != int64_t(rank) ||
      type.getShape().back() != size ||
      op.getIteratorTypesArray().back() != utils::IteratorType::reduction)
    return {};
  AffineMap identity =
      AffineMap::getMultiDimIdentityMap(rank, op->getContext());
  if (op.getMatchingIndexingMap(op.getDpsInputOperand(0)) != identity ||
      op.getMatchingIndexingMap(op.getDpsInitOperand(0)) !=
          identity.getMajorSubMap(rank - 1) ||
      !isZero(op.getDpsInitOperand(0)->get()) || !addsUp(*op.getBlock()))
    return {};
  return terms;
}
