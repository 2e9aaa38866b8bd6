// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/peer/PeerCollectives.h"

#include "collectives/peer/ColumnShards.h"
#include "collectives/peer/PeerKernels.h"
#include "collectives/peer/ZeroedMemory.h"
#include "cuda/Error.h"
#include "program/Tensor.h"

#include <set>

using namespace tert;
using namespace tert::peer;

/// Smaller shards are not gathered by a copy engine, which takes some
/// microseconds to start.
static constexpr int64_t minEngineBytes = int64_t(2) << 20;

/// Largest transfers, summed over the other members, that one kernel fetches
/// beside a computation. Larger ones are worth the barriers of copy engines,
/// which take no multiprocessors from a matmul. Gradients are reduced beside
/// matmuls, updated parameters gathered beside memory-bound kernels.
static constexpr int64_t maxKernelSumBytes = int64_t(6) << 20,
                         maxKernelGatherBytes = int64_t(12) << 20;

/// Thread blocks of kernels that wait for other members: if nothing else runs,
/// enough loads in flight for a link's latency on any current GPU; otherwise,
/// and for staged tensors, few multiprocessors' worth.
static constexpr int32_t manyBlocks = 132 * 4, fewBlocks = 32;

/// Thread blocks of a copy by multiprocessors beside a computation.
static constexpr int32_t copyBlocks = 64;

/// Number of the memory that members share: the lanes' words, scalars, and
/// staging.
static constexpr uint64_t sharedNumber = UINT64_MAX;
static constexpr size_t numLanes = 3;
static constexpr size_t scalarsOffset = numLanes * PeerLane::wordsBytes;
static constexpr size_t scalarsBytes = size_t(1) << 20;
static constexpr size_t stagingOffset = scalarsOffset + scalarsBytes;
static constexpr size_t sharedBytes =
    stagingOffset + numLanes * size_t(PeerLane::stagingBytes);

/// Bytes of a shard of `bytes` to fetch at a time: the fewest equal pieces of
/// at most `stride` bytes, a multiple of 16, because every sum takes
/// multiprocessors from the computation.
static int64_t pieceFor(int64_t bytes, int64_t stride) {
  const int64_t pieces = std::max<int64_t>((bytes + stride - 1) / stride, 1);
  constexpr int64_t unit = int64_t(64) << 10;
  return std::min((bytes / pieces / unit + 1) * unit, stride);
}

/// Copies from other members, beside a computation: by copy engines, or by
/// multiprocessors if a copy has fewer than `engineBytes`.
static void fetch(cudaStream_t stream, const std::vector<Copied> &copies,
                  int64_t engineBytes) {
  std::vector<Copied> small;
  for (const auto &[from, to, bytes] : copies)
    if (bytes < engineBytes)
      small.push_back({from, to, bytes});
    else if (bytes > 0)
      cuda::check(
          cudaMemcpyAsync(to, from, size_t(bytes), cudaMemcpyDefault, stream),
          "copying from another GPU");
  copyAll(stream, small, copyBlocks);
}

static void waitFor(cudaStream_t stream, cudaEvent_t event) {
  cuda::check(cudaStreamWaitEvent(stream, event, 0), "waiting for an event");
}

static void recordOn(cudaStream_t stream, cudaEvent_t event) {
  cuda::check(cudaEventRecord(event, stream), "recording an event");
}

static int64_t bytesInAll(const TensorList &tensors) {
  int64_t bytes = 0;
  for (const tert_tensor &tensor : tensors)
    bytes += bytesIn(tensor);
  return bytes;
}

/// Bytes that a tensor takes in staging memory.
static int64_t stagedBytes(const tert_tensor &tensor) {
  return (bytesIn(tensor) + 15) / 16 * 16;
}

/// Bytes that a member fetches from each other one if it reads in place: in an
/// all-reduce a shard, and later its sums.
static int64_t fetchedBytes(const Collective &collective, int32_t ranks) {
  switch (collective.kind) {
  case CollectiveKind::AllReduce:
    return 2 * bytesInAll(collective.y) / ranks;
  case CollectiveKind::ReduceScatter:
    return bytesInAll(collective.y);
  case CollectiveKind::AllGather:
  case CollectiveKind::AllToAll:
    return bytesInAll(collective.x);
  }
  return 0;
}

