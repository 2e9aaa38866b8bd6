// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors that lie in the data and that only a kernel sees: a token id outside
// the table, a label that is not a class.
//
// The kernel goes on (it must not fault, and it writes NaN where the bad value
// would have gone, so that a training step skips its update) and notes the
// first such value it meets in a record. The host looks at the record when it
// waits for results, and then the call fails with TERT_INVALID_DATA, naming op
// and location as the CPU does.
#ifndef TERT_CUDA_DATAERRORS_H
#define TERT_CUDA_DATAERRORS_H

#include "tert/types.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <cuda_runtime.h>

namespace tert::cuda {

/// Lies in page-locked host memory that kernels address: looking at it costs no
/// copy.
struct DataErrorRecord {
  uint32_t claimed; ///< 1 once somebody reported
  int32_t source;
  int64_t value, position;
};

/// What a kernel gets, by value.
struct DataErrorSink {
  DataErrorRecord *record;
  int32_t source;

#ifdef __CUDACC__
  /// The first report since the host looked wins.
  __device__ void report(int64_t value, int64_t position) const {
    if (atomicCAS(&record->claimed, 0u, 1u) != 0)
      return;
    record->source = source;
    record->value = value;
    record->position = position;
    __threadfence_system();
  }
#endif
};

class DataErrors {
public:
  /// Completes the message: "token id 300 at position 5 is outside …".
  using Describe = std::function<std::string(int64_t value, int64_t position)>;

  DataErrors();
  ~DataErrors();
  DataErrors(const DataErrors &) = delete;
  DataErrors &operator=(const DataErrors &) = delete;

  /// The sink of an op's kernel. It stays valid, for replays of a graph too;
  /// asking again for the same site replaces the description.
  DataErrorSink sink(const tert_site &site, Describe describe);

  /// To be called when the stream is idle: throws what was reported since the
  /// last time.
  void throwIfReported();

private:
  struct Source {
    std::string where; ///< op and location
    Describe describe;
  };
  DataErrorRecord *record = nullptr;
  std::vector<Source> sources;
  /// By contents, not address: sites of tests live on the stack.
  std::map<std::tuple<std::string, std::string, int32_t>, int32_t> indices;
};

} // namespace tert::cuda

#endif // TERT_CUDA_DATAERRORS_H
