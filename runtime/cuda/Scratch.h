// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary device memory of ops.
#ifndef TERT_CUDA_SCRATCH_H
#define TERT_CUDA_SCRATCH_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tert::cuda {

/// A stack of device memory that all ops of a stream share, one after another.
/// It grows while it meets larger requests and never shrinks or moves, because
/// captured graphs hold its addresses. An op that asks for the same sizes gets
/// the same addresses, so a run that is captured allocates nothing after an
/// eager one.
class Scratch {
public:
  Scratch() = default;
  ~Scratch();
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  /// The first request takes this much: nearly every op needs no more, and a
  /// GEMM's workspace fits.
  static constexpr size_t minimumBytes = size_t(64) << 20;

  /// Uninitialized, aligned to 256 bytes, until the op ends.
  template <typename T = char> T *take(int64_t count) {
    return static_cast<T *>(takeBytes(sizeof(T) * size_t(count)));
  }

  /// Gives everything back; called between ops.
  void reset() {
    current = 0;
    used = 0;
  }

  /// Makes growing an error, which allocating during a capture would be.
  void setCapturing(bool value) { capturing = value; }
  size_t bytes() const;

private:
  struct Chunk {
    void *memory;
    size_t size;
  };

  void *takeBytes(size_t bytes);

  std::vector<Chunk> chunks;
  size_t current = 0; // the chunk in use
  size_t used = 0;    // bytes of it
  bool capturing = false;
};

} // namespace tert::cuda

#endif // TERT_CUDA_SCRATCH_H
