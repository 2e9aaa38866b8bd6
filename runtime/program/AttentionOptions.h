// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of attention between its two products, as described in tert/ops.h.
#ifndef TERT_PROGRAM_ATTENTIONOPTIONS_H
#define TERT_PROGRAM_ATTENTIONOPTIONS_H

#include "tert/types.h"

#include <cstdint>

namespace tert {

struct AttentionOptions {
  float scale = 1.0f;
  bool causal = false;
  tert_attention_layout layout = TERT_BSHD;
  int64_t window = 0;   ///< 0 for none
  float softcap = 0.0f; ///< 0 for none
  const tert_tensor *bias = nullptr, *lengths = nullptr, *sinks = nullptr;
};

} // namespace tert

#endif // TERT_PROGRAM_ATTENTIONOPTIONS_H
