// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of this machine, or of the container that the process runs in.
#ifndef TERT_CPU_MACHINEMEMORY_H
#define TERT_CPU_MACHINEMEMORY_H

#include <cstdint>
#include <string>

namespace tert::cpu {

/// In bytes; 0 if unknown.
struct MachineMemory {
  uint64_t total = 0;
  /// Memory that can be allocated before the system kills a process, swap
  /// included.
  uint64_t available = 0;
};

/// `root` is prepended to /proc and /sys, for tests.
MachineMemory machineMemory(const std::string &root = "");

} // namespace tert::cpu

#endif // TERT_CPU_MACHINEMEMORY_H
