// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// attention and its gradient.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/AttentionCost.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Builder, verifiers
//===----------------------------------------------------------------------===//

namespace {
/// Sizes of an attention operand by meaning.
struct HeadSizes {
  int64_t batch, sequence, heads, dim;
  HeadSizes(RankedTensorType type, AttentionLayout layout) {
    ArrayRef<int64_t> s = type.getShape();
    dim = s[3];
    switch (layout) {
    case AttentionLayout::BSHD:
      batch = s[0], sequence = s[1], heads = s[2];
      break;
    case AttentionLayout::BHSD:
      batch = s[0], sequence = s[2], heads = s[1];
      break;
    case AttentionLayout::SBHD:
      batch = s[1], sequence = s[0], heads = s[2];
      break;
    }
  }
};
} // namespace

void AttentionOp::build(OpBuilder &builder, OperationState &state, Value q,
                        Value k, Value v, float scale, bool causal,
                        AttentionLayout layout, Value bias, int64_t window,
                        float softcap, Value lengths, Value sinks) {
  HeadSizes sizes(tensorType(q), layout);
  auto lse = RankedTensorType::get({sizes.batch, sizes.heads, sizes.sequence},
                                   builder.getF32Type());
  build(builder, state, q.getType(), lse, q, k, v, bias, lengths, sinks,
        builder.getF32FloatAttr(scale), unitAttr(builder, causal),
        AttentionLayoutAttr::get(builder.getContext(), layout),
        builder.getI64IntegerAttr(window), builder.getF32FloatAttr(softcap),
        builder.getI32IntegerAttr(0), /*balanced=*/UnitAttr());
}

/// What acts on the scores besides the causal triangle.
static LogicalResult verifyScoreOptions(Operation *op, const HeadSizes &qs,
                                        const HeadSizes &ks, Value bias,
                                        Value lengths, Value sinks,
                                        int64_t window,
                                        const APFloat &softcap) {
  if (window < 0)
    return op->emitOpError()
           << "expects a window of at least one key, or 0 for "
           << "none, but it is " << window;
  if (softcap.isNegative() || !softcap.isFinite())
    return op->emitOpError()
           << "expects a softcap that is a positive number, or 0 for none, but "
           << "it is " << softcap.convertToFloat();
  if (bias) {
    ArrayRef<int64_t> shape = tensorType(bias).getShape();
    int64_t sizes[] = {qs.batch, qs.heads, qs.sequence};
    bool repeats = shape[3] == ks.sequence;
    for (auto [given, size] : llvm::zip(shape, sizes))
      repeats &= given == size || given == 1;
    if (!repeats)
      return op->emitOpError()
             << "expects a bias of shape [batch, query heads, queries, keys], ["
             << qs.batch << ", " << qs.heads << ", " << qs.sequence << ", "
             << ks.sequence
             << "], with 1 for any of the first three, but it is "
             << bias.getType();
  }
  if (lengths && failed(verifyShape(op, "lengths", lengths, {qs.batch})))
    return failure();
  if (sinks && failed(verifyShape(op, "sinks", sinks, {qs.heads})))
    return failure();
  return success();
}

