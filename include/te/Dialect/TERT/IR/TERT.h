// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tert dialect: the functions of the runtime as ops.

#ifndef TE_DIALECT_TERT_IR_TERT_H
#define TE_DIALECT_TERT_IR_TERT_H

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

/// What a runtime function asks of the places where a tensor's elements lie.
struct LayoutRequirement {
  enum class Strides {
    Any,
    /// The innermost stride is 1, the others are at least the innermost size:
    /// rows are dense and do not overlap.
    UnitInnermost,
    /// Row-major without gaps.
    Contiguous,
  };
  Strides strides = Strides::UnitInnermost;
  /// Bytes that divide the address of every row.
  int64_t rowAlignment = 1;

  /// Whether a buffer of this type meets it; allocations and arguments are
  /// taken to be aligned well enough. A layout known only at run time does not.
  bool isMetBy(MemRefType type) const;
  /// "innermost stride 1 and rows aligned to 16 bytes", for messages.
  std::string describe() const;
};

/// One tensor parameter of a runtime function: the operands
/// [firstOperand, firstOperand + numOperands). A list is passed as its length
/// and the address of an array; any other one is a single pointer, null when
/// there is no operand.
struct TensorParameter {
  unsigned firstOperand;
  unsigned numOperands;
  bool isList;
};

/// The runtime's number of an element type (tert_dtype), or nothing when the
/// runtime does not have the type.
std::optional<int32_t> getRuntimeDType(Type elementType);

} // namespace mlir::te::tert

#include "te/Dialect/TERT/IR/TERTInterfaces.h.inc"

#include "te/Dialect/TERT/IR/TERTDialect.h.inc"

#define GET_OP_CLASSES
#include "te/Dialect/TERT/IR/TERTOps.h.inc"

#endif // TE_DIALECT_TERT_IR_TERT_H
