// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of the tensor types that models may compute in, and of rounding modes.

#ifndef TE_SUPPORT_ELEMENTTYPES_H
#define TE_SUPPORT_ELEMENTTYPES_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::te {

/// An error about a type with elements that no pass or runtime supports, such
/// as f16 or f64, with a remedy: "element type f16 is not supported; export in
/// float32 or bfloat16". nullopt for others.
std::optional<std::string> getElementTypeProblem(Type type);

/// The error for the first operand or result of `op` that has such a type.
std::optional<std::string> getElementTypesProblem(Operation *op);

/// An error about an op with a rounding mode other than to nearest even, which
/// all passes and kernels use: "rounds toward_zero; only to_nearest_even is
/// computed". nullopt for others.
std::optional<std::string> getRoundingProblem(Operation *op);

/// Emits one error that lists the values inside `root` whose tensor types have
/// encodings: passes would lose what an encoding says about storage.
LogicalResult refuseEncodings(Operation *root);

} // namespace mlir::te

#endif // TE_SUPPORT_ELEMENTTYPES_H
