// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which parameters are trained: --freeze and --train-only.

#ifndef TE_LIB_DRIVER_TRAININGRULES_H
#define TE_LIB_DRIVER_TRAININGRULES_H

#include "te/Driver/Options.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::te {

/// Sets or removes `te.frozen` on the parameters of the model `forward` as the
/// rules say; without rules the model's own flags stay. A tied parameter is
/// found by any of its names (`te.tied`). Fails with an error at an unknown
/// location, which names what is near, for a rule that is no glob or matches no
/// parameter.
LogicalResult applyTrainingRules(func::FuncOp forward,
                                 ArrayRef<TrainingRule> rules);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_TRAININGRULES_H
