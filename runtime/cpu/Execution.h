// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Per-call resources of a kernel besides its tensors: threads, and scratch
// memory that is kept between calls.
#ifndef TERT_CPU_EXECUTION_H
#define TERT_CPU_EXECUTION_H

#include "cpu/ThreadPool.h"

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace tert::cpu {

/// Frees memory from aligned operator new.
struct AlignedDelete {
  void operator()(void *memory) const {
    ::operator delete(memory, std::align_val_t(256));
  }
};
using AlignedMemory = std::unique_ptr<void, AlignedDelete>;
/// Throws std::bad_alloc.
inline AlignedMemory allocateAligned(size_t bytes) {
  // The nothrow form first: sanitizers let that one fail.
  void *memory =
      ::operator new(bytes ? bytes : 1, std::align_val_t(256), std::nothrow);
  if (!memory)
    throw std::bad_alloc();
  return AlignedMemory(memory);
}

/// A stack of scratch memory. It grows until it fits the largest request and
/// allocates nothing after that.
class Scratch {
public:
  /// Memory taken through a frame is returned when the frame ends. Frames nest.
  /// Take memory before the parallel loop, not inside it.
  class Frame {
  public:
    explicit Frame(Scratch &scratch)
        : scratch(scratch), chunk(scratch.current), used(scratch.used) {}
    ~Frame() { scratch.release(chunk, used); }
    Frame(const Frame &) = delete;
    Frame &operator=(const Frame &) = delete;

    /// Uninitialized, aligned to 256 bytes.
    template <typename T> T *take(int64_t count) {
      return static_cast<T *>(scratch.take(sizeof(T) * size_t(count)));
    }

  private:
    Scratch &scratch;
    size_t chunk;
    size_t used;
  };

  /// Bytes held, in use or not.
  size_t bytes() const {
    size_t total = 0;
    for (const Chunk &chunk : chunks)
      total += chunk.size;
    return total;
  }

private:
  struct Chunk {
    AlignedMemory memory;
    size_t size;
  };

  void *take(size_t bytes);
  void release(size_t chunk, size_t used);

  std::vector<Chunk> chunks;
  size_t current = 0; // the chunk in use
  size_t used = 0;    // bytes of it in use
};

struct Execution {
  explicit Execution(int numThreads) : pool(numThreads) {}

  ThreadPool pool;
  Scratch scratch;
};

} // namespace tert::cpu

#endif // TERT_CPU_EXECUTION_H
