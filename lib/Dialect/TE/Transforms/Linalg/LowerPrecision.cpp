// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantization and scales in linalg and arith.

#include "Linalg/Lowering.h"
#include "te/Support/TensorType.h"
#include "tert/types.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include <cfloat>
#include <cmath>

using namespace mlir;
using namespace mlir::te;

/// The largest finite number of a format.
static double getLargest(Type format) {
  APFloat largest =
      APFloat::getLargest(cast<FloatType>(format).getFloatSemantics());
  bool loses;
  largest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return largest.convertToDouble();
}

Value mlir::te::saturate(Scalars &s, Value x, Value scale, Type format) {
  double largest = getLargest(format);
  return s.min(s.max(s.mul(x, scale), s.number(-largest)), s.number(largest));
}

/// `value` padded with zeros to `type`.
static Value pad(Formula &f, Value value, RankedTensorType type) {
  if (value.getType() == type)
    return value;
  Value zeros = arith::ConstantOp::create(
      f.builder, f.loc,
      DenseElementsAttr::get(type,
                             f.builder.getZeroAttr(type.getElementType())));
  SmallVector<OpFoldResult> offsets(2, f.builder.getIndexAttr(0)), sizes,
      ones(2, f.builder.getIndexAttr(1));
  for (int64_t size : tensorType(value).getShape())
    sizes.push_back(f.builder.getIndexAttr(size));
  return tensor::InsertSliceOp::create(f.builder, f.loc, value, zeros, offsets,
                                       sizes, ones);
}

static Value lowerAmax(Formula &f, Value x) {
  return f.join(
      Formula::Join::Max, "", {{x, getAllIndices(x)}},
      [](Scalars &s, ValueRange x) { return s.call<math::AbsFOp>(x[0]); });
}

BlockScale::BlockScale(Value scale, Value matrix) : scale(scale) {
  block = *getScaleBlock(tensorType(matrix).getShape(),
                         tensorType(scale).getShape());
}

void BlockScale::addTo(SmallVectorImpl<Term> &terms) {
  if (!isOneScale(scale))
    return;
  number = terms.size();
  terms.push_back({scale, ""});
}

Value BlockScale::get(Scalars &s, ValueRange x, char row, char column) const {
  if (number)
    return x[*number];
  auto divide = [&](char index, unsigned dim, int64_t size) -> Value {
    if (sizeOf(scale, dim) == 1)
      return arith::ConstantIndexOp::create(s.builder, s.loc, 0);
    Value divisor = arith::ConstantIndexOp::create(s.builder, s.loc, size);
    return arith::DivUIOp::create(s.builder, s.loc, s.at(index), divisor);
  };
  return s.extract(
      scale, {divide(row, 0, block.rows), divide(column, 1, block.columns)});
}

bool BlockScale::variesInRows() const {
  return !isOneScale(scale) && sizeOf(scale, 1) != 1;
}

void mlir::te::lowerQuantization(Formula &f, QuantizingOpInterface op,
                                 Value value, Lowered &lowered) {
  Quantization quantization = op.getQuantization();
  if (!quantization.scale)
    return;
  auto copy = [&](Value result, StringRef order) {
    if (!lowered.needs(result))
      return;
    Type format = getElementTypeOrSelf(result);
    BlockScale scale(quantization.scale, result);
    SmallVector<Term> terms = {{value, "mn"}};
    scale.addTo(terms);
    Value y = f.map(order, format, terms, [&](Scalars &s, ValueRange x) {
      return saturate(s, x[0], scale.get(s, x, order[0], order[1]), format);
    });
    lowered.set(f, result, pad(f, y, tensorType(result)));
  };
  copy(quantization.rowwise, "mn");
  copy(quantization.columnwise, "nm");
  if (lowered.needs(quantization.amax))
    lowered.set(f, quantization.amax, lowerAmax(f, value));
}

static void lower(QuantizeOp op, Formula &f, Lowered &lowered) {
  lowerQuantization(f, op, op.getX(), lowered);
  lowerRowSum(f, op.getDbias(), op.getX(), lowered);
}

static void lower(DequantizeOp op, Formula &f, Lowered &lowered) {
  BlockScale scale(op.getScaleInv(), op.getX());
  SmallVector<Term> terms = {{op.getX(), "mn"}};
  scale.addTo(terms);
  lowered.set(f, op.getY(),
              f.map("mn", getElementTypeOrSelf(op.getY()), terms,
                    [&](Scalars &s, ValueRange x) {
                      return s.mul(x[0], scale.get(s, x, 'm', 'n'));
                    }));
}

