// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients against differences of the function.

#ifndef TE_TEST_FUZZ_DERIVATIVES_H
#define TE_TEST_FUZZ_DERIVATIVES_H

#include "Checks.h"

namespace mlir::te::fuzz {

/// Compares the outputs `grad.NAME` of `gradient` with differences of
/// `function`: each along a random direction and at single elements. An output
/// of `function` counts by the input `cotangent.NAME` of `gradient`; without
/// any, by 1 if it is the loss. Where the function has a kink, anything between
/// the slopes on both sides will do; a gradient that is not finite where a
/// slope is will not.
Result checkGradients(func::FuncOp function, func::FuncOp gradient,
                      Arguments &arguments, Tally &tally);

/// The same for what @vjp of `program` returns, which must be the outputs of
/// `forward` and the gradients of all its arguments.
Result checkVjp(func::FuncOp forward, ModuleOp program, Arguments &arguments,
                Tally &tally);

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_DERIVATIVES_H
