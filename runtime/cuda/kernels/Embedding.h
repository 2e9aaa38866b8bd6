// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of a table by id, and the gradient of the table (tert/ops.h).
#ifndef TERT_CUDA_KERNELS_EMBEDDING_H
#define TERT_CUDA_KERNELS_EMBEDDING_H

#include "cuda/Launch.h"
#include "program/TablePart.h"

namespace tert::cuda {

void embedding(LaunchContext &launch, const tert_site &site,
               const tert_tensor &ids, const tert_tensor &table,
               const tert_tensor &y);
void embeddingGrad(LaunchContext &launch, const tert_site &site,
                   const tert_tensor &ids, const tert_tensor &dy,
                   const tert_tensor &dtable);
void addEmbeddingGrad(LaunchContext &launch, const tert_site &site,
                      const tert_tensor &ids, const tert_tensor &dy,
                      const tert_tensor &dtable);
void embeddingPart(LaunchContext &launch, const tert_site &site,
                   const tert_tensor &ids, const TablePart &table,
                   const tert_tensor &y);
void addEmbeddingGradPart(LaunchContext &launch, const tert_site &site,
                          const tert_tensor &ids, const tert_tensor &dy,
                          const TablePart &part);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_EMBEDDING_H
