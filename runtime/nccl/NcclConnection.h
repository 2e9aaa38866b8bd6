// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What NCCL connects a group's GPUs by, made when it is first needed.
#ifndef TERT_NCCL_NCCLCONNECTION_H
#define TERT_NCCL_NCCLCONNECTION_H

#include "program/Communicator.h"

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

  /// All members call it at the same point of their program, the first time
  /// also to connect: not while `stream` is captured. One for each of two
  /// lanes: exchanges of one communicator wait for each other. Throws an Error,
  /// also when aborted.
  ncclComm_t get(unsigned lane, cudaStream_t stream);
  /// The same at once, where nothing is enqueued yet.
  void connect();
  /// Throws an Error unless `result` is success.
  void check(ncclResult_t result, const char *what);

  // From any thread.

  void throwIfAborted();
  /// Why, once aborted, or what NCCL says has failed; empty while all is well.
  /// `last` is the exchange that began last, or empty.
  std::string failure(const std::string &last);
  /// False, and nothing is done, if it has been aborted before. What is to be
  /// done first then is `before`.
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
  /// Null before they are connected, and once aborted, which any thread may do.
  std::array<std::atomic<ncclComm_t>, 2> communicators{};
  bool isConnected = false;

  std::atomic<bool> isAborted{false};
  std::mutex mutex; ///< guards the text, and whoever destroys communicators
  std::string abortReason;
};

} // namespace tert::nccl

#endif // TERT_NCCL_NCCLCONNECTION_H
