// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index beside a token file of Megatron.

#ifndef TERT_TRAINING_MEGATRONINDEX_H
#define TERT_TRAINING_MEGATRONINDEX_H

#include "support/InputFile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tert::training {

/// X.idx of X.bin (megatron/core/datasets/indexed_dataset.py), little-endian: 9
/// bytes that are "MMIDIDX" and two zeros, u64 version, u8 type of tokens, u64
/// number of sequences, u64 number of boundaries of documents, then i32 lengths
/// and i64 byte offsets of the sequences, and i64 boundaries: the sequence that
/// begins each document, and the number of sequences.
class MegatronIndex {
public:
  /// The index beside `tokens`; nothing if there is none, or if a file of its
  /// name is something else. Its header and the lengths are checked, these
  /// against the bytes of `tokens`.
  static session::Expected<std::optional<MegatronIndex>>
  beside(const session::InputFile &tokens);

  /// Bytes of a token: 1, 2 or 4.
  size_t width() const { return bytesOfToken; }
  /// The token that each document begins with, in increasing order, without
  /// documents that are empty. Offsets and boundaries are checked.
  session::Expected<std::vector<uint64_t>> readDocuments() const;

private:
  explicit MegatronIndex(session::InputFile file) : file(std::move(file)) {}
  session::Error readHeader(const std::string &tokens);
  session::Error checkLengths(const session::InputFile &tokens) const;
  std::string what() const {
    return "the index '" + file.path() + "' of Megatron ";
  }

  session::InputFile file;
  size_t bytesOfToken = 0;
  uint64_t sequences = 0, boundaries = 0;
};

/// Returns whether a .idx of Megatron is beside this file.
bool hasMegatronIndex(const std::string &path);

} // namespace tert::training

#endif // TERT_TRAINING_MEGATRONINDEX_H
