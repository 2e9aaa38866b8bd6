// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear layers in the precision passes: products with a name and a role, and
// their weights.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_LAYERS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_LAYERS_H

#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/Callers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::te {

/// Which of its layer's products an op is: fprop reads no gradient, dgrad reads
/// one and a weight, wgrad one and no weight. Without operands in FP8 it is
/// none of a layer.
MatmulRole getProduct(Fp8OpInterface op);

/// Returns true if the loss or an output of the function reads `value`, kept
/// or, for the loss, changed element by element: the layer that makes it is a
/// head.
bool isModelResult(Value value, func::FuncOp func);

/// Whether a function is an entry that measures what FP8 would change. It
/// computes nothing in FP8 itself, and its FP8 copies have no slots.
bool isMeasurement(func::FuncOp func);

/// Gives every product without one the name of its layer, as te-name-layers
/// describes, and a new name where two forward products of a function have the
/// same. Returns how many names were given, or fails with an error on a product
/// whose name cannot be one.
FailureOr<unsigned> nameLayers(ModuleOp module);

/// The values of a function that are computed from parameters and constants
/// alone: candidates for weights.
class ParameterValues {
public:
  explicit ParameterValues(func::FuncOp func);

  bool contains(Value value) const { return values.contains(value); }

  /// The parameter that a value is computed from, the first if there are
  /// several; empty if there is none.
  StringRef getParam(Value value) const;

  /// The reason, if any, that an op with these operands cannot be FP8: the
  /// operand in the role of the weight is not one.
  std::optional<Fp8Refusal> checkRoles(Fp8OpInterface op) const;

private:
  void visit(Region &region);

  llvm::DenseSet<Value> values;
};

/// The reason, if any, that an op's FP8 form does not take the scales that a
/// recipe makes (takesScaleBlocks).
std::optional<Fp8Refusal> checkScales(Fp8OpInterface op,
                                      RecipeAttrInterface recipe);

/// The layers of a module or function that are routers of a mixture of experts:
/// they have few results, scores that are compared with each other, and the
/// loss or an output of the function depends on which is larger. Compared may
/// be what softmax, sigmoid, biases and groups make of the scores, in loops and
/// branches as well, but not what other products, or sums with other
/// activations, make of them.
class Routers {
public:
  /// Under a module, calls of its functions are followed.
  explicit Routers(Operation *root);

  /// Whether the layer with this matrix result and weight is one.
  bool contains(Value result, Value weight) const;

private:
  /// Results that are compared.
  llvm::DenseSet<Value> layers;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_LAYERS_H
