// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that is one long sequence of tokens.

#ifndef TERT_TRAINING_TOKENFILE_H
#define TERT_TRAINING_TOKENFILE_H

#include "support/InputFile.h"
#include "training/Data.h"
#include "training/MegatronIndex.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tert::training {

/// Tokens of one width, little-endian, from the file's beginning or after the
/// header of an llm.c file: 256 int32, of which the first is a magic number,
/// the second a version, the third the number of tokens. X.bin of Megatron's
/// indexed data sets has an index beside it (training/MegatronIndex.h), which
/// says the width, and where documents begin.
class TokenFile {
public:
  /// `format` is Bytes, U16 or U32. A header is checked, and must agree with
  /// the format, unless that was only `guessed` from the file's name. A file of
  /// another kind (training/FileKind.h) is refused.
  static session::Expected<TokenFile> open(const std::string &path,
                                           DataFormat format, bool guessed);

  const std::string &path() const { return file.path(); }
  uint64_t count() const { return tokens; }
  /// Bytes of a token: 1, 2 or 4.
  size_t width() const { return bytesOfToken; }
  bool hasHeader() const { return start > 0; }
  bool hasIndex() const { return index.has_value(); }
  /// Reads from the index where documents begin, 8 bytes for each; nothing
  /// without one.
  session::Error readDocuments();
  /// The tokens that documents begin with, in increasing order, once they have
  /// been read.
  const std::vector<uint64_t> &documentStarts() const { return documents; }
  /// Byte offset of a token in the file.
  uint64_t byteOf(uint64_t index) const { return start + index * bytesOfToken; }
  /// Reads the bytes of tokens [first, first + number). May be called from
  /// several threads.
  session::Error readBytes(uint64_t first, size_t number, void *to) const {
    return file.read(byteOf(first), to, number * bytesOfToken);
  }
  /// Appends tokens [first, first + number) to `to`.
  session::Error read(uint64_t first, size_t number,
                      std::vector<uint32_t> &to) const;
  /// Lets the system read these ahead.
  void prepare(uint64_t first, size_t number) const {
    file.prepare(byteOf(first), number * bytesOfToken);
  }

private:
  TokenFile(session::InputFile file, size_t width)
      : file(std::move(file)), bytesOfToken(width) {}
  /// Parses the header, if there is one.
  session::Error readHeader(bool guessed);
  /// Looks for an index beside the file.
  session::Error readIndex(bool guessed);
  session::Error refuseOtherKinds(DataFormat format, bool guessed) const;

  session::InputFile file;
  size_t bytesOfToken;
  std::optional<MegatronIndex> index;
  std::vector<uint64_t> documents;
  uint64_t start = 0; ///< Byte offset of the first token.
  uint64_t tokens = 0;
};

} // namespace tert::training

#endif // TERT_TRAINING_TOKENFILE_H
