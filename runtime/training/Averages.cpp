// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Averages.h"

#include "session/Initialization.h"

#include <algorithm>

using namespace tert;
using namespace tert::session;
using namespace tert::training;

static constexpr char averagePrefix[] = "ema.";

/// The average of a parameter; null if there is none.
static const StateDescription *findAverage(const Description &description,
                                           const StateDescription &state) {
  if (!state.isParameter())
    return nullptr;
  for (const StateDescription &other : description.states)
    if (other.kind == "average" && other.name == averagePrefix + state.name)
      return &other;
  return nullptr;
}

bool training::hasAverages(const Description &description) {
  return description.findStateOfKind("average");
}

/// States that withAverages() may change.
static bool isChanged(const StateDescription &state) {
  return state.isParameter() || state.isOfFp8() ||
         state.init.kind == StateInit::Kind::Derived;
}

Error training::withAverages(Session &session,
                             const std::function<Error()> &evaluate) {
  const Description &description = session.description();
  Expected<StateSnapshot> before = StateSnapshot::take(session, isChanged);
  if (!before)
    return before.takeError();
  Error error = Error::success();
  for (size_t index = 0; index < description.states.size() && !error; ++index) {
    const StateDescription *average =
        findAverage(description, description.states[index]);
    if (!average)
      continue;
    size_t offset = 0;
    error = session.visitState(
        static_cast<size_t>(average - description.states.data()),
        [&](const char *data, size_t bytes) {
          Error written = session.writeState(index, data, bytes, offset);
          offset += bytes;
          return written;
        });
  }
  if (!error)
    error = deriveStates(session);
  if (!error)
    error = evaluate();
  Error restored = before->restore(session, isChanged);
  return restored ? std::move(restored) : std::move(error);
}
