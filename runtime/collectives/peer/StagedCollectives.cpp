// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/peer/StagedCollectives.h"

#include "collectives/peer/PeerKernels.h"
#include "program/Tensor.h"

#include <algorithm>
#include <map>

using namespace tert;
using namespace tert::peer;

/// Maximum bytes fetched from all others if there is a choice: larger transfers
/// are worth reading tensors in place.
static constexpr int64_t maxFetchedBytes = int64_t(4) << 20;

int64_t small::mostBytes(const PeerLane &lane) {
  return std::min(lane.stagingBytes, lane.stride);
}

int64_t small::bytesFor(const tert_tensor &tensor) {
  return (bytesIn(tensor) + 15) / 16 * 16;
}

namespace {
/// Packed tensors, each at a multiple of 16 bytes.
struct Packed {
  std::vector<int64_t> offsets;
  int64_t bytes = 0;

  explicit Packed(const TensorList &tensors) {
    for (const tert_tensor &tensor : tensors) {
      offsets.push_back(bytes);
      bytes += small::bytesFor(tensor);
    }
  }
};
} // namespace

bool small::fits(const PeerLane &lane, const TensorList &sent) {
  const int64_t bytes = Packed(sent).bytes;
  return bytes <= mostBytes(lane) &&
         bytes * (lane.ranks - 1) <= maxFetchedBytes;
}

/// Small enough that few multiprocessors suffice anywhere.
static constexpr int32_t numKernelBlocks = KernelCollectives::concurrentBlocks;

/// Stages the tensors that this member sends, and waits for the others unless
/// the kernel that fetches does so.
static Packed stage(PeerLane &lane, cudaStream_t stream,
                    const TensorList &sent) {
  Packed packed(sent);
  std::vector<Copied> copies;
  for (int32_t k = 0; k < sent.size(); ++k)
    if (const int64_t bytes = bytesIn(sent[k]))
      copies.push_back(
          {sent[k].data, lane.staging[lane.rank] + packed.offsets[k], bytes});
  copyAll(stream, copies);
  if (!lane.quick)
    lane.barrier.enqueue(stream, 0);
  return packed;
}

/// Fetches from the others, and lets them stage their next tensors.
static void fetch(PeerLane &lane, cudaStream_t stream,
                  const std::vector<Copied> &copies) {
  if (lane.quick)
    return lane.quick->copy(stream, copies, numKernelBlocks);
  copyAll(stream, copies);
  lane.barrier.enqueue(stream, 1);
}

/// Addresses `offset` bytes into each member's staging memory.
static std::vector<const char *> behind(const std::vector<char *> &staging,
                                        int64_t offset) {
  std::vector<const char *> all;
  for (const char *base : staging)
    all.push_back(base + offset);
  return all;
}

using Sums = std::map<tert_dtype, std::vector<Addends>>;

static void add(PeerLane &lane, cudaStream_t stream, const Sums &sums) {
  for (const auto &[dtype, addends] : sums)
    addInOrder(stream, dtype, addends, lane.copiesOf(0), lane.stride, lane.rank,
               lane.ranks);
}

void small::allReduce(PeerLane &lane, cudaStream_t stream,
                      const TensorList &tensors) {
  const Packed packed = stage(lane, stream, tensors);
  if (lane.quick) {
    std::vector<Summed> sums;
    for (int32_t k = 0; k < tensors.size(); ++k)
      if (const int64_t count = numElements(tensors[k]))
        sums.push_back({dtypeOf(tensors[k]),
                        behind(lane.staging, packed.offsets[k]),
                        tensors[k].data, count});
    return lane.quick->add(stream, sums, numKernelBlocks);
  }
  std::vector<Copied> copies;
  for (int32_t i = 0; i < lane.ranks - 1; ++i) {
    const int32_t member = lane.other(i);
    copies.push_back({lane.staging[member],
                      lane.copiesOf(0) + lane.placeOf(member) * lane.stride,
                      packed.bytes});
  }
  fetch(lane, stream, copies);
  Sums sums;
  for (int32_t k = 0; k < tensors.size(); ++k)
    if (const int64_t count = numElements(tensors[k]))
      sums[dtypeOf(tensors[k])].push_back(
          {tensors[k].data, tensors[k].data, packed.offsets[k], count});
  add(lane, stream, sums);
}

void small::reduceScatter(PeerLane &lane, cudaStream_t stream,
                          const TensorList &x, const TensorList &y,
                          const ShardOrders &orders) {
  const Packed packed = stage(lane, stream, x), parts(y);
  if (lane.quick) {
    std::vector<Summed> sums;
    for (int32_t k = 0; k < y.size(); ++k)
      if (const int64_t bytes = bytesIn(y[k]))
        sums.push_back(
            {dtypeOf(y[k]),
             behind(lane.staging,
                    packed.offsets[k] +
                        orders.placeOf(k, lane.rank, lane.ranks) * bytes),
             y[k].data, numElements(y[k])});
    return lane.quick->add(stream, sums, numKernelBlocks);
  }
  std::vector<Copied> copies;
  Sums sums;
  for (int32_t k = 0; k < y.size(); ++k) {
    const int64_t bytes = bytesIn(y[k]);
    if (bytes == 0)
      continue;
    const int64_t offset = orders.placeOf(k, lane.rank, lane.ranks) * bytes;
    for (int32_t i = 0; i < lane.ranks - 1; ++i) {
      const int32_t member = lane.other(i);
      copies.push_back({lane.staging[member] + packed.offsets[k] + offset,
                        lane.copiesOf(0) + lane.placeOf(member) * lane.stride +
                            parts.offsets[k],
                        bytes});
    }
    sums[dtypeOf(y[k])].push_back({static_cast<char *>(x[k].data) + offset,
                                   y[k].data, parts.offsets[k],
                                   numElements(y[k])});
  }
  fetch(lane, stream, copies);
  add(lane, stream, sums);
}

void small::allGather(PeerLane &lane, cudaStream_t stream, const TensorList &x,
                      const TensorList &y, const ShardOrders &orders) {
  const Packed packed = stage(lane, stream, x);
  std::vector<Copied> copies;
  for (int32_t k = 0; k < x.size(); ++k) {
    const int64_t bytes = bytesIn(x[k]);
    if (bytes == 0)
      continue;
    auto toOf = [&](int32_t member) {
      return static_cast<char *>(y[k].data) +
             orders.placeOf(k, member, lane.ranks) * bytes;
    };
    if (toOf(lane.rank) != x[k].data)
      copies.push_back({x[k].data, toOf(lane.rank), bytes});
    for (int32_t i = 0; i < lane.ranks - 1; ++i) {
      const int32_t member = lane.other(i);
      copies.push_back(
          {lane.staging[member] + packed.offsets[k], toOf(member), bytes});
    }
  }
  fetch(lane, stream, copies);
}
