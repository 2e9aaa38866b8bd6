// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors by name, in one safetensors file or a sharded checkpoint
// (docs/checkpoint.md): a folder with an index of the ranks' files.

#ifndef TERT_CHECKPOINT_TENSORFILES_H
#define TERT_CHECKPOINT_TENSORFILES_H

#include "artifact/StateShard.h"
#include "checkpoint/CheckpointIndex.h"
#include "support/Safetensors.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tert::session {

/// A tensor in one file, or sharded over several: row-major, little-endian.
class StoredTensor {
public:
  StoredTensor(const TensorView &whole)
      : type(whole.dtype), size(whole.shape), parts({whole.data}) {}
  /// `parts` by number, each with layout.shardElements() elements.
  StoredTensor(DType dtype, ShardLayout layout, std::vector<const char *> parts)
      : type(dtype), size(layout.cut().shape), parts(std::move(parts)),
        layout(std::move(layout)) {}

  DType dtype() const { return type; }
  const Shape &shape() const { return size; }
  int64_t elements() const { return *elementCount(size); }
  /// Copies elements from number `first` on.
  void read(int64_t first, int64_t count, char *to) const;
  /// Copies them as elements of another type (convertRounded).
  Error readAs(DType dtype, int64_t first, int64_t count, char *to) const;

private:
  DType type;
  Shape size;
  std::vector<const char *> parts;
  std::optional<ShardLayout> layout; ///< If absent, parts[0] is the full
                                     ///< tensor.
};

class TensorFiles {
public:
  /// True if the path is a sharded checkpoint.
  static bool isShardedCheckpoint(const std::string &path);
  /// For any input, opening gives readable tensors, or an error that names the
  /// defect: besides those of a safetensors file, an index that is damaged or
  /// leads out of its folder, missing or mismatched files, and shards that are
  /// missing, duplicated or inconsistent.
  static Expected<TensorFiles> open(const std::string &path);

  const std::string &path() const { return name; }
  /// By name; null if there is no such tensor.
  const StoredTensor *find(const std::string &name) const;
  const std::map<std::string, StoredTensor> &tensors() const { return table; }
  /// Metadata of the file, or of the index.
  const std::map<std::string, std::string> &metadata() const { return notes; }
  /// The metadata with that key; empty if there is none.
  std::string note(const std::string &key) const;

  size_t numFiles() const { return files.size(); }
  const SafetensorsFile &file(size_t index) const { return files[index]; }

private:
  Error readShards(const CheckpointIndex &index);

  std::string name;
  std::vector<SafetensorsFile> files;
  std::map<std::string, StoredTensor> table;
  std::map<std::string, std::string> notes;
};

/// digestOf() (support/InputFile.h) of a file of tensors; for a sharded
/// checkpoint, of its index, which contains the digests of all its files.
Expected<std::string> digestOfTensors(const std::string &path);

} // namespace tert::session

#endif // TERT_CHECKPOINT_TENSORFILES_H
