// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RangeOpInterface of upstream's ops. An infinite operand may give a finite
// result, as in tanh: its bound holds for these, too.

#include "te/Analysis/Ranges.h"

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

namespace {

/// The range of an op's only result before it is rounded, from those of its
/// operands.
using Formula = MagnitudeRange(ArrayRef<MagnitudeRange> x, Operation *op);

template <typename Op, Formula formula>
struct FormulaModel
    : RangeOpInterface::ExternalModel<FormulaModel<Op, formula>, Op> {
  void inferRanges(Operation *op, RangeInference &ranges) const {
    SmallVector<MagnitudeRange> operands = llvm::map_to_vector(
        op->getOperands(), [&](Value value) { return ranges.of(value); });
    ranges.set(op->getResult(0), formula(operands, op));
  }
};

/// The result's elements are some of those of the first `numOperands` operands,
/// or of all.
template <typename Op, unsigned first, unsigned numOperands>
struct ChoiceModel
    : RangeOpInterface::ExternalModel<ChoiceModel<Op, first, numOperands>, Op> {
  void inferRanges(Operation *op, RangeInference &ranges) const {
    MagnitudeRange all = MagnitudeRange::zero();
    for (Value operand :
         op->getOperands().drop_front(first).take_front(numOperands))
      all = all.join(ranges.of(operand));
    ranges.keep(op->getResult(0), all);
  }
};

} // namespace

using Ranges = ArrayRef<MagnitudeRange>;
static constexpr double kLog2E = 1.4426950408889634;

static MagnitudeRange sum(Ranges x, Operation *) { return x[0] + x[1]; }
static MagnitudeRange product(Ranges x, Operation *) { return x[0] * x[1]; }
static MagnitudeRange quotient(Ranges x, Operation *) { return x[0] / x[1]; }
static MagnitudeRange same(Ranges x, Operation *) { return x[0]; }
static MagnitudeRange productAndSum(Ranges x, Operation *) {
  return x[0] * x[1] + x[2];
}
/// Of a quotient of integers, a remainder, or a number cut off.
static MagnitudeRange atMostFirst(Ranges x, Operation *) {
  return x[0].withoutLower();
}
/// Of bits as a number without a sign.
static MagnitudeRange unsignedNumber(Ranges x, Operation *op) {
  Type type = getElementTypeOrSelf(op->getOperand(0));
  if (type.isInteger(1))
    return x[0];
  return {0,
          isa<IndexType>(type) ? 64.0 : double(type.getIntOrFloatBitWidth())};
}
static MagnitudeRange atMostOne(Ranges, Operation *) {
  return MagnitudeRange::upTo(0).inexact();
}
static MagnitudeRange arcTangent(Ranges, Operation *) {
  return MagnitudeRange::of(std::acos(0.0)).withoutLower().inexact();
}
/// The next integer on either side.
static MagnitudeRange roundedToInteger(Ranges x, Operation *) {
  if (x[0].isZero())
    return x[0];
  // Without digits behind the point numbers stay as they are.
  double upper = x[0].upper;
  return {0, upper < 50 ? std::log2(std::ceil(std::exp2(upper))) : upper};
}
/// 2^x, x times `factor`.
static MagnitudeRange exponential(MagnitudeRange x, double factor) {
  double most = std::exp2(x.upper) * factor;
  return MagnitudeRange{-most, most}.inexact();
}
static MagnitudeRange exp(Ranges x, Operation *) {
  return exponential(x[0], kLog2E * (1 + 0x1p-20));
}
static MagnitudeRange exp2(Ranges x, Operation *) {
  return exponential(x[0], 1);
}
/// |e^x - 1| < e^|x|.
static MagnitudeRange expMinusOne(Ranges x, Operation *op) {
  return exp(x, op).withoutLower();
}
static MagnitudeRange squareRoot(Ranges x, Operation *) {
  return x[0].power(0.5);
}
static MagnitudeRange reciprocalRoot(Ranges x, Operation *) {
  return (MagnitudeRange::of(1) / x[0].power(0.5)).inexact();
}
/// The logarithm of the base 2, times `factor`. That of zero is not finite.
static MagnitudeRange logarithm(MagnitudeRange x, double factor) {
  if (x.isZero())
    return x;
  double most = std::max(std::abs(x.lower), std::abs(x.upper));
  return (MagnitudeRange::of(1) * (most * factor)).withoutLower().inexact();
}
static MagnitudeRange log(Ranges x, Operation *) {
  return logarithm(x[0], 1 / kLog2E);
}
static MagnitudeRange log2(Ranges x, Operation *) { return logarithm(x[0], 1); }

template <Formula formula, typename... Ops>
static void attach(MLIRContext *context) {
  (Ops::template attachInterface<FormulaModel<Ops, formula>>(*context), ...);
}
template <unsigned first, unsigned numOperands, typename... Ops>
static void attachChoice(MLIRContext *context) {
  (Ops::template attachInterface<ChoiceModel<Ops, first, numOperands>>(
       *context),
   ...);
}

static constexpr unsigned kAll = ~0u;

static void attachArith(MLIRContext *context, arith::ArithDialect *) {
  using namespace arith;
  attach<sum, AddFOp, AddIOp, SubFOp, SubIOp>(context);
  attach<product, MulFOp, MulIOp>(context);
  attach<quotient, DivFOp>(context);
  attach<atMostFirst, DivSIOp, RemSIOp, RemFOp>(context);
  attach<same, NegFOp, ExtFOp, TruncFOp, ExtSIOp, TruncIOp, SIToFPOp,
         IndexCastOp>(context);
  attach<unsignedNumber, ExtUIOp, UIToFPOp, IndexCastUIOp>(context);
  attachChoice<0, kAll, MaximumFOp, MinimumFOp, MaxNumFOp, MinNumFOp, MaxSIOp,
               MinSIOp, MaxUIOp, MinUIOp>(context);
  attachChoice<1, 2, SelectOp>(context);
}

static void attachMath(MLIRContext *context, math::MathDialect *) {
  using namespace math;
  attach<same, AbsFOp, AbsIOp, CopySignOp>(context);
  attach<roundedToInteger, CeilOp, FloorOp, RoundOp, RoundEvenOp, TruncOp>(
      context);
  attach<exp, ExpOp>(context);
  attach<exp2, Exp2Op>(context);
  attach<expMinusOne, ExpM1Op>(context);
  attach<squareRoot, SqrtOp>(context);
  attach<reciprocalRoot, RsqrtOp>(context);
  attach<log, LogOp>(context);
  attach<log2, Log2Op>(context);
  attach<atMostOne, TanhOp, ErfOp, SinOp, CosOp>(context);
  attach<arcTangent, AtanOp>(context);
  attach<productAndSum, FmaOp>(context);
  attachChoice<0, kAll, ClampFOp>(context);
}

static void attachTensor(MLIRContext *context, tensor::TensorDialect *) {
  using namespace tensor;
  attachChoice<0, 1, ExtractOp, SplatOp>(context);
  attachChoice<0, 2, InsertOp>(context);
  attachChoice<0, kAll, FromElementsOp>(context);
}

static void attachLinalg(MLIRContext *context, linalg::LinalgDialect *) {
  attachChoice<0, 1, linalg::FillOp, linalg::BroadcastOp, linalg::CopyOp>(
      context);
}

void mlir::te::registerRangeOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(attachArith);
  registry.addExtension(attachMath);
  registry.addExtension(attachTensor);
  registry.addExtension(attachLinalg);
}