static int32_t blocksOf(const PeerLane &lane, bool isStaged) {
  return isStaged ? fewBlocks : lane.kernelBlocks;
}

//===-- Connecting --------------------------------------------------------===//

std::unique_ptr<PeerCollectives>
PeerCollectives::connect(const Group &group,
                         const cuda::CommunicatorResources &place,
                         const Store &store, const Mechanisms &mechanisms) {
  if (group.size() > maxPeers || !StreamBarrier::isSupported())
    return nullptr;
  std::unique_ptr<PeerCollectives> collectives(
      new PeerCollectives(group, place, store, mechanisms));
  if (!collectives->shareWords(group, store))
    return nullptr;
  return collectives;
}

PeerCollectives::PeerCollectives(const Group &group,
                                 const cuda::CommunicatorResources &place,
                                 const Store &store,
                                 const Mechanisms &mechanisms)
    : rank(group.rank), ranks(group.size()), place(place),
      mechanisms(mechanisms),
      memory(
          group, store,
          [this](const void *address) -> std::optional<Allocation> {
            auto *base = static_cast<char *>(shared);
            if (address >= base && address < base + sharedBytes)
              return Allocation{base, sharedBytes, sharedNumber};
            return this->place.findAllocation(address);
          },
          "peers") {
  shared = allocateZeroedMemory(sharedBytes, "shared memory");
}

PeerCollectives::~PeerCollectives() {
  // After an abort, a lane writes to its words until it is destroyed.
  lanes = {};
  cudaFree(shared);
}

/// Returns whether several members use the same GPU.
static bool shareGpus(const Group &group, int ordinal, const Store &store) {
  cudaDeviceProp properties;
  cuda::check(cudaGetDeviceProperties(&properties, ordinal),
              "asking for the GPU");
  const std::string key = "peers/gpu/";
  store.set(key + std::to_string(group.rank),
            {properties.uuid.bytes, sizeof(properties.uuid.bytes)});
  std::set<std::string> gpus;
  for (int32_t member = 0; member < group.size(); ++member)
    gpus.insert(store.get(key + std::to_string(member)));
  return int32_t(gpus.size()) < group.size();
}

bool PeerCollectives::shareWords(const Group &group, const Store &store) {
  const tert_site site = {"a barrier", nullptr, 0, 0, 0};
  const MemberAddresses found =
      memory.exchange({site, sharedBytes, 0}, {shared});
  if (found[0].empty())
    return false;
  auto ofMembers = [&](size_t offset) {
    std::vector<char *> all;
    for (char *base : found[0])
      all.push_back(base + offset);
    return all;
  };
  // A kernel that waits blocks the GPU for the member that it waits for, if
  // both share it.
  const bool mayWait =
      !shareGpus(group, place.ordinal, store) && mechanisms.kernels;
  auto makeLane = [&](LaneIndex lane, int32_t kernelBlocks) {
    lanes[lane] = std::make_unique<PeerLane>(
        place.ordinal, rank, ofMembers(lane * PeerLane::wordsBytes),
        ofMembers(stagingOffset + lane * PeerLane::stagingBytes), kernelBlocks,
        aborted.get());
  };
  static_assert(numLanes == std::tuple_size_v<decltype(lanes)>);
  makeLane(InOrder, mayWait ? manyBlocks : 0);
  makeLane(Concurrent, 0);
  if (mayWait && (mechanisms.smallLane || !mechanisms.engines))
    makeLane(ConcurrentSmall, fewBlocks);
  if (mechanisms.scalars)
    scalars = std::make_unique<PeerScalars>(
        Members(rank, ofMembers(scalarsOffset), aborted.get()), scalarsBytes);
  return true;
}

void PeerCollectives::abort() noexcept {
  aborted.abort();
  for (const auto &lane : lanes)
    if (lane)
      lane->barrier.abort();
}

