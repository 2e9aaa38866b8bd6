// ElementRange of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/Loops.h"
#include "support/Philox.h"

#include <algorithm>

using namespace tert;
using namespace tert::cpu;

namespace {
float read(const float *at) { return *at; }
float read(const Bf16 *at) { return toF32(*at); }
void write(float value, float *at) { *at = value; }
void write(float value, Bf16 *at) { *at = toBf16(value); }

/// Elements [first, end) of a tensor; `first` is a multiple of 4.
struct ElementRange {
  int64_t first, end;
};
} // namespace

template <typename X, typename Y>
static void dropElements(const X *x, Y *y, ElementRange part, uint64_t seed,
                         uint64_t stream, float ratio) {
  const uint32_t threshold = dropoutThreshold(ratio);
  const float kept = 1.0f / (1.0f - ratio);
  for (int64_t i = part.first; i < part.end; i += 4) {
    const RandomWords random = philox(seed, uint64_t(i) / 4, stream);
    for (int64_t j = i; j < std::min(i + 4, part.end); ++j)
      write(random.words[j - i] >= threshold ? read(x + j) * kept : 0.0f,
            y + j);
  }
}

template <typename Fn>
static void withData(const tert_tensor &t, const Fn &fn) {
  if (dtypeOf(t) == TERT_BF16)
    fn(static_cast<Bf16 *>(t.data));
  else
    fn(static_cast<float *>(t.data));
}

void cpu::dropout(Execution &execution, const tert_tensor &x,
                  const tert_tensor &seed, const tert_tensor &y, float ratio,
                  int64_t stream) {
  const int64_t count = numElements(x);
  const auto key = static_cast<uint64_t>(scalarOf<int64_t>(seed));
  constexpr int64_t perTask = 1 << 14;
  execution.pool.parallelFor(ceilDiv(count, perTask), [&](int64_t task, int) {
    const ElementRange part = {task * perTask,
                               std::min(count, (task + 1) * perTask)};
    withData(x, [&](auto *from) {
      withData(y, [&](auto *to) {
        dropElements(from, to, part, key, static_cast<uint64_t>(stream), ratio);
      });
    });
  });
}
