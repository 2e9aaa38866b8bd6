// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Announcement of a call, which ranks compare before they transfer tensors, so
// that ranks with different programs, or at different calls of one, fail
// instead of mixing up tensors.
#ifndef TERT_COLLECTIVES_CALLSIGNATURE_H
#define TERT_COLLECTIVES_CALLSIGNATURE_H

#include "collectives/Communicator.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace tert {

/// One call of an op, compared across ranks.
struct CallSignature {
  const tert_site &site;
  uint64_t bytes;  ///< of the call's tensors
  uint64_t digest; ///< of their sizes and dtypes
};

/// A call on tensors that must be identical in layout on all ranks.
CallSignature callOf(const tert_site &site, const TensorList &tensors);

/// Transferred as bytes.
struct Announcement {
  uint64_t number; ///< of the call, within the group
  uint64_t bytes;
  uint64_t digest;
  char op[40];
  char location[136];

  Announcement() = default;
  Announcement(const CallSignature &call, uint64_t number)
      : number(number), bytes(call.bytes), digest(call.digest), op(),
        location() {
    // Long texts are truncated: they are for messages.
    std::snprintf(op, sizeof(op), "%s", call.site.op ? call.site.op : "");
    std::snprintf(location, sizeof(location), "%s",
                  call.site.location ? call.site.location : "");
  }

  /// Locations may differ: one rank's build of the program may have fewer.
  bool agreesWith(const Announcement &other) const {
    return number == other.number && bytes == other.bytes &&
           digest == other.digest && std::strcmp(op, other.op) == 0;
  }

  /// "tert.all_gather at h.3 of 96 bytes, collective number 17"
  std::string describe() const {
    std::string text = op;
    if (*location)
      text += std::string(" at ") + location;
    return text + " of " + std::to_string(bytes) +
           " bytes, collective number " + std::to_string(number);
  }

  /// Terminates received text, whatever it contains.
  void terminate() { op[sizeof(op) - 1] = location[sizeof(location) - 1] = 0; }
};

/// Throws TERT_PEER_ERROR, naming both members and calls, unless the one at
/// index `member` has announced this call.
void checkSameCall(const Group &group, const Announcement &own, int32_t member,
                   Announcement other);

} // namespace tert

#endif // TERT_COLLECTIVES_CALLSIGNATURE_H
