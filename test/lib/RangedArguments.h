// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values for the arguments of functions that are evaluated.

#ifndef TE_TEST_LIB_RANGEDARGUMENTS_H
#define TE_TEST_LIB_RANGEDARGUMENTS_H

#include "ReferenceEvaluator.h"

namespace mlir::te::test {

/// Random numbers within [-1, 1), integers within [0, 3), or within what
/// `test.range = [LOW, HIGH]` on an argument says.
SmallVector<HostTensor> makeRangedArguments(func::FuncOp function);

} // namespace mlir::te::test

#endif // TE_TEST_LIB_RANGEDARGUMENTS_H
