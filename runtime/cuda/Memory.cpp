// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Memory.h"

#include <algorithm>
#include <cstring>

using namespace tert;
using namespace tert::cuda;

static constexpr size_t stagingBytes = size_t(4) << 20;
static constexpr size_t stagingCount = 4;

Memory::Memory(cudaStream_t stream) : stream(stream) {
  ring.reserve(stagingCount);
  for (size_t i = 0; i < stagingCount; ++i) {
    Event done(cudaEventDisableTiming);
    void *memory = nullptr;
    check(cudaHostAlloc(&memory, stagingBytes, cudaHostAllocDefault),
          "allocating page-locked memory");
    ring.push_back({memory, std::move(done)});
  }
}

Memory::~Memory() {
  for (const Staging &staging : ring)
    cudaFreeHost(staging.memory);
}

/// "1.50 GiB". Not formatBytes() of support/Text.h: this library links nothing
/// of the host's.
static std::string gibibytes(size_t bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f GiB", double(bytes) / (1u << 30));
  return text;
}

void *tert::cuda::allocateDevice(size_t bytes, const char *purpose) {
  void *memory = nullptr;
  cudaError_t status = cudaMalloc(&memory, std::max(bytes, size_t(1)));
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    throw Error(TERT_OUT_OF_MEMORY,
                "not enough memory for " + gibibytes(bytes) + " of " + purpose +
                    " on the GPU: " + gibibytes(free) + " of its " +
                    gibibytes(total) + " are free");
  }
  check(status, "allocating device memory");
  return memory;
}

void *Memory::allocate(size_t bytes) {
  void *memory = allocateDevice(bytes, "memory");
  account.add(memory, bytes);
  return memory;
}

void Memory::release(void *memory) noexcept {
  account.remove(memory);
  cudaFree(memory);
}

Memory::Staging &Memory::next() {
  Staging &staging = ring[turn];
  turn = (turn + 1) % ring.size();
  check(cudaEventSynchronize(staging.done), "waiting for a copy");
  return staging;
}

void Memory::copyToDevice(void *device, const void *host, size_t bytes) {
  for (size_t offset = 0; offset < bytes; offset += stagingBytes) {
    size_t piece = std::min(stagingBytes, bytes - offset);
    Staging &staging = next();
    std::memcpy(staging.memory, static_cast<const char *>(host) + offset,
                piece);
    check(cudaMemcpyAsync(static_cast<char *>(device) + offset, staging.memory,
                          piece, cudaMemcpyHostToDevice, stream),
          "copying to the device");
    check(cudaEventRecord(staging.done, stream), "recording an event");
  }
}

void Memory::copyToHost(void *host, const void *device, size_t bytes) {
  // Several pieces are in flight while the oldest is read.
  size_t fetched = 0;
  for (size_t offset = 0; offset < bytes; offset += stagingBytes) {
    while (fetched < bytes &&
           fetched < offset + stagingBytes * (stagingCount - 1)) {
      size_t piece = std::min(stagingBytes, bytes - fetched);
      Staging &staging = ring[fetched / stagingBytes % ring.size()];
      check(cudaMemcpyAsync(staging.memory,
                            static_cast<const char *>(device) + fetched, piece,
                            cudaMemcpyDeviceToHost, stream),
            "copying to the host");
      check(cudaEventRecord(staging.done, stream), "recording an event");
      fetched += piece;
    }
    Staging &staging = ring[offset / stagingBytes % ring.size()];
    check(cudaEventSynchronize(staging.done), "waiting for results");
    std::memcpy(static_cast<char *>(host) + offset, staging.memory,
                std::min(stagingBytes, bytes - offset));
  }
}

Counters::Counters(cudaStream_t stream, size_t count) {
  check(
      cudaMalloc(reinterpret_cast<void **>(&memory), count * sizeof(uint32_t)),
      "allocating counters");
  check(cudaMemsetAsync(memory, 0, count * sizeof(uint32_t), stream),
        "clearing counters");
}
