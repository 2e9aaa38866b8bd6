// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the benchmarks know of element types.
#ifndef TE_BENCHMARKS_DTYPE_H
#define TE_BENCHMARKS_DTYPE_H

#include "tert/types.h"

#include <cstdint>

/// Bytes of one element of a tert_dtype.
inline int64_t bytesOf(int32_t dtype) {
  switch (dtype) {
  case TERT_F32:
  case TERT_I32:
    return 4;
  case TERT_BF16:
    return 2;
  case TERT_I64:
    return 8;
  default:
    return 1;
  }
}

#endif // TE_BENCHMARKS_DTYPE_H
