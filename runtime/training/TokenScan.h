// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a whole stream of tokens says about itself.

#ifndef TERT_TRAINING_TOKENSCAN_H
#define TERT_TRAINING_TOKENSCAN_H

#include "training/TokenFile.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tert::training {

struct TokenScan {
  /// The ids that a program takes, [first, second).
  std::pair<int64_t, int64_t> range;
  /// The label that does not count, where a token may be one.
  std::optional<int64_t> ignored;
  /// The width was guessed from the file's name.
  bool isGuessed = false;
};

/// For a token that is outside of a program's ids.
session::Error outsideVocabulary(const TokenFile &file, uint64_t index,
                                 int64_t token,
                                 std::pair<int64_t, int64_t> range);

/// Reads all of the file, and gives warnings; fails for the first token outside
/// of the range, for tokens of another width than the guessed one, and where
/// no label would count. Ends early, with nothing, when `stop` is set.
session::Expected<std::vector<std::string>>
scanTokens(const TokenFile &file, const TokenScan &scan,
           const std::atomic<bool> &stop);

} // namespace tert::training

#endif // TERT_TRAINING_TOKENSCAN_H
