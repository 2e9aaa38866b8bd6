// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tert dialect: the functions of the runtime as ops.

#ifndef TE_DIALECT_TERT_IR_TERT_H
#define TE_DIALECT_TERT_IR_TERT_H

#include "te/Dialect/TE/IR/CollectiveInterface.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::te::tert {

/// The layout that a runtime function requires of a tensor.
struct LayoutRequirement {
  enum class Strides {
    Any,
    /// The innermost stride is 1, the others are at least the innermost size:
    /// rows are dense and do not overlap.
    UnitInnermost,
    /// The same of a matrix or of its transpose.
    UnitInEither,
    /// Row-major without gaps.
    Contiguous,
  };
  Strides strides = Strides::UnitInnermost;
  /// Required alignment of every row, in bytes.
  int64_t rowAlignment = 1;

  /// True if a buffer of this type meets the requirement; allocations and
  /// arguments are assumed to be aligned. A layout known only at run time does
  /// not.
  bool isMetBy(MemRefType type) const;
  /// "innermost stride 1 and rows aligned to 16 bytes", for messages.
  std::string describe() const;
};

/// The parts of a quantized result, combined with |.
enum QuantizedParts : int32_t { Rowwise = 1, Columnwise = 2, Amax = 4 };

/// The operands of one tert_quantized; null if missing. A scale that no copy
/// needs may be present or not. An op has either the scale or writes scale_inv.
struct QuantizedOperands {
  Value scale, rowwise, columnwise, amax;
  Value rowwiseScaleInv = {}, columnwiseScaleInv = {};
};

/// A parameter of a runtime function and the operands that it consists of.
struct TensorParameter {
  enum Kind {
    Tensor,       ///< tensors[0], null if missing
    TensorList,   ///< their number and the address of an array of them
    Scaled,       ///< tensors[0] and its scale_inv, tensors[1]
    Quantized,    ///< quantized[0], or a null pointer if missing
    QuantizedList ///< their number and the address of an array of them
  };
  Kind kind;
  SmallVector<Value, 2> tensors;
  SmallVector<QuantizedOperands, 1> quantized;
};

/// A parameter of a runtime function as declared in C and in the runtime's
/// Backend.
struct SignatureParameter {
  const char *cType, *backendType, *name;
};

/// True if `op` communicates with other ranks: it implements
/// CollectiveOpInterface, or takes a set of the mesh's axes and has no known
/// work (CostOpInterface).
bool communicatesAmongRanks(Operation *op);

/// The runtime's number of an element type (tert_dtype); nullopt if the runtime
/// does not support the type.
std::optional<int32_t> getRuntimeDType(Type elementType);

} // namespace mlir::te::tert

#include "te/Dialect/TERT/IR/TERTInterfaces.h.inc"

#include "te/Dialect/TERT/IR/TERTDialect.h.inc"

#define GET_OP_CLASSES
#include "te/Dialect/TERT/IR/TERTOps.h.inc"

#endif // TE_DIALECT_TERT_IR_TERT_H
