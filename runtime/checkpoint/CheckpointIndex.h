// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Index of a sharded checkpoint (docs/checkpoint.md): index.json in its folder,
// and the metadata of each file about its shards.

#ifndef TERT_CHECKPOINT_CHECKPOINTINDEX_H
#define TERT_CHECKPOINT_CHECKPOINTINDEX_H

#include "artifact/StateShard.h"
#include "support/Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tert::session {

/// A file of a sharded checkpoint.
struct ShardFile {
  std::string name; ///< Within the index's folder.
  uint64_t bytes = 0;
  std::string checksum; ///< SafetensorsFile::storedChecksum().

  std::string text() const;
  static std::optional<ShardFile> parse(const std::string &text);
};

struct CheckpointIndex {
  static constexpr char fileName[] = "index.json";

  /// The metadata of a checkpoint in one file.
  std::map<std::string, std::string> metadata;
  std::vector<ShardFile> files;

  static std::string pathIn(const std::string &folder) {
    return folder + "/" + fileName;
  }
  /// Replaces an existing index atomically.
  Error write(const std::string &folder) const;
  /// Fails for an index that is damaged or names files outside of its folder.
  static Expected<CheckpointIndex> read(const std::string &folder);
};

/// A file's shard of one tensor.
struct TensorShard {
  ShardSplit cut;
  int64_t number = 0; ///< ShardLayout::visit()
};

/// The metadata `parts` of a file, by tensor.
std::string shardsText(const std::map<std::string, TensorShard> &parts);
/// Nothing if malformed. ShardLayout checks whether splits are valid.
std::optional<std::map<std::string, TensorShard>>
parseShards(const std::string &text);

} // namespace tert::session

#endif // TERT_CHECKPOINT_CHECKPOINTINDEX_H
