// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// group_rows, expert_matmul and scaled_expert_matmul.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Support/TensorType.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

int64_t GroupRowsOp::getPlaces(int64_t rows, int64_t count, int64_t alignment) {
  // Each expert with rows wastes at most all but one row of a block.
  int64_t wasted = std::min(rows, count) * (alignment - 1);
  return (rows + wasted) / alignment * alignment;
}

LogicalResult GroupRowsOp::verify() {
  if (getCount() < 1 || getAlignment() < 1)
    return emitOpError() << "expects a count and an alignment of at least 1";
  int64_t given = tensorDim(getSource(), 0);
  if (const int64_t ranks = getRanks(); ranks != 1) {
    if (ranks < 1 || getCount() % ranks != 0 ||
        given % (ranks * int64_t(getAlignment())) != 0)
      return emitOpError() << "has " << getCount() << " experts and " << given
                           << " places, which " << ranks
                           << " ranks cannot share in equal shards of a "
                              "multiple of "
                           << getAlignment();
    return success();
  }
  int64_t rows = tensorDim(getExperts(), 0);
  int64_t places = getPlaces(rows, getCount(), getAlignment());
  if (given < places || given % getAlignment() != 0)
    return emitOpError() << "has " << given << " places; expects a multiple of "
                         << getAlignment() << ", " << places
                         << " or more: as many as " << rows << " rows of "
                         << getCount() << " experts may need";
  return success();
}

/// Checks the sizes of a product whose operands hold what is summed in
/// dimension `aSum` and `bSum`, and of wgrad rows there.
template <typename Op>
static LogicalResult verifyExperts(Op op, unsigned aSum, unsigned bSum) {
  auto a = tensorType(op.getA()), b = tensorType(op.getB()),
       d = tensorType(op.getD());
  if (op.getAlignment() < 1)
    return op.emitOpError() << "expects an alignment of at least 1";
  const int64_t rows = a.getDimSize(op.isWgrad() ? aSum : 1 - aSum);
  if (failed(verifyShape(op, "the experts of rows", op.getGroups(), {rows})))
    return failure();
  if (rows % op.getAlignment() != 0)
    return op.emitOpError() << "has " << rows << " rows; expects a multiple of "
                            << "the alignment " << op.getAlignment();
  if (op.isWgrad()) {
    if (op.getTransposeB())
      return op.emitOpError() << "has transpose_b, which wgrad does not take";
    if (b.getDimSize(bSum) != rows)
      return op.emitOpError()
             << "sums " << rows << " rows of the left operand "
             << "with " << b.getDimSize(bSum) << " of the right one";
    const int64_t m = a.getDimSize(1 - aSum);
    if (d.getDimSize(1) != b.getDimSize(1 - bSum) || m == 0 ||
        d.getDimSize(0) % m != 0)
      return op.emitOpError()
             << "expects a result [E * " << m << ", " << b.getDimSize(1 - bSum)
             << "] of E experts, but it is " << d;
    return success();
  }
  // Without transpose_b the sums of all experts lie along one dimension.
  const int64_t k = a.getDimSize(aSum), n = d.getDimSize(1);
  const bool sumsOfAll = !op.getTransposeB();
  const int64_t sums = b.getDimSize(bSum), columns = b.getDimSize(1 - bSum);
  const int64_t all = sumsOfAll ? sums : columns, one = sumsOfAll ? k : n;
  if (d.getDimSize(0) != rows || (sumsOfAll ? columns != n : sums != k) ||
      one == 0 || all % one != 0)
    return op.emitOpError()
           << "expects matrices of E experts, one behind the other, that "
           << "multiply " << k << " elements of a row to " << n
           << " of the result, but the right operand is " << b << " and the "
           << "result " << d << (sumsOfAll ? "; is transpose_b missing?" : "");
  return success();
}

LogicalResult ExpertMatmulOp::verify() {
  if (getInputFirst() && !isWgrad())
    return emitOpError() << "has input_first, which only wgrad takes";
  if (isWgrad())
    return verifyExperts(*this, 0, 0);
  return verifyExperts(*this, 1, getTransposeB() ? 1 : 0);
}