/// What attention and its gradient require of their common operands.
template <typename Op> static LogicalResult verifyAttention(Op op) {
  Value q = op.getQ(), k = op.getK(), v = op.getV(), o = op.getO(),
        lse = op.getLse();
  AttentionLayout layout = op.getLayout();
  HeadSizes qs(tensorType(q), layout), ks(tensorType(k), layout);
  if (failed(verifyShape(op, "v", v, tensorType(k).getShape())) ||
      failed(verifyShape(op, "o", o, tensorType(q).getShape())) ||
      failed(verifyShape(op, "lse", lse, {qs.batch, qs.heads, qs.sequence})))
    return failure();
  if (qs.batch != ks.batch || qs.dim != ks.dim)
    return op.emitOpError()
           << "expects q and k to agree in batch and head dimension, but they "
           << "are " << q.getType() << " and " << k.getType() << " in layout "
           << stringifyAttentionLayout(layout);
  if (ks.heads == 0 || qs.heads % ks.heads != 0)
    return op.emitOpError() << "expects the number of query heads (" << qs.heads
                            << ") to be a multiple of the number of key heads ("
                            << ks.heads << ")";
  if (auto axes = static_cast<int32_t>(op.getQueryAxes()); axes < 0)
    return op.emitOpError() << "expects query_axes to be a set of axes, bit a "
                               "for axis a, but it is "
                            << axes;
  if (op.getQueryAxes() && (qs.sequence == 0 || ks.sequence % qs.sequence != 0))
    return op.emitOpError()
           << "expects the queries to be a rank's shard of the " << ks.sequence
           << " tokens that there are keys of, but " << qs.sequence
           << " do not divide them";
  if (op.getBalanced() && (!op.getQueryAxes() || qs.sequence % 2 != 0))
    return op.emitOpError()
           << "expects balanced queries to be shards along "
              "query_axes, of two pieces each, but there are "
           << qs.sequence << (op.getQueryAxes() ? "" : " without query_axes");
  return verifyScoreOptions(op, qs, ks, op.getBias(), op.getLengths(),
                            op.getSinks(), op.getWindow(), op.getSoftcap());
}

LogicalResult AttentionOp::verify() { return verifyAttention(*this); }

LogicalResult AttentionGradOp::verify() {
  if (failed(verifyAttention(*this)) ||
      failed(
          verifyShape(*this, "do", getDO(), tensorType(getQ()).getShape())) ||
      failed(
          verifyShape(*this, "dq", getDq(), tensorType(getQ()).getShape())) ||
      failed(verifyShape(*this, "dk", getDk(), tensorType(getK()).getShape())))
    return failure();
  for (auto [name, of, gradient] :
       {std::tuple("bias", getBias(), getDbias()),
        std::tuple("sinks", getSinks(), getDsinks())})
    if (gradient && !of)
      return emitOpError() << "has a gradient of '" << name
                           << "', which it does not have";
    else if (gradient &&
             failed(verifyShape(*this, std::string("d") + name, gradient,
                                tensorType(of).getShape())))
      return failure();
  return verifyShape(*this, "dv", getDv(), tensorType(getV()).getShape());
}

//===----------------------------------------------------------------------===//
// Gradient and precision
//===----------------------------------------------------------------------===//

LogicalResult AttentionOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                    const Needed &needed, Cotangents operands) {
  if (failed(onlyCotangentOf(*this, getO(), cotangents)))
    return failure();
  // Lengths have no gradient. What is not there is nowhere in the operands.
  unsigned biasAt = 3,
           sinksAt = 3 + (getBias() != nullptr) + (getLengths() != nullptr);
  bool needsBias = getBias() && needed[biasAt];
  bool needsSinks = getSinks() && needed[sinksAt];
  auto grad = AttentionGradOp::create(
      builder, getLoc(), getQ().getType(), getK().getType(), getV().getType(),
      needsBias ? f32Like(getBias()) : RankedTensorType(),
      needsSinks ? f32Like(getSinks()) : RankedTensorType(), cotangents[0],
      getQ(), getK(), getV(), getO(), getLse(), getBias(), getLengths(),
      getSinks(), getScaleAttr(), getCausalAttr(), getLayoutAttr(),
      getWindowAttr(), getSoftcapAttr(), getQueryAxesAttr(), getBalancedAttr());
  for (unsigned i = 0; i < 3; ++i)
    if (needed[i])
      operands[i] = grad->getResult(i);
  if (needsBias)
    operands[biasAt] = grad.getDbias();
  if (needsSinks)
    operands[sinksAt] = grad.getDsinks();
  return success();
}

/// An optional operand, by number.
static Numbers numbersOf(MutableOperandRange operands) {
  return llvm::map_to_vector(
      operands, [](OpOperand &operand) { return operand.getOperandNumber(); });
}

Numbers AttentionOp::getComputeResults() { return {0}; }
Numbers AttentionOp::getComputeOperands() { return {0, 1, 2}; }
Numbers AttentionOp::getFloat32Operands() {
  return numbersOf(getSinksMutable());
}

