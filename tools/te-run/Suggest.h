// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What somebody may have meant who typed something else.

#ifndef TE_RUN_SUGGEST_H
#define TE_RUN_SUGGEST_H

#include <string>
#include <vector>

namespace tert::run {

/// The candidate that takes the fewest insertions, deletions, replacements and
/// swaps of neighbours to become `word`; empty if all take more than a third of
/// its letters.
std::string nearest(const std::string &word,
                    const std::vector<std::string> &candidates);

} // namespace tert::run

#endif // TE_RUN_SUGGEST_H
