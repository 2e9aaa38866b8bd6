// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Human-readable numbers.

#ifndef TERT_SUPPORT_TEXT_H
#define TERT_SUPPORT_TEXT_H

#include <string>

namespace tert::session {

/// printf into a string.
std::string format(const char *pattern, ...)
    __attribute__((format(printf, 1, 2)));
/// "512 B", "1.50 KiB", "62.5 MiB".
std::string formatBytes(double bytes);
/// "12.3k".
std::string formatCount(double count);
/// "2.3026"; short for exploded values ("3.656e+36").
std::string formatLoss(double loss);
/// "1:02:03", "4:05".
std::string formatDuration(double seconds);

} // namespace tert::session

#endif // TERT_SUPPORT_TEXT_H
