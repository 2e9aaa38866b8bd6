// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients against differences of the function.

#ifndef TE_TEST_FUZZ_DERIVATIVES_H
#define TE_TEST_FUZZ_DERIVATIVES_H

#include "Checks.h"

namespace mlir::te::fuzz {

/// Compares what @vjp of `program` returns with differences of `forward`:
/// each gradient along a random direction and at single elements. Where the
/// function has a kink, anything between the slopes on both sides will do; a
/// gradient that is not finite where a slope is will not.
Result checkVjp(func::FuncOp forward, ModuleOp program, Arguments &arguments,
                Tally &tally);

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_DERIVATIVES_H
