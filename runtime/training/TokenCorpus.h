// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of tokens, and where the windows of a batch are in them.

#ifndef TERT_TRAINING_TOKENCORPUS_H
#define TERT_TRAINING_TOKENCORPUS_H

#include "support/Random.h"
#include "training/DataFiles.h"
#include "training/TokenFile.h"

#include <cstdint>
#include <vector>

namespace tert::training {

/// No window crosses the end of a file.
class TokenCorpus {
public:
  /// A window: `start` is its first token.
  struct Place {
    const TokenFile *file;
    uint64_t start;
  };

  /// Windows have `window` tokens, of which the first `length` are their own;
  /// the next window of a sequential order begins behind these. Files too short
  /// for one are an error.
  static session::Expected<TokenCorpus> open(const DataNames &names,
                                             DataFormat format, bool guessed,
                                             uint64_t seed, size_t window,
                                             int64_t length);

  /// Reads where documents begin, from the indices of Megatron. A file without
  /// one is an error, unless a token says where they end.
  session::Error readDocuments(bool haveEndToken);

  /// Row `index` of a shuffled order without an end: a source by its weight,
  /// then one of all its positions.
  Place random(uint64_t index) const;
  /// Window `index` of all files, below windows(), one after the other.
  Place sequential(uint64_t index) const;
  /// The same windows in an order that is another one in every epoch of
  /// windows(): epoch e is indices e * windows() and on.
  Place inEpochs(uint64_t index) const;
  uint64_t windows() const { return numWindows; }

  uint64_t count() const { return tokens; }
  bool isBytes() const;
  const std::vector<TokenFile> &files() const { return all; }
  /// "12 files", or what is special about a single one.
  std::string describe() const;

private:
  /// Files [first, end) of `all`.
  struct Source {
    size_t first = 0, end = 0;
    double upTo = 1.0; ///< Share of the rows up to and with this source.
  };
  TokenCorpus(uint64_t seed, int64_t length)
      : seed(seed), places(seed, "data.windows"), choices(seed, "data.sources"),
        length(static_cast<uint64_t>(length)) {}

  uint64_t seed;
  session::RandomStream places, choices;
  uint64_t length;
  std::vector<TokenFile> all;
  std::vector<Source> sources;
  /// Positions and windows of all files before each file, and of all.
  std::vector<uint64_t> positionsBefore = {0}, windowsBefore = {0};
  uint64_t tokens = 0, numWindows = 0;
};

} // namespace tert::training

#endif // TERT_TRAINING_TOKENCORPUS_H
