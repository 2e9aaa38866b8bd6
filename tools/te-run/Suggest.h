// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Suggestions for mistyped words.

#ifndef TE_RUN_SUGGEST_H
#define TE_RUN_SUGGEST_H

#include <string>
#include <vector>

namespace tert::run {

/// The candidate with the smallest number of insertions, deletions,
/// replacements and swaps of neighbours from `word`; empty if all require more
/// than a third of its letters.
std::string nearest(const std::string &word,
                    const std::vector<std::string> &candidates);

} // namespace tert::run

#endif // TE_RUN_SUGGEST_H