Numbers AttentionGradOp::getComputeResults() { return {0, 1, 2}; }
Numbers AttentionGradOp::getComputeOperands() { return {0, 1, 2, 3, 4}; }
Numbers AttentionGradOp::getFloat32Operands() {
  Numbers numbers = numbersOf(getSinksMutable());
  numbers.push_back(getLseMutable().getOperandNumber());
  return numbers;
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

static int getSequenceDim(AttentionLayout layout) {
  return layout == AttentionLayout::BHSD   ? 2
         : layout == AttentionLayout::SBHD ? 0
                                           : 1;
}

void mlir::te::addAttention(Work &work, const AttentionProblem &problem,
                            int products) {
  const auto [q, k, layout, causal, window, isPart] = problem;
  int sequence = getSequenceDim(layout);
  double keys = double(k.getDimSize(sequence));
  // Parts see as much as the whole on average.
  double queries = isPart ? keys : double(q.getDimSize(sequence));
  // Query i of the last rows sees all keys but those after it.
  double seen = keys;
  if (causal && queries > 0)
    seen = queries <= keys ? keys - (queries - 1) / 2
                           : keys * (keys + 1) / 2 / queries;
  if (window > 0 && queries > 0) {
    seen = 0;
    for (double i = 0; i < queries; ++i) {
      double last = i + keys - queries, end = causal ? last + 1 : keys;
      seen += std::max(0.0, std::min(end, keys) -
                                std::max(0.0, last + 1 - double(window)));
    }
    seen /= queries;
  }
  double elements = 1;
  for (int64_t size : q.getShape())
    elements *= double(size);
  work.flops = 2.0 * products * elements * seen;
  work.math = q.getElementType();
  work.addExtra(q.getDimSize(3) <= 64 ? "d64" : "d128");
}

template <typename Op> static Work attends(Op op, int products) {
  Work work = getMovingWork(op);
  addAttention(work,
               {cast<ShapedType>(op.getQ().getType()),
                cast<ShapedType>(op.getK().getType()), op.getLayout(),
                op.getCausal(), int64_t(op.getWindow()),
                op.getQueryAxes() != 0},
               products);
  return work;
}

Work AttentionOp::getWork() { return attends(*this, /*products=*/2); }

Work AttentionGradOp::getWork() { return attends(*this, /*products=*/5); }

//===----------------------------------------------------------------------===//
// Forms in linalg: all scores are stored
//===----------------------------------------------------------------------===//

static constexpr double kMinusInfinity =
    -std::numeric_limits<double>::infinity();

namespace {
/// The scores of one attention. Indices: b batches; h key heads; g query heads
/// per key head; i queries; j keys; d the head dimension.
template <typename Op> class Scores {
public:
  Scores(Op op, Formula &formula)
      : op(op), f(formula), f32(f.builder.getF32Type()) {
    int64_t dim = getHeadDim(op.getLayout());
    heads = tensorType(op.getQ()).getDimSize(dim);
    groups = heads / tensorType(op.getK()).getDimSize(dim);
    int sequence = getSequenceDim(op.getLayout());
    offset = tensorType(op.getK()).getDimSize(sequence) -
             tensorType(op.getQ()).getDimSize(sequence);
    k = {op.getK(), ofKeys()};
    v = {op.getV(), ofKeys()};
    q = ofHeads(op.getQ());
  }

  StringRef ofKeys() {
    switch (op.getLayout()) {
    case AttentionLayout::BSHD:
      return "bjhd";
    case AttentionLayout::BHSD:
      return "bhjd";
    case AttentionLayout::SBHD:
      return "jbhd";
    }
    llvm_unreachable("unknown layout");
  }
  StringRef ofQueries() {
    switch (op.getLayout()) {
    case AttentionLayout::BSHD:
      return "bihgd";
    case AttentionLayout::BHSD:
      return "bhgid";
    case AttentionLayout::SBHD:
      return "ibhgd";
    }
    llvm_unreachable("unknown layout");
  }
  /// A tensor of query heads with the groups as a dimension.
  Term ofHeads(Value value) {
    return {f.splitDim(value, getHeadDim(op.getLayout()), groups), ofQueries()};
  }
  /// [B,H,Sq] likewise.
  Term ofStatistics(Value value) {
    return {f.splitDim(value, 1, groups), "bhgi"};
  }
  Term ofSinks() { return {f.splitDim(op.getSinks(), 0, groups), "hg"}; }

  /// scale * q·kᵀ, after the softcap.
  Value computeCapped() {
    Value products = f.sum("bhgij", {q, k}, [](Scalars &s, ValueRange x) {
      return s.mul(x[0], x[1]);
    });
    double scale = op.getScale().convertToDouble(),
           cap = op.getSoftcap().convertToDouble();
    return f.map("bhgij", f32, {{products, "bhgij"}},
                 [&](Scalars &s, ValueRange x) {
                   Value y = s.mul(x[0], s.number(scale));
                   if (cap > 0)
                     y = s.mul(s.number(cap),
                               s.call<math::TanhOp>(s.div(y, s.number(cap))));
                   return y;
                 });
  }

  /// With the bias, and minus infinity for hidden keys.
  Value computeMasked(Value capped) {
    SmallVector<Term> terms{{capped, "bhgij"}};
    std::string indices;
    if (op.getBias()) {
      terms.push_back(getBias(indices));
      terms.back().indices = indices;
    }
    if (op.getLengths())
      terms.push_back({op.getLengths(), "b"});
    return f.map("bhgij", f32, terms, [&](Scalars &s, ValueRange x) {
      Value y = x[0];
      if (op.getBias())
        y = s.add(y, x[1]);
      auto hide = [&](Value hidden) {
        y = s.select(hidden, s.number(kMinusInfinity), y);
      };
      Value key = s.at('j');
      Value own = arith::AddIOp::create(s.builder, s.loc, s.at('i'),
                                        s.integer(key, offset));
      if (op.getCausal())
        hide(s.compareInts(arith::CmpIPredicate::sgt, key, own));
      if (int64_t window = op.getWindow())
        hide(s.compareInts(arith::CmpIPredicate::sle, key,
                           arith::SubIOp::create(s.builder, s.loc, own,
                                                 s.integer(key, window))));
      if (op.getLengths())
        hide(
            s.compareInts(arith::CmpIPredicate::sge, key, s.toIndex(x.back())));
      return y;
    });
  }

  /// The bias with the groups as a dimension; `indices` are its indices.
  Term getBias(std::string &indices) {
    RankedTensorType type = tensorType(op.getBias());
    Value bias = op.getBias();
    bool hasHeads = type.getDimSize(1) != 1;
    if (hasHeads)
      bias = f.splitDim(bias, 1, groups);
    indices = type.getDimSize(0) == 1 ? "0" : "b";
    indices += hasHeads ? "hg" : "0";
    indices += type.getDimSize(2) == 1 ? "0" : "i";
    indices += "j";
    return {bias, indices};
  }

  Op op;
  Formula &f;
  Type f32;
  int64_t heads, groups, offset;
  Term q, k, v;
};
} // namespace

void AttentionOp::buildLinalgForm(LinalgForm &f) {
  Scores<AttentionOp> all(*this, f);
  Type f32 = f.builder.getF32Type();
  Value scores = all.computeMasked(all.computeCapped());
  Value most = f.join(Formula::Join::Max, "bhgi", {{scores, "bhgij"}},
                      [](Scalars &, ValueRange x) { return x[0]; });
  SmallVector<Term> terms{{most, "bhgi"}};
  if (getSinks())
    terms.push_back(all.ofSinks());
  // A query that sees no key is shifted by 0: its exponentials are 0.
  Value shift = f.map("bhgi", f32, terms, [&](Scalars &s, ValueRange x) {
    Value y = getSinks() ? s.max(x[0], x[1]) : x[0];
    Value sees =
        s.compare(arith::CmpFPredicate::UNE, y, s.number(kMinusInfinity));
    return s.select(sees, y, s.number(0));
  });
  Value e = f.map("bhgij", f32, {{scores, "bhgij"}, {shift, "bhgi"}},
                  [](Scalars &s, ValueRange x) {
                    return s.call<math::ExpOp>(s.sub(x[0], x[1]));
                  });
  Value sum = f.sum("bhgi", {{e, "bhgij"}},
                    [](Scalars &, ValueRange x) { return x[0]; });
  if (getSinks())
    sum = f.map("bhgi", f32, {{sum, "bhgi"}, all.ofSinks(), {shift, "bhgi"}},
                [](Scalars &s, ValueRange x) {
                  return s.add(x[0], s.call<math::ExpOp>(s.sub(x[1], x[2])));
                });
  Value lse = f.map("bhgi", f32, {{shift, "bhgi"}, {sum, "bhgi"}},
                    [](Scalars &s, ValueRange x) {
                      return s.add(x[0], s.call<math::LogOp>(x[1]));
                    });
  f.set(getLse(), f.reshape(lse, tensorType(getLse()).getShape()));
  Value p = f.map("bhgij", f32, {{e, "bhgij"}, {sum, "bhgi"}},
                  [](Scalars &s, ValueRange x) {
                    Value sees =
                        s.compare(arith::CmpFPredicate::UNE, x[1], s.number(0));
                    return s.select(sees, s.div(x[0], x[1]), s.number(0));
                  });
  Value o = f.sum(all.ofQueries(), {{p, "bhgij"}, all.v}, product);
  f.set(getO(), f.reshape(o, tensorType(getO()).getShape()));
}

void AttentionGradOp::buildLinalgForm(LinalgForm &f) {
  Scores<AttentionGradOp> all(*this, f);
  Type f32 = f.builder.getF32Type();
  Value capped = all.computeCapped();
  Value scores = all.computeMasked(capped);
  Term lse = all.ofStatistics(getLse()), dO = all.ofHeads(getDO()),
       o = all.ofHeads(getO());
  // A query that saw no key has no gradient.
  Value p = f.map(
      "bhgij", f32, {{scores, "bhgij"}, lse}, [](Scalars &s, ValueRange x) {
        Value sees = s.compare(arith::CmpFPredicate::UNE, x[1],
                               s.number(kMinusInfinity));
        return s.select(sees, s.call<math::ExpOp>(s.sub(x[0], x[1])),
                        s.number(0));
      });
  Value delta = f.sum("bhgi", {dO, o}, product);
  Value dp = f.sum("bhgij", {dO, all.v}, product);
  Value ds = f.map(
      "bhgij", f32, {{p, "bhgij"}, {dp, "bhgij"}, {delta, "bhgi"}},
      [](Scalars &s, ValueRange x) { return s.mul(x[0], s.sub(x[1], x[2])); });
  // The gradient of the products, through softcap and scale.
  double scale = getScale().convertToDouble(),
         cap = getSoftcap().convertToDouble();
  Value inner = f.map("bhgij", f32, {{ds, "bhgij"}, {capped, "bhgij"}},
                      [&](Scalars &s, ValueRange x) {
                        Value y = s.mul(x[0], s.number(scale));
                        if (cap > 0) {
                          Value t = s.div(x[1], s.number(cap));
                          y = s.mul(y, s.sub(s.number(1), s.mul(t, t)));
                        }
                        return y;
                      });
  auto set = [&](Value result, Value value) {
    if (f.needs(result))
      f.set(result, f.reshape(value, tensorType(result).getShape()));
  };
  set(getDq(), f.sum(all.ofQueries(), {{inner, "bhgij"}, all.k}, product));
  set(getDk(), f.sum(all.ofKeys(), {{inner, "bhgij"}, all.q}, product));
  set(getDv(), f.sum(all.ofKeys(), {{p, "bhgij"}, dO}, product));
  if (f.needs(getDbias())) {
    std::string indices;
    Term bias = all.getBias(indices);
    std::string kept = indices;
    llvm::erase(kept, '0');
    set(getDbias(), f.sum(kept, {{ds, "bhgij"}},
                          [](Scalars &, ValueRange x) { return x[0]; }));
    (void)bias;
  }
  if (f.needs(getDsinks()))
    set(getDsinks(),
        f.sum("hg", {{delta, "bhgi"}, lse, all.ofSinks()},
              [](Scalars &s, ValueRange x) {
                Value sees = s.compare(arith::CmpFPredicate::UNE, x[1],
                                       s.number(kMinusInfinity));
                Value share = s.call<math::ExpOp>(s.sub(x[2], x[1]));
                return s.select(sees, s.neg(s.mul(share, x[0])), s.number(0));
              }));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// Of scores, as they are before the softmax.
template <typename Op>
static MagnitudeRange getScoreRange(Op op, RangeInference &ranges) {
  int64_t dim = op.getQ().getType().getDimSize(3);
  double softcap = op.getSoftcap().convertToDouble();
  MagnitudeRange product =
      ((ranges.of(op.getQ()) * ranges.of(op.getK())).sumOf(dim) *
       op.getScale().convertToDouble())
          .inexact();
  // That of an infinite score, too.
  if (softcap > 0)
    product = MagnitudeRange::upTo(std::log2(softcap)).inexact();
  return product + ranges.of(op.getBias());
}

void AttentionOp::inferRanges(RangeInference &ranges) {
  // The weights of a mean: their sum is 1, or less with sinks.
  ranges.set(getO(), ranges.of(getV()).withoutLower().inexact(
                         MagnitudeRange::kProbability));
  // The sum's relative error is an error of its logarithm.
  double keys = getK().getType().getDimSize(getSequenceDim(getLayout()));
  double log = std::log(keys + 1) + keys * MagnitudeRange::kFloat32;
  MagnitudeRange scores = getScoreRange(*this, ranges);
  ranges.set(getLse(), (scores.join(ranges.of(getSinks())) +
                        MagnitudeRange::of(log).withoutLower())
                           .inexact());
}

void AttentionGradOp::inferRanges(RangeInference &ranges) {
  // Only of the logarithms of its own sums are the probabilities 1 at most.
  auto forward = getLse().getDefiningOp<AttentionOp>();
  if (!forward || forward.getQ() != getQ() || forward.getK() != getK() ||
      forward.getBias() != getBias() || forward.getSinks() != getSinks() ||
      forward.getLengths() != getLengths() ||
      forward.getScaleAttr() != getScaleAttr() ||
      forward.getSoftcapAttr() != getSoftcapAttr() ||
      forward.getLayout() != getLayout() ||
      forward.getCausal() != getCausal() ||
      forward.getWindow() != getWindow() ||
      forward.getQueryAxes() != getQueryAxes() ||
      forward.getBalanced() != getBalanced())
    return;
  auto q = getQ().getType();
  int64_t dim = q.getDimSize(3);
  // A score that is computed again is off by its own rounding errors.
  double error = std::exp2(getScoreRange(*this, ranges).upper) *
                 double(4 * dim + 8) * MagnitudeRange::kFloat32;
  MagnitudeRange p = MagnitudeRange::upTo(error / std::log(2.0))
                         .inexact(MagnitudeRange::kProbability);
  MagnitudeRange dO = ranges.of(getDO());
  MagnitudeRange delta = (dO * ranges.of(getO())).sumOf(dim).inexact();
  MagnitudeRange ds =
      p * ((dO * ranges.of(getV())).sumOf(dim) + delta).inexact();
  // Keys and what is repeated get a sum over all queries that may see them.
  int64_t queries = q.getNumElements() / std::max<int64_t>(dim, 1);
  double scale = getScale().convertToDouble();
  double coarse = MagnitudeRange::kProbability;
  // A query's probabilities add up to 1.
  ranges.set(getDq(), (ds * ranges.of(getK()) * scale).inexact(coarse));
  ranges.set(getDk(),
             ((ds * ranges.of(getQ())).sumOf(queries) * scale).inexact(coarse));
  ranges.set(getDv(), (p * dO).sumOf(queries).inexact(coarse));
  ranges.set(getDbias(), ds.sumOf(queries).inexact(coarse));
  ranges.set(getDsinks(), (p * delta).sumOf(queries).inexact(coarse));
}