/// The amaxes of blocks: x, transposed if they are of xᵀ, is padded with zeros
/// to full blocks, which become two dimensions of four.
static Value lowerBlockAmaxes(Formula &f, AmaxOp op) {
  Value x = op.getX();
  if (op.getTransposed())
    x = f.map("nm", getElementTypeOrSelf(x), {{x, "mn"}},
              [](Scalars &, ValueRange x) { return x[0]; });
  ArrayRef<int64_t> amaxes = op.getAmax().getType().getShape();
  int64_t blocks[2], padded[2];
  for (unsigned dim : {0, 1}) {
    int64_t size = sizeOf(x, dim);
    blocks[dim] = tert_scale_block(size, amaxes[dim]);
    // Some blocks may be padding altogether.
    if (blocks[dim] == 0)
      blocks[dim] =
          tert_scale_block(llvm::alignTo(size, kFp8Alignment), amaxes[dim]);
    padded[dim] = blocks[dim] * amaxes[dim];
  }
  x = pad(f, x, tensorType(x).clone({padded[0], padded[1]}));
  x = f.reshape(x, {amaxes[0], blocks[0], amaxes[1], blocks[1]});
  return f.join(
      Formula::Join::Max, "rc", {{x, "rmcn"}},
      [](Scalars &s, ValueRange x) { return s.call<math::AbsFOp>(x[0]); });
}

static void lower(AmaxOp op, Formula &f, Lowered &lowered) {
  if (lowered.needs(op.getAmax()))
    lowered.set(f, op.getAmax(),
                isOneScale(op.getAmax()) ? lowerAmax(f, op.getX())
                                         : lowerBlockAmaxes(f, op));
}

/// numerator / amax, the largest float if that is infinite.
static Value divideByAmax(Scalars &s, Value numerator, Value amax) {
  return s.min(s.div(numerator, amax), s.number(FLT_MAX));
}

static void lower(ComputeScaleOp op, Formula &f, Lowered &lowered) {
  double numerator =
      getLargest(op.getFormat()) * std::ldexp(1.0, -int(op.getMargin()));
  Type f32 = f.builder.getF32Type();
  StringRef all = getAllIndices(op.getAmax());
  Value scale =
      f.map(all, f32, {{op.getAmax(), all}}, [&](Scalars &s, ValueRange x) {
        Value usable =
            s.both(s.isFinite(x[0]),
                   s.compare(arith::CmpFPredicate::UNE, x[0], s.number(0)));
        return s.select(usable, divideByAmax(s, s.number(numerator), x[0]),
                        s.number(1));
      });
  lowered.set(f, op.getScale(), scale);
  lowered.set(f, op.getScaleInv(),
              f.map(all, f32, {{scale, all}}, [](Scalars &s, ValueRange x) {
                return s.div(s.number(1), x[0]);
              }));
}

/// The amaxes of all slots, combined with those staged in row 0 of the history:
/// the larger of the two, NaN if one is.
static Value joinAmaxes(Formula &f, ValueRange amaxes, Value history) {
  int64_t slots = amaxes.size();
  SmallVector<Value> singles;
  for (Value amax : amaxes)
    singles.push_back(f.reshape(amax, {1}));
  Value now =
      slots == 1
          ? singles.front()
          : tensor::ConcatOp::create(f.builder, f.loc, 0, singles).getResult();
  Value staged = f.reshape(f.slice(history, 0, 0, 1), {slots});
  return f.map("s", f.builder.getF32Type(), {{now, "s"}, {staged, "s"}},
               [](Scalars &s, ValueRange x) { return s.max(x[0], x[1]); });
}

static void lower(RecordAmaxesOp op, Formula &f, Lowered &lowered) {
  int64_t slots = op.getAmaxes().size(),
          length = tensorType(op.getHistory()).getDimSize(0);
  Value staged =
      f.reshape(joinAmaxes(f, op.getAmaxes(), op.getHistory()), {1, slots});
  lowered.set(f, op.getNewHistory(),
              length == 1 ? staged
                          : tensor::ConcatOp::create(
                                f.builder, f.loc, 0,
                                ValueRange{staged, f.slice(op.getHistory(), 0,
                                                           1, length - 1)})
                                .getResult());
}

