// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The states of a program on one rank, in whatever memory.

#ifndef TERT_CHECKPOINT_PROGRAMSTATES_H
#define TERT_CHECKPOINT_PROGRAMSTATES_H

#include "artifact/Description.h"
#include "support/Error.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace tert::session {

class ProgramStates {
public:
  virtual ~ProgramStates() = default;

  virtual const Description &description() const = 0;
  /// The artifact's file.
  virtual const std::string &path() const = 0;
  /// This rank in the program's mesh.
  virtual int32_t rank() const = 0;

  /// Reads or writes `bytes` of the state at `index` of description().states,
  /// from byte `offset`.
  virtual Error readState(size_t index, void *host, size_t bytes,
                          size_t offset = 0) const = 0;
  virtual Error writeState(size_t index, const void *host, size_t bytes,
                           size_t offset = 0) = 0;

  /// Zeros `bytes` of a state from byte `offset`, or all of it.
  Error clearState(size_t index) {
    return clearState(index, stateBytes(index));
  }
  Error clearState(size_t index, size_t bytes, size_t offset = 0);
  /// Writes this rank's shard of a state: `fill` writes the elements of a range
  /// of the full tensor, in the state's dtype, to the given address; padding is
  /// zero.
  Error fillState(size_t index,
                  const std::function<Error(const ShardRange &, char *)> &fill);
  /// Calls `visit` with the bytes of a state, piece by piece.
  Error
  visitState(size_t index,
             const std::function<Error(const char *, size_t)> &visit) const;
  size_t stateBytes(size_t index) const {
    return description().states[index].type.bytes();
  }
};

} // namespace tert::session

#endif // TERT_CHECKPOINT_PROGRAMSTATES_H
