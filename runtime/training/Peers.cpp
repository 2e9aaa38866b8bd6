// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Peers.h"

#include "checkpoint/TensorFiles.h"
#include "support/Digest.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;
using namespace tert::session;
using namespace tert::training;

uint64_t Ranks::shares() const {
  return peers ? static_cast<uint64_t>(mesh.shares()) : 1;
}

uint64_t Ranks::share() const {
  return peers ? static_cast<uint64_t>(mesh.shareOf(peers->rank())) : 0;
}

Error Ranks::meet(const std::string &what) {
  return gather(what, {}).takeError();
}

Expected<std::vector<std::string>> Ranks::gather(const std::string &what,
                                                 const std::string &own) {
  if (!peers)
    return std::vector<std::string>{own};
  return peers->gather(what, own);
}

Gather Ranks::asGather() {
  if (!peers)
    return {};
  return [this](const std::string &what, const std::string &own) {
    return gather(what, own);
  };
}

Error Ranks::checkFolder(const std::string &flag, const std::string &folder) {
  if (!peers)
    return Error::success();
  // A file that one rank creates, and all can see.
  std::error_code code;
  std::string name;
  if (isFirst()) {
    name = ".seen-by-all-ranks-" +
           std::to_string(
               std::chrono::system_clock::now().time_since_epoch().count());
    std::ofstream file(fs::path(folder) / name);
    if (!file)
      name.clear(); // The rank that writes there reports the error.
  }
  Expected<std::vector<std::string>> made = gather("folder of " + flag, name);
  if (!made)
    return made.takeError();
  const bool isThere = made->front().empty() ||
                       fs::exists(fs::path(folder) / made->front(), code);
  Expected<std::vector<std::string>> all =
      gather("same folder", isThere ? "" : fs::absolute(folder, code).string());
  if (isFirst() && !name.empty())
    fs::remove(fs::path(folder) / name, code);
  if (!all)
    return all.takeError();
  for (size_t rank = 0; rank < all->size(); ++rank)
    if (!(*all)[rank].empty())
      return Error(flag + " is another folder on rank " + std::to_string(rank) +
                   ", '" + (*all)[rank] + "', than on rank 0" +
                   (isFirst() ? ", '" + folder + "'" : "") +
                   "; give all ranks one folder, on a file system that their "
                   "hosts share");
  return Error::success();
}

Error Ranks::checkFile(const std::string &flag, const std::string &file) {
  if (!peers)
    return Error::success();
  Expected<std::string> own = digestOfTensors(file);
  if (!own)
    return own.takeError();
  Expected<std::vector<std::string>> all = gather("digest of " + flag, *own);
  if (!all)
    return all.takeError();
  for (size_t rank = 1; rank < all->size(); ++rank)
    if ((*all)[rank] != all->front())
      return Error(flag + " is another file on rank " + std::to_string(rank) +
                   " (" + (*all)[rank] + ") than on rank 0 (" + all->front() +
                   "); give all ranks the same");
  return Error::success();
}

Expected<bool> Ranks::onAll(const std::string &what, bool own) {
  Expected<std::vector<std::string>> all = gather(what, own ? "yes" : "no");
  if (!all)
    return all.takeError();
  return std::count(all->begin(), all->end(), "yes") ==
         static_cast<int64_t>(all->size());
}

Expected<uint64_t> Ranks::fromFirst(const std::string &what, uint64_t number) {
  if (!peers)
    return number;
  Expected<std::vector<std::string>> all =
      peers->gather(what, std::to_string(number));
  if (!all)
    return all.takeError();
  const std::string &text = all->front();
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

Expected<std::vector<std::string>>
Ranks::gatherShares(const std::string &what, const Expected<std::string> &own) {
  if (!peers)
    return own ? Expected<std::vector<std::string>>({*own})
               : Expected<std::string>(own).takeError();
  // The first letter distinguishes values from failures.
  std::string text =
      own ? "v" + *own : "e" + Expected<std::string>(own).takeError().message();
  Expected<std::vector<std::string>> all = peers->gather(what, text);
  if (!all)
    return all;
  std::vector<std::string> byShare(shares());
  for (int32_t rank = 0; rank < peers->size(); ++rank) {
    const std::string &said = (*all)[static_cast<size_t>(rank)];
    if (said.empty() || said[0] != 'v')
      return Error("rank " + std::to_string(rank) + ": " +
                   said.substr(said.empty() ? 0 : 1));
    byShare[static_cast<size_t>(mesh.shareOf(rank))] = said.substr(1);
  }
  return byShare;
}

Error Ranks::checkReplicas(const Session &session, uint64_t step) {
  if (!peers)
    return Error::success();
  const std::vector<StateDescription> &states = session.description().states;
  std::string digests;
  for (size_t index = 0; index < states.size(); ++index) {
    Digest digest;
    if (Error error =
            session.visitState(index, [&](const char *data, size_t bytes) {
              digest.add(data, bytes);
              return Error::success();
            }))
      return error;
    digests += digest.text();
  }
  Expected<std::vector<std::string>> all = peers->gather("replicas", digests);
  if (!all)
    return all.takeError();
  for (size_t index = 0; index < states.size(); ++index) {
    std::string others;
    int32_t model = -1; ///< The rank to compare with.
    for (int32_t rank = 0; rank < peers->size(); ++rank) {
      const std::optional<StateShard> &shard = states[index].shard;
      const int32_t group = shard ? shard->firstHolder(mesh, rank) : 0;
      auto of = [&](int32_t which) {
        const std::string &text = (*all)[static_cast<size_t>(which)];
        return index * Digest::textLength < text.size()
                   ? text.substr(index * Digest::textLength, Digest::textLength)
                   : std::string();
      };
      if (of(rank) == of(group) || (model >= 0 && group != model))
        continue;
      model = group;
      others += (others.empty() ? "" : ", ") + std::to_string(rank);
    }
    if (model >= 0)
      return Error(
          (step ? "after step " + std::to_string(step)
                : std::string("before the first step")) +
          " the state '" + states[index].name +
          "' is not the same on all ranks: rank " + std::to_string(model) +
          " has other bits than " +
          (others.find(',') == std::string::npos ? "rank " : "ranks ") +
          others);
  }
  return Error::success();
}
