// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FP8 copies and the regions that compute with them, amaxes and scales: region,
// quantize, dequantize, amax, compute_scale, update_scales, record_amaxes.

#include "OpMethods.h"

#include "te/Support/TensorType.h"
#include "tert/types.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cfloat>
#include <cmath>

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult QuantizeOp::verify() {
  if (!getRowwise() && !getColumnwise() && !getAmax())
    return emitOpError()
           << "has no result; ask for rowwise, columnwise or amax";
  if (!isOneScale(getScale())) {
    if (getRowwise() && getColumnwise())
      return emitOpError() << "has the scales of one copy's blocks but makes "
                              "two copies; make the other with scales of its "
                              "own";
    if (Value copy = getRowwise() ? getRowwise() : getColumnwise();
        copy &&
        failed(verifyScale(*this, "its scale", getScale(), tensorShape(copy))))
      return failure();
  }
  ArrayRef<int64_t> shape = tensorShape(getX());
  if (failed(verifyShapes(*this, {{"dbias", getDbias(), {shape[1]}}})))
    return failure();
  return verifyQuantizedResults(*this, shape);
}

LogicalResult DequantizeOp::verify() {
  if (failed(verifyScale(*this, "its scale_inv", getScaleInv(),
                         tensorShape(getX()))))
    return failure();
  return verifyShape(*this, "the result", getY(), tensorShape(getX()));
}

LogicalResult AmaxOp::verify() {
  if (isOneScale(getAmax()))
    return success();
  ArrayRef<int64_t> shape = tensorShape(getX());
  if (shape.size() != 2)
    return emitOpError() << "has amaxes of blocks, but " << getX().getType()
                         << " is no matrix";
  SmallVector<int64_t> matrix(shape);
  if (getTransposed())
    std::swap(matrix[0], matrix[1]);
  ArrayRef<int64_t> amaxes = tensorShape(getAmax());
  if (tert_padded_scale_block(matrix[0], amaxes[0]) != 0 &&
      tert_padded_scale_block(matrix[1], amaxes[1]) != 0)
    return success();
  return verifyScale(*this, "its result", getAmax(), matrix);
}

void ComputeScaleOp::build(OpBuilder &builder, OperationState &state,
                           Value amax, FloatType format, int32_t margin,
                           float epsilon, bool powerOfTwo,
                           FloatType scaleInvType) {
  auto type = cast<RankedTensorType>(amax.getType());
  build(builder, state, type, scaleInvType ? type.clone(scaleInvType) : type,
        amax, TypeAttr::get(format), builder.getI32IntegerAttr(margin),
        builder.getF32FloatAttr(epsilon),
        powerOfTwo ? builder.getUnitAttr() : UnitAttr());
}

LogicalResult ComputeScaleOp::verify() {
  if (!getEpsilon().isFinite() || getEpsilon().isNegative())
    return emitOpError() << "has the epsilon " << getEpsilonAttr()
                         << "; expects a finite number that is not negative";
  if (hasE8M0() &&
      (getMargin() != 0 || !getEpsilon().isZero() || getPowerOfTwo()))
    return emitOpError() << "makes scales in f8E8M0FNU, of the amax alone; "
                            "expects no margin, epsilon or power_of_two";
  return success();
}

bool ComputeScaleOp::hasE8M0() {
  return isa<Float8E8M0FNUType>(getElementTypeOrSelf(getScaleInv()));
}

LogicalResult UpdateScalesOp::verify() {
  int64_t slots = getAmaxes().size();
  if (static_cast<int64_t>(getFormats().size()) != slots)
    return emitOpError() << "has " << slots << " amaxes but "
                         << getFormats().size() << " formats";
  for (Attribute format : getFormats())
    if (!isa<Float8E4M3FNType, Float8E5M2Type>(
            cast<TypeAttr>(format).getValue()))
      return emitOpError() << "has format " << format
                           << "; formats are f8E4M3FN and f8E5M2";
  return verifyShapes(
      *this, {{"scales", getScales(), {slots}},
              {"scale_invs", getScaleInvs(), {slots}},
              {"nonfinite", getNonfinite(), {slots}},
              {"history", getHistory(), {getRecipe().getHistory(), slots}}});
}

