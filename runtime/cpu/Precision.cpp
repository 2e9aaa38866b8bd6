// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Precision.h"

#include "program/Error.h"

using namespace tert;

void cpu::quantize(Execution &, const tert_tensor &, const tert_tensor &,
                   const tert_tensor *, const tert_tensor *,
                   const tert_tensor *) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::dequantize(Execution &, const tert_tensor &, const tert_tensor &,
                     const tert_tensor &) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::amax(Execution &, const tert_tensor &, const tert_tensor &) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::computeScale(const tert_tensor &, const tert_tensor &,
                       const tert_tensor &, tert_dtype, int32_t) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::updateScales(int32_t, const tert_tensor *, const tert_tensor &,
                       const tert_tensor &, const tert_tensor &,
                       const tert_tensor &, const int32_t *, tert_amax_algo,
                       int32_t) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}
