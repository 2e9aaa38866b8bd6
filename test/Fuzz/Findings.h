// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What went wrong, and how it is made small and written down.

#ifndef TE_TEST_FUZZ_FINDINGS_H
#define TE_TEST_FUZZ_FINDINGS_H

#include "Choices.h"
#include "PassRunner.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::te::fuzz {

/// The kind of a failure, by which equal ones are told: its stage and its
/// message without numbers, names and types.
std::string kindOf(const Result &result);

/// A line for each result, and back: what children hand to their parent.
std::string toLine(const Result &result);
Result fromLine(StringRef line);

/// Searches for fewer and smaller decisions with which `fails` still holds:
/// leaves out ops, then blocks of decisions, then makes each one smaller, until
/// nothing helps or `fails` has been asked `attempts` times. `make` takes a
/// case's decisions, so that `fails`, which is expensive, is only asked about
/// cases that are simpler than the best one, and about each of them once.
std::vector<uint32_t>
reduceChoices(const Choices &failing, unsigned attempts,
              llvm::function_ref<void(Choices &)> make,
              llvm::function_ref<bool(llvm::ArrayRef<uint32_t>)> fails);

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_FINDINGS_H