LogicalResult ScaledExpertMatmulOp::verify() {
  if (getRole() == MatmulRole::Other)
    return emitOpError() << "expects the role of a linear layer's product";
  if (isa<Float8E5M2Type>(getElementTypeOrSelf(getA())) &&
      isa<Float8E5M2Type>(getElementTypeOrSelf(getB())))
    return emitOpError()
           << "has two f8E5M2 operands; FP8 GEMMs take at most one";
  return verifyExperts(*this, 1, 1);
}

int64_t ExpertMatmulOp::getExperts() {
  if (isWgrad())
    return tensorDim(getD(), 0) / tensorDim(getA(), 1);
  return tensorDim(getB(), 0) / tensorDim(getTransposeB() ? getD() : getA(), 1);
}

int64_t ScaledExpertMatmulOp::getExperts() {
  if (isWgrad())
    return tensorDim(getD(), 0) / tensorDim(getA(), 0);
  return getTransposeB() ? tensorDim(getB(), 0) / tensorDim(getD(), 1)
                         : tensorDim(getB(), 1) / tensorDim(getA(), 1);
}

//===----------------------------------------------------------------------===//
// Parameters and gradient
//===----------------------------------------------------------------------===//

std::optional<ParameterRole>
ExpertMatmulOp::getParameterRole(unsigned operand) {
  if (operand < 2)
    return ParameterRole::Weight;
  return std::nullopt;
}

LogicalResult ExpertMatmulOp::buildVjp(OpBuilder &builder,
                                       ValueRange cotangents,
                                       const Needed &needed,
                                       Cotangents operands) {
  if (isWgrad())
    return emitOpError() << "is a gradient; gradients of it are not supported";
  Value dy = cotangents[0], a = getA(), b = getB();
  auto create = [&](RankedTensorType type, Value x, Value y, bool transposeY,
                    MatmulRole role, bool inputFirst = false) {
    return ExpertMatmulOp::create(
        builder, getLoc(), type, x, y, getGroups(),
        unitAttr(builder, transposeY), getAlignmentAttr(),
        MatmulRoleAttr::get(builder.getContext(), role),
        unitAttr(builder, inputFirst), getLayerAttr());
  };
  if (needed[0])
    operands[0] = create(tensorType(a).clone(getElementTypeOrSelf(dy)), dy, b,
                         !getTransposeB(), MatmulRole::Dgrad);
  if (needed[1])
    operands[1] = getTransposeB()
                      ? create(f32Like(b), dy, a, false, MatmulRole::Wgrad)
                      : create(f32Like(b), a, dy, false, MatmulRole::Wgrad,
                               /*inputFirst=*/true);
  return success();
}

//===----------------------------------------------------------------------===//
// Precision
//===----------------------------------------------------------------------===//

// The gradient of a parameter stays in float32, as the parameter does.
Numbers ExpertMatmulOp::getComputeResults() {
  return isWgrad() ? Numbers{} : Numbers{0};
}
Numbers ExpertMatmulOp::getComputeOperands() { return {0, 1}; }
Numbers ExpertMatmulOp::getConvertibleResults() { return {0}; }

SmallVector<Fp8Operand> ExpertMatmulOp::getFp8Operands() {
  TensorRole a = TensorRole::Input, b = TensorRole::Weight;
  switch (getRole()) {
  case MatmulRole::Fprop:
    break;
  case MatmulRole::Dgrad:
    a = TensorRole::GradOutput;
    break;
  case MatmulRole::Wgrad:
    a = TensorRole::GradOutput;
    b = TensorRole::Input;
    if (getInputFirst())
      std::swap(a, b);
    break;
  case MatmulRole::Other:
    return {};
  }
  return {{0, a, /*columnwise=*/isWgrad()},
          {1, b, /*columnwise=*/!getTransposeB()}};
}

