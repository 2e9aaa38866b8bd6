// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of an entry that takes token ids and returns logits.

#ifndef TERT_GENERATION_TOKENCALL_H
#define TERT_GENERATION_TOKENCALL_H

#include "session/Session.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tert::generation {

class TokenCall {
public:
  /// Fails, with the reason, unless the entry's inputs are ids [rows, columns]
  /// and perhaps `positions` [rows], and one output of float logits [rows,
  /// columns or 1, ids]: the one named `logits`, or, if that is empty, the only
  /// one.
  static session::Expected<TokenCall> create(session::Session &session,
                                             const std::string &entry,
                                             const std::string &logits,
                                             session::SharedArena arena);

  int64_t rows() const { return ids->type.shape[0]; }
  int64_t columns() const { return ids->type.shape[1]; }
  int64_t logitColumns() const { return logits->type.shape[1]; }
  int64_t vocabulary() const { return logits->type.shape[2]; }

  /// Runs the entry on ids `idAt(row, column)` and, if it takes them, positions
  /// `positionAt(row)`.
  session::Error run(const std::function<int64_t(int64_t, int64_t)> &idAt,
                     const std::function<int64_t(int64_t)> &positionAt);
  /// The logits of the last run in column `columnAt(row)`, [rows(),
  /// vocabulary()].
  session::Error read(const std::function<int64_t(int64_t)> &columnAt,
                      std::vector<float> &to);

private:
  explicit TokenCall(session::EntryCall call) : call(std::move(call)) {}
  session::Error findArguments(const std::string &name);

  session::EntryCall call;
  const session::ArgumentDescription *ids = nullptr, *positions = nullptr,
                                     *logits = nullptr;
  std::vector<char> bytes;
};

} // namespace tert::generation

#endif // TERT_GENERATION_TOKENCALL_H
