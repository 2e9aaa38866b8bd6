// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of states on the host, to be restored.

#ifndef TERT_SESSION_STATESNAPSHOT_H
#define TERT_SESSION_STATESNAPSHOT_H

#include "session/Session.h"

#include <functional>
#include <string>
#include <vector>

namespace tert::session {

class StateSnapshot {
public:
  using Choice = std::function<bool(const StateDescription &)>;

  /// Copies every state. One that is all zeros, like a new optimizer's, takes
  /// no memory.
  static Expected<StateSnapshot> take(const Session &session);
  /// Copies the chosen states; no others may be read or restored.
  static Expected<StateSnapshot> take(const Session &session,
                                      const Choice &which);

  /// Restores the chosen states, bit for bit.
  Error restore(Session &session, const Choice &which) const;
  /// Reads from the copy, as Session::readState does.
  void read(size_t index, void *host, size_t bytes, size_t offset) const;
  /// Returns whether the chosen states still have these numbers; zeros of
  /// either sign are equal.
  Expected<bool> holds(const Session &session, const Choice &which) const;

private:
  std::vector<std::string> states; ///< By index; empty: all zeros.
};

} // namespace tert::session

#endif // TERT_SESSION_STATESNAPSHOT_H
