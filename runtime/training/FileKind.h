// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognition, by their first bytes, of files that are not streams of tokens.

#ifndef TERT_TRAINING_FILEKIND_H
#define TERT_TRAINING_FILEKIND_H

#include "support/InputFile.h"

#include <string>

namespace tert::training {

/// The kind of a file, and how to train on its contents.
struct FileKind {
  std::string what;   ///< "a Parquet file"; empty if nothing is recognised.
  std::string remedy; ///< "write the tokens of its text to a .bin file"
  /// Its first bytes cannot be tokens by chance, of any width.
  bool isCertain = false;
};

/// Reads at most 64 KiB at the beginning and a few bytes at the end.
session::Expected<FileKind> recognise(const session::InputFile &file);

} // namespace tert::training

#endif // TERT_TRAINING_FILEKIND_H
