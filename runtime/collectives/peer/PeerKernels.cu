// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/peer/PeerKernels.h"

#include "collectives/peer/PeerWork.cuh"
#include "cuda/Error.h"

using namespace tert;
using namespace tert::peer;

namespace {

constexpr int threads = 256;

/// Loads in flight per thread. A link takes microseconds to answer. For local
/// memory two suffice, and leave registers for more threads, each of which
/// loads twice.
using Adding = Shape<threads, 2, 4>;
using Copying = Shape<threads, 4, 4>;

template <typename T, typename Table>
__global__ void __launch_bounds__(threads)
    addKernel(const __grid_constant__ Table table, int32_t ranks) {
  addEntries<Adding, T>(table, ranks);
}

__global__ void __launch_bounds__(threads)
    copyKernel(const __grid_constant__ CopyTable table) {
  copyEntries<Copying>(table);
}

} // namespace

void peer::addAll(cudaStream_t stream, const std::vector<Summed> &sums) {
  if (sums.empty())
    return;
  const auto ranks = int32_t(sums.front().x.size());
  launchSums<Adding>(
      sums, ranks, [&](auto element, const auto &table, int32_t blocks) {
        addKernel<decltype(element), std::decay_t<decltype(table)>>
            <<<blocks, threads, 0, stream>>>(table, ranks);
        cuda::check(cudaGetLastError(), "kernel that adds up what ranks sent");
      });
}

void peer::copyAll(cudaStream_t stream, const std::vector<Copied> &copies,
                   int32_t maxBlocks) {
  launchCopies<Copying>(copies, [&](const CopyTable &table, int32_t blocks) {
    copyKernel<<<std::min(blocks, maxBlocks), threads, 0, stream>>>(table);
    cuda::check(cudaGetLastError(), "shard copy kernel");
  });
}
