// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Suggestions for mistyped words.

#ifndef TERT_SUPPORT_SUGGEST_H
#define TERT_SUPPORT_SUGGEST_H

#include <string>
#include <vector>

namespace tert::session {

/// The candidate with the smallest number of insertions, deletions,
/// replacements and swaps of neighbours from `word`; empty if all require more
/// than a third of its letters.
std::string nearest(const std::string &word,
                    const std::vector<std::string> &candidates);

/// That as the end of a message: "; did you mean 'train'?"; empty without one.
std::string didYouMean(const std::string &word,
                       const std::vector<std::string> &candidates);

} // namespace tert::session

#endif // TERT_SUPPORT_SUGGEST_H