const PeerCollectives::MemberAddresses &
PeerCollectives::find(const tert_site &site, const TensorList &x) {
  // Members must agree whether a call is new, and the tensors' places alone do
  // not say it: a shard that is gathered in place lies at another offset on
  // each member, on one of them perhaps where another call's tensor lies on
  // all. Of the same site it is the same on all members.
  std::vector<uint64_t> key = {uint64_t(site.index)};
  std::vector<const void *> addresses;
  for (const tert_tensor &tensor : x) {
    if (bytesIn(tensor) == 0) {
      // The address may be any.
      key.insert(key.end(), {0, 0, 0});
      addresses.push_back(nullptr);
      continue;
    }
    const auto address = reinterpret_cast<uintptr_t>(tensor.data);
    std::optional<Allocation> of = place.findAllocation(tensor.data);
    const auto base = of ? reinterpret_cast<uintptr_t>(of->base) : 0;
    key.insert(key.end(), {of ? of->number : 0, uint64_t(address - base),
                           uint64_t(bytesIn(tensor))});
    addresses.push_back(tensor.data);
  }
  auto found = calls.find(key);
  if (found != calls.end())
    return found->second;
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cuda::check(cudaStreamIsCapturing(place.stream, &capture),
              "asking for the stream");
  if (capture != cudaStreamCaptureStatusNone)
    throw Error(TERT_DEVICE_ERROR,
                "other ranks' memory has not been opened yet while a graph is "
                "captured; run the entry once first");
  return calls[key] = memory.exchange(callOf(site, x), addresses);
}

//===-- Collectives -------------------------------------------------------===//

std::optional<std::vector<PeerCollectives::Batch>>
PeerCollectives::batchesOf(const PeerLane &lane, const tert_site &site,
                           const Collective &collective) {
  const MemberAddresses &all = find(site, collective.x);
  const int64_t most = lane.stagingLimit();
  std::vector<Batch> batches;
  Batch direct;
  int64_t used = most;
  for (int32_t k = 0; k < collective.x.size(); ++k) {
    const tert_tensor &x = collective.x[k];
    if (bytesIn(x) == 0)
      continue;
    Batch *batch = &direct;
    std::vector<char *> addresses;
    if (!all[k].empty()) {
      addresses = all[k];
    } else {
      const int64_t bytes = stagedBytes(x);
      if (bytes > most)
        return std::nullopt;
      if (used + bytes > most) {
        batches.emplace_back();
        used = 0;
      }
      batch = &batches.back();
      for (char *staging : lane.staging)
        addresses.push_back(staging + used);
      batch->staged.push_back(addresses[rank]);
      addresses[rank] = static_cast<char *>(x.data);
      used += bytes;
    }
    batch->x.push_back(x);
    batch->y.push_back(collective.y[k]);
    batch->reversed.push_back(collective.orders.isReversed(k));
    batch->addresses.push_back(std::move(addresses));
  }
  if (!direct.x.empty())
    batches.push_back(std::move(direct));
  return batches;
}

PeerCollectives::LaneIndex
PeerCollectives::laneOf(const Collective &collective) const {
  const auto &small = lanes[ConcurrentSmall];
  if (!small || (mechanisms.columns && ColumnShards::get(collective, ranks)))
    return Concurrent;
  const int64_t fetched = fetchedBytes(collective, ranks) * (ranks - 1);
  bool isSmall = !mechanisms.engines;
  switch (collective.kind) {
  case CollectiveKind::AllReduce:
  case CollectiveKind::ReduceScatter:
    isSmall |= fetched <= maxKernelSumBytes;
    break;
  case CollectiveKind::AllGather:
    isSmall |= fetched <= maxKernelGatherBytes;
    break;
  case CollectiveKind::AllToAll:
    break;
  }
  return isSmall ? ConcurrentSmall : Concurrent;
}

bool PeerCollectives::run(LaneIndex index, cudaStream_t stream,
                          const tert_site &site, const Mark &mark,
                          const Collective &collective) {
  // NCCL's.
  if (collective.kind == CollectiveKind::AllToAll)
    return false;
  PeerLane &lane = *lanes[index];
  if (bytesInAll(collective.x) == 0 ||
      gatherColumns(lane, stream, site, mark, collective))
    return true;
  const auto batches = batchesOf(lane, site, collective);
  if (!batches)
    return false;
  if (lane.kernels)
    lane.kernels->begin(mark);
  else
    lane.begin(stream, mark);
  for (const Batch &batch : *batches) {
    std::vector<Copied> copies;
    for (size_t k = 0; k < batch.staged.size(); ++k)
      copies.push_back({batch.x[k].data, batch.staged[k], bytesIn(batch.x[k])});
    copyAll(stream, copies);
    const bool isDirect = batch.staged.empty();
    switch (collective.kind) {
    case CollectiveKind::AllReduce:
      reduce(lane, stream, batch, collective.kind, /*isRead=*/isDirect);
      if (isDirect)
        gatherSums(lane, stream, batch);
      break;
    case CollectiveKind::ReduceScatter:
      reduce(lane, stream, batch, collective.kind, /*isRead=*/false);
      break;
    case CollectiveKind::AllGather:
      gather(lane, stream, batch);
      break;
    case CollectiveKind::AllToAll:
      break;
    }
  }
  return true;
}

