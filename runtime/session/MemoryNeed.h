// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a program fits a device, asked before it runs.

#ifndef TERT_SESSION_MEMORYNEED_H
#define TERT_SESSION_MEMORYNEED_H

#include "session/Description.h"
#include "session/Error.h"
#include "tert/device.h"

#include <cstdint>
#include <string>

namespace tert::session {

/// Bytes of device memory.
struct MemoryNeed {
  uint64_t states = 0;
  uint64_t arguments = 0; ///< inputs, scalars, outputs
  uint64_t arena = 0;
  uint64_t temporary = 0; ///< of ops

  uint64_t total() const { return states + arguments + arena + temporary; }
};

/// Of one entry; of the states alone if `entry` is null.
MemoryNeed memoryNeed(const Description &description,
                      const EntryDescription *entry);

/// "1.50 GiB".
std::string gibibytes(uint64_t bytes);

/// Refuses what is more than the device had free before anything was
/// allocated, with the figures and what would help. `subject` begins the
/// message: "entry 'train' of 'gpt.so'".
Error checkFits(const MemoryNeed &need, const tert_device_info &device,
                const std::string &subject);

} // namespace tert::session

#endif // TERT_SESSION_MEMORYNEED_H
