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

/// A stack of device memory shared by all ops of a stream, one after another.
/// It begins with the spare memory passed with the op, and continues in owned
/// memory, which grows until it fits the largest request. Chunks that a
/// captured graph may reference neither shrink nor move; other chunks that were
/// too small are replaced by one that is at least as large. Once memory no
/// longer grows, an op with the same requests gets the same addresses, so that
/// a captured run allocates nothing after an eager one.
class Scratch {
public:
  Scratch() = default;
  ~Scratch();
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  /// Expected scratch memory of a program whose arena has none to spare: a
  /// GEMM's workspace.
  static constexpr size_t expectedBytes = size_t(64) << 20;

  /// Uninitialized, aligned to 256 bytes, valid until the op ends.
  template <typename T = char> T *take(int64_t count) {
    return static_cast<T *>(takeBytes(sizeof(T) * size_t(count)));
  }

  /// Further memory that the next op may use, until it ends.
  void setSpare(void *memory, size_t bytes) {
    spare = {static_cast<char *>(memory), memory ? bytes : 0};
  }

  /// Releases everything; called between ops.
  void reset() {
    spareUsed = 0;
    current = 0;
    used = 0;
    taken = 0;
  }

  /// While set, growing is an error, as allocating fails during a capture.
  void setCapturing(bool value) {
    capturing = value;
    kept = chunks.size();
  }
  /// Bytes of owned memory.
  size_t bytes() const;
  /// A message about memory beyond `expectedBytes`, which a program's reported
  /// memory does not include. Empty if there is none.
  std::string describeGrowth() const;
  /// True if an op has taken memory.
  bool wasAsked() const { return asked; }

private:
  struct Chunk {
    char *memory;
    size_t size;
  };

  void *takeBytes(size_t bytes);
  /// Frees the chunks that neither this op nor a graph references, and returns
  /// their size in bytes.
  size_t releaseUnused();

  Chunk spare = {nullptr, 0};
  size_t spareUsed = 0;
  std::vector<Chunk> chunks;
  size_t current = 0; // the chunk in use
  size_t used = 0;    // bytes of it in use
  size_t taken = 0;   // chunks up to the last one used by this op
  size_t kept = 0;    // chunks that a graph may reference
  bool capturing = false;
  bool asked = false;
};

} // namespace tert::cuda

#endif // TERT_CUDA_SCRATCH_H
