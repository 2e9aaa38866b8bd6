// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of states, kept on the host to be put back.

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

  /// Copies every state. One that is all zeros, as a fresh optimizer's are,
  /// takes no memory.
  static Expected<StateSnapshot> take(const Session &session);

  /// Writes the chosen states back, bit for bit.
  Error restore(Session &session, const Choice &which) const;
  /// Whether the chosen states still hold these numbers; zeros of either sign
  /// are one number.
  Expected<bool> holds(const Session &session, const Choice &which) const;

private:
  std::vector<std::string> states; ///< By index; empty: all zeros.
};

} // namespace tert::session

#endif // TERT_SESSION_STATESNAPSHOT_H
