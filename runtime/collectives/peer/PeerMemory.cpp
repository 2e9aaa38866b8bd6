// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/peer/PeerMemory.h"

#include <cuda_runtime.h>

#include <cstring>
#include <fstream>

using namespace tert;
using namespace tert::peer;

/// Identifies the host; equal only for processes of the same host.
static std::string bootOfHost() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  return boot;
}

struct PeerMemory::Shown {
  cudaIpcMemHandle_t handle;
  uint64_t number; ///< of the allocation; 0 if it cannot be shared
  uint64_t offset; ///< of the address within the allocation
  uint64_t bytes;  ///< of the allocation
};

PeerMemory::PeerMemory(const Group &group, const Store &store,
                       AllocationFinder find, const std::string &key)
    : group(group), rank(group.rank), ranks(group.size()), store(store),
      find(std::move(find)), key(key) {}

PeerMemory::~PeerMemory() {
  while (!opened.empty())
    close(opened.begin()->first);
}

void PeerMemory::close(std::pair<int32_t, uint64_t> of) noexcept {
  auto found = opened.find(of);
  if (found == opened.end())
    return;
  if (found->second)
    cudaIpcCloseMemHandle(found->second);
  opened.erase(found);
}

char *PeerMemory::open(int32_t member, const Shown &shown) {
  if (shown.number == 0 || shown.offset >= shown.bytes)
    return nullptr;
  void *&memory = opened[{member, shown.number}];
  if (!memory &&
      cudaIpcOpenMemHandle(&memory, shown.handle,
                           cudaIpcMemLazyEnablePeerAccess) != cudaSuccess) {
    cudaGetLastError();
    opened.erase({member, shown.number});
    return nullptr;
  }
  return static_cast<char *>(memory) + shown.offset;
}

PeerMemory::Shown PeerMemory::show(const void *address) {
  Shown shown = {};
  const std::optional<Allocation> of = find(address);
  if (!of || of->bytes < blockBytes ||
      reinterpret_cast<uintptr_t>(of->base) % blockBytes != 0 ||
      cudaIpcGetMemHandle(&shown.handle, of->base) != cudaSuccess) {
    cudaGetLastError();
    return shown;
  }
  shown.number = of->number;
  shown.offset = static_cast<const char *>(address) - of->base;
  shown.bytes = of->bytes;
  ownShown[of->number] = of->base;
  return shown;
}

std::vector<uint64_t> PeerMemory::takeReleased() {
  std::vector<uint64_t> released;
  for (auto next = ownShown.begin(); next != ownShown.end();) {
    const auto current = next++;
    const std::optional<Allocation> of = find(current->second);
    if (of && of->number == current->first)
      continue;
    released.push_back(current->first);
    ownShown.erase(current);
  }
  return released;
}

template <typename T> static std::string bytesOf(const std::vector<T> &list) {
  return {reinterpret_cast<const char *>(list.data()), list.size() * sizeof(T)};
}

template <typename T> static std::vector<T> listFrom(const std::string &bytes) {
  std::vector<T> list(bytes.size() / sizeof(T));
  std::memcpy(list.data(), bytes.data(), list.size() * sizeof(T));
  return list;
}

std::vector<std::vector<char *>>
PeerMemory::exchange(const CallSignature &call,
                     const std::vector<const void *> &addresses) {
  const std::vector<Announcement> announced = {{call, exchanges}};
  const std::string name = key + "/" + std::to_string(exchanges++) + "/";
  auto nameOf = [&](const char *what, int32_t member) {
    return name + what + std::to_string(member);
  };
  store.set(nameOf("call/", rank), bytesOf(announced));
  const std::string host = bootOfHost();
  store.set(nameOf("host/", rank), host);
  store.set(nameOf("released/", rank), bytesOf(takeReleased()));
  std::vector<Shown> own;
  for (const void *address : addresses)
    own.push_back(show(address));
  store.set(nameOf("shown/", rank), bytesOf(own));

  std::vector<std::vector<char *>> all(addresses.size(),
                                       std::vector<char *>(ranks));
  std::vector<uint8_t> seen(addresses.size(), true);
  for (size_t i = 0; i < addresses.size(); ++i)
    all[i][rank] = static_cast<char *>(const_cast<void *>(addresses[i]));
  for (int32_t member = 0; member < ranks; ++member) {
    if (member == rank)
      continue;
    const auto other =
        listFrom<Announcement>(store.get(nameOf("call/", member)));
    if (other.size() != announced.size())
      throw Error(TERT_PEER_ERROR, group.name(member) + " has another runtime");
    checkSameCall(group, announced.front(), member, other.front());
    for (uint64_t number :
         listFrom<uint64_t>(store.get(nameOf("released/", member))))
      close({member, number});
    const auto shown = listFrom<Shown>(store.get(nameOf("shown/", member)));
    if (shown.size() != addresses.size())
      throw Error(TERT_PEER_ERROR, group.name(member) + " has another runtime");
    const bool isHere = store.get(nameOf("host/", member)) == host;
    for (size_t i = 0; i < addresses.size(); ++i) {
      all[i][member] = isHere ? open(member, shown[i]) : nullptr;
      seen[i] = seen[i] && all[i][member];
    }
  }
  // If one member cannot access a tensor, no member uses it.
  store.set(nameOf("seen/", rank), bytesOf(seen));
  for (int32_t member = 0; member < ranks; ++member) {
    const auto other = listFrom<uint8_t>(store.get(nameOf("seen/", member)));
    if (other.size() != addresses.size())
      throw Error(TERT_PEER_ERROR, group.name(member) + " has another runtime");
    for (size_t i = 0; i < addresses.size(); ++i)
      if (!other[i])
        all[i].clear();
  }
  return all;
}
