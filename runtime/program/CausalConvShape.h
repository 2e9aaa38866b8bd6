// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of tert_causal_conv.
#ifndef TERT_PROGRAM_CAUSALCONVSHAPE_H
#define TERT_PROGRAM_CAUSALCONVSHAPE_H

#include "program/Tensor.h"

namespace tert {

constexpr int64_t causalConvMostTaps = 8;

struct CausalConvShape {
  CausalConvShape(const tert_tensor &x, const tert_tensor &weight)
      : batch(sizeOf(x, 0)), tokens(sizeOf(x, 1)), channels(sizeOf(x, 2)),
        taps(sizeOf(weight, 0)) {}

  int64_t batch, tokens, channels, taps;
};

} // namespace tert

#endif // TERT_PROGRAM_CAUSALCONVSHAPE_H
