// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nccl/NcclCommunicator.h"

#include "cuda/Device.h"
#include "cuda/Error.h"
#include "program/Backend.h"
#include "program/Tensor.h"

#include <condition_variable>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>

using namespace tert;
using namespace tert::nccl;

/// NCCL's name of a failure, with what it says of its last one.
static std::string textOf(ncclResult_t result) {
  std::string text = ncclGetErrorString(result);
  const char *last = ncclGetLastError(nullptr);
  if (last && *last)
    text += std::string(" (") + last + ")";
  return text;
}

/// What other ranks, or the way to them, may be the reason of.
static tert_status statusOf(ncclResult_t result) {
  return result == ncclRemoteError || result == ncclSystemError
             ? TERT_PEER_ERROR
             : TERT_DEVICE_ERROR;
}

namespace {

/// A call of NCCL that waits for other ranks, and that nothing else can end: on
/// a thread of its own, for which its caller waits a while.
class Attempt {
public:
  /// Whether `call` came back within `timeout`. If not, its thread goes on, on
  /// what `call` holds, until the process ends.
  static bool run(int ordinal, std::chrono::seconds timeout,
                  std::function<void()> call) {
    auto state = std::make_shared<Attempt>();
    std::thread([state, ordinal, call = std::move(call)] {
      try {
        cuda::OnGpu gpu(ordinal);
        call();
      } catch (const std::exception &) {
        // The GPU is gone; the caller finds nothing done.
      }
      std::lock_guard<std::mutex> lock(state->mutex);
      state->isDone = true;
      state->done.notify_all();
    }).detach();
    std::unique_lock<std::mutex> lock(state->mutex);
    return state->done.wait_for(lock, timeout, [&] { return state->isDone; });
  }

private:
  std::mutex mutex;
  std::condition_variable done;
  bool isDone = false;
};

struct Connected {
  ncclComm_t communicator = nullptr, beside = nullptr;
  ncclResult_t result = ncclInternalError;
  std::string text;
};

} // namespace

/// The name under which the members meet: the first one makes it.
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

NcclCommunicator::NcclCommunicator(const Group &group,
                                   const cuda::CommunicatorPlace &place,
                                   const Rendezvous &rendezvous)
    : Communicator(group), place(place), timeout(rendezvous.timeout),
      side(place.stream) {
  const ncclUniqueId id = meet(group, rendezvous.store);
  auto connected = std::make_shared<Connected>();
  const int32_t size = group.size(), rank = group.rank;
  const bool came =
      Attempt::run(place.ordinal, timeout, [connected, id, size, rank] {
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
        config.blocking = 1;
        connected->result = ncclCommInitRankConfig(&connected->communicator,
                                                   size, id, rank, &config);
        // One of its own for what runs beside the computation: exchanges of one
        // communicator wait for each other.
        if (connected->result == ncclSuccess)
          connected->result = ncclCommSplit(connected->communicator, 0, rank,
                                            &connected->beside, &config);
        if (connected->result != ncclSuccess)
          connected->text = textOf(connected->result);
      });
  if (!came)
    throw Error(TERT_PEER_ERROR, "NCCL has not come back in " +
                                     std::to_string(timeout.count()) + " s");
  if (connected->result != ncclSuccess)
    throw Error(statusOf(connected->result),
                "NCCL does not connect the ranks along " + group.axes + ": " +
                    connected->text);
  communicator = connected->communicator;
  beside = connected->beside;
  peers = PeerExchange::connect(group, place, rendezvous.store);
}

NcclCommunicator::~NcclCommunicator() {
  // Destroying waits for the other ranks, which read this one's memory until
  // they are done; those that will never be done are not waited for.
  for (std::atomic<ncclComm_t> *each : {&beside, &communicator})
    if (const ncclComm_t last = each->exchange(nullptr))
      Attempt::run(place.ordinal, std::min(timeout, std::chrono::seconds(20)),
                   [last] { ncclCommDestroy(last); });
  for (float *memory : words)
    cudaFree(memory);
}

void NcclCommunicator::check(ncclResult_t result, const char *what) {
  if (result == ncclSuccess)
    return;
  const std::string text = textOf(result);
  std::lock_guard<std::mutex> lock(mutex);
  if (!abortReason.empty())
    throw Error(TERT_PEER_ERROR, abortReason);
  throw Error(statusOf(result), std::string(what) + " of " + getGroup().name() +
                                    " along " + getGroup().axes + ": " + text);
}

ncclComm_t NcclCommunicator::get(const std::atomic<ncclComm_t> &of) {
  const ncclComm_t current = of;
  if (current)
    return current;
  std::lock_guard<std::mutex> lock(mutex);
  throw Error(TERT_PEER_ERROR, abortReason);
}