bool PeerCollectives::gatherColumns(PeerLane &lane, cudaStream_t stream,
                                    const tert_site &site, const Mark &mark,
                                    const Collective &collective) {
  const auto columns = ColumnShards::get(collective, ranks);
  if (!columns || !mechanisms.columns)
    return false;
  const tert_tensor part = {columns->part, &columns->layout};
  const int64_t pitch = columns->bytes * ranks;
  const std::vector<char *> &parts = find(site, {1, &part})[0];
  if (parts.empty())
    return false;
  lane.begin(stream, mark);
  if (columns->part != columns->whole + rank * columns->bytes)
    columns->copy(columns->part, pitch, rank, lane.adding);
  lane.barrier.enqueue(stream, 0);
  for (int32_t k = 0; k < ranks - 1; ++k)
    columns->copy(parts[lane.other(k)], pitch, lane.other(k), stream);
  lane.barrier.enqueue(stream, 1);
  lane.join(stream);
  return true;
}

void PeerCollectives::gather(PeerLane &lane, cudaStream_t stream,
                             const Batch &batch) {
  const ShardOrders orders(batch.reversed);
  std::vector<Copied> own, others;
  for (int32_t k = 0; k < int32_t(batch.x.size()); ++k) {
    const int64_t bytes = bytesIn(batch.x[k]);
    auto toOf = [&](int32_t member) {
      return static_cast<char *>(batch.y[k].data) +
             orders.placeOf(k, member, ranks) * bytes;
    };
    if (toOf(rank) != batch.x[k].data)
      own.push_back({batch.x[k].data, toOf(rank), bytes});
    for (int32_t i = 0; i < ranks - 1; ++i)
      others.push_back(
          {batch.addresses[k][lane.other(i)], toOf(lane.other(i)), bytes});
  }
  if (lane.kernels) {
    others.insert(others.end(), own.begin(), own.end());
    lane.kernels->copy(stream, others, blocksOf(lane, !batch.staged.empty()));
    return;
  }
  copyAll(lane.adding, own, copyBlocks);
  lane.barrier.enqueue(stream, 0);
  fetch(stream, others, minEngineBytes);
  lane.barrier.enqueue(stream, 1);
  lane.join(stream);
}

PeerCollectives::ReducedRange
PeerCollectives::rangeOf(const Batch &batch, int32_t k, int32_t member,
                         CollectiveKind kind) const {
  const tert_tensor &sum = batch.y[k];
  const int64_t count = numElements(sum);
  if (kind == CollectiveKind::ReduceScatter)
    return {ShardOrders(batch.reversed).placeOf(k, member, ranks) * count,
            count, sum.data};
  if (!batch.staged.empty())
    return {0, count, sum.data};
  // The elements that a member reduces begin at a multiple of 16 bytes.
  constexpr int64_t multiple = 8;
  const int64_t size =
      ((count + ranks - 1) / ranks + multiple - 1) / multiple * multiple;
  const int64_t first = std::min(member * size, count);
  return {first, std::min(size, count - first),
          static_cast<char *>(sum.data) + first * bytesOf(dtypeOf(sum))};
}

