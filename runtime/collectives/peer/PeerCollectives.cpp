// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/peer/PeerCollectives.h"

#include "collectives/peer/ColumnShards.h"
#include "collectives/peer/PeerKernels.h"
#include "collectives/peer/StagedCollectives.h"
#include "collectives/peer/ZeroedMemory.h"
#include "cuda/Error.h"
#include "program/Tensor.h"

#include <algorithm>
#include <set>

using namespace tert;
using namespace tert::peer;

/// Smaller transfers, in bytes fetched from each member, are staged instead of
/// read in place.
static constexpr int64_t minDirectBytes = int64_t(512) << 10;

/// Smaller copies do not use a copy engine, which takes some microseconds to
/// start.
static constexpr int64_t minCopyEngineBytes = int64_t(2) << 20;

/// Largest transfers, summed over the other members, that one kernel fetches
/// beside a computation. Larger ones are worth the barriers of copy engines,
/// which take no multiprocessors from a matmul. Gradients are reduced beside
/// matmuls, updated parameters gathered beside memory-bound kernels.
static constexpr int64_t maxKernelSumBytes = int64_t(6) << 20,
                         maxKernelGatherBytes = int64_t(12) << 20;

/// Thread blocks of such a kernel: few multiprocessors' worth beside a
/// computation, otherwise enough loads in flight for a link's latency on any
/// current GPU.
static int32_t blocksOf(const PeerLane &lane) {
  return lane.isConcurrent ? KernelCollectives::concurrentBlocks : 132 * 4;
}

/// Thread blocks of a copy by multiprocessors beside a computation.
static constexpr int32_t concurrentBlocks = 64;

/// Number of the memory that members share: both lanes' words, scalars, and
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

