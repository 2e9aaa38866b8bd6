// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recipes whose scales are made of amaxes of the same step: one a tensor,
// or one a row.

#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/TE.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::te;

static Value buildCurrentScale(OpBuilder &builder, Location loc, Value tensor,
                               FloatType format, ArrayRef<int64_t> shape,
                               bool transposed) {
  Value amax = AmaxOp::create(
      builder, loc, RankedTensorType::get(shape, builder.getF32Type()), tensor,
      transposed && !shape.empty());
  return ComputeScaleOp::create(builder, loc, amax, TypeAttr::get(format),
                                builder.getI32IntegerAttr(0))
      .getScale();
}

/// The attributes that say what an op computes, without how many operands and
/// results it has.
static SmallVector<NamedAttribute> getFormula(Operation *op) {
  return llvm::filter_to_vector(op->getAttrs(), [](NamedAttribute attr) {
    return !attr.getName().getValue().ends_with("SegmentSizes");
  });
}

/// True if `measuring` has the amax of what `quantizing` computes: the same op
/// of the same operands, but for what it hands out.
static bool computesTheSame(QuantizingOpInterface measuring,
                            QuantizingOpInterface quantizing) {
  Value scale = quantizing.getQuantization().scale;
  SmallVector<Value> operands =
      llvm::filter_to_vector(quantizing->getOperands(),
                             [&](Value operand) { return operand != scale; });
  return measuring->getName() == quantizing->getName() &&
         llvm::equal(measuring->getOperands(), operands) &&
         getFormula(measuring) == getFormula(quantizing);
}

/// True if `amax` is a result of ops that compute what those that quantize
/// `source` with `scale` compute.
static bool isOfRecomputed(Value amax, Value scale, Value source) {
  auto measuring = amax.getDefiningOp<QuantizingOpInterface>();
  if (!measuring || measuring.getQuantization().amax != amax)
    return false;
  return llvm::all_of(scale.getUsers(), [&](Operation *user) {
    auto quantizing = dyn_cast<QuantizingOpInterface>(user);
    return !quantizing || quantizing.getQuantization().source != source ||
           computesTheSame(measuring, quantizing);
  });
}

/// RecipeAttrInterface::checkScale; `shape` is that of the scale.
static std::optional<std::string>
checkCurrentScale(Value scale, Value scaleInv, Value tensor, FloatType format,
                  ArrayRef<int64_t> shape, bool transposed) {
  auto compute = scale.getDefiningOp<ComputeScaleOp>();
  if (!compute || scale != compute.getScale())
    return "expects its scale to be one of te.compute_scale";
  if (cast<RankedTensorType>(scale.getType()).getShape() != shape) {
    std::string wanted;
    llvm::raw_string_ostream(wanted)
        << RankedTensorType::get(shape, Float32Type::get(scale.getContext()));
    return "expects its scale to be of type " + wanted;
  }
  if (compute.getFormat() != format || compute.getMargin() != 0)
    return "expects its scale to be computed for the format that it "
           "quantizes to, without a margin";
  // The tensor may be a rank's shard of what has one scale, and put together
  // once for its amax and again to be quantized.
  Value first = getFirstMaximum(compute.getAmax());
  auto amax = first.getDefiningOp<AmaxOp>();
  auto isTensor = [&](Value value) {
    Operation *a = value.getDefiningOp(), *b = tensor.getDefiningOp();
    return value == tensor ||
           (isa_and_present<tensor::ConcatOp>(a) && b &&
            OperationEquivalence::isEquivalentTo(
                a, b, OperationEquivalence::IgnoreLocations));
  };
  if (amax ? !isTensor(amax.getX()) : !isOfRecomputed(first, scale, tensor))
    return "expects its scale to come from the amax of the tensor that it "
           "quantizes";
  if (!shape.empty() && (!amax || amax.getTransposed() != transposed))
    return std::string("expects its scale to come from amaxes of the ") +
           (transposed ? "transposed tensor, as its copy is columnwise"
                       : "tensor's rows, as its copy is rowwise");
  if (scaleInv && scaleInv != compute.getScaleInv())
    return "expects readers of its copies to have the reciprocal of its scale";
  return std::nullopt;
}

static DictionaryAttr getFormatParameter(MLIRContext *context,
                                         Fp8Format format) {
  Builder builder(context);
  return builder.getDictionaryAttr(builder.getNamedAttr(
      "format", builder.getStringAttr(stringifyFp8Format(format))));
}

static Value getScaleInv(Value scale) {
  return scale.getDefiningOp<ComputeScaleOp>().getScaleInv();
}

//===----------------------------------------------------------------------===//
// One scale a tensor
//===----------------------------------------------------------------------===//

DictionaryAttr CurrentScalingAttr::getParameters() const {
  return getFormatParameter(getContext(), getFormat());
}

Value CurrentScalingAttr::buildScale(OpBuilder &builder, Location loc,
                                     Value tensor, FloatType format,
                                     ArrayRef<int64_t> shape, bool transposed,
                                     ValueRange states, int64_t slot) const {
  return buildCurrentScale(builder, loc, tensor, format, shape, transposed);
}

Value CurrentScalingAttr::buildScaleInv(OpBuilder &builder, Location loc,
                                        Value scale, ValueRange states,
                                        int64_t slot) const {
  return getScaleInv(scale);
}

std::optional<std::string>
CurrentScalingAttr::checkScale(Value scale, Value scaleInv, Value tensor,
                               FloatType format, ArrayRef<int64_t> copy,
                               bool transposed) const {
  return checkCurrentScale(scale, scaleInv, tensor, format, /*shape=*/{},
                           transposed);
}

//===----------------------------------------------------------------------===//
// One scale a row
//===----------------------------------------------------------------------===//

DictionaryAttr RowScalingAttr::getParameters() const {
  return getFormatParameter(getContext(), getFormat());
}

SmallVector<int64_t>
RowScalingAttr::getScaleShape(TensorRole, ArrayRef<int64_t> copy) const {
  return {copy[0], 1};
}

Value RowScalingAttr::buildScale(OpBuilder &builder, Location loc, Value tensor,
                                 FloatType format, ArrayRef<int64_t> shape,
                                 bool transposed, ValueRange, int64_t) const {
  return buildCurrentScale(builder, loc, tensor, format, shape, transposed);
}

Value RowScalingAttr::buildScaleInv(OpBuilder &, Location, Value scale,
                                    ValueRange, int64_t) const {
  return getScaleInv(scale);
}

std::optional<std::string>
RowScalingAttr::checkScale(Value scale, Value scaleInv, Value tensor,
                           FloatType format, ArrayRef<int64_t> copy,
                           bool transposed) const {
  return checkCurrentScale(scale, scaleInv, tensor, format, {copy[0], 1},
                           transposed);
}
