// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary device memory of ops.
#ifndef TERT_CUDA_SCRATCH_H
#define TERT_CUDA_SCRATCH_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tert::cuda {

/// A stack of device memory that all ops of a stream share, one after another.
/// It begins with the spare memory that came with the op, and goes on in memory
/// of its own, which grows while it meets larger requests. What a captured graph
/// may hold the addresses of neither shrinks nor moves; other memory that was
/// too small gives way to one piece that is at least as large. An op that asks
/// for the same sizes gets the same addresses once memory no longer grows, so a
/// run that is captured allocates nothing after an eager one.
class Scratch {
public:
  Scratch() = default;
  ~Scratch();
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  /// What a program may be expected to need where its arena has nothing to
  /// spare: a GEMM's workspace.
  static constexpr size_t expectedBytes = size_t(64) << 20;

  /// Uninitialized, aligned to 256 bytes, until the op ends.
  template <typename T = char> T *take(int64_t count) {
    return static_cast<T *>(takeBytes(sizeof(T) * size_t(count)));
  }

  /// What the next op may use besides, until it ends.
  void setSpare(void *memory, size_t bytes) {
    spare = {static_cast<char *>(memory), memory ? bytes : 0};
  }
  /// The longest request that takes no memory of its own.
  size_t spareBytes() const { return spare.size - spareUsed; }

  /// Gives everything back; called between ops.
  void reset() {
    spareUsed = 0;
    current = 0;
    used = 0;
    taken = 0;
  }

  /// Makes growing an error, which allocating during a capture would be.
  void setCapturing(bool value) {
    capturing = value;
    kept = chunks.size();
  }
  /// Memory of its own.
  size_t bytes() const;
  /// For a person: what was taken beyond `expectedBytes`, which is more than
  /// the memory that a program is said to need. Empty if nothing was.
  std::string describeGrowth() const;
  /// Whether an op has taken anything yet.
  bool wasAsked() const { return asked; }

private:
  struct Chunk {
    char *memory;
    size_t size;
  };

  void *takeBytes(size_t bytes);
  /// Frees the chunks that neither this op nor a graph holds addresses of, and
  /// returns how many bytes they had.
  size_t releaseUnused();

  Chunk spare = {nullptr, 0};
  size_t spareUsed = 0;
  std::vector<Chunk> chunks;
  size_t current = 0; // the chunk in use
  size_t used = 0;    // bytes of it
  size_t taken = 0;   // chunks up to the last one that this op took from
  size_t kept = 0;    // chunks that a graph may hold addresses of
  bool capturing = false;
  bool asked = false;
};

} // namespace tert::cuda

#endif // TERT_CUDA_SCRATCH_H
