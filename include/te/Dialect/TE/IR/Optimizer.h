// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments and results of OptimizerAttrInterface.

#ifndef TE_DIALECT_TE_IR_OPTIMIZER_H
#define TE_DIALECT_TE_IR_OPTIMIZER_H

#include "te/Support/ScalarBuilder.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

#include <string>

namespace mlir::te {

/// What a parameter is to an op that reads it (ParameterReaderOpInterface).
enum class ParameterRole {
  Weight,   ///< the matrix of a linear layer
  Head,     ///< such a weight whose layer makes logits or the model's output
  Bias,     ///< added to a layer's result
  Norm,     ///< scale or shift of a normalization
  Embedding ///< a table whose rows are looked up or added, or positions
};

/// A scalar argument of the training step, such as the learning rate.
struct OptimizerScalar {
  std::string name;
  double defaultValue;
};

/// A tensor that an optimizer keeps for one parameter.
struct OptimizerState {
  std::string name; ///< without the parameter's name: "adamw.exp_avg"
  RankedTensorType type;
  TypedAttr init; ///< every element's first value
};

/// A parameter, as optimizers tell parameters apart.
struct OptimizedParameter {
  RankedTensorType type;
  SmallVector<ParameterRole> roles; ///< to the ops that read it
  /// The te.shard of a part that a rank holds, of which `type` is; null of a
  /// whole tensor.
  Attribute shard;
};

/// One parameter in one step.
struct ParameterUpdate : OptimizedParameter {
  Value param;
  Value gradient;             ///< f32 or bf16, of the parameter's shape
  SmallVector<Value> states;  ///< in the order of getStates
  SmallVector<Value> scalars; ///< in the order of getScalars
  /// Factor of the gradient, tensor<f32>. NaN: parameter and states stay as
  /// they are.
  Value coefficient;
  Value step; ///< tensor<i64>, counts from 1
};

/// One element of a parameter in one step; all values are f32.
struct ElementUpdate {
  Value gradient; ///< times the coefficient
  Value param;
  SmallVector<Value> states;
  SmallVector<Value> factors; ///< of buildFactors
  bool decay;                 ///< whether weight decay applies
};

/// Kinds of parameters that weight decay applies to besides weights.
struct DecayPolicy {
  bool norms;      ///< scales and shifts of normalizations
  bool biases;     ///< other vectors
  bool embeddings; ///< tables, tied LM heads and position tables

  /// That of an optimizer with decay_norms, decay_biases and decay_embeddings.
  template <typename OptimizerAttr> static DecayPolicy of(OptimizerAttr attr) {
    return {attr.getDecayNorms(), attr.getDecayBiases(),
            attr.getDecayEmbeddings()};
  }
  bool decays(const OptimizedParameter &param) const;
  DictionaryAttr describe(MLIRContext *context) const;
};

/// Fails with an error that names the number unless it is finite and not
/// negative.
LogicalResult
verifyNotNegative(llvm::function_ref<InFlightDiagnostic()> emitError,
                  StringRef name, FloatAttr number);

/// The same of a rate of decay, at least 0 and less than 1.
LogicalResult
verifyDecayRate(llvm::function_ref<InFlightDiagnostic()> emitError,
                StringRef name, FloatAttr number);

/// Reads and writes a number among an attribute's parameters: an f64 attribute,
/// written without its type; an integer is read as one, too.
FailureOr<FloatAttr> parseNumber(AsmParser &parser);
void printNumber(AsmPrinter &printer, FloatAttr number);

} // namespace mlir::te

#include "te/Dialect/TE/IR/OptimizerInterfaces.h.inc"

namespace mlir::te {

/// Elements of a row that share one scale of an FP8 state.
inline constexpr int64_t kStateBlock = 128;
/// The scales of an FP8 state: [..., ceil(N / 128)] in f32 for [..., N].
RankedTensorType getStateScaleType(RankedTensorType state);

/// The states of an elementwise optimizer, and its update of one parameter by
/// te.update with the attribute `formula`.
SmallVector<OptimizerState>
getElementwiseStates(ElementwiseOptimizerAttrInterface optimizer,
                     const OptimizedParameter &param);
SmallVector<Value>
buildElementwiseUpdate(OpBuilder &builder, Location loc,
                       ElementwiseOptimizerAttrInterface formula,
                       const ParameterUpdate &update, bool decay);

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_OPTIMIZER_H
