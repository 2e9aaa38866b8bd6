// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/LayerNorm.h"

#include "program/Error.h"

using namespace tert;

void cpu::layerNorm(Execution &, const tert_tensor &, const tert_tensor &,
                    const tert_tensor &, const tert_tensor *,
                    const tert_tensor *, const tert_tensor &,
                    const tert_tensor &, const tert_tensor *,
                    const tert_tensor *, const tert_tensor *, float, bool) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::layerNormGrad(Execution &, const tert_tensor &, const tert_tensor &,
                        const tert_tensor &, const tert_tensor &,
                        const tert_tensor &, const tert_tensor *,
                        const tert_tensor &, const tert_tensor &,
                        const tert_tensor &, bool) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}
