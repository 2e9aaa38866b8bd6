// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds a checkpoint in parts together (docs/checkpoint.md): index.json in
// its folder, and what each of its files says of the parts that are in it.

#ifndef TERT_SESSION_CHECKPOINTINDEX_H
#define TERT_SESSION_CHECKPOINTINDEX_H

#include "session/Error.h"
#include "session/StateShard.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tert::session {

/// A file of a checkpoint in parts.
struct PartFile {
  std::string name; ///< In the folder of the index.
  uint64_t bytes = 0;
  std::string checksum; ///< SafetensorsFile::storedChecksum().

  std::string text() const;
  static std::optional<PartFile> parse(const std::string &text);
};

struct CheckpointIndex {
  static constexpr char fileName[] = "index.json";

  /// What a checkpoint in one file has as its metadata.
  std::map<std::string, std::string> metadata;
  std::vector<PartFile> files;

  static std::string pathIn(const std::string &folder) {
    return folder + "/" + fileName;
  }
  /// Replaces the index that may be there, as a whole or not at all.
  Error write(const std::string &folder) const;
  /// Fails for one that is damaged, or names what is not in its folder.
  static Expected<CheckpointIndex> read(const std::string &folder);
};

/// One tensor of a file, if that has a part of it.
struct TensorPart {
  ShardCut cut;
  int64_t number = 0; ///< ShardLayout::visit()
};

/// The metadata `parts` of a file, by tensor.
std::string partsText(const std::map<std::string, TensorPart> &parts);
/// Nothing if it is malformed. Whether cuts are sound is for ShardLayout.
std::optional<std::map<std::string, TensorPart>>
parseParts(const std::string &text);

} // namespace tert::session

#endif // TERT_SESSION_CHECKPOINTINDEX_H
