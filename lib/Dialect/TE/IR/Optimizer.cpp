// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What optimizers share, and what parameters are to the ops that read them.

#include "te/Dialect/TE/IR/TE.h"

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

bool DecayPolicy::decays(ArrayRef<ParameterRole> roles,
                         RankedTensorType type) const {
  if (llvm::is_contained(roles, ParameterRole::Norm))
    return norms;
  if (llvm::is_contained(roles, ParameterRole::Embedding))
    return embeddings;
  if (llvm::is_contained(roles, ParameterRole::Bias))
    return biases;
  // Of what no op says anything about, vectors are biases or gains.
  return type.getRank() > 1 || biases;
}

DictionaryAttr DecayPolicy::describe(MLIRContext *context) const {
  Builder builder(context);
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("decay_norms", builder.getBoolAttr(norms)),
       builder.getNamedAttr("decay_biases", builder.getBoolAttr(biases)),
       builder.getNamedAttr("decay_embeddings",
                            builder.getBoolAttr(embeddings))});
}

//===----------------------------------------------------------------------===//
// ParameterReaderOpInterface
//===----------------------------------------------------------------------===//

std::optional<ParameterRole> MatmulOp::getParameterRole(unsigned operand) {
  if (getBias() && operand == getBiasMutable().begin()->getOperandNumber())
    return ParameterRole::Bias;
  if (operand < 2)
    return ParameterRole::Weight;
  return std::nullopt;
}

std::optional<ParameterRole> LayerNormOp::getParameterRole(unsigned operand) {
  if (operand == 0)
    return std::nullopt;
  return ParameterRole::Norm;
}

std::optional<ParameterRole> EmbeddingOp::getParameterRole(unsigned operand) {
  if (operand == getTableMutable().getOperandNumber())
    return ParameterRole::Embedding;
  return std::nullopt;
}

// A parameter that is added as a whole is a table of positions; one row that is
// added to many is a bias.
std::optional<ParameterRole> AddOp::getParameterRole(unsigned operand) {
  if (operand == 1 && getB().getType().getDimSize(0) == 1 &&
      getA().getType().getDimSize(0) > 1)
    return ParameterRole::Bias;
  return ParameterRole::Embedding;
}
