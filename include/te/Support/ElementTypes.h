// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tensor types models may compute in, and how results are rounded.

#ifndef TE_SUPPORT_ELEMENTTYPES_H
#define TE_SUPPORT_ELEMENTTYPES_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::te {

/// What is wrong with a type whose elements no pass or runtime computes with,
/// such as f16 or f64, and what to do about it: "element type f16 is not
/// supported; export in float32 or bfloat16". Nothing for others.
std::optional<std::string> whyNotElementType(Type type);

/// The same for the first operand or result of `op` of which it is true.
std::optional<std::string> whyNotElementTypes(Operation *op);

/// What is wrong with an op that rounds otherwise than to the nearest number,
/// and of two to the even one, as all passes and kernels do: "rounds
/// toward_zero; only to_nearest_even is computed". Nothing for others.
std::optional<std::string> whyNotRounding(Operation *op);

/// Lists the values inside `root` whose tensor types have encodings, in one
/// error: what an encoding says about how elements are stored would be lost.
LogicalResult refuseEncodings(Operation *root);

} // namespace mlir::te

#endif // TE_SUPPORT_ELEMENTTYPES_H
