// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/Suggest.h"

#include <algorithm>

using namespace tert;

/// Damerau-Levenshtein distance with swaps of neighbours that are not edited
/// again (optimal string alignment).
static size_t distance(const std::string &a, const std::string &b) {
  std::vector<std::vector<size_t>> edits(a.size() + 1,
                                         std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        edits[i][j] = i + j;
        continue;
      }
      edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1,
                              edits[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  return edits[a.size()][b.size()];
}

std::string session::nearest(const std::string &word,
                             const std::vector<std::string> &candidates) {
  std::string best;
  size_t least = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string &candidate : candidates)
    if (size_t edits = distance(word, candidate);
        edits < least && edits < candidate.size()) {
      least = edits;
      best = candidate;
    }
  return best;
}

std::string session::didYouMean(const std::string &word,
                                const std::vector<std::string> &candidates) {
  const std::string meant = nearest(word, candidates);
  return meant.empty() ? "" : "; did you mean '" + meant + "'?";
}
