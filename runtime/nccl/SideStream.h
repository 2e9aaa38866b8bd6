// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream for exchanges that run beside the computation.
#ifndef TERT_NCCL_SIDESTREAM_H
#define TERT_NCCL_SIDESTREAM_H

#include "cuda/Stream.h"
#include "program/Communicator.h"

#include <deque>

namespace tert::nccl {

/// What is enqueued between begin() and end() waits for the computation so far;
/// the computation behind join() waits for it. Works while the computation's
/// stream is captured: the stream then is a branch of the graph, as long as all
/// that was begun is joined.
class SideStream {
public:
  /// What is enqueued `endsInKernels`, or one is added.
  SideStream(cudaStream_t main, bool endsInKernels);
  SideStream(const SideStream &) = delete;
  SideStream &operator=(const SideStream &) = delete;

  cudaStream_t begin();
  /// What was enqueued since begin() is about these tensors.
  void end(const TensorList &tensors);
  /// Waits for what is about one of these tensors, and for what was begun
  /// before it.
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
  /// Events that have been waited for, to be used again.
  std::vector<cuda::Event> spare;
};

} // namespace tert::nccl

#endif // TERT_NCCL_SIDESTREAM_H
