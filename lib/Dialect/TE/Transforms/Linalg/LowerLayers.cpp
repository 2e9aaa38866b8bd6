// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products, norms, activations and lookups in linalg, with their gradients.

#include "Linalg/Lowering.h"

#include "te/Dialect/TE/IR/LlamaOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

void mlir::te::lowerRowSum(Formula &f, Value result, Value matrix,
                           Lowered &lowered) {
  if (lowered.needs(result))
    lowered.set(f, result,
                f.sum("n", {{matrix, "mn"}},
                      [](Scalars &, ValueRange x) { return x[0]; }));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// sum + bias + addend, rounded once.
static Value finishProduct(Formula &f, Value sum, Value bias, Value addend,
                           Type element) {
  SmallVector<Term, 3> terms{{sum, "mn"}};
  if (bias)
    terms.push_back({bias, "n"});
  if (addend)
    terms.push_back({addend, "mn"});
  return f.map("mn", element, terms, [](Scalars &s, ValueRange x) {
    Value y = x[0];
    for (Value other : x.drop_front())
      y = s.add(y, other);
    return y;
  });
}

static void lower(MatmulOp op, Formula &f, Lowered &lowered) {
  Value sum = f.sum("mn",
                    {{op.getA(), op.getTransposeA() ? "km" : "mk"},
                     {op.getB(), op.getTransposeB() ? "nk" : "kn"}},
                    product);
  lowered.set(f, op.getD(),
              finishProduct(f, sum, op.getBias(), op.getAddend(),
                            getElementTypeOrSelf(op.getD())));
}

static void lower(ScaledMatmulOp op, Formula &f, Lowered &lowered) {
  BlockScale aScale(op.getAScaleInv(), op.getA()),
      bScale(op.getBScaleInv(), op.getB());
  SmallVector<Term> terms;
  Value scaled;
  if (aScale.variesInRows() || bScale.variesInRows()) {
    terms = {{op.getA(), "mk"}, {op.getB(), "nk"}};
    aScale.addTo(terms);
    bScale.addTo(terms);
    scaled = f.sum("mn", terms, [&](Scalars &s, ValueRange x) {
      return s.mul(s.mul(x[0], aScale.get(s, x, 'm', 'k')),
                   s.mul(x[1], bScale.get(s, x, 'n', 'k')));
    });
  } else {
    Value sum = f.sum("mn", {{op.getA(), "mk"}, {op.getB(), "nk"}}, product);
    terms = {{sum, "mn"}};
    aScale.addTo(terms);
    bScale.addTo(terms);
    // A row has one scale, whatever the column.
    scaled = f.map("mn", f.builder.getF32Type(), terms,
                   [&](Scalars &s, ValueRange x) {
                     return s.mul(x[0], s.mul(aScale.get(s, x, 'm', 'm'),
                                              bScale.get(s, x, 'n', 'n')));
                   });
  }
  lowered.set(f, op.getD(),
              finishProduct(f, scaled, op.getBias(), op.getAddend(),
                            getElementTypeOrSelf(op.getD())));
}

static void lower(AddOp op, Formula &f, Lowered &lowered) {
  int64_t rows = sizeOf(op.getB(), 0);
  Value a = f.splitDim(op.getA(), 0, rows);
  Value y = f.map("rmn", getElementTypeOrSelf(op.getY()),
                  {{a, "rmn"}, {op.getB(), "mn"}},
                  [](Scalars &s, ValueRange x) { return s.add(x[0], x[1]); });
  lowered.set(f, op.getY(), f.reshape(y, op.getY().getType().getShape()));
}

static void lower(ColumnSumOp op, Formula &f, Lowered &lowered) {
  lowerRowSum(f, op.getY(), op.getX(), lowered);
}

static void lower(SplitOp op, Formula &f, Lowered &lowered) {
  int64_t first = 0, axis = op.getAxis();
  for (Value piece : op.getPieces()) {
    int64_t count = sizeOf(piece, axis);
    if (lowered.needs(piece))
      lowered.set(f, piece, f.slice(op.getX(), axis, first, count));
    first += count;
  }
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

static Value sigmoid(Scalars &s, Value x) {
  return s.div(s.number(1), s.add(s.number(1), s.call<math::ExpOp>(s.neg(x))));
}

static Value positive(Scalars &s, Value x) {
  // NaN is preserved.
  return s.compare(arith::CmpFPredicate::UGT, x, s.number(0));
}

/// tanh(sqrt(2/pi) (x + 0.044715 x³))
static Value tanhOfCubic(Scalars &s, Value x) {
  Value cubic = s.mul(s.number(0.044715), s.mul(x, s.mul(x, x)));
  return s.call<math::TanhOp>(
      s.mul(s.number(std::sqrt(2 / M_PI)), s.add(x, cubic)));
}

/// (1 + erf(x / sqrt(2))) / 2
static Value normalCdf(Scalars &s, Value x) {
  Value erf = s.call<math::ErfOp>(s.mul(x, s.number(std::sqrt(0.5))));
  return s.mul(s.number(0.5), s.add(s.number(1), erf));
}

Value mlir::te::activate(Scalars &s, ActivationKind kind, Value x) {
  switch (kind) {
  case ActivationKind::GeluErf:
    return s.mul(x, normalCdf(s, x));
  case ActivationKind::GeluTanh:
    return s.mul(s.mul(s.number(0.5), x),
                 s.add(s.number(1), tanhOfCubic(s, x)));
  case ActivationKind::QuickGelu:
    return s.mul(x, sigmoid(s, s.mul(s.number(1.702), x)));
  case ActivationKind::Relu:
    return s.select(positive(s, x), x, s.number(0));
  case ActivationKind::SquaredRelu:
    return s.select(positive(s, x), s.mul(x, x), s.number(0));
  case ActivationKind::Silu:
    return s.mul(x, sigmoid(s, x));
  case ActivationKind::Sigmoid:
    return sigmoid(s, x);
  case ActivationKind::Tanh:
    return s.call<math::TanhOp>(x);
  }
  llvm_unreachable("unknown activation");
}

Value mlir::te::activateDerivative(Scalars &s, ActivationKind kind, Value x) {
  auto complement = [&](Value a) { return s.sub(s.number(1), a); };
  switch (kind) {
  case ActivationKind::GeluErf: {
    Value density =
        s.mul(s.number(1 / std::sqrt(2 * M_PI)),
              s.call<math::ExpOp>(s.mul(s.number(-0.5), s.mul(x, x))));
    return s.add(normalCdf(s, x), s.mul(x, density));
  }
  case ActivationKind::GeluTanh: {
    Value t = tanhOfCubic(s, x);
    Value inner =
        s.mul(s.number(std::sqrt(2 / M_PI)),
              s.add(s.number(1), s.mul(s.number(3 * 0.044715), s.mul(x, x))));
    Value slope = s.mul(complement(s.mul(t, t)), inner);
    return s.mul(s.number(0.5), s.add(s.add(s.number(1), t), s.mul(x, slope)));
  }
  case ActivationKind::QuickGelu: {
    Value p = sigmoid(s, s.mul(s.number(1.702), x));
    Value slope = s.mul(s.mul(p, complement(p)), s.number(1.702));
    return s.add(p, s.mul(x, slope));
  }
  case ActivationKind::Relu:
    return s.select(positive(s, x), s.number(1), s.number(0));
  case ActivationKind::SquaredRelu:
    return s.select(positive(s, x), s.mul(s.number(2), x), s.number(0));
  case ActivationKind::Silu: {
    Value p = sigmoid(s, x);
    return s.add(p, s.mul(x, s.mul(p, complement(p))));
  }
  case ActivationKind::Sigmoid: {
    Value p = sigmoid(s, x);
    return s.mul(p, complement(p));
  }
  case ActivationKind::Tanh: {
    Value t = s.call<math::TanhOp>(x);
    return complement(s.mul(t, t));
  }
  }
  llvm_unreachable("unknown activation");
}

static void lower(ActivationOp op, Formula &f, Lowered &lowered) {
  Value y = f.map("mn", f.builder.getF32Type(), {{op.getX(), "mn"}},
                  [&](Scalars &s, ValueRange x) {
                    return activate(s, op.getKind(), x[0]);
                  });
  lowered.set(f, op.getY(), y);
  lowerQuantization(f, op, y, lowered);
}

static void lower(ActivationGradOp op, Formula &f, Lowered &lowered) {
  Value dx = f.map(
      "mn", f.builder.getF32Type(), {{op.getDy(), "mn"}, {op.getX(), "mn"}},
      [&](Scalars &s, ValueRange x) {
        return s.mul(x[0], activateDerivative(s, op.getKind(), x[1]));
      });
  lowered.set(f, op.getDx(), dx);
  lowerRowSum(f, op.getDbias(), dx, lowered);
  lowerQuantization(f, op, dx, lowered);
}

/// Gate and up of a joined x, or the operands.
template <typename Op>
static std::pair<Value, Value> getGateAndUp(Op op, Formula &f) {
  if (op.getUp())
    return {op.getX(), op.getUp()};
  int64_t width = sizeOf(op.getX(), 1) / 2;
  Value first = f.slice(op.getX(), 1, 0, width),
        last = f.slice(op.getX(), 1, width, width);
  return op.getUpFirst() ? std::pair(last, first) : std::pair(first, last);
}

static void lower(GatedActivationOp op, Formula &f, Lowered &lowered) {
  auto [gate, up] = getGateAndUp(op, f);
  Value y = f.map("mn", f.builder.getF32Type(), {{gate, "mn"}, {up, "mn"}},
                  [&](Scalars &s, ValueRange x) {
                    return s.mul(activate(s, op.getKind(), x[0]), x[1]);
                  });
  lowered.set(f, op.getY(), y);
  lowerQuantization(f, op, y, lowered);
}

static void lower(GatedActivationGradOp op, Formula &f, Lowered &lowered) {
  auto [gate, up] = getGateAndUp(op, f);
  Type f32 = f.builder.getF32Type();
  Value dgate = f.map("mn", f32, {{op.getDy(), "mn"}, {gate, "mn"}, {up, "mn"}},
                      [&](Scalars &s, ValueRange x) {
                        return s.mul(s.mul(x[0], x[2]),
                                     activateDerivative(s, op.getKind(), x[1]));
                      });
  Value dup = f.map("mn", f32, {{op.getDy(), "mn"}, {gate, "mn"}},
                    [&](Scalars &s, ValueRange x) {
                      return s.mul(x[0], activate(s, op.getKind(), x[1]));
                    });
  Value dx = dgate;
  if (!op.getUp()) {
    Value first = op.getUpFirst() ? dup : dgate;
    Value last = op.getUpFirst() ? dgate : dup;
    dx = tensor::ConcatOp::create(f.builder, f.loc, 1, ValueRange{first, last});
  }
  lowered.set(f, op.getDx(), dx);
  lowered.set(f, op.getDup(), dup);
  lowerRowSum(f, op.getDbias(), dx, lowered);
  lowerQuantization(f, op, dx, lowered);
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

Value mlir::te::getFactor(Scalars &s, Value gamma, bool zeroCentered) {
  return zeroCentered ? s.add(s.number(1), gamma) : gamma;
}

/// The mean over the last dimension of `body` of the terms.
static Value meanOfRows(Formula &f, int64_t n, ArrayRef<Term> terms,
                        Formula::Body body) {
  Value sum = f.sum("m", terms, body);
  return f.map("m", f.builder.getF32Type(), {{sum, "m"}},
               [&](Scalars &s, ValueRange x) {
                 return s.div(x[0], s.number(double(n)));
               });
}

/// 1 / sqrt(variance + eps)
static Value reciprocalRoot(Formula &f, Value variance, const APFloat &eps) {
  return f.map("m", f.builder.getF32Type(), {{variance, "m"}},
               [&](Scalars &s, ValueRange x) {
                 Value sum = s.add(x[0], s.number(eps.convertToDouble()));
                 return s.div(s.number(1), s.call<math::SqrtOp>(sum));
               });
}

static void lower(LayerNormOp op, Formula &f, Lowered &lowered) {
  int64_t n = sizeOf(op.getX(), 1);
  bool centered = op.getZeroCentered();
  Value mean = meanOfRows(f, n, {{op.getX(), "mn"}},
                          [](Scalars &, ValueRange x) { return x[0]; });
  Value variance = meanOfRows(f, n, {{op.getX(), "mn"}, {mean, "m"}},
                              [](Scalars &s, ValueRange x) {
                                Value difference = s.sub(x[0], x[1]);
                                return s.mul(difference, difference);
                              });
  Value rstd = reciprocalRoot(f, variance, op.getEps());
  Value y =
      f.map("mn", f.builder.getF32Type(),
            {{op.getX(), "mn"},
             {mean, "m"},
             {rstd, "m"},
             {op.getGamma(), "n"},
             {op.getBeta(), "n"}},
            [&](Scalars &s, ValueRange x) {
              Value normal = s.mul(s.sub(x[0], x[1]), x[2]);
              return s.add(s.mul(normal, getFactor(s, x[3], centered)), x[4]);
            });
  lowered.set(f, op.getMean(), mean);
  lowered.set(f, op.getRstd(), rstd);
  lowered.set(f, op.getY(), y);
  lowerQuantization(f, op, y, lowered);
}

static void lower(RMSNormOp op, Formula &f, Lowered &lowered) {
  bool centered = op.getZeroCentered();
  Value square =
      meanOfRows(f, sizeOf(op.getX(), 1), {{op.getX(), "mn"}},
                 [](Scalars &s, ValueRange x) { return s.mul(x[0], x[0]); });
  Value rstd = reciprocalRoot(f, square, op.getEps());
  Value y =
      f.map("mn", f.builder.getF32Type(),
            {{op.getX(), "mn"}, {rstd, "m"}, {op.getGamma(), "n"}},
            [&](Scalars &s, ValueRange x) {
              return s.mul(s.mul(x[0], x[1]), getFactor(s, x[2], centered));
            });
  lowered.set(f, op.getRstd(), rstd);
  lowered.set(f, op.getY(), y);
  lowerQuantization(f, op, y, lowered);
}

/// dx of a norm with normalized rows `normal`, and dgamma. `centers`: the mean
/// was subtracted.
template <typename Op>
static void lowerNormGrad(Op op, Formula &f, Lowered &lowered, Value normal,
                          bool centers) {
  Type f32 = f.builder.getF32Type();
  int64_t n = sizeOf(op.getX(), 1);
  bool zeroCentered = op.getZeroCentered();
  Value c = f.map("mn", f32, {{op.getDy(), "mn"}, {op.getGamma(), "n"}},
                  [&](Scalars &s, ValueRange x) {
                    return s.mul(x[0], getFactor(s, x[1], zeroCentered));
                  });
  Value along = meanOfRows(f, n, {{c, "mn"}, {normal, "mn"}}, product);
  SmallVector<Term> terms{
      {op.getRstd(), "m"}, {c, "mn"}, {normal, "mn"}, {along, "m"}};
  if (centers)
    terms.push_back({meanOfRows(f, n, {{c, "mn"}},
                                [](Scalars &, ValueRange x) { return x[0]; }),
                     "m"});
  if (op.getResidual())
    terms.push_back({op.getResidual(), "mn"});
  Value dx = f.map("mn", f32, terms, [&](Scalars &s, ValueRange x) {
    Value inner = x[1];
    if (centers)
      inner = s.sub(inner, x[4]);
    inner = s.sub(inner, s.mul(x[2], x[3]));
    Value y = s.mul(x[0], inner);
    return op.getResidual() ? s.add(y, x.back()) : y;
  });
  if (lowered.needs(op.getDgamma()))
    lowered.set(f, op.getDgamma(),
                f.sum("n", {{op.getDy(), "mn"}, {normal, "mn"}}, product));
  lowered.set(f, op.getDx(), dx);
  lowerQuantization(f, op, dx, lowered);
  if constexpr (std::is_same_v<Op, LayerNormGradOp>)
    lowerRowSum(f, op.getDbias(), dx, lowered);
}

static void lower(LayerNormGradOp op, Formula &f, Lowered &lowered) {
  Value normal = f.map(
      "mn", f.builder.getF32Type(),
      {{op.getX(), "mn"}, {op.getMean(), "m"}, {op.getRstd(), "m"}},
      [](Scalars &s, ValueRange x) { return s.mul(s.sub(x[0], x[1]), x[2]); });
  lowerRowSum(f, op.getDbeta(), op.getDy(), lowered);
  lowerNormGrad(op, f, lowered, normal, /*centers=*/true);
}

static void lower(RMSNormGradOp op, Formula &f, Lowered &lowered) {
  Value normal = f.map("mn", f.builder.getF32Type(),
                       {{op.getX(), "mn"}, {op.getRstd(), "m"}}, product);
  lowerNormGrad(op, f, lowered, normal, /*centers=*/false);
}

//===----------------------------------------------------------------------===//
// Lookups
//===----------------------------------------------------------------------===//

static void lower(EmbeddingOp op, Formula &f, Lowered &lowered) {
  f.setSize('n', sizeOf(op.getTable(), 1));
  lowered.set(f, op.getY(),
              f.map("in", getElementTypeOrSelf(op.getY()), {{op.getIds(), "i"}},
                    [&](Scalars &s, ValueRange x) {
                      return s.extract(op.getTable(),
                                       {s.toIndex(x[0]), s.at('n')});
                    }));
}

static void lower(EmbeddingGradOp op, Formula &f, Lowered &lowered) {
  f.setSize('v', sizeOf(op.getDtable(), 0));
  Value sum = f.sum("vn", {{op.getIds(), "i"}, {op.getDy(), "in"}},
                    [](Scalars &s, ValueRange x) {
                      Value isHere = s.compareInts(arith::CmpIPredicate::eq,
                                                   s.toIndex(x[0]), s.at('v'));
                      return s.select(isHere, x[1], s.number(0));
                    });
  lowered.set(f, op.getDtable(), sum);
}

void mlir::te::attachLayerLowerings(MLIRContext *context) {
  attachLowering<MatmulOp, lower>(context);
  attachLowering<ScaledMatmulOp, lower>(context);
  attachLowering<AddOp, lower>(context);
  attachLowering<ColumnSumOp, lower>(context);
  attachLowering<SplitOp, lower>(context);
  attachLowering<ActivationOp, lower>(context);
  attachLowering<ActivationGradOp, lower>(context);
  attachLowering<GatedActivationOp, lower>(context);
  attachLowering<GatedActivationGradOp, lower>(context);
  attachLowering<LayerNormOp, lower>(context);
  attachLowering<LayerNormGradOp, lower>(context);
  attachLowering<RMSNormOp, lower>(context);
  attachLowering<RMSNormGradOp, lower>(context);
  attachLowering<EmbeddingOp, lower>(context);
  attachLowering<EmbeddingGradOp, lower>(context);
}
