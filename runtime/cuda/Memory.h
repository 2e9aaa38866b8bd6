// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory, and copies between it and the host.
#ifndef TERT_CUDA_MEMORY_H
#define TERT_CUDA_MEMORY_H

#include "cuda/Stream.h"
#include "program/MemoryAccount.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tert::cuda {

/// Allocates at least one byte, aligned to 256. Throws TERT_OUT_OF_MEMORY with
/// the sizes if memory does not suffice; `purpose` completes "1.50 GiB of ".
void *allocateDevice(size_t bytes, const char *purpose);

/// Copies go through page-locked buffers, so that copies to the device return
/// as soon as the host memory has been read.
class Memory {
public:
  explicit Memory(cudaStream_t stream);
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// The stream of the copies from now on.
  void useStream(cudaStream_t next) { stream = next; }
  void *allocate(size_t bytes);
  void release(void *memory) noexcept;
  /// Peak of the allocated bytes.
  size_t peakBytes() const { return account.peak(); }
  std::optional<Allocation> find(const void *address) const {
    return account.find(address);
  }
  void copyToDevice(void *device, const void *host, size_t bytes);
  /// Waits for all work enqueued before.
  void copyToHost(void *host, const void *device, size_t bytes);

private:
  /// Page-locked memory, and an event after the last copy that used it.
  struct Staging {
    void *memory;
    Event done;
  };
  /// The least recently used buffer, once its copy is complete.
  Staging &next();

  cudaStream_t stream;
  MemoryAccount account;
  std::vector<Staging> ring;
  size_t turn = 0;
};

/// Zeroed words of device memory.
class Counters {
public:
  Counters(cudaStream_t stream, size_t count);
  ~Counters() { cudaFree(memory); }
  Counters(const Counters &) = delete;
  Counters &operator=(const Counters &) = delete;

  uint32_t *get() const { return memory; }

private:
  uint32_t *memory = nullptr;
};

} // namespace tert::cuda

#endif // TERT_CUDA_MEMORY_H