static void lower(UpdateScalesOp op, Formula &f, Lowered &lowered) {
  Type f32 = f.builder.getF32Type();
  DelayedScalingAttr recipe = op.getRecipe();
  int64_t slots = op.getAmaxes().size(),
          length = tensorType(op.getHistory()).getDimSize(0);
  Value last = joinAmaxes(f, op.getAmaxes(), op.getHistory());
  SmallVector<float> numerators;
  for (Attribute format : op.getFormats())
    numerators.push_back(float(getLargest(cast<TypeAttr>(format).getValue()) *
                               std::ldexp(1.0, -int(recipe.getMargin()))));
  Value numerator = f.constant(RankedTensorType::get({slots}, f32), numerators);
  // Booleans, and the increment for an amax that is not finite.
  Type i1 = f.builder.getI1Type();
  Value enters = f.map("s", i1, {{last, "s"}}, [](Scalars &s, ValueRange x) {
    return s.both(s.isFinite(x[0]),
                  s.compare(arith::CmpFPredicate::UNE, x[0], s.number(0)));
  });
  if (lowered.needs(op.getNewNonfinite())) {
    Value next = f.map(
        "s", getElementTypeOrSelf(op.getNewNonfinite()),
        {{op.getNonfinite(), "s"}, {last, "s"}}, [](Scalars &s, ValueRange x) {
          Value one = s.integer(x[0], 1), zero = s.integer(x[0], 0);
          Value counted = s.select(s.isFinite(x[1]), zero, one);
          return arith::AddIOp::create(s.builder, s.loc, x[0], counted);
        });
    lowered.set(f, op.getNewNonfinite(), next);
  }
  // Rows move towards row 0, which becomes zero, and the newest is the last.
  Value newest = f.reshape(last, {1, slots});
  Value moved =
      length == 1
          ? newest
          : tensor::ConcatOp::create(
                f.builder, f.loc, 0,
                ValueRange{f.slice(op.getHistory(), 0, 1, length - 1), newest})
                .getResult();
  lowered.set(f, op.getNewHistory(),
              f.map("rs", f32,
                    {{op.getHistory(), "rs"}, {moved, "rs"}, {enters, "s"}},
                    [](Scalars &s, ValueRange x) {
                      Value row = s.at('r');
                      Value isWindow = s.compareInts(arith::CmpIPredicate::ugt,
                                                     row, s.integer(row, 0));
                      return s.select(isWindow, s.select(x[2], x[1], x[0]),
                                      s.number(0));
                    }));
  Value most = last;
  if (recipe.getAlgo() == AmaxAlgo::Max) {
    // Row 0 is not part of the window.
    Value window = f.join(Formula::Join::Max, "s", {{op.getHistory(), "rs"}},
                          [](Scalars &s, ValueRange x) {
                            Value row = s.at('r');
                            Value isWindow =
                                s.compareInts(arith::CmpIPredicate::ugt, row,
                                              s.integer(row, 0));
                            return s.select(isWindow, x[0], s.number(0));
                          });
    most = f.map("s", f32, {{window, "s"}, {last, "s"}},
                 [](Scalars &s, ValueRange x) { return s.max(x[0], x[1]); });
  }
  Value scales = f.map(
      "s", f32,
      {{op.getScales(), "s"}, {numerator, "s"}, {most, "s"}, {enters, "s"}},
      [](Scalars &s, ValueRange x) {
        return s.select(x[3], divideByAmax(s, x[1], x[2]), x[0]);
      });
  lowered.set(f, op.getNewScales(), scales);
  lowered.set(f, op.getNewScaleInvs(),
              f.map("s", f32,
                    {{op.getScaleInvs(), "s"}, {scales, "s"}, {enters, "s"}},
                    [](Scalars &s, ValueRange x) {
                      return s.select(x[2], s.div(s.number(1), x[1]), x[0]);
                    }));
}

void mlir::te::attachPrecisionLowerings(MLIRContext *context) {
  attachLowering<QuantizeOp, lower>(context);
  attachLowering<DequantizeOp, lower>(context);
  attachLowering<AmaxOp, lower>(context);
  attachLowering<ComputeScaleOp, lower>(context);
  attachLowering<RecordAmaxesOp, lower>(context);
  attachLowering<UpdateScalesOp, lower>(context);
}
