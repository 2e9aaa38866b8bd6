// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that are no stream of tokens, recognised by how they begin.

#ifndef TERT_TRAINING_FILEKIND_H
#define TERT_TRAINING_FILEKIND_H

#include "session/InputFile.h"

#include <string>

namespace tert::training {

/// What a file is, and how its tokens are given to a training.
struct FileKind {
  std::string what;   ///< "a Parquet file"; empty if nothing is recognised.
  std::string remedy; ///< "write the tokens of its text to a .bin file"
  /// It begins with so many bytes that no tokens do by chance, whatever width
  /// they have.
  bool isCertain = false;
};

/// Reads at most 64 KiB of the beginning and a few bytes of the end.
session::Expected<FileKind> recognise(const session::InputFile &file);

} // namespace tert::training

#endif // TERT_TRAINING_FILEKIND_H
