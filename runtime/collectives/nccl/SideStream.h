// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream for collectives that run concurrently with the computation.
#ifndef TERT_COLLECTIVES_NCCL_SIDESTREAM_H
#define TERT_COLLECTIVES_NCCL_SIDESTREAM_H

#include "collectives/Communicator.h"
#include "cuda/Stream.h"

#include <deque>

namespace tert::nccl {

/// Work enqueued between begin() and end() waits for the computation so far;
/// the computation after join() waits for it. Also while the computation's
/// stream is captured: the side stream then becomes a branch of the graph,
/// provided that everything begun is joined.
class SideStream {
public:
  /// Unless the work `endsInKernels`, a kernel is appended to it.
  SideStream(cudaStream_t main, bool endsInKernels);
  SideStream(const SideStream &) = delete;
  SideStream &operator=(const SideStream &) = delete;

  cudaStream_t begin();
  /// The work enqueued since begin() concerns these tensors.
  void end(const TensorList &tensors);
  /// Waits for the work on these tensors, and for all work begun before it.
  void join(const TensorList &tensors);

private:
  struct Pending {
    std::vector<const void *> tensors;
    cuda::Event done;
  };

  const cudaStream_t main;
  const bool endsInKernels;
  cuda::Stream side;
  cuda::Event ready;
  std::deque<Pending> pending;
  /// Reusable events that have been waited for.
  std::vector<cuda::Event> spare;
};

} // namespace tert::nccl

#endif // TERT_COLLECTIVES_NCCL_SIDESTREAM_H
