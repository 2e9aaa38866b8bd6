// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Attention.h"

#include "program/Error.h"

using namespace tert;

void cpu::attention(Execution &, const tert_tensor &, const tert_tensor &,
                    const tert_tensor &, const tert_tensor &,
                    const tert_tensor &, float, bool, tert_attention_layout) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::attentionGrad(Execution &, const tert_tensor &, const tert_tensor &,
                        const tert_tensor &, const tert_tensor &,
                        const tert_tensor &, const tert_tensor &,
                        const tert_tensor &, const tert_tensor &,
                        const tert_tensor &, float, bool,
                        tert_attention_layout) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}
