// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention and rotary embedding in linalg: all scores are stored.

#include "Linalg/Lowering.h"

#include "te/Dialect/TE/IR/LlamaOps.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;
using namespace mlir::te;

static constexpr double kMinusInfinity =
    -std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

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
    int64_t sequence = op.getLayout() == AttentionLayout::BHSD   ? 2
                       : op.getLayout() == AttentionLayout::SBHD ? 0
                                                                 : 1;
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

static void lower(AttentionOp op, Formula &f, Lowered &lowered) {
  Scores<AttentionOp> all(op, f);
  Type f32 = f.builder.getF32Type();
  Value scores = all.computeMasked(all.computeCapped());
  Value most = f.join(Formula::Join::Max, "bhgi", {{scores, "bhgij"}},
                      [](Scalars &, ValueRange x) { return x[0]; });
  SmallVector<Term> terms{{most, "bhgi"}};
  if (op.getSinks())
    terms.push_back(all.ofSinks());
  // A query that sees no key is shifted by 0: its exponentials are 0.
  Value shift = f.map("bhgi", f32, terms, [&](Scalars &s, ValueRange x) {
    Value y = op.getSinks() ? s.max(x[0], x[1]) : x[0];
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
  if (op.getSinks())
    sum = f.map("bhgi", f32, {{sum, "bhgi"}, all.ofSinks(), {shift, "bhgi"}},
                [](Scalars &s, ValueRange x) {
                  return s.add(x[0], s.call<math::ExpOp>(s.sub(x[1], x[2])));
                });
  Value lse = f.map("bhgi", f32, {{shift, "bhgi"}, {sum, "bhgi"}},
                    [](Scalars &s, ValueRange x) {
                      return s.add(x[0], s.call<math::LogOp>(x[1]));
                    });
  lowered.set(f, op.getLse(),
              f.reshape(lse, tensorType(op.getLse()).getShape()));
  Value p = f.map("bhgij", f32, {{e, "bhgij"}, {sum, "bhgi"}},
                  [](Scalars &s, ValueRange x) {
                    Value sees =
                        s.compare(arith::CmpFPredicate::UNE, x[1], s.number(0));
                    return s.select(sees, s.div(x[0], x[1]), s.number(0));
                  });
  Value o = f.sum(all.ofQueries(), {{p, "bhgij"}, all.v}, product);
  lowered.set(f, op.getO(), f.reshape(o, tensorType(op.getO()).getShape()));
}

static void lower(AttentionGradOp op, Formula &f, Lowered &lowered) {
  Scores<AttentionGradOp> all(op, f);
  Type f32 = f.builder.getF32Type();
  Value capped = all.computeCapped();
  Value scores = all.computeMasked(capped);
  Term lse = all.ofStatistics(op.getLse()), dO = all.ofHeads(op.getDO()),
       o = all.ofHeads(op.getO());
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
  double scale = op.getScale().convertToDouble(),
         cap = op.getSoftcap().convertToDouble();
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
    if (lowered.needs(result))
      lowered.set(f, result, f.reshape(value, tensorType(result).getShape()));
  };
  set(op.getDq(), f.sum(all.ofQueries(), {{inner, "bhgij"}, all.k}, product));
  set(op.getDk(), f.sum(all.ofKeys(), {{inner, "bhgij"}, all.q}, product));
  set(op.getDv(), f.sum(all.ofKeys(), {{p, "bhgij"}, dO}, product));
  if (lowered.needs(op.getDbias())) {
    std::string indices;
    Term bias = all.getBias(indices);
    std::string kept = indices;
    llvm::erase(kept, '0');
    set(op.getDbias(), f.sum(kept, {{ds, "bhgij"}},
                             [](Scalars &, ValueRange x) { return x[0]; }));
    (void)bias;
  }
  if (lowered.needs(op.getDsinks()))
    set(op.getDsinks(),
        f.sum("hg", {{delta, "bhgi"}, lse, all.ofSinks()},
              [](Scalars &s, ValueRange x) {
                Value sees = s.compare(arith::CmpFPredicate::UNE, x[1],
                                       s.number(kMinusInfinity));
                Value share = s.call<math::ExpOp>(s.sub(x[2], x[1]));
                return s.select(sees, s.neg(s.mul(share, x[0])), s.number(0));
              }));
}

//===----------------------------------------------------------------------===//
// Rotary embedding
//===----------------------------------------------------------------------===//

static void lower(RopeOp op, Formula &f, Lowered &lowered) {
  auto type = tensorType(op.getX());
  StringRef indices = op.getLayout() == AttentionLayout::BSHD   ? "bshd"
                      : op.getLayout() == AttentionLayout::BHSD ? "bhsd"
                                                                : "sbhd";
  int64_t sequence = type.getDimSize(indices.find('s')),
          pairs = tensorType(op.getCos()).getDimSize(1),
          rows = tensorType(op.getCos()).getDimSize(0);
  Value y =
      f.map(indices, type.getElementType(), {{op.getX(), indices}},
            [&](Scalars &s, ValueRange x) {
              OpBuilder &b = s.builder;
              Value d = s.at('d'), row = s.at('s');
              auto number = [&](int64_t n) { return s.integer(d, n); };
              auto ult = [&](Value a, int64_t n) {
                return s.compareInts(arith::CmpIPredicate::ult, a, number(n));
              };
              if (rows != sequence) {
                Value first = arith::MulIOp::create(b, s.loc, s.at('b'),
                                                    number(sequence));
                row = arith::AddIOp::create(b, s.loc, first, row);
              }
              // Elements after the pairs may read any angle, and are unchanged.
              Value isTurned = ult(d, 2 * pairs);
              Value at = s.select(isTurned, d, number(0));
              Value pair, isFirst, step;
              if (op.getInterleaved()) {
                pair = arith::DivUIOp::create(b, s.loc, at, number(2));
                isFirst = s.compareInts(
                    arith::CmpIPredicate::eq,
                    arith::RemUIOp::create(b, s.loc, at, number(2)), number(0));
                step = number(1);
              } else {
                pair = arith::RemUIOp::create(b, s.loc, at, number(pairs));
                isFirst = ult(at, pairs);
                step = number(pairs);
              }
              Value other =
                  s.select(isFirst, arith::AddIOp::create(b, s.loc, at, step),
                           arith::SubIOp::create(b, s.loc, at, step));
              SmallVector<Value> position;
              for (char index : indices)
                position.push_back(index == 'd' ? other : s.at(index));
              Value partner = s.extract(op.getX(), position);
              Value cos = s.extract(op.getCos(), {row, pair});
              Value sin = s.extract(op.getSin(), {row, pair});
              // y_a = x_a cos - x_b sin, y_b = x_b cos + x_a sin.
              Value turned = s.mul(partner, sin);
              Value minus = s.sub(s.mul(x[0], cos), turned),
                    plus = s.add(s.mul(x[0], cos), turned);
              if (op.getInverse())
                std::swap(minus, plus);
              return s.select(isTurned, s.select(isFirst, minus, plus), x[0]);
            });
  lowered.set(f, op.getY(), y);
}

bool mlir::te::isPartOfQueries(Operation *op) {
  if (auto attention = dyn_cast<AttentionOp>(op))
    return attention.getQueryAxes() != 0;
  auto grad = dyn_cast<AttentionGradOp>(op);
  return grad && grad.getQueryAxes() != 0;
}

void mlir::te::attachAttentionLowerings(MLIRContext *context) {
  attachLowering<AttentionOp, lower>(context);
  attachLowering<AttentionGradOp, lower>(context);
  attachLowering<RopeOp, lower>(context);
}
