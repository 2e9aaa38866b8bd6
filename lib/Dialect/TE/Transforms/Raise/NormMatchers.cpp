// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/NormMatchers.h"

#include "Raise/LoopLabels.h"
#include "Raise/Matchers.h"

#include "te/Dialect/TE/IR/Slices.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::te;

/// The value v of `value` = 1/sqrt(v).
static Value getReciprocalRootArgument(Value value) {
  value = skipReshapesAndCasts(value);
  if (auto op = value.getDefiningOp<math::RsqrtOp>())
    return op.getOperand();
  if (auto op = value.getDefiningOp<math::PowFOp>())
    return getNumber(op.getRhs()) == -0.5 ? op.getLhs() : Value();
  auto div = value.getDefiningOp<arith::DivFOp>();
  if (!div || getNumber(div.getLhs()) != 1.0)
    return {};
  auto root = skipReshapesAndCasts(div.getRhs()).getDefiningOp<math::SqrtOp>();
  return root ? root.getOperand() : Value();
}

SmallVector<ScaledRows, 2> mlir::te::getScaledRows(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t n = type.getShape().back(), rows = type.getNumElements() / n;
  SmallVector<ScaledRows, 2> readings;
  if (auto div = value.getDefiningOp<arith::DivFOp>()) {
    Value column = getRepeatedColumn(div.getRhs(), rows, n);
    auto root = column
                    ? skipReshapesAndCasts(column).getDefiningOp<math::SqrtOp>()
                    : math::SqrtOp();
    if (root)
      readings.push_back({div.getLhs(), root.getOperand(), {}});
    return readings;
  }
  auto mul = value.getDefiningOp<arith::MulFOp>();
  if (!mul)
    return readings;
  auto add = [&](Value what, Value factor, Value row) {
    Value column = getRepeatedColumn(factor, rows, n);
    Value variance = column ? getReciprocalRootArgument(column) : Value();
    if (variance)
      readings.push_back({what, variance, row});
  };
  for (auto [a, b] : {std::pair(mul.getLhs(), mul.getRhs()),
                      std::pair(mul.getRhs(), mul.getLhs())}) {
    add(a, b, {});
    // what * (1/sqrt(variance) * row)
    if (auto inner = b.getDefiningOp<arith::MulFOp>())
      for (auto [c, d] : {std::pair(inner.getLhs(), inner.getRhs()),
                          std::pair(inner.getRhs(), inner.getLhs())})
        if (Value row = getRepeatedRow(d, n))
          add(a, c, row);
  }
  return readings;
}

Value mlir::te::getSquared(Value value) {
  value = skipReshapesAndCasts(value);
  if (auto op = value.getDefiningOp<math::PowFOp>())
    return getNumber(op.getRhs()) == 2.0 ? op.getLhs() : Value();
  auto op = value.getDefiningOp<arith::MulFOp>();
  return op && op.getLhs() == op.getRhs() ? op.getLhs() : Value();
}

/// The value that `value` is a multiple of, and the factor.
static std::pair<Value, double> getMultiple(Value value) {
  value = skipReshapesAndCasts(value);
  if (auto op = value.getDefiningOp<arith::MulFOp>()) {
    if (auto number = getNumber(op.getRhs()))
      return {op.getLhs(), *number};
    if (auto number = getNumber(op.getLhs()))
      return {op.getRhs(), *number};
  }
  if (auto op = value.getDefiningOp<arith::DivFOp>())
    if (auto number = getNumber(op.getRhs()); number && *number != 0)
      return {op.getLhs(), 1.0 / *number};
  return {value, 1.0};
}

/// The rows of n elements whose mean `value` is; null if it is none.
static Value getAveraged(Value value, int64_t n) {
  auto [total, factor] = getMultiple(value);
  return isClose(factor, 1.0 / double(n)) ? getSummedRows(total, n) : Value();
}

bool mlir::te::isMean(Value value, Value x, int64_t n) {
  Value rows = getAveraged(value, n);
  return rows && isSameData(rows, x);
}

bool mlir::te::isMeanOfSquares(Value value, Value x, int64_t n) {
  Value squares = getAveraged(value, n);
  Value squared = squares ? getSquared(squares) : Value();
  return squared && isSameData(squared, x);
}

std::optional<std::pair<Value, double>> mlir::te::getPlusEpsilon(Value value) {
  auto sum = getSum(skipReshapesAndCasts(value));
  if (!sum)
    return std::nullopt;
  auto [v, constant] = *sum;
  if (getNumber(v))
    std::swap(v, constant);
  std::optional<double> eps = getNumber(constant);
  if (!eps || *eps < 0)
    return std::nullopt;
  return std::pair(v, *eps);
}

Value mlir::te::repeatNumber(OpBuilder &builder, Location loc, int64_t size,
                             float number) {
  return arith::ConstantOp::create(
      builder, loc,
      SplatElementsAttr::get(
          RankedTensorType::get({size}, builder.getF32Type()),
          builder.getF32FloatAttr(number)));
}

std::pair<Value, bool> mlir::te::getGamma(OpBuilder &builder, Location loc,
                                          Value row, int64_t size) {
  if (!row)
    return {repeatNumber(builder, loc, size, 1.0f), false};
  Value gamma = skipReshapesAndCasts(row);
  bool zeroCentered = false;
  if (auto sum = getSum(gamma)) {
    auto [a, b] = *sum;
    if (getNumber(a) == 1.0)
      std::swap(a, b);
    zeroCentered = getNumber(b) == 1.0;
    if (zeroCentered)
      gamma = skipReshapesAndCasts(a);
  }
  return {reshapeTo(builder, loc, gamma, {size}), zeroCentered};
}

bool mlir::te::isReadOnlyBy(Value y, Value last) {
  while (true) {
    if (!last.hasOneUse())
      return false;
    if (last == y)
      return true;
    last = last.getDefiningOp()->getOperand(0);
  }
}

bool mlir::te::isNormType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() >= 2 && tensor.hasStaticShape() &&
         tensor.getNumElements() > 0 &&
         (tensor.getElementType().isF32() || tensor.getElementType().isBF16());
}
