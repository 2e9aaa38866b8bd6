// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks, before a program runs, whether it fits a device's memory.

#ifndef TERT_SESSION_MEMORYNEED_H
#define TERT_SESSION_MEMORYNEED_H

#include "artifact/Description.h"
#include "support/Error.h"
#include "tert/device.h"

#include <cstdint>
#include <string>

namespace tert::session {

/// Bytes of device memory.
struct MemoryNeed {
  uint64_t states = 0;
  uint64_t arguments = 0; ///< inputs, scalars, outputs
  uint64_t arena = 0;
  uint64_t temporary = 0; ///< for ops
  /// Bytes of states in the host's memory, which the total leaves out.
  uint64_t host = 0;

  uint64_t total() const { return states + arguments + arena + temporary; }
};

/// For one entry; for the states alone if `entry` is null.
MemoryNeed memoryNeed(const Description &description,
                      const EntryDescription *entry);

/// Fails if the need exceeds the memory that was free before any allocation,
/// with the sizes and advice. `subject` begins the message: "entry 'train' of
/// 'gpt.so'".
Error checkFits(const MemoryNeed &need, const tert_device_info &device,
                const std::string &subject);

} // namespace tert::session

#endif // TERT_SESSION_MEMORYNEED_H
