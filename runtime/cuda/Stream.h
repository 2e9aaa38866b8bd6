// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Owners of small CUDA objects.
#ifndef TERT_CUDA_STREAM_H
#define TERT_CUDA_STREAM_H

#include "cuda/Error.h"

namespace tert::cuda {

/// A stream that does not wait for the default stream.
class Stream {
public:
  Stream() : Stream(0) {}
  /// A stream of the highest priority.
  static Stream first() {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest),
          "asking for priorities");
    return Stream(greatest);
  }
  ~Stream() { cudaStreamDestroy(handle); }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;

  operator cudaStream_t() const { return handle; }

private:
  explicit Stream(int priority) {
    check(
        cudaStreamCreateWithPriority(&handle, cudaStreamNonBlocking, priority),
        "creating a stream");
  }

  cudaStream_t handle = nullptr;
};

class Event {
public:
  explicit Event(unsigned flags) {
    check(cudaEventCreateWithFlags(&handle, flags), "creating an event");
  }
  ~Event() {
    if (handle)
      cudaEventDestroy(handle);
  }
  Event(Event &&other) noexcept : handle(other.handle) {
    other.handle = nullptr;
  }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;

  operator cudaEvent_t() const { return handle; }

private:
  cudaEvent_t handle = nullptr;
};

} // namespace tert::cuda

#endif // TERT_CUDA_STREAM_H
