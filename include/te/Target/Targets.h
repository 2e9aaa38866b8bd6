// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The targets of this project.

#ifndef TE_TARGET_TARGETS_H
#define TE_TARGET_TARGETS_H

#include "te/Target/TargetInfo.h"

namespace mlir::te {

/// "cpu": the machine that compiles.
std::unique_ptr<TargetInfo> createCPUTarget();

/// "sm_90": Hopper GPUs.
std::unique_ptr<TargetInfo> createHopperTarget();

/// Adds both to the te dialect of contexts that use `registry`.
void registerTargets(DialectRegistry &registry);

} // namespace mlir::te

#endif // TE_TARGET_TARGETS_H
