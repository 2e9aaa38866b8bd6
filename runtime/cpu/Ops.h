// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of the CPU backend: a function for each method of Backend
// (BackendOps.def), with the execution as its first argument.
#ifndef TERT_CPU_OPS_H
#define TERT_CPU_OPS_H

#include "cpu/Execution.h"
#include "program/BackendOps.h"
#include "program/TableShard.h"
#include "program/Update.h"

namespace tert::cpu {

#define TERT_BACKEND_OP(name, parameters, arguments)                           \
  void name(Execution &execution, TERT_LIST parameters);
#include "program/BackendOps.def"
#undef TERT_BACKEND_OP

/// Backend::sumOfSquares.
void sumOfSquares(Execution &execution, int32_t n, const tert_tensor *tensors,
                  double *sum);

/// Backend::embeddingShard.
void embeddingShard(Execution &execution, const tert_tensor &ids,
                    const TableShard &table, const tert_tensor &y);
/// Backend::addEmbeddingGradShard.
void addEmbeddingGradShard(Execution &execution, const tert_tensor &ids,
                           const tert_tensor &dy, const TableShard &dtable);

/// Backend::update.
void update(Execution &execution, const UpdateStep &step);

} // namespace tert::cpu

#endif // TERT_CPU_OPS_H
