// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Elementwise.h"

#include "program/Error.h"

using namespace tert;

void cpu::add(Execution &, const tert_tensor &, const tert_tensor &,
              const tert_tensor &) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::columnSum(Execution &, const tert_tensor &, const tert_tensor &) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::copy(Execution &, const tert_tensor &, const tert_tensor &) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}

void cpu::fill(Execution &, const tert_tensor &, double) {
  throw Error(TERT_UNSUPPORTED, "not on this backend");
}
