// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Optimizer.h"

#include "program/Error.h"

using namespace tert;

void cpu::globalNorm(Execution &, int32_t, const tert_tensor *,
                     const tert_tensor &) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::clipCoefficient(const tert_tensor &, const tert_tensor &,
                          const tert_tensor &) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::advanceStep(const tert_tensor &, const tert_tensor &) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::adamw(Execution &, const tert_tensor &, const tert_tensor &,
                const tert_tensor &, const tert_tensor &, const tert_tensor &,
                const tert_tensor &, const tert_tensor &, const tert_tensor &,
                const tert_tensor *, const tert_tensor &, const tert_tensor &,
                const tert_tensor &, const tert_tensor *, const tert_tensor *,
                const tert_tensor *, bool) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}
