// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/StateSnapshot.h"

#include <algorithm>
#include <cstring>

using namespace tert::session;

static bool isZero(const char *data, size_t bytes) {
  return std::all_of(data, data + bytes, [](char c) { return c == 0; });
}

Expected<StateSnapshot> StateSnapshot::take(const Session &session) {
  return take(session, [](const StateDescription &) { return true; });
}

Expected<StateSnapshot> StateSnapshot::take(const Session &session,
                                            const Choice &which) {
  StateSnapshot snapshot;
  size_t count = session.description().states.size();
  snapshot.states.resize(count);
  for (size_t index = 0; index < count; ++index) {
    std::string &kept = snapshot.states[index];
    if (!which(session.description().states[index]))
      continue;
    size_t zeros = 0; // Number of zero pieces, not stored yet.
    Error error =
        session.visitState(index, [&](const char *data, size_t bytes) {
          if (kept.empty() && isZero(data, bytes)) {
            zeros += bytes;
            return Error::success();
          }
          if (kept.empty()) {
            kept.reserve(session.description().states[index].type.bytes());
            kept.assign(zeros, '\0');
          }
          kept.append(data, bytes);
          return Error::success();
        });
    if (error)
      return error;
  }
  return snapshot;
}

Error StateSnapshot::restore(Session &session, const Choice &which) const {
  const std::vector<StateDescription> &all = session.description().states;
  for (size_t index = 0; index < all.size(); ++index) {
    if (!which(all[index]))
      continue;
    const std::string &kept = states[index];
    if (!kept.empty()) {
      if (Error error = session.writeState(index, kept.data(), kept.size()))
        return error;
      continue;
    }
    if (Error error = session.clearState(index))
      return error;
  }
  return Error::success();
}

void StateSnapshot::read(size_t index, void *host, size_t bytes,
                         size_t offset) const {
  const std::string &kept = states[index];
  if (kept.empty())
    std::memset(host, 0, bytes);
  else
    std::memcpy(host, kept.data() + offset, bytes);
}

/// Returns whether two pieces of a state have equal numbers.
static bool sameNumbers(DType dtype, const char *a, const char *b,
                        size_t bytes) {
  if (std::memcmp(a, b, bytes) == 0)
    return true;
  size_t size = sizeOf(dtype);
  for (size_t at = 0; at < bytes; at += size)
    if (std::memcmp(a + at, b + at, size) != 0 &&
        readAsDouble(dtype, a + at) != readAsDouble(dtype, b + at))
      return false;
  return true;
}

Expected<bool> StateSnapshot::holds(const Session &session,
                                    const Choice &which) const {
  const std::vector<StateDescription> &all = session.description().states;
  bool same = true;
  for (size_t index = 0; index < all.size() && same; ++index) {
    if (!which(all[index]))
      continue;
    const std::string &kept = states[index];
    DType dtype = toFileDType(all[index].type.dtype);
    std::string zeros;
    size_t offset = 0;
    Error error =
        session.visitState(index, [&](const char *data, size_t bytes) {
          if (kept.empty())
            zeros.resize(bytes);
          const char *before =
              kept.empty() ? zeros.data() : kept.data() + offset;
          same = same && sameNumbers(dtype, data, before, bytes);
          offset += bytes;
          return Error::success();
        });
    if (error)
      return error;
  }
  return same;
}
