// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/StateCheck.h"

#include <cstdint>
#include <cstring>

using namespace tert::session;

/// Returns whether all values are finite; `exponent` is the bit pattern of the
/// exponents of NaN and infinity.
template <typename Bits>
static bool isFinite(const char *data, size_t bytes, Bits exponent) {
  bool finite = true;
  for (size_t at = 0; at + sizeof(Bits) <= bytes; at += sizeof(Bits)) {
    Bits bits;
    std::memcpy(&bits, data + at, sizeof(bits));
    finite &= (bits & exponent) != exponent;
  }
  return finite;
}

/// FP8 copies of weights saturate, and are recomputed from the weights.
static bool isFinite(tert_dtype dtype, const char *data, size_t bytes) {
  if (dtype == TERT_F32)
    return isFinite<uint32_t>(data, bytes, 0x7f800000u);
  return dtype != TERT_BF16 || isFinite<uint16_t>(data, bytes, 0x7f80u);
}

Error tert::session::visitChecked(
    const ProgramStates &program, size_t index, StateCheck check,
    const std::string &path,
    const std::function<Error(const char *, size_t)> &visit) {
  const StateDescription &state = program.description().states[index];
  return program.visitState(index, [&](const char *data, size_t bytes) {
    // A mask may be infinite.
    if (check == StateCheck::Finite && !state.isBuffer() &&
        !isFinite(state.type.dtype, data, bytes))
      return Error("'" + path + "' was not written: the state '" + state.name +
                   "' has values that are not finite");
    return visit(data, bytes);
  });
}
