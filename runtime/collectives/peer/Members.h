// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The members of a collective, as kernels see them.
#ifndef TERT_COLLECTIVES_PEER_MEMBERS_H
#define TERT_COLLECTIVES_PEER_MEMBERS_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tert::peer {

/// More members cannot share memory.
constexpr int32_t maxPeers = 64;

/// A kernel's parameter.
struct Members {
  Members(int32_t rank, const std::vector<char *> &addresses,
          const volatile uint32_t *isOver)
      : rank(rank), ranks(int32_t(addresses.size())), memory(), isOver(isOver) {
    std::copy(addresses.begin(), addresses.end(), memory);
  }

  int32_t rank, ranks;
  /// Memory that each member provides, at its address in this process.
  char *memory[maxPeers];
  /// Kernels stop waiting for others once *isOver, in page-locked memory, is
  /// not 0.
  const volatile uint32_t *isOver;
};

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_MEMBERS_H
