// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of other processes on GPUs of the same host, mapped into this process.
#ifndef TERT_COLLECTIVES_PEER_PEERMEMORY_H
#define TERT_COLLECTIVES_PEER_PEERMEMORY_H

#include "collectives/CallSignature.h"
#include "program/MemoryAccount.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tert::peer {

class PeerMemory {
public:
  /// The driver shares full blocks of this size; a smaller allocation may be
  /// anywhere within one.
  static constexpr size_t blockBytes = size_t(2) << 20;

  /// `key` is unique among the objects of the group.
  PeerMemory(const Group &group, const Store &store, AllocationFinder find,
             const std::string &key);
  ~PeerMemory();
  PeerMemory(const PeerMemory &) = delete;
  PeerMemory &operator=(const PeerMemory &) = delete;

  /// Addresses, in this process, of the corresponding memory of all members:
  /// [i][member], including its own. [i] is empty, on all members, if one of
  /// them cannot share its memory or cannot access the others'. Collective,
  /// with addresses of the tensors of `call`: throws if a member is in another
  /// call. Not while a graph is captured.
  std::vector<std::vector<char *>>
  exchange(const CallSignature &call,
           const std::vector<const void *> &addresses);

private:
  /// Data that another process requires to map an address.
  struct Shown;
  Shown show(const void *address);
  /// Null if it is not shared, or the driver cannot map it.
  char *open(int32_t member, const Shown &shown);
  void close(std::pair<int32_t, uint64_t> of) noexcept;
  /// Numbers of shared allocations that have been freed, each returned once:
  /// the driver keeps the memory until the others have unmapped it.
  std::vector<uint64_t> takeReleased();

  const Group group;
  const int32_t rank, ranks;
  const Store store;
  const AllocationFinder find;
  const std::string key;
  uint64_t exchanges = 0;
  /// Keyed by member, and number of the member's allocation.
  std::map<std::pair<int32_t, uint64_t>, void *> opened;
  /// Base addresses of own shared allocations, by number.
  std::map<uint64_t, const void *> ownShown;
};

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_PEERMEMORY_H
