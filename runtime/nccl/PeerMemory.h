// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other processes' memory on GPUs of the same host, as this process sees it.
#ifndef TERT_NCCL_PEERMEMORY_H
#define TERT_NCCL_PEERMEMORY_H

#include "program/ExchangeCall.h"
#include "program/MemoryAccount.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tert::nccl {

class PeerMemory {
public:
  /// The driver shows others whole blocks of this size: a smaller allocation
  /// may be anywhere in one.
  static constexpr size_t blockBytes = size_t(2) << 20;

  /// `key` is of this object alone among those of the group.
  PeerMemory(const Group &group, const Store &store, AllocationFinder find,
             const std::string &key);
  ~PeerMemory();
  PeerMemory(const PeerMemory &) = delete;
  PeerMemory &operator=(const PeerMemory &) = delete;

  /// Where the corresponding addresses of all members lie: [i][member], this
  /// one's own among them; [i] is empty, on all members, if one of them cannot
  /// show the others its memory or cannot see theirs. All members call it with
  /// as many addresses, of the tensors that `call` is about: throws where one
  /// is in another call. Not while a graph is captured.
  std::vector<std::vector<char *>>
  exchange(const ExchangeCall &call,
           const std::vector<const void *> &addresses);

private:
  /// What another process needs to see an address.
  struct Shown;
  Shown show(const void *address);
  /// Null if it is not shown, or the driver does not map it.
  char *open(int32_t member, const Shown &shown);
  void close(std::pair<int32_t, uint64_t> of) noexcept;
  /// Numbers of what has been shown and is not there any longer, each once: the
  /// driver keeps the memory until the others have closed it.
  std::vector<uint64_t> takeReleased();

  const Group group;
  const int32_t rank, ranks;
  const Store store;
  const AllocationFinder find;
  const std::string key;
  uint64_t exchanges = 0;
  /// By member, and the number of the member's allocation.
  std::map<std::pair<int32_t, uint64_t>, void *> opened;
  /// Where what the others see begins, by number.
  std::map<uint64_t, const void *> ownShown;
};

} // namespace tert::nccl

#endif // TERT_NCCL_PEERMEMORY_H