float *NcclCommunicator::wordsFor(int64_t count) {
  if (count <= numWords)
    return words.back();
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cuda::check(cudaStreamIsCapturing(place.stream, &capture),
              "asking for the stream");
  if (capture != cudaStreamCaptureStatusNone)
    throw Error(TERT_DEVICE_ERROR,
                "needs memory for " + std::to_string(count) +
                    " scalars while a graph is captured; run the entry once "
                    "first");
  void *memory = nullptr;
  cuda::check(cudaMalloc(&memory, size_t(count) * sizeof(float)),
              "allocating memory for scalars");
  words.push_back(static_cast<float *>(memory));
  numWords = count;
  return words.back();
}

//===-- Exchanges
//----------------------------------------------------------===//

static ncclDataType_t typeOf(const tert_tensor &tensor) {
  return dtypeOf(tensor) == TERT_BF16 ? ncclBfloat16 : ncclFloat32;
}

static size_t countOf(const tert_tensor &tensor) {
  return static_cast<size_t>(numElements(tensor));
}

/// Where part number `place` of a whole of `ranks` lies.
static void *partOf(const tert_tensor &whole, int32_t place, int32_t ranks) {
  const int64_t bytes = numElements(whole) / ranks * bytesOf(dtypeOf(whole));
  return static_cast<char *>(whole.data) + place * bytes;
}

template <typename Fn>
void NcclCommunicator::runGroup(const tert_site &site,
                                const TensorList &tensors, ncclComm_t current,
                                cudaStream_t stream, const Fn &body) {
  bool isEmpty = true;
  for (const tert_tensor &tensor : tensors)
    isEmpty &= countOf(tensor) == 0;
  if (isEmpty)
    return;
  begin(stream, progress.markOf(site));
  check(ncclGroupStart(), "starting an exchange");
  ncclResult_t failed = ncclSuccess;
  for (int32_t k = 0; k < tensors.size() && failed == ncclSuccess; ++k)
    if (countOf(tensors[k]) != 0)
      failed = body(k);
  // It has to be ended whatever happened in it.
  const ncclResult_t ended = ncclGroupEnd();
  check(failed, "an exchange");
  check(ended, "an exchange");
}

void NcclCommunicator::allReduceOn(const tert_site &site,
                                   const TensorList &tensors, Lane lane,
                                   cudaStream_t stream) {
  const ncclComm_t current = of(lane);
  if (peers &&
      peers->allReduce(lane, stream, site, progress.markOf(site), tensors))
    return;
  runGroup(site, tensors, current, stream, [&](int32_t k) {
    const tert_tensor &x = tensors[k];
    return ncclAllReduce(x.data, x.data, countOf(x), typeOf(x), ncclSum,
                         current, stream);
  });
}

void NcclCommunicator::allReduce(const tert_site &site,
                                 const TensorList &tensors) {
  allReduceOn(site, tensors, PeerExchange::WithComputation, place.stream);
}

void NcclCommunicator::startAllReduce(const tert_site &site,
                                      const TensorList &tensors) {
  allReduceOn(site, tensors, PeerExchange::Beside, side.begin());
  side.end(tensors);
}

void NcclCommunicator::await(const tert_site &, const TensorList &tensors) {
  side.join(tensors);
}

void NcclCommunicator::reduceScatterOn(const tert_site &site,
                                       const TensorList &x, const TensorList &y,
                                       const PartOrders &orders, Lane lane,
                                       cudaStream_t stream) {
  const ncclComm_t current = of(lane);
  if (peers && peers->reduceScatter(lane, stream, site, progress.markOf(site),
                                    x, y, orders))
    return;
  const int32_t ranks = getGroup().size();
  runGroup(site, y, current, stream, [&](int32_t k) {
    const size_t count = countOf(y[k]);
    if (!orders.isReversed(k))
      return ncclReduceScatter(x[k].data, y[k].data, count, typeOf(y[k]),
                               ncclSum, current, stream);
    // NCCL has it in the order of the ranks alone.
    ncclResult_t failed = ncclSuccess;
    for (int32_t rank = 0; rank < ranks && failed == ncclSuccess; ++rank)
      failed = ncclReduce(partOf(x[k], orders.placeOf(k, rank, ranks), ranks),
                          y[k].data, count, typeOf(y[k]), ncclSum, rank,
                          current, stream);
    return failed;
  });
}

void NcclCommunicator::allGatherOn(const tert_site &site, const TensorList &x,
                                   const TensorList &y,
                                   const PartOrders &orders, Lane lane,
                                   cudaStream_t stream) {
  const ncclComm_t current = of(lane);
  if (peers &&
      peers->allGather(lane, stream, site, progress.markOf(site), x, y, orders))
    return;
  const int32_t ranks = getGroup().size();
  runGroup(site, x, current, stream, [&](int32_t k) {
    // Bytes are bytes, whatever NCCL knows of their type.
    const size_t bytes = countOf(x[k]) * size_t(bytesOf(dtypeOf(x[k])));
    if (!orders.isReversed(k))
      return ncclAllGather(x[k].data, y[k].data, bytes, ncclUint8, current,
                           stream);
    ncclResult_t failed = ncclSuccess;
    for (int32_t rank = 0; rank < ranks && failed == ncclSuccess; ++rank) {
      failed = ncclSend(x[k].data, bytes, ncclUint8, rank, current, stream);
      if (failed == ncclSuccess)
        failed = ncclRecv(partOf(y[k], orders.placeOf(k, rank, ranks), ranks),
                          bytes, ncclUint8, rank, current, stream);
    }
    return failed;
  });
}

