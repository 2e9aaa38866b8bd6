// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/CrossEntropy.h"

#include "program/Error.h"

using namespace tert;

void cpu::crossEntropy(Execution &, const tert_tensor &, const tert_tensor &,
                       const tert_tensor &, const tert_tensor &,
                       const tert_tensor &, int64_t, tert_reduction) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::crossEntropyGrad(Execution &, const tert_tensor &,
                           const tert_tensor &, const tert_tensor &,
                           const tert_tensor &, const tert_tensor &,
                           const tert_tensor &, int64_t, tert_reduction) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}
