// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ops.h"

#include "cuda/kernels/Loops.h"
#include "cuda/kernels/Vector.cuh"
#include "support/Philox.h"

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int threads = 256;

/// Four consecutive elements at a time: the words of one counter.
template <typename X, typename Y>
__global__ void __launch_bounds__(threads)
    dropoutKernel(const X *x, Y *y, int64_t count, const int64_t *seed,
                  uint64_t stream, uint32_t threshold, float kept) {
  const uint64_t key = uint64_t(*seed);
  const int64_t groups = (count + 3) / 4;
  for (int64_t group = int64_t(blockIdx.x) * threads + threadIdx.x;
       group < groups; group += int64_t(gridDim.x) * threads) {
    const RandomWords random = philox(key, uint64_t(group), stream);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int64_t i = group * 4 + k;
      if (i < count)
        fromF32(random.words[k] >= threshold ? toF32(x[i]) * kept : 0.0f, y[i]);
    }
  }
}

} // namespace

void cuda::dropout(LaunchContext &launch, const tert_site &,
                   const tert_tensor &x, const tert_tensor &seed,
                   const tert_tensor &y, float ratio, int64_t stream) {
  const int64_t count = numElements(x);
  if (count == 0)
    return;
  withFloat(dtypeOf(x), [&](auto from) {
    withFloat(dtypeOf(y), [&](auto to) {
      dropoutKernel<<<launchBlocks(launch, (count + 3) / 4, threads), threads,
                      0, launch.stream>>>(
          static_cast<const decltype(from) *>(x.data),
          static_cast<decltype(to) *>(y.data), count,
          static_cast<const int64_t *>(seed.data), uint64_t(stream),
          dropoutThreshold(ratio), 1.0f / (1.0f - ratio));
    });
  });
  checkLaunch("dropout kernel");
}
