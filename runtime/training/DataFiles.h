// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that --data names.

#ifndef TERT_TRAINING_DATAFILES_H
#define TERT_TRAINING_DATAFILES_H

#include "support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tert::training {

enum class DataFormat;

/// Names of data: files, folders and globs, each with ":WEIGHT" behind it or
/// not.
struct DataNames : std::vector<std::string> {
  using std::vector<std::string>::vector;
  DataNames(const std::string &name) { // One is the usual case.
    if (!name.empty())
      push_back(name);
  }

  /// The token that ends a document in streams of tokens: positions begin anew
  /// behind it (training/Data.h), and where an index of Megatron says so.
  std::optional<uint64_t> documentEnd{};
};

/// What one name stands for.
struct DataSource {
  std::string name;
  std::vector<std::string> files; ///< At least one, in the order of names.
  /// Share of the rows that are read from it, in proportion to those of the
  /// others; nothing: every position of all sources is as likely.
  std::optional<double> weight;
};

/// Removes ":WEIGHT" from a name that is not that of a file; returns the
/// weight.
session::Expected<std::optional<double>> takeWeight(std::string &name);

/// Of a folder all files of its tree, by their paths, but hidden ones and the
/// .idx files of Megatron: if the format is Auto, those that are called .bin,
/// .txt or .safetensors. Fails for a name without a file, and where some names
/// have a weight and others none.
session::Expected<std::vector<DataSource>> findData(const DataNames &names,
                                                    DataFormat format);

/// Their files, one after the other.
session::Expected<std::vector<std::string>> filesOf(const DataNames &names,
                                                    DataFormat format);

/// Returns whether all files have an index of Megatron, which says where
/// documents begin.
bool haveMegatronIndices(const DataNames &names, DataFormat format);

/// The digest of a file (checkpoint/TensorFiles.h), or one of those of several,
/// with their number and weights.
session::Expected<std::string> digestOfData(const DataNames &names,
                                            DataFormat format);
/// Bytes of all files; 0 if they cannot be found.
uint64_t bytesOfData(const DataNames &names, DataFormat format);

} // namespace tert::training

#endif // TERT_TRAINING_DATAFILES_H
