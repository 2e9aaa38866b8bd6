// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/nccl/NcclConnection.h"

#include "cuda/Device.h"
#include "cuda/Error.h"

#include <condition_variable>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>

using namespace tert;
using namespace tert::nccl;

/// NCCL's name of a failure, with the message of its last one.
static std::string textOf(ncclResult_t result) {
  std::string text = ncclGetErrorString(result);
  const char *last = ncclGetLastError(nullptr);
  if (last && *last)
    text += std::string(" (") + last + ")";
  return text;
}

/// TERT_PEER_ERROR for failures that other ranks or the network may have
/// caused.
static tert_status statusOf(ncclResult_t result) {
  return result == ncclRemoteError || result == ncclSystemError
             ? TERT_PEER_ERROR
             : TERT_DEVICE_ERROR;
}

namespace {

/// An NCCL call that waits for other ranks and that cannot be cancelled. It
/// runs on its own thread, for which the caller waits a limited time.
class Attempt {
public:
  /// Returns whether `call` returned within `timeout`, and before `isOver`
  /// became true. If not, its thread keeps running, with `call` and its
  /// captures, until the process ends.
  static bool run(int ordinal, std::chrono::seconds timeout,
                  const std::atomic<bool> *isOver, std::function<void()> call) {
    auto state = std::make_shared<Attempt>();
    std::thread([state, ordinal, call = std::move(call)] {
      try {
        cuda::OnGpu gpu(ordinal);
        call();
      } catch (const std::exception &) {
        // The GPU is lost; the caller sees that the call did not finish.
      }
      std::lock_guard<std::mutex> lock(state->mutex);
      state->isDone = true;
      state->done.notify_all();
    }).detach();
    const auto end = std::chrono::steady_clock::now() + timeout;
    std::unique_lock<std::mutex> lock(state->mutex);
    while (!state->isDone && std::chrono::steady_clock::now() < end &&
           !(isOver && *isOver))
      state->done.wait_for(lock, std::chrono::milliseconds(20));
    return state->isDone;
  }

private:
  std::mutex mutex;
  std::condition_variable done;
  bool isDone = false;
};

struct Connected {
  std::array<ncclComm_t, 2> communicators{};
  ncclResult_t result = ncclInternalError;
  std::string text;
};

} // namespace

/// The rendezvous id of the members, created by the first one.
static ncclUniqueId meet(const Group &group, const Store &store) {
  ncclUniqueId id = {};
  if (group.rank == 0) {
    if (ncclResult_t result = ncclGetUniqueId(&id); result != ncclSuccess)
      throw Error(statusOf(result), "NCCL does not start: " + textOf(result));
    store.set("nccl", std::string(id.internal, sizeof(id.internal)));
    return id;
  }
  const std::string text = store.get("nccl");
  if (text.size() != sizeof(id.internal))
    throw Error(TERT_PEER_ERROR, group.name(0) + " has another NCCL");
  std::memcpy(id.internal, text.data(), text.size());
  return id;
}

NcclConnection::NcclConnection(const Group &group, int ordinal,
                               const Rendezvous &rendezvous)
    : group(group), ordinal(ordinal), store(rendezvous.store),
      timeout(rendezvous.timeout) {}

NcclConnection::~NcclConnection() {
  // Destroying waits for the other ranks, which read this rank's memory until
  // they are done. Ranks that will never be done are not waited for.
  for (auto each = communicators.rbegin(); each != communicators.rend(); ++each)
    if (const ncclComm_t last = each->exchange(nullptr))
      Attempt::run(ordinal, std::min(timeout, std::chrono::seconds(20)),
                   /*isOver=*/nullptr, [last] { ncclCommDestroy(last); });
}

void NcclConnection::connect() {
  const ncclUniqueId id = meet(group, store);
  auto connected = std::make_shared<Connected>();
  const int32_t size = group.size(), rank = group.rank;
  const bool came =
      Attempt::run(ordinal, timeout, &isAborted, [connected, id, size, rank] {
        auto &[first, second] = connected->communicators;
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
        config.blocking = 1;
        connected->result =
            ncclCommInitRankConfig(&first, size, id, rank, &config);
        if (connected->result == ncclSuccess)
          connected->result = ncclCommSplit(first, 0, rank, &second, &config);
        if (connected->result != ncclSuccess)
          connected->text = textOf(connected->result);
      });
  throwIfAborted();
  if (!came)
    throw Error(TERT_PEER_ERROR, "NCCL has not come back in " +
                                     std::to_string(timeout.count()) + " s");
  if (connected->result != ncclSuccess)
    throw Error(statusOf(connected->result),
                "NCCL does not connect the ranks along " + group.axes + ": " +
                    connected->text);
  std::lock_guard<std::mutex> lock(mutex);
  for (size_t lane = 0; lane < communicators.size(); ++lane)
    communicators[lane] = connected->communicators[lane];
  isConnected = true;
}

ncclComm_t NcclConnection::get(unsigned lane, cudaStream_t stream) {
  throwIfAborted();
  if (!isConnected) {
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    cuda::check(cudaStreamIsCapturing(stream, &capture),
                "asking for the stream");
    if (capture != cudaStreamCaptureStatusNone)
      throw Error(TERT_DEVICE_ERROR,
                  "NCCL has not connected the ranks yet while a graph is "
                  "captured; run the entry once first");
    connect();
  }
  const ncclComm_t current = communicators[lane];
  if (!current)
    throwIfAborted();
  return current;
}

void NcclConnection::check(ncclResult_t result, const char *what) {
  if (result == ncclSuccess)
    return;
  const std::string text = textOf(result);
  throwIfAborted();
  throw Error(statusOf(result), std::string(what) + " of " + group.name() +
                                    " along " + group.axes + ": " + text);
}

void NcclConnection::throwIfAborted() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!abortReason.empty())
    throw Error(TERT_PEER_ERROR, abortReason);
}

std::string NcclConnection::failure(const std::string &last) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!abortReason.empty())
    return abortReason;
  ncclResult_t result = ncclSuccess;
  for (const auto &each : communicators)
    if (const ncclComm_t current = each;
        current && (result == ncclSuccess || result == ncclInProgress) &&
        ncclCommGetAsyncError(current, &result) != ncclSuccess)
      result = ncclSuccess;
  if (result == ncclSuccess || result == ncclInProgress)
    return {};
  return group.name() + " has lost others along " + group.axes +
         (last.empty() ? "" : " in " + last) + ": " + textOf(result);
}

void NcclConnection::abortCommunicators() {
  for (auto each = communicators.rbegin(); each != communicators.rend(); ++each)
    if (const ncclComm_t last = each->exchange(nullptr))
      Attempt::run(ordinal, std::chrono::seconds(10), /*isOver=*/nullptr,
                   [last] { ncclCommAbort(last); });
}