void NcclCommunicator::reduceScatter(const tert_site &site, const TensorList &x,
                                     const TensorList &y,
                                     const PartOrders &orders) {
  reduceScatterOn(site, x, y, orders, PeerExchange::WithComputation,
                  place.stream);
}

void NcclCommunicator::startReduceScatter(const tert_site &site,
                                          const TensorList &x,
                                          const TensorList &y,
                                          const PartOrders &orders) {
  reduceScatterOn(site, x, y, orders, PeerExchange::Beside, side.begin());
  side.end(y);
}

void NcclCommunicator::allGather(const tert_site &site, const TensorList &x,
                                 const TensorList &y,
                                 const PartOrders &orders) {
  allGatherOn(site, x, y, orders, PeerExchange::WithComputation, place.stream);
}

void NcclCommunicator::startAllGather(const tert_site &site,
                                      const TensorList &x, const TensorList &y,
                                      const PartOrders &orders) {
  allGatherOn(site, x, y, orders, PeerExchange::Beside, side.begin());
  side.end(y);
}

void NcclCommunicator::reduceNorm(const tert_site &site, Backend &backend,
                                  const TensorList &parts,
                                  const tert_tensor &norm) {
  const ncclComm_t current = get(communicator);
  const Group &group = getGroup();
  // Memory for words is aligned for numbers of two.
  auto *all = reinterpret_cast<double *>(wordsFor(int64_t(group.size()) * 2));
  double *own = all + group.rank;
  backend.sumOfSquares(site, parts.size(), parts.begin(), own);
  if (peers) {
    peers->reduceNorm(place.stream, progress.markOf(site), own,
                      static_cast<float *>(norm.data));
    return;
  }
  begin(place.stream, progress.markOf(site));
  check(ncclAllGather(own, all, 1, ncclFloat64, current, place.stream),
        "an exchange");
  nccl::reduceNorm(place.stream, all, group.size(),
                   static_cast<float *>(norm.data));
}

void NcclCommunicator::reduceScalars(const tert_site &site,
                                     const TensorList &maxima,
                                     const TensorList &sums,
                                     const tert_tensor *max,
                                     const tert_tensor *sum) {
  const ncclComm_t current = get(communicator);
  const int32_t count = maxima.size() + sums.size();
  if (count == 0)
    return;
  auto dataOf = [](const tert_tensor *tensor) {
    return tensor ? static_cast<float *>(tensor->data) : nullptr;
  };
  if (peers && peers->reduceScalars(place.stream, progress.markOf(site), maxima,
                                    sums, dataOf(max), dataOf(sum)))
    return;
  const Group &group = getGroup();
  float *all = wordsFor(int64_t(count) * group.size());
  float *own = all + int64_t(group.rank) * count;
  packScalars(place.stream, progress.markOf(site), maxima, sums, own);
  check(ncclAllGather(own, all, size_t(count), ncclFloat32, current,
                      place.stream),
        "an exchange");
  nccl::reduceScalars(place.stream, all, group.size(), maxima.size(),
                      sums.size(), dataOf(max), dataOf(sum));
}

//===-- From other threads
//-------------------------------------------------===//

std::string NcclCommunicator::failure() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!abortReason.empty())
    return abortReason;
  ncclResult_t result = ncclSuccess;
  for (const ncclComm_t current : {communicator.load(), beside.load()})
    if (current && (result == ncclSuccess || result == ncclInProgress) &&
        ncclCommGetAsyncError(current, &result) != ncclSuccess)
      result = ncclSuccess;
  if (result == ncclSuccess || result == ncclInProgress)
    return {};
  const std::string last = progress.last();
  return getGroup().name() + " has lost others along " + getGroup().axes +
         (last.empty() ? "" : " in " + last) + ": " + textOf(result);
}

std::string NcclCommunicator::unfinishedFor(std::chrono::milliseconds time) {
  const std::string last = progress.unfinishedFor(time);
  return last.empty() ? last : last + ", along " + getGroup().axes;
}

void NcclCommunicator::abort(const std::string &reason) noexcept {
  try {
    std::lock_guard<std::mutex> lock(mutex);
    if (!abortReason.empty())
      return;
    abortReason = reason.empty() ? "the job has been ended" : reason;
    // Kernels that wait for others see it and return.
    if (peers)
      peers->abort();
    for (std::atomic<ncclComm_t> *each : {&beside, &communicator})
      if (const ncclComm_t last = each->exchange(nullptr))
        Attempt::run(place.ordinal, std::chrono::seconds(10),
                     [last] { ncclCommAbort(last); });
  } catch (...) {
    // Out of memory or threads: what waits goes on waiting.
  }
}