static void copyAsync(void *to, const void *from, int64_t bytes,
                      cudaStream_t stream) {
  if (bytes > 0)
    cuda::check(
        cudaMemcpyAsync(to, from, size_t(bytes), cudaMemcpyDefault, stream),
        "copying from another GPU");
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

//===-- Connecting --------------------------------------------------------===//

std::unique_ptr<PeerCollectives>
PeerCollectives::connect(const Group &group,
                         const cuda::CommunicatorResources &place,
                         const Store &store) {
  if (group.size() > maxPeers || !StreamBarrier::isSupported())
    return nullptr;
  std::unique_ptr<PeerCollectives> collectives(
      new PeerCollectives(group, place, store));
  if (!collectives->shareWords(group, store))
    return nullptr;
  return collectives;
}

PeerCollectives::PeerCollectives(const Group &group,
                                 const cuda::CommunicatorResources &place,
                                 const Store &store)
    : rank(group.rank), ranks(group.size()), place(place),
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
  const bool mayWait = !shareGpus(group, place.ordinal, store);
  static_assert(numLanes == std::tuple_size_v<decltype(lanes)>);
  using Kind = PeerLane::Kind;
  constexpr Kind kinds[numLanes] = {
      Kind::InOrder, Kind::ConcurrentByCopyEngines, Kind::ConcurrentByKernels};
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    if (mayWait || lane != ConcurrentSmall)
      lanes[lane] = std::make_unique<PeerLane>(
          place.ordinal, rank, ofMembers(lane * PeerLane::wordsBytes),
          ofMembers(stagingOffset + lane * PeerLane::stagingBytes), kinds[lane],
          mayWait, aborted.get());
  scalars = std::make_unique<PeerScalars>(rank, ofMembers(scalarsOffset),
                                          scalarsBytes, aborted.get());
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
  std::vector<uint64_t> key;
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

static TensorList listOf(const std::vector<tert_tensor> &tensors) {
  return {int32_t(tensors.size()), tensors.data()};
}

std::optional<PeerCollectives::Transfers>
PeerCollectives::transfersOf(const PeerLane &lane, const tert_site &site,
                             bool isLittle, const TensorList &x,
                             const TensorList &y, const ShardOrders &orders) {
  const MemberAddresses *all = isLittle ? nullptr : &find(site, x);
  const int64_t most = small::mostBytes(lane);
  Transfers ways;
  int64_t used = most;
  for (int32_t k = 0; k < x.size(); ++k) {
    if (bytesIn(x[k]) == 0)
      continue;
    if (all && !(*all)[k].empty()) {
      ways.direct.add(x[k], y[k], orders.isReversed(k));
      ways.places.push_back((*all)[k]);
      continue;
    }
    const int64_t bytes = small::bytesFor(x[k]);
    if (bytes > most)
      return std::nullopt;
    if (used + bytes > most) {
      ways.staged.emplace_back();
      used = 0;
    }
    ways.staged.back().add(x[k], y[k], orders.isReversed(k));
    used += bytes;
  }
  return ways;
}

//===-- Collectives -------------------------------------------------------===//

std::vector<Summed>
PeerCollectives::sumsOf(const MemberAddresses &all, const TensorList &x,
                        const std::vector<ReducedRange> &parts) {
  std::vector<Summed> sums;
  for (int32_t k = 0; k < x.size(); ++k) {
    const tert_dtype dtype = dtypeOf(x[k]);
    Summed &sum = sums.emplace_back();
    sum = {dtype, {}, parts[k].sum, parts[k].count};
    for (const char *whole : all[k])
      sum.x.push_back(whole + parts[k].offset * bytesOf(dtype));
  }
  return sums;
}

void PeerCollectives::reduceShards(PeerLane &lane, cudaStream_t stream,
                                   const MemberAddresses &all,
                                   const TensorList &x,
                                   const std::vector<ReducedRange> &parts) {
  // Nothing else runs: all multiprocessors read the operands in place.
  if (!lane.isConcurrent) {
    for (const Summed &sum : sumsOf(all, x, parts))
      addDirectly(stream, sum.dtype, sum.x, sum.y, sum.count);
    return;
  }
  // A piece that is fetched at a time.
  struct Piece {
    int32_t tensor;
    int64_t first, count; ///< elements of its shard
    int64_t offset;       ///< in bytes, in the data fetched from each member
  };
  std::vector<std::vector<Piece>> rounds;
  int64_t whole = 0;
  for (int32_t k = 0; k < x.size(); ++k)
    whole += parts[k].count * bytesOf(dtypeOf(x[k]));
  const int64_t most = pieceFor(whole, lane.stride);
  int64_t used = most;
  for (int32_t k = 0; k < x.size(); ++k) {
    const int64_t bytes = bytesOf(dtypeOf(x[k]));
    for (int64_t first = 0; first < parts[k].count;) {
      if (used >= most) {
        rounds.emplace_back();
        used = 0;
      }
      const int64_t count =
          std::min(parts[k].count - first, (most - used) / bytes);
      rounds.back().push_back({k, first, count, used});
      first += count;
      used = (used + count * bytes + 15) / 16 * 16;
    }
  }
  for (size_t round = 0; round < rounds.size(); ++round) {
    const size_t half = round % 2;
    char *copies = lane.copiesOf(int(half));
    if (round >= 2)
      waitFor(stream, lane.added[half]);
    std::map<tert_dtype, std::vector<Addends>> addends;
    for (const Piece &piece : rounds[round]) {
      const ReducedRange &part = parts[piece.tensor];
      const tert_dtype dtype = dtypeOf(x[piece.tensor]);
      const int64_t bytes = bytesOf(dtype);
      const int64_t from = (part.offset + piece.first) * bytes;
      for (int32_t k = 0; k < ranks - 1; ++k) {
        const int32_t member = lane.other(k);
        copyAsync(copies + lane.placeOf(member) * lane.stride + piece.offset,
                  all[piece.tensor][member] + from, piece.count * bytes,
                  stream);
      }
      addends[dtype].push_back(
          {all[piece.tensor][rank] + from,
           static_cast<char *>(part.sum) + piece.first * bytes, piece.offset,
           piece.count});
    }
    recordOn(stream, lane.fetched[half]);
    waitFor(lane.adding, lane.fetched[half]);
    for (const auto &[dtype, list] : addends)
      addInOrder(lane.adding, dtype, list, copies, lane.stride, rank, ranks);
    recordOn(lane.adding, lane.added[half]);
  }
}

PeerCollectives::LaneIndex PeerCollectives::laneFor(int64_t bytes,
                                                    int64_t most) const {
  return lanes[ConcurrentSmall] && bytes * (ranks - 1) <= most ? ConcurrentSmall
                                                               : Concurrent;
}

PeerCollectives::LaneIndex
PeerCollectives::laneOfAllReduce(const TensorList &tensors) const {
  return lanes[ConcurrentSmall] && small::fits(*lanes[ConcurrentSmall], tensors)
             ? ConcurrentSmall
             : Concurrent;
}

PeerCollectives::LaneIndex
PeerCollectives::laneOfReduceScatter(const TensorList &y) const {
  return laneFor(bytesInAll(y), maxKernelSumBytes);
}

PeerCollectives::LaneIndex
PeerCollectives::laneOfAllGather(const TensorList &x, const TensorList &y,
                                 const ShardOrders &orders) const {
  return ColumnShards::get(x, y, ranks, orders)
             ? Concurrent
             : laneFor(bytesInAll(x), maxKernelGatherBytes);
}

void PeerCollectives::begin(PeerLane &lane, cudaStream_t stream,
                            const Mark &mark) {
  if (lane.quick)
    lane.quick->begin(mark);
  else
    lane.begin(stream, mark);
}

void PeerCollectives::end(PeerLane &lane, cudaStream_t stream) {
  if (!lane.quick)
    lane.join(stream);
}

bool PeerCollectives::reduceScatter(LaneIndex index, cudaStream_t stream,
                                    const tert_site &site, const Mark &mark,
                                    const TensorList &x, const TensorList &y,
                                    const ShardOrders &orders) {
  PeerLane &lane = *lanes[index];
  if (bytesInAll(x) == 0)
    return true;
  const bool isLittle = small::fits(lane, x) && bytesInAll(y) < minDirectBytes;
  const auto ways = transfersOf(lane, site, isLittle, x, y, orders);
  if (!ways)
    return false;
  begin(lane, stream, mark);
  for (const Tensors &some : ways->staged)
    small::reduceScatter(lane, stream, listOf(some.x), listOf(some.y),
                         ShardOrders(some.reversed));
  if (!ways->places.empty()) {
    const TensorList wholes = listOf(ways->direct.x);
    const ShardOrders places(ways->direct.reversed);
    std::vector<ReducedRange> parts;
    for (const tert_tensor &sum : ways->direct.y) {
      const int64_t count = numElements(sum);
      const int32_t place = places.placeOf(int32_t(parts.size()), rank, ranks);
      parts.push_back({place * count, count, sum.data});
    }
    if (lane.quick) {
      lane.quick->add(stream, sumsOf(ways->places, wholes, parts),
                      blocksOf(lane));
    } else {
      lane.barrier.enqueue(stream, 0);
      reduceShards(lane, stream, ways->places, wholes, parts);
      // Others may overwrite fetched data, also while it is reduced.
      lane.barrier.enqueue(stream, 1);
    }
  }
  end(lane, stream);
  return true;
}

bool PeerCollectives::allGather(LaneIndex index, cudaStream_t stream,
                                const tert_site &site, const Mark &mark,
                                const TensorList &x, const TensorList &y,
                                const ShardOrders &orders) {
  PeerLane &lane = *lanes[index];
  // Row by row this would be many copies.
  if (const auto columns = ColumnShards::get(x, y, ranks, orders)) {
    const tert_tensor part = {columns->part, &columns->layout};
    const int64_t pitch = columns->bytes * ranks;
    const std::vector<char *> &parts = find(site, {1, &part})[0];
    if (!parts.empty()) {
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
  }
  if (bytesInAll(x) == 0)
    return true;
  const bool isLittle = small::fits(lane, x) && bytesInAll(x) < minDirectBytes;
  const auto ways = transfersOf(lane, site, isLittle, x, y, orders);
  if (!ways)
    return false;
  begin(lane, stream, mark);
  for (const Tensors &some : ways->staged)
    small::allGather(lane, stream, listOf(some.x), listOf(some.y),
                     ShardOrders(some.reversed));
  if (!ways->places.empty())
    gatherDirectly(lane, stream, *ways);
  end(lane, stream);
  return true;
}

void PeerCollectives::gatherDirectly(PeerLane &lane, cudaStream_t stream,
                                     const Transfers &ways) {
  const ShardOrders orders(ways.direct.reversed);
  const bool isConcurrent = lane.isConcurrent;
  std::vector<Copied> own, small, large;
  for (int32_t k = 0; k < int32_t(ways.places.size()); ++k) {
    const tert_tensor &part = ways.direct.x[k], &whole = ways.direct.y[k];
    const int64_t bytes = bytesIn(part);
    auto toOf = [&](int32_t member) {
      return static_cast<char *>(whole.data) +
             orders.placeOf(k, member, ranks) * bytes;
    };
    if (toOf(rank) != part.data)
      own.push_back({part.data, toOf(rank), bytes});
    // If nothing else runs, all multiprocessors copy.
    const bool isSmall =
        lane.quick || bytes < minCopyEngineBytes || !isConcurrent;
    for (int32_t i = 0; i < ranks - 1; ++i)
      (isSmall ? small : large)
          .push_back(
              {ways.places[k][lane.other(i)], toOf(lane.other(i)), bytes});
  }
  if (lane.quick) {
    small.insert(small.end(), own.begin(), own.end());
    lane.quick->copy(stream, small, blocksOf(lane));
    return;
  }
  if (!large.empty()) {
    // Meanwhile, copy this rank's own shards.
    copyAll(lane.adding, own);
    own.clear();
  }
  lane.barrier.enqueue(stream, 0);
  for (const Copied &copied : large)
    copyAsync(copied.to, copied.from, copied.bytes, stream);
  small.insert(small.end(), own.begin(), own.end());
  copyAll(stream, small, isConcurrent ? concurrentBlocks : INT32_MAX);
  lane.barrier.enqueue(stream, 1);
}

bool PeerCollectives::allReduce(LaneIndex index, cudaStream_t stream,
                                const tert_site &site, const Mark &mark,
                                const TensorList &tensors) {
  PeerLane &lane = *lanes[index];
  if (bytesInAll(tensors) == 0)
    return true;
  const auto ways =
      transfersOf(lane, site, small::fits(lane, tensors), tensors, tensors, {});
  if (!ways)
    return false;
  begin(lane, stream, mark);
  for (const Tensors &some : ways->staged)
    small::allReduce(lane, stream, listOf(some.x));
  if (!ways->places.empty())
    allReduceDirectly(lane, stream, *ways);
  else
    end(lane, stream);
  return true;
}

void PeerCollectives::allReduceDirectly(PeerLane &lane, cudaStream_t stream,
                                        const Transfers &ways) {
  const TensorList tensors = listOf(ways.direct.x);
  // The elements that a member reduces begin at a multiple of 16 bytes.
  constexpr int64_t multiple = 8;
  auto partOf = [&](const tert_tensor &tensor, int32_t member) -> ReducedRange {
    const int64_t count = numElements(tensor);
    const int64_t size =
        ((count + ranks - 1) / ranks + multiple - 1) / multiple * multiple;
    const int64_t first = std::min(member * size, count);
    return {first, std::min(size, count - first),
            static_cast<char *>(tensor.data) +
                first * bytesOf(dtypeOf(tensor))};
  };
  std::vector<ReducedRange> parts;
  std::vector<Copied> copies; // of the others' sums
  for (int32_t k = 0; k < tensors.size(); ++k) {
    parts.push_back(partOf(tensors[k], rank));
    const int64_t bytes = bytesOf(dtypeOf(tensors[k]));
    for (int32_t i = 0; i < ranks - 1; ++i) {
      const ReducedRange part = partOf(tensors[k], lane.other(i));
      copies.push_back({ways.places[k][lane.other(i)] + part.offset * bytes,
                        part.sum, part.count * bytes});
    }
  }
  if (lane.quick) {
    lane.quick->add(stream, sumsOf(ways.places, tensors, parts),
                    blocksOf(lane));
    lane.quick->copy(stream, copies, blocksOf(lane));
    return;
  }
  lane.barrier.enqueue(stream, 0);
  reduceShards(lane, stream, ways.places, tensors, parts);
  lane.join(stream);
  // No member reads the memory written next, and the others' sums are there.
  lane.barrier.enqueue(stream, 1);
  for (const Copied &copied : copies)
    copyAsync(copied.to, copied.from, copied.bytes, stream);
  lane.barrier.enqueue(stream, 2);
}

bool PeerCollectives::reduceScalars(cudaStream_t stream, const Mark &mark,
                                    const TensorList &maxima,
                                    const TensorList &sums, float *max,
                                    float *sum) {
  if (maxima.size() + sums.size() > scalars->capacity())
    return false;
  scalars->reduce(stream, mark, maxima, sums, max, sum);
  return true;
}
