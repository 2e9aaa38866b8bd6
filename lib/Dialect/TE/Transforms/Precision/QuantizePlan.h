// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of te-quantize: the slots of a module, and for each function the
// values to quantize and the ops that read them. Planning changes nothing.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_QUANTIZEPLAN_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_QUANTIZEPLAN_H

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::te {

/// One column of the scaling state.
struct Slot {
  std::string name;
  FloatType format;
};

/// A matrix that a function reads in FP8.
struct QuantizedTensor {
  Value source;
  TensorRole role;
  unsigned slot;
  Operation *firstUser;
  bool rowwise = false;
  bool columnwise = false;
  /// Name of the parameter that is read as a weight, and its argument, of which
  /// the source may be a view; else empty.
  StringRef param;
  BlockArgument argument;
};

/// An op to replace, and for each entry of getFp8Operands the index of its
/// tensor.
struct QuantizedOp {
  Fp8OpInterface op;
  SmallVector<unsigned> tensors;
};

struct FunctionPlan {
  func::FuncOp func;
  SmallVector<QuantizedTensor> tensors;
  SmallVector<QuantizedOp> ops;
};

/// A parameter that is quantized when it is updated or, if frozen, once.
struct QuantizedWeight {
  unsigned slot;
  RankedTensorType type;
  /// Attributes of its argument.
  DictionaryAttr attrs;
  bool isFrozen = false;
  bool rowwise = false;
  bool columnwise = false;
};

struct QuantizePlan {
  SmallVector<Slot> slots;
  SmallVector<FunctionPlan> functions;
  /// By parameter name.
  llvm::MapVector<StringRef, QuantizedWeight> weights;
};

/// The value to quantize for an operand: the float32 parameter behind a weight
/// that was truncated for high-precision ops, else the operand itself.
Value getQuantizedSource(Value operand, TensorRole role);

/// True if the function returns new values of parameters.
bool updatesParameters(func::FuncOp func);

/// The module's plan for the ops that `chosen` lists per function; fails with a
/// diagnostic on an op that cannot be quantized.
FailureOr<QuantizePlan> makeQuantizePlan(
    ArrayRef<std::pair<func::FuncOp, SmallVector<Fp8OpInterface>>> chosen,
    RecipeAttrInterface recipe);

/// The index of the result that holds the new value of a parameter, if the
/// function has one.
std::optional<unsigned> findParamResult(func::FuncOp func, StringRef param);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_QUANTIZEPLAN_H
