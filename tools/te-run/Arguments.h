// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What no value of a flag may be, whichever flag it is.

#ifndef TE_RUN_ARGUMENTS_H
#define TE_RUN_ARGUMENTS_H

#include <CLI/CLI.hpp>
#include <string>

namespace tert::run {

/// Makes every option of every command refuse what it could not keep: a number
/// that is none, is not finite, or does not fit (it would be clamped, become
/// infinite, or 0), and a name that is empty (as a variable is that was not
/// set). What a flag means restricts it further, where it is added.
void refuseNonsense(CLI::App &app);

/// For an option that takes a number: at least 0, and above 0. (Those of the
/// library say what they allow with all digits of the largest double.)
CLI::Validator notNegative();
CLI::Validator positive();

/// Whether a text is a finite number of float32's range; why not, in words,
/// otherwise.
std::string checkNumber(const std::string &text);

} // namespace tert::run

#endif // TE_RUN_ARGUMENTS_H
