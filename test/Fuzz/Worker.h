// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Children that do the work, so that a crash or a hang ends one of them and not
// the fuzzer.

#ifndef TE_TEST_FUZZ_WORKER_H
#define TE_TEST_FUZZ_WORKER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlir::te::fuzz {

/// How a child ended.
struct ChildEnd {
  std::string output; ///< what it wrote
  int signal = 0;     ///< what killed it: SIGXCPU where it took too long
};

/// Runs `work` in a child, which may use `seconds` of processor time. What
/// `work` returns is the child's output.
ChildEnd runInChild(unsigned seconds, llvm::function_ref<std::string()> work);

/// Runs work(0), …, work(count - 1), each in a child, at most `jobs` at a time,
/// and hands over how each ended, in the order in which they end.
void runInChildren(size_t count, unsigned jobs, unsigned seconds,
                   llvm::function_ref<std::string(size_t)> work,
                   llvm::function_ref<void(size_t, const ChildEnd &)> ended);

/// "stopped by signal 11 (Segmentation fault)".
std::string describeSignal(int signal);

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_WORKER_H
