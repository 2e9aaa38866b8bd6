// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/TensorFiles.h"

#include "checkpoint/CheckpointIndex.h"
#include "support/InputFile.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

using namespace tert::session;

void StoredTensor::read(int64_t first, int64_t count, char *to) const {
  const size_t element = sizeOf(type);
  for (int64_t done = 0; done < count;) {
    ShardLayout::Place place = {0, first + done, count - done};
    if (layout)
      place = layout->find(first + done);
    const int64_t run = std::min(place.run, count - done);
    std::memcpy(to + static_cast<size_t>(done) * element,
                parts[static_cast<size_t>(place.part)] +
                    static_cast<size_t>(place.local) * element,
                static_cast<size_t>(run) * element);
    done += run;
  }
}

Error StoredTensor::readAs(DType dtype, int64_t first, int64_t count,
                           char *to) const {
  if (dtype == type) {
    read(first, count, to);
    return Error::success();
  }
  std::vector<char> own(static_cast<size_t>(count) * sizeOf(type));
  read(first, count, own.data());
  return convertRounded(type, own.data(), dtype, to, count, first);
}

bool TensorFiles::isShardedCheckpoint(const std::string &path) {
  std::error_code code;
  return std::filesystem::exists(CheckpointIndex::pathIn(path), code);
}

const StoredTensor *TensorFiles::find(const std::string &name) const {
  auto it = table.find(name);
  return it == table.end() ? nullptr : &it->second;
}

std::string TensorFiles::note(const std::string &key) const {
  auto it = notes.find(key);
  return it == notes.end() ? std::string() : it->second;
}

namespace {
/// A tensor whose shards are being collected.
struct Collected {
  DType dtype;
  ShardLayout layout;
  std::map<int64_t, const char *> parts;
};
} // namespace

Error TensorFiles::readShards(const CheckpointIndex &index) {
  std::map<std::string, Collected> collected;
  for (const ShardFile &listed : index.files) {
    const std::string path = name + "/" + listed.name;
    Expected<SafetensorsFile> file = SafetensorsFile::open(path);
    if (!file)
      return Error("'" + name + "' is damaged: " + file.takeError().message());
    auto damaged = [&](const std::string &why) {
      return Error("'" + name + "' is damaged: '" + listed.name + "' " + why);
    };
    const uint64_t bytes = file->header().size() + file->payloadSize();
    if (bytes != listed.bytes || file->storedChecksum() != listed.checksum ||
        listed.checksum.empty())
      return damaged(
          "is not the file that its index names: it was truncated, or is "
          "of another checkpoint");
    auto it = file->metadata().find("parts");
    auto parts = parseShards(it == file->metadata().end() ? "{}" : it->second);
    if (!parts)
      return damaged("does not list its shards");
    for (const auto &[tensorName, view] : file->tensors()) {
      const std::string what = "tensor '" + tensorName + "'";
      auto part = parts->find(tensorName);
      if (table.count(tensorName) ||
          (part == parts->end() && collected.count(tensorName)))
        return damaged("has " + what + ", which another file has, too");
      if (part == parts->end()) {
        table.emplace(tensorName, view);
        continue;
      }
      const int64_t number = part->second.number;
      Expected<ShardLayout> layout =
          ShardLayout::create(std::move(part->second.cut));
      if (!layout)
        return damaged("has a shard of " + what + " that " +
                       layout.takeError().message());
      if (*elementCount(view.shape) != layout->shardElements() ||
          number >= layout->parts() ||
          !byteCount(view.dtype, layout->cut().shape))
        return damaged("has a shard of " + what + " that does not exist");
      auto [entry, isNew] =
          collected.try_emplace(tensorName, Collected{view.dtype, *layout, {}});
      if (entry->second.dtype != view.dtype ||
          !(entry->second.layout.cut() == layout->cut()) ||
          !entry->second.parts.emplace(number, view.data).second)
        return damaged("has a shard of " + what +
                       " that does not go with those of other files");
    }
    files.push_back(std::move(*file));
  }
  for (auto &[tensorName, tensor] : collected) {
    if (static_cast<int64_t>(tensor.parts.size()) != tensor.layout.parts())
      return Error("'" + name + "' is damaged: it has " +
                   std::to_string(tensor.parts.size()) + " of the " +
                   std::to_string(tensor.layout.parts()) +
                   " shards of tensor '" + tensorName + "'");
    std::vector<const char *> parts;
    for (const auto &[number, data] : tensor.parts)
      parts.push_back(data);
    table.emplace(
        tensorName,
        StoredTensor(tensor.dtype, std::move(tensor.layout), std::move(parts)));
  }
  return Error::success();
}

Expected<TensorFiles> TensorFiles::open(const std::string &path) {
  TensorFiles result;
  result.name = path;
  if (isShardedCheckpoint(path)) {
    Expected<CheckpointIndex> index = CheckpointIndex::read(path);
    if (!index)
      return index.takeError();
    result.notes = std::move(index->metadata);
    if (Error error = result.readShards(*index))
      return error;
    return result;
  }
  Expected<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file)
    return file.takeError();
  result.notes = file->metadata();
  for (const auto &[name, view] : file->tensors())
    result.table.emplace(name, view);
  result.files.push_back(std::move(*file));
  return result;
}

Expected<std::string> tert::session::digestOfTensors(const std::string &path) {
  return digestOf(TensorFiles::isShardedCheckpoint(path)
                      ? CheckpointIndex::pathIn(path)
                      : path);
}
