// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backends and devices by target: the runtime's counterpart of the compiler's
// TargetInfo. A test compares the two.

#ifndef TERT_PROGRAM_TARGETS_H
#define TERT_PROGRAM_TARGETS_H

#include <string_view>

namespace tert {

struct Target {
  std::string_view name;    ///< of te-compile's --target
  std::string_view backend; ///< device name before the colon
  std::string_view device;  ///< default device for its programs
};

inline constexpr Target targets[] = {
    {"cpu", "cpu", "cpu"},        {"sm_90", "cuda", "cuda:0"},
    {"sm_80", "cuda", "cuda:0"},  {"sm_89", "cuda", "cuda:0"},
    {"sm_120", "cuda", "cuda:0"},
};

/// Null if no backend runs such programs.
inline const Target *findTarget(std::string_view name) {
  for (const Target &target : targets)
    if (target.name == name)
      return &target;
  return nullptr;
}

/// A target whose programs run on the backend, or null.
inline const Target *findTargetOf(std::string_view backend) {
  for (const Target &target : targets)
    if (target.backend == backend)
      return &target;
  return nullptr;
}

} // namespace tert

#endif // TERT_PROGRAM_TARGETS_H
