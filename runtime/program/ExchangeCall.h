// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks tell each other before they exchange tensors, so that ranks that
// run different programs, or are at different places of one, say so instead of
// taking one tensor for another.
#ifndef TERT_PROGRAM_EXCHANGECALL_H
#define TERT_PROGRAM_EXCHANGECALL_H

#include "program/Communicator.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace tert {

/// One call of an op, by which ranks see that they are in the same one.
struct ExchangeCall {
  const tert_site &site;
  uint64_t bytes;  ///< of the tensors that the call is about
  uint64_t digest; ///< of their sizes and dtypes
};

/// A call on tensors that must be alike on all ranks.
ExchangeCall callOf(const tert_site &site, const TensorList &tensors);

/// Travels as bytes.
struct Announcement {
  uint64_t number; ///< of the call, among those of the group
  uint64_t bytes;
  uint64_t digest;
  char op[40];
  char location[136];

  Announcement() = default;
  Announcement(const ExchangeCall &call, uint64_t number)
      : number(number), bytes(call.bytes), digest(call.digest), op(),
        location() {
    // Long texts are cut: they are for messages.
    std::snprintf(op, sizeof(op), "%s", call.site.op ? call.site.op : "");
    std::snprintf(location, sizeof(location), "%s",
                  call.site.location ? call.site.location : "");
  }

  /// Locations may differ: one rank's build of the program may know less.
  bool agreesWith(const Announcement &other) const {
    return number == other.number && bytes == other.bytes &&
           digest == other.digest && std::strcmp(op, other.op) == 0;
  }

  /// "tert.all_gather at h.3 of 96 bytes, exchange 17"
  std::string describe() const {
    std::string text = op;
    if (*location)
      text += std::string(" at ") + location;
    return text + " of " + std::to_string(bytes) + " bytes, exchange " +
           std::to_string(number);
  }

  /// What came from elsewhere is text, whatever it holds.
  void terminate() { op[sizeof(op) - 1] = location[sizeof(location) - 1] = 0; }
};

/// Throws TERT_PEER_ERROR, naming both members and calls, unless the one at
/// place `member` has announced the same call as this one.
void checkSameCall(const Group &group, const Announcement &own, int32_t member,
                   Announcement other);

} // namespace tert

#endif // TERT_PROGRAM_EXCHANGECALL_H
