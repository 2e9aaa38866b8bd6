// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Activation.h"

#include "program/Error.h"

using namespace tert;

void cpu::activation(Execution &, const tert_tensor &, const tert_tensor *,
                     const tert_tensor *, const tert_tensor *,
                     const tert_tensor *, const tert_tensor *,
                     tert_activation_kind) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::activationGrad(Execution &, const tert_tensor &, const tert_tensor &,
                         const tert_tensor *, const tert_tensor *,
                         const tert_tensor *, const tert_tensor *,
                         const tert_tensor *, const tert_tensor *,
                         tert_activation_kind) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}
