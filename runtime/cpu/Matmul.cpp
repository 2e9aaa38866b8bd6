// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Matmul.h"

#include "program/Error.h"

using namespace tert;

void cpu::matmul(Execution &, const tert_tensor &, const tert_tensor &,
                 const tert_tensor *, const tert_tensor &, bool, bool) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::scaledMatmul(Execution &, const tert_tensor &, const tert_tensor &,
                       const tert_tensor &, const tert_tensor &,
                       const tert_tensor *, const tert_tensor &) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}
