// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors in the data that only a kernel detects: a token id outside the table,
// a label that is not a class.
//
// The kernel must not fault. It writes NaN instead of the bad value's result,
// so that a training step skips its update, and stores the first such value in
// a record. The host checks the record when it waits for results; the call then
// fails with TERT_INVALID_DATA, naming op and location as on the CPU.
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

/// In page-locked host memory that kernels can address, so that reading it
/// costs no copy.
struct DataErrorRecord {
  uint32_t claimed; ///< 1 once a thread has reported
  int32_t source;
  int64_t value, position;
};

/// Passed to kernels by value.
struct DataErrorSink {
  DataErrorRecord *record;
  int32_t source;

#ifdef __CUDACC__
  /// Keeps the first report since the host last checked.
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

  /// The sink for an op's kernel. It stays valid, also when a graph is
  /// replayed. Another call for the same site replaces the description.
  DataErrorSink sink(const tert_site &site, Describe describe);

  /// Throws the error reported since the last call, if any. Call it while the
  /// stream is idle.
  void throwIfReported();

private:
  struct Source {
    std::string where; ///< op and location
    Describe describe;
  };
  DataErrorRecord *record = nullptr;
  std::vector<Source> sources;
  /// Keyed by contents, not address: tests have sites on the stack.
  std::map<std::tuple<std::string, std::string, int32_t>, int32_t> indices;
};

} // namespace tert::cuda

#endif // TERT_CUDA_DATAERRORS_H
