// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the options of a compilation go together. Where they do not, an error
// at an unknown location names the options and what to do.

#ifndef TE_LIB_DRIVER_CHECKOPTIONS_H
#define TE_LIB_DRIVER_CHECKOPTIONS_H

#include "te/Driver/Options.h"

namespace mlir::te {

/// Of the entries of a step: all microbatches but the last are accumulate's,
/// the last is train's. Adds accumulate where there are microbatches.
LogicalResult checkMicrobatches(CompileOptions &options, MLIRContext &context);

/// The mesh, and whether the entries, --zero and --shard have to do with it;
/// writes the level into `options.graph`. The entries are known.
LogicalResult checkMesh(CompileOptions &options, MLIRContext &context);

/// The types of what goes in and out.
LogicalResult checkBoundary(const CompileOptions &options,
                            MLIRContext &context);

/// The type of trained matrices.
LogicalResult checkMasters(const CompileOptions &options, MLIRContext &context);

/// --calibration and --quality, which go together and are about FP8.
LogicalResult checkCalibration(const CompileOptions &options,
                               MLIRContext &context);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_CHECKOPTIONS_H
