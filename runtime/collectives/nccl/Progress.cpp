// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/nccl/Progress.h"

#include "collectives/peer/ZeroedMemory.h"
#include "cuda/Error.h"

#include <algorithm>

using namespace tert;
using namespace tert::nccl;
using std::chrono::steady_clock;

Progress::Progress() {
  count = static_cast<uint32_t *>(
      peer::allocateZeroedMemory(sizeof(*count), "a counter"));
  void *host = nullptr;
  // With unified addressing, kernels use the same address.
  cuda::check(cudaHostAlloc(&host, sizeof(*word), cudaHostAllocDefault),
              "allocating page-locked memory");
  word = static_cast<volatile uint64_t *>(host);
  *word = 0;
}

Progress::~Progress() {
  cudaFree(count);
  cudaFreeHost(const_cast<uint64_t *>(word));
}

peer::Mark Progress::markOf(const tert_site &site) {
  std::string name = site.op ? site.op : "a collective";
  if (site.location && *site.location)
    name += std::string(" at ") + site.location;
  std::lock_guard<std::mutex> lock(mutex);
  auto found = std::find(sites.begin(), sites.end(), name);
  const auto index = static_cast<uint32_t>(found - sites.begin());
  if (found == sites.end())
    sites.push_back(std::move(name));
  return {count, word, index};
}

std::string Progress::nameOf(uint64_t value) {
  return value == 0 ? "" : sites.at(static_cast<uint32_t>(value));
}

std::string Progress::unfinishedFor(std::chrono::milliseconds time) {
  std::lock_guard<std::mutex> lock(mutex);
  const uint64_t value = *word;
  const auto now = steady_clock::now();
  if (value != seen) {
    seen = value;
    seenAt = now;
  }
  return now - seenAt >= time ? nameOf(value) : "";
}

std::string Progress::last() {
  std::lock_guard<std::mutex> lock(mutex);
  return nameOf(*word);
}
