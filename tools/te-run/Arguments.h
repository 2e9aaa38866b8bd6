// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that are invalid for every flag.

#ifndef TE_RUN_ARGUMENTS_H
#define TE_RUN_ARGUMENTS_H

#include <CLI/CLI.hpp>
#include <string>

namespace tert::run {

/// Makes every option of every command refuse values that it cannot represent:
/// a number that is malformed, not finite, or out of range (it would be
/// clamped, become infinite, or 0), and an empty name (from an unset variable).
/// Flags add further restrictions where they are defined.
void rejectInvalidValues(CLI::App &app);

/// For options that take a number: at least 0, and above 0. (The library's own
/// validators print all digits of the largest double.)
CLI::Validator notNegative();
CLI::Validator positive();

/// Checks that a text is a finite number in float32's range; returns the error,
/// or an empty text.
std::string checkNumber(const std::string &text);

} // namespace tert::run

#endif // TE_RUN_ARGUMENTS_H
