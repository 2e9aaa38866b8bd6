// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared code of optimizers.

#include "OpMethods.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

FailureOr<FloatAttr> mlir::te::parseNumber(AsmParser &parser) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  Attribute number;
  if (parser.parseAttribute(number))
    return failure();
  Builder &builder = parser.getBuilder();
  if (auto real = dyn_cast<FloatAttr>(number))
    return builder.getF64FloatAttr(real.getValueAsDouble());
  if (auto integer = dyn_cast<IntegerAttr>(number);
      integer && !isa<BoolAttr>(number))
    return builder.getF64FloatAttr(integer.getValue().signedRoundToDouble());
  return parser.emitError(loc) << "expected a number, got " << number;
}

void mlir::te::printNumber(AsmPrinter &printer, FloatAttr number) {
  printer.printAttributeWithoutType(number);
}

LogicalResult
mlir::te::verifyNotNegative(llvm::function_ref<InFlightDiagnostic()> emitError,
                            StringRef name, FloatAttr number) {
  double value = number.getValueAsDouble();
  if (value >= 0 && std::isfinite(value))
    return success();
  return emitError() << "expects " << name
                     << " to be finite and not negative, got " << value;
}

LogicalResult
mlir::te::verifyDecayRate(llvm::function_ref<InFlightDiagnostic()> emitError,
                          StringRef name, FloatAttr number) {
  double value = number.getValueAsDouble();
  if (value >= 0 && value < 1)
    return success();
  return emitError() << "expects " << name
                     << " to be at least 0 and less than 1, got " << value;
}

bool DecayPolicy::decays(const OptimizedParameter &param) const {
  if (llvm::is_contained(param.roles, ParameterRole::Norm))
    return norms;
  if (llvm::is_contained(param.roles, ParameterRole::Embedding))
    return embeddings;
  if (llvm::is_contained(param.roles, ParameterRole::Bias))
    return biases;
  // Vectors that no op describes are biases or gains.
  return param.type.getRank() > 1 || biases;
}

DictionaryAttr DecayPolicy::describe(MLIRContext *context) const {
  Builder builder(context);
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("decay_norms", builder.getBoolAttr(norms)),
       builder.getNamedAttr("decay_biases", builder.getBoolAttr(biases)),
       builder.getNamedAttr("decay_embeddings",
                            builder.getBoolAttr(embeddings))});
}

RankedTensorType mlir::te::getStateScaleType(RankedTensorType state) {
  SmallVector<int64_t> shape(state.getShape());
  shape.back() = llvm::divideCeilSigned(shape.back(), kStateBlock);
  return RankedTensorType::get(shape, Float32Type::get(state.getContext()));
}

SmallVector<OptimizerState>
mlir::te::getElementwiseStates(ElementwiseOptimizerAttrInterface optimizer,
                               const OptimizedParameter &param) {
  SmallVector<OptimizerState> states, scales;
  const std::string prefix = (optimizer.getOptimizerName() + ".").str();
  SmallVector<Type> elements = optimizer.getStateElements(param);
  for (auto [i, name] : llvm::enumerate(optimizer.getStateNames())) {
    RankedTensorType type = param.type;
    if (!elements.empty())
      type = cast<RankedTensorType>(type.clone(elements[i]));
    states.push_back({prefix + name.str(), type,
                      FloatAttr::get(type.getElementType(), 0.0)});
    if (type.getElementTypeBitWidth() > 8)
      continue;
    RankedTensorType scale = getStateScaleType(type);
    scales.push_back({prefix + name.str() + "_scale", scale,
                      FloatAttr::get(scale.getElementType(), 0.0)});
  }
  llvm::append_range(states, scales);
  return states;
}

SmallVector<Value>
mlir::te::buildElementwiseUpdate(OpBuilder &builder, Location loc,
                                 ElementwiseOptimizerAttrInterface formula,
                                 const ParameterUpdate &update, bool decay) {
  ValueRange all = update.states;
  ValueRange states = all.take_front(formula.getStateNames().size()),
             scales = all.drop_front(states.size());
  auto op = UpdateOp::create(
      builder, loc, update.param.getType(), states.getTypes(),
      scales.getTypes(), /*rowwise=*/Type(), /*columnwise=*/Type(),
      /*amax=*/Type(), formula, update.gradient, update.coefficient,
      update.scalars, update.step, /*scale=*/Value(), update.param, states,
      scales, decay ? builder.getUnitAttr() : UnitAttr());
  return llvm::to_vector_of<Value>(op->getResults());
}
