// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cross-entropy of logits with integer labels, and its gradient.
//
// Arguments are those of the op in tert/ops.h, checked (program/Backend.h).
#ifndef TERT_CPU_CROSSENTROPY_H
#define TERT_CPU_CROSSENTROPY_H

#include "cpu/Execution.h"
#include "tert/types.h"

namespace tert::cpu {

void countLabels(Execution &execution, const tert_tensor &labels,
                 const tert_tensor &count, int64_t classes,
                 int64_t ignoreIndex);
void crossEntropyWithGrad(Execution &execution, const tert_tensor &dloss,
                          const tert_tensor &labels, const tert_tensor &count,
                          const tert_tensor &logits, const tert_tensor &loss,
                          int64_t ignoreIndex, tert_reduction reduction);

void crossEntropy(Execution &execution, const tert_tensor &logits,
                  const tert_tensor &labels, const tert_tensor &loss,
                  const tert_tensor &lse, const tert_tensor &count,
                  int64_t ignoreIndex, tert_reduction reduction);

void crossEntropyGrad(Execution &execution, const tert_tensor &dloss,
                      const tert_tensor &logits, const tert_tensor &labels,
                      const tert_tensor &lse, const tert_tensor &count,
                      const tert_tensor &dlogits, int64_t ignoreIndex,
                      tert_reduction reduction);

} // namespace tert::cpu

#endif // TERT_CPU_CROSSENTROPY_H
