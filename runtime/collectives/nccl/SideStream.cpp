// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/nccl/SideStream.h"

#include "collectives/peer/ScalarKernels.h"
#include "cuda/Error.h"

#include <algorithm>

using namespace tert;
using namespace tert::nccl;

// Work that other ranks wait for has priority.
SideStream::SideStream(cudaStream_t main, bool endsInKernels)
    : main(main), endsInKernels(endsInKernels), side(cuda::Stream::first()),
      ready(cudaEventDisableTiming) {}

cudaStream_t SideStream::begin() {
  cuda::check(cudaEventRecord(ready, main), "recording an event");
  cuda::check(cudaStreamWaitEvent(side, ready, 0), "waiting for an event");
  return side;
}

void SideStream::end(const TensorList &tensors) {
  if (spare.empty())
    spare.emplace_back(cudaEventDisableTiming);
  Pending begun = {{}, std::move(spare.back())};
  spare.pop_back();
  for (const tert_tensor &tensor : tensors)
    begun.tensors.push_back(tensor.data);
  if (!endsInKernels)
    peer::end(side);
  cuda::check(cudaEventRecord(begun.done, side), "recording an event");
  pending.push_back(std::move(begun));
}

void SideStream::join(const TensorList &tensors) {
  auto isIntended = [&](const Pending &begun) {
    return std::any_of(
        tensors.begin(), tensors.end(), [&](const tert_tensor &tensor) {
          return std::find(begun.tensors.begin(), begun.tensors.end(),
                           tensor.data) != begun.tensors.end();
        });
  };
  auto last = std::find_if(pending.rbegin(), pending.rend(), isIntended);
  if (last == pending.rend())
    return;
  cuda::check(cudaStreamWaitEvent(main, last->done, 0), "waiting for an event");
  for (auto count = pending.rend() - last; count > 0; --count) {
    spare.push_back(std::move(pending.front().done));
    pending.pop_front();
  }
}
