// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic that LLVM or a target leaves undefined for some operands, or
// computes differently from others: remainders of floats, divisions by 0,
// shifts by more than all bits, conversions of out-of-range floats.

#include "ElementaryFunctions.h"
#include "Formulas.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// C's fmod, exact: 28 bits of the quotient at a time, from the top. Quotients
/// rounded up to an integer are 1 too large, which the sign shows.
static Value expandRemF(OpBuilder &builder, Location loc, ValueRange operands) {
  Doubles d(builder, loc);
  Integers whole(builder, loc, 32);
  Value a = d.widen(operands[0]), b = d.widen(operands[1]);
  Value x = d.abs(a), y = d.abs(b);
  Value isFinite = d.isBelow(x, kInfinity), hasEnd = d.isBelow(y, kInfinity);
  Value isDivisor = d.both(hasEnd, d.isAbove(y, 0));
  Value rest = d.select(isFinite, x, d.number(0));
  Value divisor = d.select(isDivisor, y, d.number(1));
  // 2^128 is less than 2^280 times the smallest float.
  for (int bits = 280; bits >= 0; bits -= 28) {
    Value part = d.mul(divisor, d.number(std::ldexp(1.0, bits)));
    Value quotient =
        arith::FPToSIOp::create(builder, loc, whole.type, d.div(rest, part));
    quotient = arith::SIToFPOp::create(builder, loc, d.type, quotient);
    rest = d.sub(rest, d.mul(quotient, part));
    rest = d.select(d.isBelow(rest, 0), d.add(rest, part), rest);
  }
  rest = d.select(d.isNumber(y, kInfinity), x, rest);
  Value isNumber =
      d.both(isFinite, d.either(isDivisor, d.isNumber(y, kInfinity)));
  return d.toF32(d.select(isNumber, d.copySign(rest, a), d.number(kNaN)));
}

/// NaN is preserved.
static Value expandClampF(OpBuilder &builder, Location loc,
                          ValueRange operands) {
  Value bounded =
      arith::MaximumFOp::create(builder, loc, operands[0], operands[1]);
  return arith::MinimumFOp::create(builder, loc, bounded, operands[2]);
}

void mlir::te::populateArithmeticPatterns(RewritePatternSet &patterns) {
  addFormula<arith::RemFOp>(patterns, expandRemF);
  addFormula<math::ClampFOp>(patterns, expandClampF);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

namespace {
/// Builds arithmetic before an op on integers or indices.
class Guards {
public:
  explicit Guards(Operation *op)
      : builder(op), loc(op->getLoc()), type(op->getResult(0).getType()) {}

  Value number(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }
  Value isEqual(Value a, int64_t value) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a,
                                 number(value));
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }

  OpBuilder builder;
  Location loc;
  Type type;
};
} // namespace

/// As in XLA: x / 0 is -1 (all bits set), x % 0 is x, and the smallest number
/// divided by -1 is itself.
template <typename Op> static void guardDivision(Op op) {
  constexpr bool isSigned =
      llvm::is_one_of<Op, arith::DivSIOp, arith::RemSIOp>::value;
  constexpr bool isQuotient =
      llvm::is_one_of<Op, arith::DivSIOp, arith::DivUIOp>::value;
  APInt known;
  if (matchPattern(op.getRhs(), m_ConstantInt(&known)) && !known.isZero() &&
      !(isSigned && known.isAllOnes()))
    return;
  Guards g(op);
  Value x = op.getLhs(), divisor = op.getRhs();
  Value isZero = g.isEqual(divisor, 0);
  Value safe = g.select(isZero, g.number(1), divisor), isMinusOne;
  if (isSigned) {
    isMinusOne = g.isEqual(divisor, -1);
    safe = g.select(isMinusOne, g.number(1), safe);
  }
  Value y = Op::create(g.builder, g.loc, x, safe);
  if (isSigned) {
    Value other = isQuotient
                      ? arith::SubIOp::create(g.builder, g.loc, g.number(0), x)
                            .getResult()
                      : g.number(0);
    y = g.select(isMinusOne, other, y);
  }
  y = g.select(isZero, isQuotient ? g.number(-1) : x, y);
  op.replaceAllUsesWith(y);
  op.erase();
}

/// Shifting by all bits or more has the result of shifting one bit at a time.
template <typename Op> static void guardShift(Op op) {
  Guards g(op);
  unsigned width = g.type.isIndex() ? IndexType::kInternalStorageBitWidth
                                    : g.type.getIntOrFloatBitWidth();
  APInt known;
  if (matchPattern(op.getRhs(), m_ConstantInt(&known)) && known.ult(width))
    return;
  constexpr bool keepsSign = std::is_same_v<Op, arith::ShRSIOp>;
  Value isInside =
      arith::CmpIOp::create(g.builder, g.loc, arith::CmpIPredicate::ule,
                            op.getRhs(), g.number(width - 1));
  Value distance = g.select(isInside, op.getRhs(), g.number(width - 1));
  Value y = Op::create(g.builder, g.loc, op.getLhs(), distance);
  if (!keepsSign)
    y = g.select(isInside, y, g.number(0));
  op.replaceAllUsesWith(y);
  op.erase();
}

/// The nearest integer of the type, and 0 for NaN, as in XLA.
template <typename Op> static void guardConversion(Op op) {
  OpBuilder builder(op);
  StringRef name = std::is_same_v<Op, arith::FPToSIOp> ? "llvm.fptosi.sat"
                                                       : "llvm.fptoui.sat";
  auto call = LLVM::CallIntrinsicOp::create(builder, op.getLoc(), op.getType(),
                                            builder.getStringAttr(name),
                                            ValueRange(op.getIn()));
  op.replaceAllUsesWith(call.getResult(0));
  op.erase();
}

void mlir::te::defineArithmetic(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa_and_present<arith::ArithDialect>(op->getDialect()))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    llvm::TypeSwitch<Operation *>(op)
        .Case<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
            [](auto division) { guardDivision(division); })
        .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(
            [](auto shift) { guardShift(shift); })
        .Case<arith::FPToSIOp, arith::FPToUIOp>(
            [](auto conversion) { guardConversion(conversion); });
}
