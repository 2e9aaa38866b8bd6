// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/nccl/NcclCommunicator.h"

#include "cuda/Error.h"
#include "program/Backend.h"
#include "program/Tensor.h"

#include <algorithm>

using namespace tert;
using namespace tert::nccl;

NcclCommunicator::NcclCommunicator(const Group &group,
                                   const cuda::CommunicatorResources &place,
                                   const Rendezvous &rendezvous,
                                   const peer::Mechanisms &mechanisms)
    : Communicator(group), place(place),
      connection(group, place.ordinal, rendezvous),
      sides{SideStream(place.stream, false), SideStream(place.stream, true)},
      peers(mechanisms.peers ? peer::PeerCollectives::connect(
                                   group, place, rendezvous.store, mechanisms)
                             : nullptr) {
  if (!peers)
    connection.connect();
}

NcclCommunicator::~NcclCommunicator() {
  for (float *memory : words)
    cudaFree(memory);
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

//===-- Collectives -------------------------------------------------------===//

static ncclDataType_t typeOf(const tert_tensor &tensor) {
  return dtypeOf(tensor) == TERT_BF16 ? ncclBfloat16 : ncclFloat32;
}

static size_t countOf(const tert_tensor &tensor) {
  return static_cast<size_t>(numElements(tensor));
}

/// Address of shard `place` of a full tensor of `ranks` shards.
static void *shardOf(const tert_tensor &whole, int32_t place, int32_t ranks) {
  const int64_t bytes = numElements(whole) / ranks * bytesOf(dtypeOf(whole));
  return static_cast<char *>(whole.data) + place * bytes;
}

void NcclCommunicator::run(const tert_site &site,
                           const Collective &collective) {
  enqueue(site, collective, peer::PeerCollectives::InOrder, place.stream);
}

void NcclCommunicator::start(const tert_site &site,
                             const Collective &collective) {
  constexpr Lane first = peer::PeerCollectives::Concurrent;
  const Lane lane = peers ? peers->laneOf(collective) : first;
  SideStream &side = sides[lane - first];
  enqueue(site, collective, lane, side.begin());
  side.end(collective.y);
}

void NcclCommunicator::await(const tert_site &, const TensorList &tensors) {
  for (SideStream &side : sides)
    side.join(tensors);
}

void NcclCommunicator::enqueue(const tert_site &site,
                               const Collective &collective, Lane lane,
                               cudaStream_t stream) {
  connection.throwIfAborted();
  const peer::Mark mark = progress.markOf(site);
  if (peers && peers->run(lane, stream, site, mark, collective))
    return;
  const TensorList &x = collective.x;
  if (std::all_of(x.begin(), x.end(), [](const tert_tensor &tensor) {
        return countOf(tensor) == 0;
      }))
    return;
  const ncclComm_t communicator = connection.get(
      std::min(lane, peer::PeerCollectives::Concurrent), place.stream);
  peer::begin(stream, mark);
  connection.check(ncclGroupStart(), "starting a collective");
  ncclResult_t failed = ncclSuccess;
  for (int32_t k = 0; k < x.size() && failed == ncclSuccess; ++k)
    if (countOf(x[k]) != 0)
      failed = enqueueTensor(collective, k, communicator, stream);
  // The group must be ended even after a failure.
  const ncclResult_t ended = ncclGroupEnd();
  connection.check(failed, "a collective");
  connection.check(ended, "a collective");
}

ncclResult_t NcclCommunicator::enqueueTensor(const Collective &collective,
                                             int32_t k, ncclComm_t communicator,
                                             cudaStream_t stream) {
  const tert_tensor &x = collective.x[k], &y = collective.y[k];
  const ShardOrders &orders = collective.orders;
  const int32_t ranks = getGroup().size();
  const size_t count = countOf(y);
  ncclResult_t failed = ncclSuccess;
  switch (collective.kind) {
  case CollectiveKind::AllReduce:
    return ncclAllReduce(x.data, y.data, count, typeOf(y), ncclSum,
                         communicator, stream);
  case CollectiveKind::ReduceScatter:
    if (!orders.isReversed(k))
      return ncclReduceScatter(x.data, y.data, count, typeOf(y), ncclSum,
                               communicator, stream);
    // NCCL supports this only for shards in the order of the ranks.
    for (int32_t rank = 0; rank < ranks && failed == ncclSuccess; ++rank)
      failed =
          ncclReduce(shardOf(x, orders.placeOf(k, rank, ranks), ranks), y.data,
                     count, typeOf(y), ncclSum, rank, communicator, stream);
    return failed;
  case CollectiveKind::AllGather: {
    // Gathered as bytes, as NCCL does not know all types.
    const auto bytes = static_cast<size_t>(bytesIn(x));
    if (!orders.isReversed(k))
      return ncclAllGather(x.data, y.data, bytes, ncclUint8, communicator,
                           stream);
    for (int32_t rank = 0; rank < ranks && failed == ncclSuccess; ++rank) {
      failed = ncclSend(x.data, bytes, ncclUint8, rank, communicator, stream);
      if (failed == ncclSuccess)
        failed = ncclRecv(shardOf(y, orders.placeOf(k, rank, ranks), ranks),
                          bytes, ncclUint8, rank, communicator, stream);
    }
    return failed;
  }
  case CollectiveKind::AllToAll:
    for (int32_t rank = 0; rank < ranks && failed == ncclSuccess; ++rank) {
      const auto bytes = static_cast<size_t>(bytesIn(x) / ranks);
      failed = ncclSend(shardOf(x, rank, ranks), bytes, ncclUint8, rank,
                        communicator, stream);
      if (failed == ncclSuccess)
        failed = ncclRecv(shardOf(y, rank, ranks), bytes, ncclUint8, rank,
                          communicator, stream);
    }
    return failed;
  }
  return failed;
}

void NcclCommunicator::reduceNorm(const tert_site &site, Backend &backend,
                                  const TensorList &parts,
                                  const tert_tensor &norm) {
  connection.throwIfAborted();
  const Group &group = getGroup();
  // The words are aligned for doubles, of two words each.
  auto *all = reinterpret_cast<double *>(wordsFor(int64_t(group.size()) * 2));
  double *own = all + group.rank;
  backend.sumOfSquares(site, parts.size(), parts.begin(), own);
  if (peers && peers->reduceNorm(place.stream, progress.markOf(site), own,
                                 static_cast<float *>(norm.data)))
    return;
  const ncclComm_t current =
      connection.get(peer::PeerCollectives::InOrder, place.stream);
  peer::begin(place.stream, progress.markOf(site));
  connection.check(
      ncclAllGather(own, all, 1, ncclFloat64, current, place.stream),
      "a collective");
  peer::reduceNorm(place.stream, all, group.size(),
                   static_cast<float *>(norm.data));
}

void NcclCommunicator::reduceScalars(const tert_site &site,
                                     const TensorList &maxima,
                                     const TensorList &sums,
                                     const tert_tensor *max,
                                     const tert_tensor *sum) {
  connection.throwIfAborted();
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
  const ncclComm_t current =
      connection.get(peer::PeerCollectives::InOrder, place.stream);
  peer::packScalars(place.stream, progress.markOf(site), maxima, sums, own);
  connection.check(ncclAllGather(own, all, size_t(count), ncclFloat32, current,
                                 place.stream),
                   "a collective");
  peer::reduceScalars(place.stream, all, group.size(), maxima.size(),
                      sums.size(), dataOf(max), dataOf(sum));
}

//===-- From other threads ------------------------------------------------===//

std::string NcclCommunicator::failure() {
  return connection.failure(progress.last());
}

std::string NcclCommunicator::unfinishedFor(std::chrono::milliseconds time) {
  const std::string last = progress.unfinishedFor(time);
  return last.empty() ? last : last + ", along " + getGroup().axes;
}

void NcclCommunicator::abort(const std::string &reason) noexcept {
  try {
    connection.abort(reason, [&] {
      // Kernels that wait for other ranks see this and return.
      if (peers)
        peers->abort();
    });
  } catch (...) {
    // Out of memory or threads: waiting streams are not released.
  }
}
