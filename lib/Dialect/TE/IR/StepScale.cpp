// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StepScale.h"

#include "te/Dialect/TE/IR/CollectiveOps.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

LogicalResult
mlir::te::verifyEpsilon(function_ref<InFlightDiagnostic()> emitError,
                        FloatAttr epsilon) {
  const auto value = float(epsilon.getValueAsDouble());
  if (!std::isfinite(value) || value < 0)
    return emitError() << "expects an epsilon that is finite in float32 and "
                          "not negative, got "
                       << epsilon.getValueAsDouble();
  return success();
}

DictionaryAttr StepScale::getParameters(MLIRContext *context) const {
  Builder builder(context);
  auto text = [&](StringRef name, const Twine &value) {
    return builder.getNamedAttr(name, builder.getStringAttr(value));
  };
  std::string number;
  llvm::raw_string_ostream(number) << llvm::format("%g", double(epsilon));
  return builder.getDictionaryAttr(
      {text("format", stringifyFp8Format(format)),
       text("power_of_two", powerOfTwo ? "true" : "false"),
       text("epsilon", number)});
}

Value StepScale::build(OpBuilder &builder, Location loc, Value tensor,
                       FloatType format, ArrayRef<int64_t> shape,
                       bool transposed) const {
  Value amax = AmaxOp::create(
      builder, loc, RankedTensorType::get(shape, builder.getF32Type()), tensor,
      transposed && !shape.empty());
  return ComputeScaleOp::create(builder, loc, amax, format, /*margin=*/0,
                                epsilon, powerOfTwo, scaleInvType)
      .getScale();
}

Value mlir::te::getStepScaleInv(Value scale) {
  return scale.getDefiningOp<ComputeScaleOp>().getScaleInv();
}

/// "tensor<64x1xf32> or tensor<1x1xf32>"
static std::string describeTypes(MLIRContext *context,
                                 ArrayRef<SmallVector<int64_t>> shapes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      shapes, os,
      [&](ArrayRef<int64_t> shape) {
        os << RankedTensorType::get(shape, Float32Type::get(context));
      },
      " or ");
  return text;
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

std::optional<std::string>
StepScale::check(Value scale, Value scaleInv, Value tensor, FloatType format,
                 ArrayRef<SmallVector<int64_t>> shapes, bool transposed) const {
  auto compute = scale.getDefiningOp<ComputeScaleOp>();
  if (!compute || scale != compute.getScale())
    return "expects its scale to be one of te.compute_scale";
  ArrayRef<int64_t> shape = cast<RankedTensorType>(scale.getType()).getShape();
  if (!llvm::is_contained(shapes, shape))
    return "expects its scale to be of type " +
           describeTypes(scale.getContext(), shapes);
  if (compute.getFormat() != format || compute.getMargin() != 0)
    return "expects its scale to be computed for the format that it "
           "quantizes to, without a margin";
  FloatType inverse = scaleInvType;
  if (!inverse)
    inverse = Float32Type::get(compute.getContext());
  if (getElementTypeOrSelf(compute.getScaleInv()) != inverse) {
    std::string text;
    llvm::raw_string_ostream(text) << inverse;
    return "expects the reciprocal of its scale to be " + text +
           ", as the recipe says";
  }
  if (compute.getPowerOfTwo() != powerOfTwo)
    return std::string("expects its scale ") + (powerOfTwo ? "" : "not ") +
           "to be rounded down to a power of two, as the recipe says";
  if (compute.getEpsilon().convertToFloat() != epsilon)
    return "expects its scale to be computed with the recipe's epsilon";
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
