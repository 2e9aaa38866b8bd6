// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/host/RankSums.h"

#include "cpu/Loops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collectives/host/RankSums.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Elements [first, first + count) of the sum.
void addRanks(tert_dtype dtype, const std::vector<const void *> &parts,
              int64_t first, int64_t count, void *y) {
  withFloat(dtype, y, [&](auto *to) HWY_ATTR {
    using T = std::remove_pointer_t<decltype(to)>;
    to += first;
    auto part = [&](size_t rank) HWY_ATTR {
      return static_cast<const T *>(parts[rank]) + first;
    };
    forVectors(count, [&](int64_t i, int64_t n) HWY_ATTR {
      VecF32 sum = loadF32(part(0) + i, n);
      for (size_t rank = 1; rank < parts.size(); ++rank)
        sum = hn::Add(sum, loadF32(part(rank) + i, n));
      storeF32(sum, to + i, n);
    });
  });
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(addRanks);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

void cpu::addInOrder(Execution &execution, tert_dtype dtype,
                     const std::vector<const void *> &parts, int64_t count,
                     void *y) {
  constexpr int64_t perTask = 1 << 14;
  auto add = HWY_DYNAMIC_DISPATCH(addRanks);
  execution.pool.parallelFor(ceilDiv(count, perTask), [&](int64_t task, int) {
    const int64_t first = task * perTask;
    add(dtype, parts, first, std::min(perTask, count - first), y);
  });
}

#endif // HWY_ONCE