// The matrices of experts lie side by side in FP8 copies, so that none of them
// can be padded alone.
std::optional<Fp8Refusal> ExpertMatmulOp::getFp8Refusal() {
  if (getAlignment() % kFp8Alignment != 0)
    return Fp8Refusal{"its rows are not grouped by expert",
                      "run te-group-experts first"};
  if (tensorDim(getA(), 0) == 0)
    return Fp8Refusal{"it has no rows", ""};
  for (int64_t size : {tensorDim(getA(), 1), tensorDim(getD(), 1)}) {
    if (size % kFp8Alignment != 0)
      return Fp8Refusal{
          ("an expert's matrix has a size of " + Twine(size) +
           ", not a multiple of " + Twine(kFp8Alignment))
              .str(),
          ("choose features that are multiples of " + Twine(kFp8Alignment))
              .str()};
  }
  return std::nullopt;
}

bool ExpertMatmulOp::takesScaleBlocks() { return false; }

Value ExpertMatmulOp::buildFp8Form(OpBuilder &builder,
                                   ArrayRef<QuantizedValue> operands) {
  return ScaledExpertMatmulOp::create(
      builder, getLoc(), getD().getType(), operands[0].data, operands[1].data,
      operands[0].scaleInv, operands[1].scaleInv, getGroups(),
      getTransposeBAttr(), getAlignmentAttr(), getRoleAttr(),
      AccumulateAttr::get(builder.getContext(), getRole() == MatmulRole::Fprop
                                                    ? Accumulate::Fast
                                                    : Accumulate::Split),
      /*layer=*/StringAttr());
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// The product of all rows with one matrix takes as long, and reads less.
template <typename Op>
static Work getExpertWork(Op op, StringRef kernel, int64_t rows, int64_t k) {
  MatrixProduct product;
  product.n = tensorDim(op.getD(), 1);
  product.m = op.isWgrad() ? tensorDim(op.getD(), 0) / op.getExperts() : rows;
  product.k = op.isWgrad() ? rows : k;
  product.a = getElementTypeOrSelf(op.getA());
  product.b = getElementTypeOrSelf(op.getB());
  product.d = getElementTypeOrSelf(op.getD());
  product.transposeA = op.isWgrad();
  product.transposeB = op.getTransposeB();
  Work work = Work::ofProduct(kernel, product);
  work.bytes = getMovingWork(op).bytes;
  return work;
}

int64_t ExpertMatmulOp::getFlops() { return getWork().flops; }

Work ExpertMatmulOp::getWork() {
  return getExpertWork(*this, "matmul", tensorDim(getA(), 0),
                       tensorDim(getA(), 1));
}

Work ScaledExpertMatmulOp::getWork() {
  Work work =
      getExpertWork(*this, "scaled_matmul",
                    tensorDim(getA(), isWgrad() ? 1 : 0), tensorDim(getA(), 1));
  work.product->transposeA = false;
  work.product->transposeB = true;
  work.product->fastAccumulate = getAccumulate() == Accumulate::Fast;
  return work;
}

//===----------------------------------------------------------------------===//
// Form in linalg
//===----------------------------------------------------------------------===//

static Value toInteger(Scalars &s, Value number) {
  return arith::FPToSIOp::create(s.builder, s.loc, s.builder.getI32Type(),
                                 number);
}

// Counts are sums of ones, exact in float32 up to 2^24.
void GroupRowsOp::buildLinalgForm(LinalgForm &f) {
  using Predicate = arith::CmpIPredicate;
  Type integers = f.builder.getI32Type(), floats = f.builder.getF32Type();
  auto isSet = [](Scalars &s, Value condition) {
    return s.select(condition, s.number(1), s.number(0));
  };
  const int64_t ranks = getRanks(), places = tensorDim(getSource(), 0);
  // The rank of an expert.
  auto rankOf = [&](Scalars &s, Value expert) -> Value {
    Value size =
        arith::ConstantIndexOp::create(s.builder, s.loc, getCount() / ranks);
    return arith::DivSIOp::create(s.builder, s.loc, expert, size);
  };
  auto toFloat = [](Scalars &s, Value index) -> Value {
    Value number = arith::IndexCastOp::create(s.builder, s.loc,
                                              s.builder.getI32Type(), index);
    return arith::SIToFPOp::create(s.builder, s.loc, s.type, number);
  };
  f.setSize('e', getCount());
  // An operand of one element of each index gives the loop its size.
  Value all = f.map("e", floats, {},
                    [](Scalars &s, ValueRange) { return s.number(0); });
  Value counts = f.sum(
      "e", {{all, "e"}, {getExperts(), "s"}}, [&](Scalars &s, ValueRange x) {
        return isSet(s,
                     s.compareInts(Predicate::eq, s.toIndex(x[1]), s.at('e')));
      });
  Value spaces =
      f.map("e", floats, {{counts, "e"}}, [&](Scalars &s, ValueRange x) {
        Value blocks =
            s.call<math::CeilOp>(s.div(x[0], s.number(double(getAlignment()))));
        return s.mul(blocks, s.number(double(getAlignment())));
      });
  Value starts = f.sum(
      "s", {{getExperts(), "s"}, {spaces, "e"}}, [&](Scalars &s, ValueRange x) {
        Value expert = s.toIndex(x[0]);
        Value isBefore = s.compareInts(Predicate::slt, s.at('e'), expert);
        Value isInShard = s.compareInts(Predicate::eq, rankOf(s, s.at('e')),
                                        rankOf(s, expert));
        return s.select(s.both(isBefore, isInShard), x[1], s.number(0));
      });
  Value positions = f.sum(
      "s", {{getExperts(), "s"}, {getExperts(), "t"}},
      [&](Scalars &s, ValueRange x) {
        Value isBefore = s.compareInts(Predicate::ult, s.at('t'), s.at('s'));
        return isSet(
            s, s.both(isBefore, s.compareInts(Predicate::eq, x[0], x[1])));
      });
  Value slots = f.map(
      "s", integers, {{starts, "s"}, {positions, "s"}, {getExperts(), "s"}},
      [&](Scalars &s, ValueRange x) {
        Value none = s.integer(x[2], -1);
        Value place = s.add(x[0], x[1]);
        Value space = s.number(double(places / ranks));
        Value first = s.mul(toFloat(s, rankOf(s, s.toIndex(x[2]))), space);
        Value hasPlace =
            s.both(s.compareInts(Predicate::sgt, x[2], none),
                   s.compare(arith::CmpFPredicate::OLT, place, space));
        return s.select(hasPlace, toInteger(s, s.add(first, place)), none);
      });
  f.set(getSlot(), slots);
  f.setSize('p', places);
  Value zeros = f.map("p", floats, {},
                      [](Scalars &s, ValueRange) { return s.number(0); });
  // One more than a number, which is then there, or nothing.
  auto setAtPlaces = [&](Value result,
                         function_ref<Value(Scalars &, Value)> get) {
    if (!f.needs(result))
      return;
    Value found =
        f.sum("p", {{zeros, "p"}, {slots, "s"}, {getExperts(), "s"}},
              [&](Scalars &s, ValueRange x) {
                Value isHere =
                    s.compareInts(Predicate::eq, s.toIndex(x[1]), s.at('p'));
                return s.select(isHere, s.add(get(s, x[2]), s.number(1)),
                                s.number(0));
              });
    f.set(result,
          f.map("p", integers, {{found, "p"}}, [](Scalars &s, ValueRange x) {
            return toInteger(s, s.sub(x[0], s.number(1)));
          }));
  };
  setAtPlaces(getSource(),
              [&](Scalars &s, Value) { return toFloat(s, s.at('s')); });
  setAtPlaces(getGroups(), [&](Scalars &s, Value expert) -> Value {
    Value size =
        arith::ConstantIndexOp::create(s.builder, s.loc, getCount() / ranks);
    return toFloat(
        s, arith::RemSIOp::create(s.builder, s.loc, s.toIndex(expert), size));
  });
}

/// index / size and index % size.
static std::pair<Value, Value> divide(Scalars &s, Value index, int64_t size) {
  Value divisor = arith::ConstantIndexOp::create(s.builder, s.loc, size);
  return {arith::DivUIOp::create(s.builder, s.loc, index, divisor),
          arith::RemUIOp::create(s.builder, s.loc, index, divisor)};
}

/// Sum of a[p,k] · B_e[k,n], or of wgrad over rows, with the elements of a and
/// b at computed positions.
template <typename Op>
static Value buildExpertProduct(LinalgForm &f, Op op, bool aIsColumnwise,
                                bool bHasSumsInside) {
  Value a = op.getA(), b = op.getB(), groups = op.getGroups();
  auto at = [](Scalars &s, Value tensor, Value row, Value column, bool swaps) {
    return s.extract(tensor,
                     swaps ? ValueRange{column, row} : ValueRange{row, column});
  };
  auto isOf = [](Scalars &s, Value group, Value expert) {
    return s.compareInts(arith::CmpIPredicate::eq, s.toIndex(group), expert);
  };
  if (op.isWgrad()) {
    const int64_t m = tensorDim(a, aIsColumnwise ? 0 : 1);
    f.setSize('d', tensorDim(op.getD(), 0));
    Value rows = f.map("d", f.builder.getF32Type(), {},
                       [](Scalars &s, ValueRange) { return s.number(0); });
    return f.sum(
        "dn", {{rows, "d"}, {b, bHasSumsInside ? "np" : "pn"}, {groups, "p"}},
        [&](Scalars &s, ValueRange x) {
          auto [expert, row] = divide(s, s.at('d'), m);
          Value left = at(s, a, s.at('p'), row, aIsColumnwise);
          return s.select(isOf(s, x[2], expert), s.mul(left, x[1]),
                          s.number(0));
        });
  }
  const int64_t k = tensorDim(a, 1), n = tensorDim(op.getD(), 1);
  f.setSize('n', n);
  Value columns = f.map("n", f.builder.getF32Type(), {},
                        [](Scalars &s, ValueRange) { return s.number(0); });
  return f.sum(
      "pn", {{a, "pk"}, {groups, "p"}, {columns, "n"}},
      [&](Scalars &s, ValueRange x) {
        // Rows without an expert read the first one's matrix.
        Value none =
            s.compareInts(arith::CmpIPredicate::slt, x[1], s.integer(x[1], 0));
        Value expert = s.toIndex(s.select(none, s.integer(x[1], 0), x[1]));
        Value size = arith::ConstantIndexOp::create(s.builder, s.loc,
                                                    op.getTransposeB() ? n : k);
        Value first = arith::MulIOp::create(s.builder, s.loc, expert, size);
        Value inner = s.at('k'), outer = s.at('n');
        Value &moved = op.getTransposeB() ? outer : inner;
        moved = arith::AddIOp::create(s.builder, s.loc, first, moved);
        Value right = at(s, b, inner, outer, bHasSumsInside);
        return s.select(none, s.number(0), s.mul(x[0], right));
      });
}

void ExpertMatmulOp::buildLinalgForm(LinalgForm &f) {
  f.set(getD(), buildExpertProduct(f, *this, /*aIsColumnwise=*/false,
                                   /*bHasSumsInside=*/getTransposeB()));
}

void ScaledExpertMatmulOp::buildLinalgForm(LinalgForm &f) {
  Value sum = buildExpertProduct(f, *this, /*aIsColumnwise=*/isWgrad(),
                                 /*bHasSumsInside=*/true);
  f.set(getD(), f.map("mn", f.builder.getF32Type(),
                      {{sum, "mn"}, {getAScaleInv(), ""}, {getBScaleInv(), ""}},
                      [](Scalars &s, ValueRange x) {
                        return s.mul(x[0], s.mul(x[1], x[2]));
                      }));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

void ExpertMatmulOp::inferRanges(RangeInference &ranges) {
  int64_t terms = tensorDim(getA(), isWgrad() ? 0 : 1);
  ranges.set(getD(), (ranges.of(getA()) * ranges.of(getB())).sumOf(terms));
}

void ScaledExpertMatmulOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange terms = ranges.of(getA()) * ranges.of(getB()) *
                         ranges.of(getAScaleInv()) * ranges.of(getBScaleInv());
  double error = getAccumulate() == Accumulate::Fast ? MagnitudeRange::kFastSum
                                                     : MagnitudeRange::kFloat32;
  ranges.set(getD(), terms.sumOf(tensorDim(getA(), 1), error).inexact());
}
