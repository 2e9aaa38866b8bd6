// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results beside the gradients of an entry that say what is still to be done to
// these: unit attributes, on results of type tensor<f32>. With te.gradient and
// te.gradient_coefficient (te/Dialect/TE/IR/TE.h) they are what the stages of a
// training step hand on to each other; and the kinds (te.kind) of the states in
// which a step of several microbatches carries them.

#ifndef TE_DIALECT_TE_IR_GRADIENTRESULTS_H
#define TE_DIALECT_TE_IR_GRADIENTRESULTS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::te {

/// What the loss is the mean over: the gradients are those of the loss times
/// this number, which nobody has to know before the backward pass, and are
/// divided by it in the end.
inline constexpr llvm::StringLiteral kLossDivisorAttr = "te.loss_divisor";

/// Not finite where the gradients are wrong although they are finite.
inline constexpr llvm::StringLiteral kGradientGuardAttr = "te.gradient_guard";

/// The sum of a parameter's gradients over microbatches.
inline constexpr llvm::StringLiteral kGradientSumKind = "gradient";
/// The sum of the loss, or of what it is the mean over.
inline constexpr llvm::StringLiteral kLossSumKind = "accumulator";
/// What te.gradient_guard was in a microbatch before this one.
inline constexpr llvm::StringLiteral kGuardKind = "guard";

/// Whether `value` holds, in whatever shape, a state of kGradientSumKind of the
/// microbatches before this one.
bool isGradientSum(Value value);

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_GRADIENTRESULTS_H
