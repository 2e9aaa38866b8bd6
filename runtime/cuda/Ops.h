// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of the CUDA backend: a function for each method of Backend
// (BackendOps.def), with the launch context as its first argument.
#ifndef TERT_CUDA_OPS_H
#define TERT_CUDA_OPS_H

#include "cuda/Launch.h"
#include "program/BackendOps.h"
#include "program/TableShard.h"
#include "program/Update.h"

#include <vector>

namespace tert::cuda {

#define TERT_BACKEND_OP(name, parameters, arguments)                           \
  void name(LaunchContext &launch, const tert_site &site, TERT_LIST parameters);
#include "program/BackendOps.def"
#undef TERT_BACKEND_OP

/// Backend::sumOfSquares.
void sumOfSquares(LaunchContext &launch, int32_t n, const tert_tensor *tensors,
                  double *sum);

/// Backend::embeddingShard.
void embeddingShard(LaunchContext &launch, const tert_site &site,
                    const tert_tensor &ids, const TableShard &table,
                    const tert_tensor &y);
/// Backend::addEmbeddingGradShard.
void addEmbeddingGradShard(LaunchContext &launch, const tert_site &site,
                           const tert_tensor &ids, const tert_tensor &dy,
                           const TableShard &part);

/// Backend::update.
void update(LaunchContext &launch, const UpdateStep &step);

} // namespace tert::cuda

#endif // TERT_CUDA_OPS_H
