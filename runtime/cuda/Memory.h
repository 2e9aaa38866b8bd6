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

/// At least one byte, aligned to 256. Where there is no room,
/// TERT_OUT_OF_MEMORY with the figures; `purpose` completes "1.50 GiB of ".
void *allocateDevice(size_t bytes, const char *purpose);

/// Copies go through page-locked buffers, so that those to the device return
/// as soon as the host's memory has been read.
class Memory {
public:
  explicit Memory(cudaStream_t stream);
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  void *allocate(size_t bytes);
  void release(void *memory) noexcept;
  /// The most that was allocated at one time.
  size_t peakBytes() const { return account.peak(); }
  std::optional<Allocation> find(const void *address) const {
    return account.find(address);
  }
  void copyToDevice(void *device, const void *host, size_t bytes);
  /// Waits for everything enqueued before.
  void copyToHost(void *host, const void *device, size_t bytes);

private:
  /// Page-locked memory, and when the copy that last used it is done.
  struct Staging {
    void *memory;
    Event done;
  };
  /// The least recently used one, free again.
  Staging &next();

  cudaStream_t stream;
  MemoryAccount account;
  std::vector<Staging> ring;
  size_t turn = 0;
};

/// Words of device memory that are zero.
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
