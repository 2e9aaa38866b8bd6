// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What losses are asked, and where they are built (LossAttrInterface).

#ifndef TE_DIALECT_TE_IR_LOSS_H
#define TE_DIALECT_TE_IR_LOSS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpDefinition.h"

#include <string>

namespace mlir::te {

/// A unit attribute of modules: their positions may see later tokens although
/// the causal loss asks them to predict these.
inline constexpr llvm::StringLiteral kAllowLookaheadAttr = "te.allow_lookahead";

/// An input or an output of the model.
struct NamedTensor {
  std::string name;
  Value value;

  RankedTensorType type() const {
    return cast<RankedTensorType>(value.getType());
  }
};

/// The entry that a loss is built in, with the inputs and outputs of the model.
class LossSite {
public:
  virtual ~LossSite();

  /// Stands before the return.
  virtual OpBuilder &getBuilder() = 0;
  /// Of the ops of the loss.
  virtual Location getLoc() = 0;
  /// The module that the entry is in.
  virtual Operation *getModule() = 0;
  virtual SmallVector<NamedTensor> getInputs() = 0;
  virtual SmallVector<NamedTensor> getOutputs() = 0;
  /// The output that the loss reads: the one that was named, or the only one of
  /// floating point. Fails with an error.
  virtual FailureOr<NamedTensor> findScores() = 0;
  virtual Value addInput(StringRef name, RankedTensorType type) = 0;
  /// An error about the model as a whole: "the model ".
  virtual InFlightDiagnostic error() = 0;

  /// Emits "the model <what>; <list> 'a' (type), 'b' (type)", or "nothing".
  LogicalResult errorWith(const Twine &what, StringRef list,
                          ArrayRef<NamedTensor> candidates);
};

/// What a loss built.
struct BuiltLoss {
  Value loss;  ///< tensor<f32>
  Value count; ///< of its terms, tensor<f32>: what a mean divides by
  /// The name of the output that the loss is, if it is one.
  std::string output;
};

/// Fails with an error unless `labelSmoothing` lies in [0, 1] and `zLoss` is
/// not negative, and both are finite.
LogicalResult
verifyLossTerms(llvm::function_ref<InFlightDiagnostic()> emitError,
                double labelSmoothing, double zLoss);

} // namespace mlir::te

#include "te/Dialect/TE/IR/LossInterfaces.h.inc"

#endif // TE_DIALECT_TE_IR_LOSS_H