LogicalResult RecordAmaxesOp::verify() {
  auto type = cast<RankedTensorType>(getHistory().getType());
  int64_t slots = getAmaxes().size();
  if (type.getRank() != 2 || type.getDimSize(0) < 1)
    return emitOpError() << "expects a history [length, slots], got " << type;
  return verifyShape(*this, "history", getHistory(),
                     {type.getDimSize(0), slots});
}

LogicalResult RegionOp::verify() {
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield)
    return emitOpError() << "expects its body to end in te.yield";
  if (yield.getOperandTypes() != getResultTypes())
    return emitOpError() << "yields values of other types than its results";
  return success();
}

//===----------------------------------------------------------------------===//
// Canonical forms
//===----------------------------------------------------------------------===//

/// Copies, amax and sums that nobody reads are not made.
LogicalResult QuantizeOp::canonicalize(QuantizeOp op,
                                       PatternRewriter &rewriter) {
  SmallVector<Value> results = {op.getRowwise(), op.getColumnwise(),
                                op.getAmax(), op.getDbias()};
  SmallVector<Type> wanted;
  for (Value result : results)
    wanted.push_back(result && !result.use_empty() ? result.getType() : Type());
  // One that makes sums alone would not be a quantization.
  if (!wanted[0] && !wanted[1] && !wanted[2])
    return rewriter.notifyMatchFailure(op, "no copy and no amax is read");
  if (llvm::equal(results, wanted, [](Value result, Type type) {
        return bool(result) == bool(type);
      }))
    return rewriter.notifyMatchFailure(op, "all that it makes is read");
  auto smaller =
      QuantizeOp::create(rewriter, op.getLoc(), wanted[0], wanted[1], wanted[2],
                         wanted[3], op.getX(), op.getScale());
  smaller->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  SmallVector<Value> kept = {smaller.getRowwise(), smaller.getColumnwise(),
                             smaller.getAmax(), smaller.getDbias()};
  for (auto [before, after] : llvm::zip_equal(results, kept))
    if (after)
      rewriter.replaceAllUsesWith(before, after);
  rewriter.eraseOp(op);
  return success();
}

/// A region hands out only what it computes and somebody reads, each value
/// once.
LogicalResult RegionOp::canonicalize(RegionOp op, PatternRewriter &rewriter) {
  auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
  SmallVector<Value> kept, replacements(op.getNumResults());
  SmallVector<unsigned> numbers(op.getNumResults());
  for (auto [number, value] : llvm::enumerate(yield.getOperands())) {
    if (op.getResult(number).use_empty())
      continue;
    if (!op.getBody().isAncestor(value.getParentRegion())) {
      replacements[number] = value;
      continue;
    }
    auto *known = llvm::find(kept, value);
    numbers[number] = known - kept.begin();
    if (known == kept.end())
      kept.push_back(value);
  }
  if (kept.size() == op.getNumResults())
    return rewriter.notifyMatchFailure(op, "hands out what is read");
  auto smaller = RegionOp::create(
      rewriter, op.getLoc(), TypeRange(ValueRange(kept)), op.getPrecision());
  smaller->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.inlineRegionBefore(op.getBody(), smaller.getBody(),
                              smaller.getBody().end());
  rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(kept); });
  for (auto [number, result] : llvm::enumerate(op.getResults()))
    if (!result.use_empty())
      rewriter.replaceAllUsesWith(
          result, replacements[number] ? replacements[number]
                                       : smaller.getResult(numbers[number]));
  rewriter.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// Sums of rows
//===----------------------------------------------------------------------===//

Value QuantizeOp::getSummableMatrix() { return getX(); }

//===----------------------------------------------------------------------===//
// Forms in linalg: quantization
//===----------------------------------------------------------------------===//

/// The largest finite number of a format.
static double getLargest(Type format) {
  APFloat largest =
      APFloat::getLargest(cast<FloatType>(format).getFloatSemantics());
  bool loses;
  largest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return largest.convertToDouble();
}

