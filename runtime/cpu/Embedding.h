// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of a table by token id, and the sums that flow back.
//
// Arguments are those of the op in tert/ops.h, checked (program/Backend.h).
#ifndef TERT_CPU_EMBEDDING_H
#define TERT_CPU_EMBEDDING_H

#include "cpu/Execution.h"
#include "tert/types.h"

namespace tert::cpu {

void embedding(Execution &execution, const tert_tensor &ids,
               const tert_tensor &table, const tert_tensor &y);

void embeddingGrad(Execution &execution, const tert_tensor &ids,
                   const tert_tensor &dy, const tert_tensor &dtable);

void shiftLabels(Execution &execution, const tert_tensor &ids,
                 const tert_tensor &labels, int64_t ignoreIndex);

} // namespace tert::cpu

#endif // TERT_CPU_EMBEDDING_H
