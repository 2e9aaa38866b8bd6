// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/Transforms/Pipelines.h"

#include "te/Dialect/TE/Transforms/Passes.h"

void mlir::te::registerTEPipelines() {}
