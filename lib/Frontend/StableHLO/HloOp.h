// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation of an unregistered dialect: its attributes, read with checks.

#ifndef TE_LIB_FRONTEND_STABLEHLO_HLOOP_H
#define TE_LIB_FRONTEND_STABLEHLO_HLOOP_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace mlir::te::stablehlo_import {

/// The lists of dimensions in an attribute such as
///   #stablehlo.dot<lhs_contracting_dimensions = [2], ...>
/// by name. Single numbers are lists of one.
using DimensionNumbers = llvm::StringMap<SmallVector<int64_t>>;

class HloOp {
public:
  /// `loc` is the location of messages about the operation.
  HloOp(Operation *op, Location loc) : op(op), loc(loc) {}

  Operation *operator->() const { return op; }
  Operation *get() const { return op; }
  StringRef getName() const { return op->getName().getStringRef(); }
  Location getLoc() const { return loc; }

  /// The type of a result that has been checked: a static tensor.
  RankedTensorType getType(unsigned result = 0) const {
    return cast<RankedTensorType>(op->getResult(result).getType());
  }
  ArrayRef<int64_t> getShape() const { return getType().getShape(); }
  /// The type of an operand, which is a result or argument like that.
  RankedTensorType getOperandType(unsigned operand) const {
    return cast<RankedTensorType>(op->getOperand(operand).getType());
  }

  /// Inherent or discardable; null if absent.
  Attribute getAttr(StringRef name) const;
  std::optional<int64_t> getInt(StringRef name) const;
  bool getBool(StringRef name) const;
  /// A list of integers, as array<i64: ...> or as dense<...>; nullopt if it is
  /// absent or something else.
  std::optional<SmallVector<int64_t>> getInts(StringRef name) const;
  /// GE of #stablehlo<comparison_direction GE>; empty if absent.
  StringRef getEnum(StringRef name) const;
  /// The lists of #stablehlo.KIND<...>; nullopt if absent or of another kind.
  std::optional<DimensionNumbers> getDimensionNumbers(StringRef name,
                                                      StringRef kind) const;

private:
  Operation *op;
  Location loc;
};

/// True if `dims` are different dimensions of a tensor of this rank.
bool areDimensions(ArrayRef<int64_t> dims, int64_t rank);

} // namespace mlir::te::stablehlo_import

#endif // TE_LIB_FRONTEND_STABLEHLO_HLOOP_H
