// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Scratch.h"

#include "cuda/Error.h"
#include "cuda/Memory.h"

#include <algorithm>
#include <string>

using namespace tert;
using namespace tert::cuda;

Scratch::~Scratch() {
  for (const Chunk &chunk : chunks)
    cudaFree(chunk.memory);
}

size_t Scratch::bytes() const {
  size_t total = 0;
  for (const Chunk &chunk : chunks)
    total += chunk.size;
  return total;
}

std::string Scratch::describeGrowth() const {
  if (bytes() <= expectedBytes)
    return {};
  auto mebibytes = [](size_t bytes) {
    return std::to_string((bytes + (size_t(1) << 20) - 1) >> 20) + " MiB";
  };
  return "the ops of this program took " + mebibytes(bytes()) +
         " of temporary memory, " + mebibytes(bytes() - expectedBytes) +
         " more than the program's reported memory; 'te-run bench' shows the "
         "peak as it is";
}

size_t Scratch::releaseUnused() {
  size_t released = 0;
  // Ops before this one may still run: cudaFree waits for them.
  for (const size_t least = std::max(taken, kept); chunks.size() > least;
       chunks.pop_back()) {
    cudaFree(chunks.back().memory);
    released += chunks.back().size;
  }
  current = chunks.size();
  return released;
}

/// Chunk size that small requests share.
static constexpr size_t pieceBytes = size_t(4) << 20;

void *Scratch::takeBytes(size_t bytes) {
  asked = true;
  bytes = (bytes + 255) / 256 * 256;
  if (spare.size - spareUsed >= bytes) {
    void *memory = spare.memory + spareUsed;
    spareUsed += bytes;
    return memory;
  }
  while (current < chunks.size() && chunks[current].size - used < bytes) {
    ++current;
    used = 0;
  }
  if (current == chunks.size()) {
    if (capturing)
      throw Error(TERT_DEVICE_ERROR,
                  "needs " + std::to_string(bytes) +
                      " bytes of temporary memory while a graph is captured, "
                      "more than the run before it; run the entry once first");
    // One chunk of this size replaces the chunks that are no longer used.
    size_t size = std::max({bytes, pieceBytes, releaseUnused()});
    chunks.push_back(
        {static_cast<char *>(allocateDevice(size, "temporary memory")), size});
  }
  void *memory = chunks[current].memory + used;
  used += bytes;
  taken = current + 1;
  return memory;
}
