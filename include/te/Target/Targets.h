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

/// "sm_80", "sm_89" and "sm_120": GPUs on which nothing was measured. Ampere's
/// have no FP8.
std::unique_ptr<TargetInfo> createAmpereTarget();
std::unique_ptr<TargetInfo> createAdaTarget();
std::unique_ptr<TargetInfo> createBlackwellTarget();

/// Adds all of them to the te dialect of contexts that use `registry`.
void registerTargets(DialectRegistry &registry);

} // namespace mlir::te

#endif // TE_TARGET_TARGETS_H
