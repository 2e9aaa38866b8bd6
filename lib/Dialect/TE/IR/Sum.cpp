// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// add and column_sum.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/GradientResults.h"
#include "te/Support/TensorType.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::te;

LogicalResult AddOp::verify() {
  auto a = tensorType(getA()), b = tensorType(getB());
  if (failed(verifyShape(*this, "the result", getY(), a.getShape())))
    return failure();
  int64_t rows = a.getDimSize(0), period = b.getDimSize(0);
  if (b.getDimSize(1) != a.getDimSize(1) ||
      (rows != period && (period == 0 || rows % period != 0)))
    return emitOpError() << "expects the right operand to have the columns of "
                         << "the left one and a divisor of its rows, but they "
                         << "are " << a << " and " << b;
  return success();
}

/// x + -0 is x, for x = -0 too; x + +0 would turn that into +0.
OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  if (getA().getType() == getY().getType() &&
      matchPattern(getB(), m_NegZeroFloat()))
    return getA();
  if (getB().getType() == getY().getType() &&
      matchPattern(getA(), m_NegZeroFloat()))
    return getB();
  return {};
}

// A parameter that is added as a whole is a table of positions; one row that is
// added to many is a bias.
std::optional<ParameterRole> AddOp::getParameterRole(unsigned operand) {
  if (operand == 1 && getB().getType().getDimSize(0) == 1 &&
      getA().getType().getDimSize(0) > 1)
    return ParameterRole::Bias;
  return ParameterRole::Embedding;
}

/// The sum of the [rows, N] blocks of a matrix, f32 [rows, N].
static Value sumRowBlocks(OpBuilder &builder, Location loc, Value matrix,
                          int64_t rows) {
  RankedTensorType type = tensorType(matrix);
  int64_t columns = type.getDimSize(1), blocks = type.getDimSize(0) / rows;
  Value split = tensor::ExpandShapeOp::create(
      builder, loc, type.clone({blocks, rows, columns}), matrix,
      ArrayRef<ReassociationIndices>{{0, 1}, {2}});
  Value flat = tensor::CollapseShapeOp::create(
      builder, loc, type.clone({blocks, rows * columns}), split,
      ArrayRef<ReassociationIndices>{{0}, {1, 2}});
  auto f32 = RankedTensorType::get({rows * columns}, builder.getF32Type());
  Value sum = ColumnSumOp::create(builder, loc, f32, flat);
  return tensor::ExpandShapeOp::create(builder, loc, f32.clone({rows, columns}),
                                       sum,
                                       ArrayRef<ReassociationIndices>{{0, 1}});
}

LogicalResult AddOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                              const Needed &needed, Cotangents operands) {
  Value dy = cotangents[0];
  int64_t rows = tensorType(getB()).getDimSize(0);
  if (needed[0])
    operands[0] = dy;
  if (needed[1])
    operands[1] = rows == tensorType(getA()).getDimSize(0)
                      ? dy
                      : sumRowBlocks(builder, getLoc(), dy, rows);
  return success();
}

bool mlir::te::isGradientSum(Value value) {
  while (auto movement = value.getDefiningOp<DataMovementOpInterface>()) {
    if (!movement.keepsOrder())
      return false;
    value = movement->getOperand(0);
  }
  return getArgumentText(value, kKindAttr) == kGradientSumKind;
}

// A sum follows what it adds: of activations it is one, of parameter gradients
// (a tied parameter has several, and each microbatch) it stays in float32.
Numbers AddOp::getComputeResults() {
  bool wide = (getElementTypeOrSelf(getA()).isF32() &&
               getElementTypeOrSelf(getB()).isF32()) ||
              isGradientSum(getA()) || isGradientSum(getB());
  return wide ? Numbers{} : Numbers{0};
}
Numbers AddOp::getConvertibleResults() { return {0}; }
Numbers AddOp::getWidenableResults() { return {0}; }

void AddOp::buildLinalgForm(LinalgForm &f) {
  int64_t rows = sizeOf(getB(), 0);
  Value a = f.splitDim(getA(), 0, rows);
  Value y =
      f.map("rmn", getElementTypeOrSelf(getY()), {{a, "rmn"}, {getB(), "mn"}},
            [](Scalars &s, ValueRange x) { return s.add(x[0], x[1]); });
  f.set(getY(), f.reshape(y, getY().getType().getShape()));
}

LogicalResult ColumnSumOp::verify() {
  return verifyShape(*this, "the result", getY(), {tensorDim(getX(), 1)});
}

Value ColumnSumOp::getSummedMatrix() { return getX(); }
Value ColumnSumOp::getColumnSums() { return getY(); }

Numbers ColumnSumOp::getConvertibleResults() { return {0}; }

void ColumnSumOp::buildLinalgForm(LinalgForm &f) {
  f.setRowSum(getY(), getX());
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

void AddOp::inferRanges(RangeInference &ranges) {
  ranges.set(getY(), ranges.of(getA()) + ranges.of(getB()));
}

void ColumnSumOp::inferRanges(RangeInference &ranges) {
  ranges.set(getY(), ranges.of(getX()).sumOf(getRows(getX())));
}