void PeerCollectives::reduce(PeerLane &lane, cudaStream_t stream,
                             const Batch &batch, CollectiveKind kind,
                             bool isRead) {
  std::vector<ReducedRange> ranges;
  std::vector<Summed> sums;
  for (int32_t k = 0; k < int32_t(batch.x.size()); ++k) {
    const tert_dtype dtype = dtypeOf(batch.x[k]);
    const ReducedRange &range =
        ranges.emplace_back(rangeOf(batch, k, rank, kind));
    Summed &sum = sums.emplace_back();
    sum = {dtype, {}, range.sum, range.count};
    for (const char *x : batch.addresses[k])
      sum.x.push_back(x + range.offset * bytesOf(dtype));
  }
  if (lane.kernels) {
    lane.kernels->add(stream, sums, blocksOf(lane, !batch.staged.empty()));
    return;
  }
  lane.barrier.enqueue(stream, 0);
  fetchAndAdd(lane, stream, sums, batch.staged.empty() ? 0 : INT64_MAX);
  if (isRead)
    lane.join(stream);
  // Others may overwrite fetched data, also while it is reduced.
  lane.barrier.enqueue(stream, 1);
  if (!isRead)
    lane.join(stream);
}

void PeerCollectives::gatherSums(PeerLane &lane, cudaStream_t stream,
                                 const Batch &batch) {
  std::vector<Copied> copies;
  for (int32_t k = 0; k < int32_t(batch.x.size()); ++k) {
    const int64_t bytes = bytesOf(dtypeOf(batch.x[k]));
    for (int32_t i = 0; i < ranks - 1; ++i) {
      const int32_t member = lane.other(i);
      const ReducedRange range =
          rangeOf(batch, k, member, CollectiveKind::AllReduce);
      copies.push_back({batch.addresses[k][member] + range.offset * bytes,
                        range.sum, range.count * bytes});
    }
  }
  if (lane.kernels) {
    lane.kernels->copy(stream, copies, lane.kernelBlocks);
    return;
  }
  fetch(stream, copies, 0);
  lane.barrier.enqueue(stream, 2);
}

void PeerCollectives::fetchAndAdd(PeerLane &lane, cudaStream_t stream,
                                  const std::vector<Summed> &sums,
                                  int64_t engineBytes) {
  int64_t whole = 0;
  for (const Summed &sum : sums)
    whole += sum.count * bytesOf(sum.dtype);
  const int64_t most = pieceFor(whole, lane.stride);
  // Pieces that are fetched at a time, and the sums of what was fetched.
  struct Round {
    std::vector<Copied> copies;
    std::vector<Summed> sums;
  };
  std::vector<Round> rounds;
  int64_t used = most;
  for (const Summed &sum : sums) {
    const int64_t bytes = bytesOf(sum.dtype);
    for (int64_t first = 0; first < sum.count;) {
      if (used >= most) {
        rounds.emplace_back();
        used = 0;
      }
      char *copies = lane.copiesOf(int(rounds.size() - 1) % 2) + used;
      const int64_t count = std::min(sum.count - first, (most - used) / bytes);
      auto &piece = rounds.back().sums.emplace_back();
      piece = {sum.dtype, sum.x, static_cast<char *>(sum.y) + first * bytes,
               count};
      for (const char *&x : piece.x)
        x += first * bytes;
      for (int32_t k = 0; k < ranks - 1; ++k) {
        const int32_t member = lane.other(k);
        char *copy = copies + lane.placeOf(member) * lane.stride;
        rounds.back().copies.push_back({piece.x[member], copy, count * bytes});
        piece.x[member] = copy;
      }
      first += count;
      used = (used + count * bytes + 15) / 16 * 16;
    }
  }
  for (size_t round = 0; round < rounds.size(); ++round) {
    const size_t half = round % 2;
    if (round >= 2)
      waitFor(stream, lane.added[half]);
    fetch(stream, rounds[round].copies, engineBytes);
    recordOn(stream, lane.fetched[half]);
    waitFor(lane.adding, lane.fetched[half]);
    addAll(lane.adding, rounds[round].sums);
    recordOn(lane.adding, lane.added[half]);
  }
}

bool PeerCollectives::reduceScalars(cudaStream_t stream, const Mark &mark,
                                    const TensorList &maxima,
                                    const TensorList &sums, float *max,
                                    float *sum) {
  if (!scalars || maxima.size() + sums.size() > scalars->capacity())
    return false;
  scalars->reduce(stream, mark, maxima, sums, max, sum);
  return true;
}

bool PeerCollectives::reduceNorm(cudaStream_t stream, const Mark &mark,
                                 const double *own, float *norm) {
  if (!scalars)
    return false;
  scalars->reduceNorm(stream, mark, own, norm);
  return true;
}
