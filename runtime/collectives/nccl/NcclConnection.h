// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The NCCL communicators of a group's GPUs, created on first use.
#ifndef TERT_COLLECTIVES_NCCL_NCCLCONNECTION_H
#define TERT_COLLECTIVES_NCCL_NCCLCONNECTION_H

#include "collectives/Communicator.h"

#include <array>
#include <atomic>
#include <cuda_runtime.h>
#include <mutex>
#include <nccl.h>

namespace tert::nccl {

class NcclConnection {
public:
  NcclConnection(const Group &group, int ordinal, const Rendezvous &rendezvous);
  ~NcclConnection();
  NcclConnection(const NcclConnection &) = delete;
  NcclConnection &operator=(const NcclConnection &) = delete;

  /// All members call it at the same point of their program; the first call
  /// also connects and must not happen while `stream` is captured. Each of the
  /// two lanes has a communicator, because collectives on one communicator wait
  /// for each other. Throws an Error, also if aborted.
  ncclComm_t get(unsigned lane, cudaStream_t stream);
  /// Connects both at once, before anything is enqueued.
  void connect();
  /// Throws an Error unless `result` is success.
  void check(ncclResult_t result, const char *what);

  // May be called from any thread.

  void throwIfAborted();
  /// The reason of an abort, or NCCL's description of a failure; empty if there
  /// is none. `last` is the collective that began last, or empty.
  std::string failure(const std::string &last);
  /// Calls `before` and aborts. Returns false and does nothing if it has been
  /// aborted already.
  template <typename Fn>
  bool abort(const std::string &reason, const Fn &before) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!abortReason.empty())
      return false;
    abortReason = reason.empty() ? "the job has been ended" : reason;
    isAborted = true;
    before();
    abortCommunicators();
    return true;
  }

private:
  void abortCommunicators();

  const Group group;
  const int ordinal;
  const Store store;
  const std::chrono::seconds timeout;
  /// Null until connected, and after an abort, which may happen on any thread.
  std::array<std::atomic<ncclComm_t>, 2> communicators{};
  bool isConnected = false;

  std::atomic<bool> isAborted{false};
  std::mutex mutex; ///< guards the text and the destruction of communicators
  std::string abortReason;
};

} // namespace tert::nccl

#endif // TERT_COLLECTIVES_NCCL_NCCLCONNECTION_H
