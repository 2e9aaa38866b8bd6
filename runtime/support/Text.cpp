// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/Text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>

using namespace tert;

std::string session::format(const char *pattern, ...) {
  std::va_list arguments, again;
  va_start(arguments, pattern);
  va_copy(again, arguments);
  int length = std::vsnprintf(nullptr, 0, pattern, arguments);
  va_end(arguments);
  std::string text(static_cast<size_t>(std::max(length, 0)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  return text;
}

/// Divides by `base` until below it, and prints three digits.
static std::string scaled(double value, double base,
                          const std::array<const char *, 6> &units) {
  size_t unit = 0;
  while (std::fabs(value) >= base && unit + 1 < units.size()) {
    value /= base;
    ++unit;
  }
  if (unit == 0 && value == std::floor(value))
    return session::format("%.0f%s", value, units[0]);
  int digits = std::fabs(value) < 10 ? 2 : std::fabs(value) < 100 ? 1 : 0;
  return session::format("%.*f%s", digits, value, units[unit]);
}

std::string session::formatBytes(double bytes) {
  return scaled(bytes, 1024, {" B", " KiB", " MiB", " GiB", " TiB", " PiB"});
}

std::string session::formatCount(double count) {
  return scaled(count, 1000, {"", "k", "M", "G", "T", "P"});
}

std::string session::formatLoss(double loss) {
  return session::format(std::fabs(loss) < 1e5 ? "%.4f" : "%.4g", loss);
}

std::string session::formatDuration(double seconds) {
  auto whole = static_cast<long long>(std::llround(std::max(seconds, 0.0)));
  if (whole >= 3600)
    return session::format("%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60,
                           whole % 60);
  return session::format("%lld:%02lld", whole / 60, whole % 60);
}
