// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/TokenScan.h"

#include <algorithm>

using namespace tert::training;
using namespace tert::session;

namespace {
/// Statistics of a file's tokens.
struct Statistics {
  uint64_t number = 0;
  uint32_t least = UINT32_MAX, most = 0;
  uint64_t ignored = 0;
  /// For 16-bit tokens: the largest at an odd index, and the number at even
  /// indices that are above highHalf.
  uint32_t maxOdd = 0;
  uint64_t largeEven = 0;
};

/// The largest upper half of 32-bit ids, for vocabularies below 262,144.
constexpr uint32_t highHalf = 3;

template <typename T>
void add(Statistics &all, const T *tokens, size_t number,
         std::optional<int64_t> ignored) {
  T least = tokens[0], most = tokens[0];
  for (size_t i = 0; i < number; ++i) {
    least = std::min(least, tokens[i]);
    most = std::max(most, tokens[i]);
  }
  all.number += number;
  all.least = std::min<uint32_t>(all.least, least);
  all.most = std::max<uint32_t>(all.most, most);
  if (ignored)
    all.ignored += static_cast<uint64_t>(
        std::count(tokens, tokens + number, static_cast<T>(*ignored)));
  if (sizeof(T) != sizeof(uint16_t))
    return;
  T maxOdd = 0;
  uint64_t largeEven = 0;
  for (size_t i = 0; i + 1 < number; i += 2) {
    largeEven += tokens[i] > highHalf;
    maxOdd = std::max(maxOdd, tokens[i + 1]);
  }
  all.maxOdd = std::max<uint32_t>(all.maxOdd, maxOdd);
  all.largeEven += largeEven;
}

/// Returns whether every other token is the upper half of a 32-bit id.
bool isLikelyWide(const TokenFile &file, const Statistics &all) {
  constexpr uint64_t fewest = 64;
  return file.width() == sizeof(uint16_t) && all.number >= fewest &&
         all.maxOdd <= highHalf && all.largeEven > all.number / 4;
}

std::string quoted(const TokenFile &file) { return "'" + file.path() + "'"; }

template <typename T>
Expected<Statistics> read(const TokenFile &file, const TokenScan &scan,
                          const std::atomic<bool> &stop) {
  constexpr size_t piece = size_t(1) << 18; // Even, so that halves stay
                                            // together.
  std::vector<T> tokens(
      static_cast<size_t>(std::min<uint64_t>(piece, file.count())));
  Statistics all;
  for (uint64_t first = 0; first < file.count() && !stop; first += piece) {
    const auto number =
        static_cast<size_t>(std::min<uint64_t>(piece, file.count() - first));
    if (Error error = file.readBytes(first, number, tokens.data()))
      return error;
    add(all, tokens.data(), number, scan.ignored);
    if (all.least >= scan.range.first && all.most < scan.range.second)
      continue;
    // Explained by the width, unless later tokens disagree.
    if (scan.isGuessed && isLikelyWide(file, all))
      continue;
    for (size_t i = 0; i < number; ++i)
      if (tokens[i] < scan.range.first || tokens[i] >= scan.range.second)
        return outsideVocabulary(file, first + i, tokens[i], scan.range);
  }
  return all;
}
} // namespace

Error tert::training::outsideVocabulary(const TokenFile &file, uint64_t index,
                                        int64_t token,
                                        std::pair<int64_t, int64_t> range) {
  return Error("token " + std::to_string(token) + " at byte " +
               std::to_string(file.byteOf(index)) + " of " + quoted(file) +
               " is outside the model's vocabulary, " +
               std::to_string(range.first) + " to " +
               std::to_string(range.second - 1) +
               "; use the tokenizer of this model, or say with --tokens how "
               "the file is to be read");
}

Expected<std::vector<std::string>>
tert::training::scanTokens(const TokenFile &file, const TokenScan &scan,
                           const std::atomic<bool> &stop) {
  std::vector<std::string> warnings;
  Expected<Statistics> all = file.width() == 1 ? read<uint8_t>(file, scan, stop)
                             : file.width() == 2
                                 ? read<uint16_t>(file, scan, stop)
                                 : read<uint32_t>(file, scan, stop);
  if (!all)
    return all.takeError();
  if (stop || file.count() == 0)
    return warnings;
  if (isLikelyWide(file, *all)) {
    const std::string what =
        "the tokens of " + quoted(file) +
        " look like 32 bits each, read as 16: every second one is at most " +
        std::to_string(all->maxOdd);
    if (scan.isGuessed)
      return Error(what + ". Give --tokens u32, or --tokens u16 if they are "
                          "16 bits all the same");
    warnings.push_back(what + "; --tokens u32 reads them so");
  }
  if (scan.ignored && all->ignored == file.count())
    return Error("every token of " + quoted(file) + " is " +
                 std::to_string(*scan.ignored) +
                 ", the label that the loss ignores (ignore_index): nothing "
                 "can be learned from it. Compile with another --ignore-index, "
                 "or give other data");
  if (all->least == all->most && file.count() > 1)
    warnings.push_back("all " + std::to_string(file.count()) + " tokens of " +
                       quoted(file) + " are " + std::to_string(all->least) +
                       ": there is nothing to learn from them");
  return warnings;
}
