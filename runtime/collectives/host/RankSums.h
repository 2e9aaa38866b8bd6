// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over ranks.
#ifndef TERT_COLLECTIVES_HOST_RANKSUMS_H
#define TERT_COLLECTIVES_HOST_RANKSUMS_H

#include "cpu/Execution.h"
#include "tert/types.h"

#include <cstdint>
#include <vector>

namespace tert::cpu {

/// y = ((parts[0] + parts[1]) + parts[2]) + ..., `count` elements of `dtype`
/// (f32 or bf16), added in float32 and rounded once. y may be one of the parts.
void addInOrder(Execution &execution, tert_dtype dtype,
                const std::vector<const void *> &parts, int64_t count, void *y);

} // namespace tert::cpu

#endif // TERT_COLLECTIVES_HOST_RANKSUMS_H
