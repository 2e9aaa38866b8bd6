// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of an entire stream of tokens.

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
  /// Valid ids of the program, [first, second).
  std::pair<int64_t, int64_t> range;
  /// The ignored label, if a token may be one.
  std::optional<int64_t> ignored;
  /// The width was guessed from the file's name.
  bool isGuessed = false;
};

/// Error for a token that is outside of a program's ids.
session::Error outsideVocabulary(const TokenFile &file, uint64_t index,
                                 int64_t token,
                                 std::pair<int64_t, int64_t> range);

/// Reads the entire file, and returns warnings. Fails for the first token
/// outside of the range, for tokens of another width than the guessed one, and
/// if no label would count. Returns early, without warnings, when `stop` is
/// set.
session::Expected<std::vector<std::string>>
scanTokens(const TokenFile &file, const TokenScan &scan,
           const std::atomic<bool> &stop);

} // namespace tert::training

#endif // TERT_TRAINING_TOKENSCAN_H
