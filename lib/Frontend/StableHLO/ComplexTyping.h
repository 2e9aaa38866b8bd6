// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type rules of operations on complex numbers: files are not verified before
// they are imported.

#ifndef TE_LIB_FRONTEND_STABLEHLO_COMPLEXTYPING_H
#define TE_LIB_FRONTEND_STABLEHLO_COMPLEXTYPING_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::te::stablehlo_import {

using FunctionTypes = llvm::DenseMap<StringAttr, FunctionType>;

/// True if the operation of this name treats the real and the imaginary part of
/// its operands alike.
bool movesElements(StringRef name);

/// The error in the types of an operation; empty if there is none, or if the
/// operation is unknown.
std::string getTypingError(Operation *op, const FunctionTypes &functionTypes);

} // namespace mlir::te::stablehlo_import

#endif // TE_LIB_FRONTEND_STABLEHLO_COMPLEXTYPING_H