/// sat(x * scale) in FP8: to nearest even, saturated; NaN is preserved.
static Value saturate(Scalars &s, Value x, Value scale, Type format) {
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

void LinalgForm::setQuantized(QuantizingOpInterface op, Value value) {
  Quantization quantization = op.getQuantization();
  auto copy = [&](Value result, StringRef order) {
    if (!needs(result))
      return;
    Type format = getElementTypeOrSelf(result);
    BlockScale scale(quantization.scale, result);
    SmallVector<Term> terms = {{value, "mn"}};
    scale.addTo(terms);
    Value y = map(order, format, terms, [&](Scalars &s, ValueRange x) {
      return saturate(s, x[0], scale.get(s, x, order[0], order[1]), format);
    });
    set(result, pad(*this, y, tensorType(result)));
  };
  copy(quantization.rowwise, "mn");
  copy(quantization.columnwise, "nm");
  if (needs(quantization.amax))
    set(quantization.amax, lowerAmax(*this, value));
}

void QuantizeOp::buildLinalgForm(LinalgForm &f) {
  f.setQuantized(*this, getX());
  f.setRowSum(getDbias(), getX());
}

void DequantizeOp::buildLinalgForm(LinalgForm &f) {
  BlockScale scale(getScaleInv(), getX());
  SmallVector<Term> terms = {{getX(), "mn"}};
  scale.addTo(terms);
  f.set(getY(), f.map("mn", getElementTypeOrSelf(getY()), terms,
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
    blocks[dim] = tert_padded_scale_block(sizeOf(x, dim), amaxes[dim]);
    padded[dim] = blocks[dim] * amaxes[dim];
  }
  x = pad(f, x, tensorType(x).clone({padded[0], padded[1]}));
  x = f.reshape(x, {amaxes[0], blocks[0], amaxes[1], blocks[1]});
  return f.join(
      Formula::Join::Max, "rc", {{x, "rmcn"}},
      [](Scalars &s, ValueRange x) { return s.call<math::AbsFOp>(x[0]); });
}

void AmaxOp::buildLinalgForm(LinalgForm &f) {
  if (f.needs(getAmax()))
    f.set(getAmax(), isOneScale(getAmax()) ? lowerAmax(f, getX())
                                           : lowerBlockAmaxes(f, *this));
}

//===----------------------------------------------------------------------===//
// Forms in linalg: scales
//===----------------------------------------------------------------------===//

/// numerator / amax, the largest float if that is infinite.
static Value divideByAmax(Scalars &s, Value numerator, Value amax) {
  return s.min(s.div(numerator, amax), s.number(FLT_MAX));
}

/// The mantissa's bits are cleared.
static Value roundDownToPowerOfTwo(Scalars &s, Value x) {
  Type i32 = s.builder.getI32Type();
  Value bits = arith::BitcastOp::create(s.builder, s.loc, i32, x);
  Value mask = arith::ConstantOp::create(
      s.builder, s.loc, s.builder.getI32IntegerAttr(0x7f800000));
  Value exponent = arith::AndIOp::create(s.builder, s.loc, bits, mask);
  return arith::BitcastOp::create(s.builder, s.loc, x.getType(), exponent);
}

/// The scales in E8M0, and their reciprocals.
static void lowerE8M0(LinalgForm &f, ComputeScaleOp op) {
  StringRef all = getAllIndices(op.getAmax());
  const float factor = 1.0f / float(getLargest(op.getFormat()));
  Value inverse =
      f.map(all, f.builder.getF32Type(), {{op.getAmax(), all}},
            [&](Scalars &s, ValueRange x) {
              auto below = [&](Value a, Value b) {
                return s.compare(arith::CmpFPredicate::OLE, a, b);
              };
              Value value = s.mul(x[0], s.number(factor));
              Value down = roundDownToPowerOfTwo(s, value);
              Value up =
                  s.select(below(value, down), down, s.mul(down, s.number(2)));
              // The least of them is no normal number of f32.
              Value least = s.select(below(value, s.number(0x1p-127)),
                                     s.number(0x1p-127), s.number(0x1p-126));
              // Also NaN, whose mantissa was cleared.
              return s.min(s.max(s.max(up, least), value), s.number(0x1p127));
            });
  f.set(op.getScaleInv(),
        f.convert(inverse, getElementTypeOrSelf(op.getScaleInv())));
  f.set(op.getScale(),
        f.map(all, f.builder.getF32Type(), {{inverse, all}},
              [](Scalars &s, ValueRange x) {
                Value isLeast = s.compare(arith::CmpFPredicate::OLE, x[0],
                                          s.number(0x1p-127));
                return s.select(isLeast, s.number(1), s.div(s.number(1), x[0]));
              }));
}

void ComputeScaleOp::buildLinalgForm(LinalgForm &f) {
  if (hasE8M0())
    return lowerE8M0(f, *this);
  double numerator =
      getLargest(getFormat()) * std::ldexp(1.0, -int(getMargin()));
  Type f32 = f.builder.getF32Type();
  StringRef all = getAllIndices(getAmax());
  Value scale =
      f.map(all, f32, {{getAmax(), all}}, [&](Scalars &s, ValueRange x) {
        Value amax = x[0];
        if (!getEpsilon().isZero())
          amax = s.max(amax, s.number(getEpsilon().convertToFloat()));
        Value usable =
            s.both(s.isFinite(amax),
                   s.compare(arith::CmpFPredicate::UNE, amax, s.number(0)));
        Value scale = s.select(
            usable, divideByAmax(s, s.number(numerator), amax), s.number(1));
        return getPowerOfTwo() ? roundDownToPowerOfTwo(s, scale) : scale;
      });
  f.set(getScale(), scale);
  f.set(getScaleInv(),
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

void RecordAmaxesOp::buildLinalgForm(LinalgForm &f) {
  int64_t slots = getAmaxes().size(),
          length = tensorType(getHistory()).getDimSize(0);
  Value staged =
      f.reshape(joinAmaxes(f, getAmaxes(), getHistory()), {1, slots});
  f.set(getNewHistory(),
        length == 1
            ? staged
            : tensor::ConcatOp::create(
                  f.builder, f.loc, 0,
                  ValueRange{staged, f.slice(getHistory(), 0, 1, length - 1)})
                  .getResult());
}

void UpdateScalesOp::buildLinalgForm(LinalgForm &f) {
  Type f32 = f.builder.getF32Type();
  DelayedScalingAttr recipe = getRecipe();
  int64_t slots = getAmaxes().size(),
          length = tensorType(getHistory()).getDimSize(0);
  Value last = joinAmaxes(f, getAmaxes(), getHistory());
  SmallVector<float> numerators;
  for (Attribute format : getFormats())
    numerators.push_back(float(getLargest(cast<TypeAttr>(format).getValue()) *
                               std::ldexp(1.0, -int(recipe.getMargin()))));
  Value numerator = f.constant(RankedTensorType::get({slots}, f32), numerators);
  // Booleans, and the increment for an amax that is not finite.
  Type i1 = f.builder.getI1Type();
  Value enters = f.map("s", i1, {{last, "s"}}, [](Scalars &s, ValueRange x) {
    return s.both(s.isFinite(x[0]),
                  s.compare(arith::CmpFPredicate::UNE, x[0], s.number(0)));
  });
  if (f.needs(getNewNonfinite())) {
    Value next = f.map(
        "s", getElementTypeOrSelf(getNewNonfinite()),
        {{getNonfinite(), "s"}, {last, "s"}}, [](Scalars &s, ValueRange x) {
          Value one = s.integer(x[0], 1), zero = s.integer(x[0], 0);
          Value counted = s.select(s.isFinite(x[1]), zero, one);
          return arith::AddIOp::create(s.builder, s.loc, x[0], counted);
        });
    f.set(getNewNonfinite(), next);
  }
  // Rows move towards row 0, which becomes zero, and the newest is the last.
  Value newest = f.reshape(last, {1, slots});
  Value moved =
      length == 1
          ? newest
          : tensor::ConcatOp::create(
                f.builder, f.loc, 0,
                ValueRange{f.slice(getHistory(), 0, 1, length - 1), newest})
                .getResult();
  f.set(getNewHistory(),
        f.map("rs", f32, {{getHistory(), "rs"}, {moved, "rs"}, {enters, "s"}},
              [](Scalars &s, ValueRange x) {
                Value row = s.at('r');
                Value isWindow = s.compareInts(arith::CmpIPredicate::ugt, row,
                                               s.integer(row, 0));
                return s.select(isWindow, s.select(x[2], x[1], x[0]),
                                s.number(0));
              }));
  Value most = last;
  if (recipe.getAlgo() == AmaxAlgo::Max) {
    // Row 0 is not part of the window.
    Value window = f.join(Formula::Join::Max, "s", {{getHistory(), "rs"}},
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
  Value scales =
      f.map("s", f32,
            {{getScales(), "s"}, {numerator, "s"}, {most, "s"}, {enters, "s"}},
            [](Scalars &s, ValueRange x) {
              return s.select(x[3], divideByAmax(s, x[1], x[2]), x[0]);
            });
  f.set(getNewScales(), scales);
  f.set(getNewScaleInvs(),
        f.map("s", f32, {{getScaleInvs(), "s"}, {scales, "s"}, {enters, "s"}},
              [](Scalars &s, ValueRange x) {
                return s.select(x[2], s.div(s.number(1), x[1]), x[0]);
              }));
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// Whether a quantization before this one reads the matrix for both: one call
/// makes both copies (tert-quantize-blocks).
static bool sharesRead(QuantizeOp op) {
  return llvm::any_of(op.getX().getUsers(), [&](Operation *user) {
    auto other = dyn_cast<QuantizeOp>(user);
    return other && other->getBlock() == op->getBlock() &&
           other->isBeforeInBlock(op) && !isOneScale(other.getScale()) &&
           bool(other.getRowwise()) != bool(op.getRowwise());
  });
}

Work QuantizeOp::getWork() {
  Work work = getMovingWork(*this);
  if (isOneScale(getScale()))
    return work;
  work.kernel = getBlockQuantization(tensorShape(getScale()));
  if (sharesRead(*this)) {
    work.bytes -= getBytes(getX().getType());
    work.addExtra("shared");
  }
  return work;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

// The copies may have any number of their format: an infinity becomes its
// largest, however small the other elements are.

void QuantizeOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange x = ranges.of(getX());
  ranges.keep(getAmax(), x);
  ranges.set(getDbias(), x.sumOf(getRows(getX())));
}

void DequantizeOp::inferRanges(RangeInference &ranges) {
  ranges.set(getY(), ranges.of(getX()) * ranges.of(getScaleInv()));
}

void AmaxOp::inferRanges(RangeInference &ranges) {
  ranges.keep(getAmax(), ranges.of(getX()));
}

void ComputeScaleOp::inferRanges(RangeInference &ranges) {
  // An amax may be 0 or infinite.
  if (hasE8M0()) {
    ranges.set(getScale(), MagnitudeRange{-127, 126});
    ranges.set(getScaleInv(), MagnitudeRange{-127, 127});
    return;
  }
  double log2 =
      MagnitudeRange::ofType(getFormat()).upper - double(int32_t(getMargin()));
  MagnitudeRange one = MagnitudeRange::of(1);
  MagnitudeRange amax = ranges.of(getAmax());
  if (!getEpsilon().isZero())
    amax = amax.join(MagnitudeRange::of(getEpsilon().convertToFloat()));
  MagnitudeRange scale =
      (MagnitudeRange{log2, log2} / amax).inexact().join(one);
  // Down to a power of two is less than by one octave.
  if (getPowerOfTwo())
    scale.lower -= 1;
  ranges.set(getScale(), scale);
  ranges.set(getScaleInv(), one / scale.roundedTo(getScale().getType()));
}

void RecordAmaxesOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange all = ranges.of(getHistory());
  for (Value amax : getAmaxes())
    all = all.join(ranges.of(amax));
  ranges.keep(getNewHistory(), all);
}
