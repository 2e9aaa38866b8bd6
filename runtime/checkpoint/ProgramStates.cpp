// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/ProgramStates.h"

#include <algorithm>
#include <vector>

using namespace tert::session;

/// Bytes that a copy between host and device moves at a time.
static constexpr size_t chunkBytes = size_t(4) << 20;

Error ProgramStates::clearState(size_t index, size_t bytes, size_t offset) {
  const std::vector<char> zeros(std::min(bytes, chunkBytes));
  for (size_t done = 0; done < bytes; done += zeros.size())
    if (Error error =
            writeState(index, zeros.data(),
                       std::min(zeros.size(), bytes - done), offset + done))
      return error;
  return Error::success();
}

Error ProgramStates::fillState(
    size_t index,
    const std::function<Error(const ShardRange &, char *)> &fill) {
  const StateDescription &state = description().states[index];
  const auto element =
      static_cast<int64_t>(sizeOf(toFileDType(state.type.dtype)));
  const int64_t count = state.type.elements();
  const int64_t most = static_cast<int64_t>(chunkBytes) / element;
  std::vector<char> chunk(static_cast<size_t>(std::min(count, most) * element));
  for (int64_t first = 0; first < count; first += most) {
    const int64_t size = std::min(most, count - first);
    if (state.shard)
      std::fill(chunk.begin(), chunk.end(), '\0');
    auto fillRange = [&](const ShardRange &range) {
      return fill(range, chunk.data() + (range.local - first) * element);
    };
    if (Error error = state.visitRanges(description().mesh, rank(), first, size,
                                        fillRange))
      return error;
    if (Error error =
            writeState(index, chunk.data(), static_cast<size_t>(size * element),
                       static_cast<size_t>(first * element)))
      return error;
  }
  return Error::success();
}

Error ProgramStates::visitState(
    size_t index,
    const std::function<Error(const char *, size_t)> &visit) const {
  size_t size = stateBytes(index);
  std::vector<char> chunk(std::min(size, chunkBytes));
  for (size_t offset = 0; offset < size; offset += chunk.size()) {
    size_t bytes = std::min(chunk.size(), size - offset);
    if (Error error = readState(index, chunk.data(), bytes, offset))
      return error;
    if (Error error = visit(chunk.data(), bytes))
      return error;
  }
  return Error::success();
}
