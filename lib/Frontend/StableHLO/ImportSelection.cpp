// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons, and selections between elements.

#include "Lookup.h"
#include "ModuleImporter.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

namespace {
struct Comparison {
  arith::CmpFPredicate floats;
  arith::CmpIPredicate ints;
  arith::CmpIPredicate truths;
};
enum class Direction { EQ, NE, LT, LE, GT, GE, Unknown };
} // namespace

static Direction getDirection(const HloOp &op) {
  return llvm::StringSwitch<Direction>(op.getEnum("comparison_direction"))
      .Case("EQ", Direction::EQ)
      .Case("NE", Direction::NE)
      .Case("LT", Direction::LT)
      .Case("LE", Direction::LE)
      .Case("GT", Direction::GT)
      .Case("GE", Direction::GE)
      .Default(Direction::Unknown);
}

static Comparison getPredicates(Direction direction) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  switch (direction) {
  case Direction::EQ:
    return {F::OEQ, I::eq, I::eq};
  case Direction::NE:
    return {F::UNE, I::ne, I::ne};
  case Direction::LT:
    return {F::OLT, I::slt, I::ult};
  case Direction::LE:
    return {F::OLE, I::sle, I::ule};
  case Direction::GT:
    return {F::OGT, I::sgt, I::ugt};
  case Direction::GE:
  case Direction::Unknown:
    break;
  }
  return {F::OGE, I::sge, I::uge};
}

static LogicalResult importCompare(ModuleImporter &importer, const HloOp &op) {
  Direction direction = getDirection(op);
  if (op->getNumOperands() != 2 || direction == Direction::Unknown ||
      op->getOperand(0).getType() != op->getOperand(1).getType() ||
      op.getOperandType(0).getShape() != op.getShape() ||
      !op.getType().getElementType().isInteger(1))
    return importer.unsupported(op, "it is not a comparison of two tensors");
  StringRef order = op.getEnum("compare_type");
  Type element = op.getOperandType(0).getElementType();
  if (order == "TOTALORDER" || (order == "UNSIGNED" && !element.isInteger(1)))
    return importer.unsupported(op, "it compares in the order " + order);
  Comparison comparison = getPredicates(direction);
  auto ofIntegers = element.isInteger(1) ? comparison.truths : comparison.ints;
  if (importer.areConstants(op))
    return importer.defineConstant(
        op, isa<FloatType>(element) ? getComparison(comparison.floats)
                                    : getComparison(ofIntegers, element));
  Value x = importer.getValue(op, 0), y = importer.getValue(op, 1);
  if (!x || !y)
    return failure();
  TensorMath math(importer, op.getLoc());
  return importer.define(op, isa<FloatType>(element)
                                 ? math.compare(comparison.floats, x, y)
                                 : math.compare(ofIntegers, x, y));
}

//===----------------------------------------------------------------------===//
// Selections
//===----------------------------------------------------------------------===//

/// Broadcasts an operand of one element to `shape`; returns others unchanged.
static Value repeat(TensorMath &math, Value value, ArrayRef<int64_t> shape) {
  return value ? math.broadcast(value, shape) : Value();
}

static LogicalResult importSelect(ModuleImporter &importer, const HloOp &op) {
  if (op->getNumOperands() != 3 ||
      op->getOperand(1).getType() != op.getType() ||
      op->getOperand(2).getType() != op.getType() ||
      !op.getOperandType(0).getElementType().isInteger(1) ||
      (op.getOperandType(0).getShape() != op.getShape() &&
       !op.getOperandType(0).getShape().empty()))
    return importer.unsupported(op, "its operands are not of its type");
  const ConstantTensor *condition = importer.getConstant(op, 0),
                       *b = importer.getConstant(op, 2);
  // A splat condition selects an operand.
  if (std::optional<double> truth =
          condition ? condition->getSplat() : std::nullopt) {
    importer.defineAt(op, 0,
                      importer.getDefinition(op->getOperand(*truth ? 1 : 2)));
    return success();
  }
  if (importer.areConstants(op)) {
    Type element = op.getType().getElementType();
    return importer.defineConstant(
        op, getScalarFunction("arith.select", element, element));
  }
  Value where = importer.getValue(op, 0), x = importer.getValue(op, 1);
  if (!where || !x)
    return failure();
  // Looked-up rows are inside their table, or an error at run time.
  if (b && isLookupInside(x, where))
    return importer.define(op, x);
  Value y = importer.getValue(op, 2);
  if (!y)
    return failure();
  TensorMath math(importer, op.getLoc());
  return importer.define(op,
                         math.select(repeat(math, where, op.getShape()), x, y));
}

/// min(max(x, low), high)
static LogicalResult importClamp(ModuleImporter &importer, const HloOp &op) {
  auto isLimit = [&](unsigned operand) {
    RankedTensorType type = op.getOperandType(operand);
    return type.getElementType() == op.getType().getElementType() &&
           (type.getRank() == 0 || type.getShape() == op.getShape());
  };
  if (op->getNumOperands() != 3 ||
      op->getOperand(1).getType() != op.getType() || !isLimit(0) ||
      !isLimit(2) || op.getType().getElementType().isInteger(1))
    return importer.unsupported(op, "its operands are not of its type");
  bool floats = isa<FloatType>(op.getType().getElementType());
  TensorMath math(importer, op.getLoc());
  Value from = repeat(math, importer.getValue(op, 0), op.getShape()),
        y = importer.getValue(op, 1),
        to = repeat(math, importer.getValue(op, 2), op.getShape());
  if (!from || !y || !to)
    return failure();
  if (floats)
    y = math.apply<arith::MinimumFOp>(math.apply<arith::MaximumFOp>(y, from),
                                      to);
  else
    y = math.apply<arith::MinSIOp>(math.apply<arith::MaxSIOp>(y, from), to);
  return importer.define(op, y);
}

void mlir::te::stablehlo_import::populateSelectionHandlers(
    HandlerTable &table) {
  table["stablehlo.compare"] = importCompare;
  table["stablehlo.select"] = importSelect;
  table["stablehlo.clamp"] = importClamp;
}
