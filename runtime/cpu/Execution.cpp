// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Execution.h"

#include <algorithm>

using namespace tert::cpu;

void *Scratch::take(size_t bytes) {
  bytes = (bytes + 255) & ~size_t(255);
  // Chunks after the current one are empty. One that is too small is skipped;
  // once the stack is empty, all chunks become one.
  while (current < chunks.size() && chunks[current].size - used < bytes) {
    ++current;
    used = 0;
  }
  if (current == chunks.size()) {
    size_t size = std::max(bytes, size_t(1) << 20);
    chunks.push_back({allocateAligned(size), size});
  }
  void *memory = static_cast<char *>(chunks[current].memory.get()) + used;
  used += bytes;
  return memory;
}

void Scratch::release(size_t chunk, size_t bytes) {
  current = chunk;
  used = bytes;
  if (current != 0 || used != 0 || chunks.size() <= 1)
    return;
  size_t total = 0;
  for (const Chunk &each : chunks)
    total += each.size;
  chunks.clear();
  try {
    chunks.push_back({allocateAligned(total), total});
  } catch (const std::bad_alloc &) {
    // Safe to ignore: the next call requests the memory it needs.
  }
}
