// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Embedding.h"

#include "program/Error.h"

using namespace tert;

void cpu::embedding(Execution &, const tert_tensor &, const tert_tensor &,
                    const tert_tensor &) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::embeddingGrad(Execution &, const tert_tensor &, const tert_tensor &,
                        const tert_tensor &) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::shiftLabels(Execution &, const tert_tensor &, const tert_tensor &,
                      int64_t) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}
