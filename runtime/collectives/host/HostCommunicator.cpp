// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/host/HostCommunicator.h"

#include "collectives/host/RankSums.h"
#include "cpu/Loops.h"

#include "program/Backend.h"

#include <cmath>
#include <cstring>

using namespace tert;
using namespace tert::cpu;

namespace {

/// Consecutive elements of a tensor.
struct Piece {
  char *data;
  tert_dtype dtype;
  int64_t count;

  size_t bytes() const { return size_t(count * bytesOf(dtype)); }
};
/// The contents of one message between two ranks: a piece of every tensor.
using Pieces = std::vector<Piece>;

/// Offsets of the pieces in a message, and its size in bytes.
struct Layout {
  explicit Layout(const Pieces &pieces) {
    // Every piece is aligned, whatever precedes it.
    constexpr size_t alignment = 64;
    for (const Piece &piece : pieces) {
      offsets.push_back(bytes);
      bytes += pieces.size() == 1
                   ? piece.bytes()
                   : (piece.bytes() + alignment - 1) / alignment * alignment;
    }
  }

  std::vector<size_t> offsets;
  size_t bytes = 0;
};

/// Elements [first, first + count) of a tensor.
Piece pieceOf(const tert_tensor &tensor, int64_t first, int64_t count) {
  const tert_dtype dtype = dtypeOf(tensor);
  return {static_cast<char *>(tensor.data) + first * bytesOf(dtype), dtype,
          count};
}

/// The shards of `rank`, of tensors split evenly over `ranks`; the last shard
/// may be shorter, or empty.
Pieces shardsOf(const TensorList &tensors, int32_t ranks, int32_t rank,
                const ShardOrders &orders = {}) {
  Pieces pieces;
  for (int32_t k = 0; k < tensors.size(); ++k) {
    const int64_t total = numElements(tensors[k]), size = ceilDiv(total, ranks);
    const int64_t first =
        std::min(total, orders.placeOf(k, rank, ranks) * size);
    pieces.push_back(pieceOf(tensors[k], first, std::min(size, total - first)));
  }
  return pieces;
}

Pieces wholes(const TensorList &tensors) { return shardsOf(tensors, 1, 0); }

/// Messages of one collective, in memory that lives as long as this object.
class Messages {
public:
  Messages(Execution &execution, const Group &group)
      : execution(execution), frame(execution.scratch), sends(group.size()),
        receives(group.size()) {}

  /// A message with `pieces`. A single piece is sent without a copy.
  Transport::Sent pack(const Pieces &pieces) {
    if (pieces.size() == 1)
      return {pieces[0].data, pieces[0].bytes()};
    const Layout layout(pieces);
    char *message = frame.take<char>(int64_t(layout.bytes));
    execution.pool.parallelFor(int64_t(pieces.size()), [&](int64_t k, int) {
      copy(pieces[k].data, message + layout.offsets[k], pieces[k].bytes());
    });
    return {message, layout.bytes};
  }
  /// A buffer for a message of this size.
  Transport::Received room(size_t bytes) {
    return {frame.take<char>(int64_t(bytes)), bytes};
  }
  /// Copies the pieces of a message to their destinations.
  void unpack(const Transport::Received &message, const Pieces &pieces) {
    const Layout layout(pieces);
    execution.pool.parallelFor(int64_t(pieces.size()), [&](int64_t k, int) {
      copy(static_cast<const char *>(message.data) + layout.offsets[k],
           pieces[k].data, pieces[k].bytes());
    });
  }
  static void copy(const char *from, char *to, size_t bytes) {
    if (bytes != 0 && from != to)
      std::memcpy(to, from, bytes);
  }

private:
  Execution &execution;
  Scratch::Frame frame;

public:
  std::vector<Transport::Sent> sends;
  std::vector<Transport::Received> receives;
};

} // namespace

/// Sends every rank its pieces, and adds the pieces received for this rank,
/// including its own, into `sums`. piecesFor(rank) is the same on all ranks
/// except for addresses.
template <typename Fn>
static void scatterAndAdd(Execution &execution, Transport &transport,
                          const Group &group, const CallSignature &call,
                          const Fn &piecesFor, const Pieces &sums) {
  Messages messages(execution, group);
  const Pieces own = piecesFor(group.rank);
  const Layout layout(own);
  for (int32_t rank = 0; rank < group.size(); ++rank) {
    if (rank == group.rank)
      continue;
    messages.sends[rank] = messages.pack(piecesFor(rank));
    messages.receives[rank] = messages.room(layout.bytes);
  }
  transport.run(call, /*isNew=*/true, messages.sends, messages.receives);
  std::vector<const void *> parts(group.size());
  for (size_t k = 0; k < own.size(); ++k) {
    for (int32_t rank = 0; rank < group.size(); ++rank)
      parts[rank] = rank == group.rank
                        ? own[k].data
                        : static_cast<char *>(messages.receives[rank].data) +
                              layout.offsets[k];
    addInOrder(execution, own[k].dtype, parts, own[k].count, sums[k].data);
  }
}

/// Sends `own` to all others, and stores it and the pieces received to
/// piecesFrom(rank).
template <typename Fn>
static void gather(Execution &execution, Transport &transport,
                   const Group &group, const CallSignature &call, bool isNew,
                   const Pieces &own, const Fn &piecesFrom) {
  Messages messages(execution, group);
  const Transport::Sent mine = messages.pack(own);
  const bool isDirect = own.size() == 1;
  for (int32_t rank = 0; rank < group.size(); ++rank) {
    if (rank == group.rank)
      continue;
    const Pieces pieces = piecesFrom(rank);
    messages.sends[rank] = mine;
    messages.receives[rank] =
        isDirect ? Transport::Received{pieces[0].data, pieces[0].bytes()}
                 : messages.room(Layout(pieces).bytes);
  }
  transport.run(call, isNew, messages.sends, messages.receives);
  for (int32_t rank = 0; rank < group.size(); ++rank)
    if (rank != group.rank && !isDirect)
      messages.unpack(messages.receives[rank], piecesFrom(rank));
  const Pieces copies = piecesFrom(group.rank);
  for (size_t k = 0; k < own.size(); ++k)
    Messages::copy(own[k].data, copies[k].data, own[k].bytes());
}

/// Sends every rank piecesFor(rank), and stores what it sends, and the rank's
/// own pieces, to piecesFrom(rank).
template <typename Fn>
static void exchange(Execution &execution, Transport &transport,
                     const Group &group, const CallSignature &call,
                     const Fn &piecesFor, const Fn &piecesFrom) {
  Messages messages(execution, group);
  for (int32_t rank = 0; rank < group.size(); ++rank) {
    if (rank == group.rank)
      continue;
    messages.sends[rank] = messages.pack(piecesFor(rank));
    messages.receives[rank] = messages.room(Layout(piecesFrom(rank)).bytes);
  }
  transport.run(call, /*isNew=*/true, messages.sends, messages.receives);
  const Pieces own = piecesFor(group.rank), copies = piecesFrom(group.rank);
  for (size_t k = 0; k < own.size(); ++k)
    Messages::copy(own[k].data, copies[k].data, own[k].bytes());
  for (int32_t rank = 0; rank < group.size(); ++rank)
    if (rank != group.rank)
      messages.unpack(messages.receives[rank], piecesFrom(rank));
}

void HostCommunicator::run(const tert_site &site,
                           const Collective &collective) {
  const TensorList &x = collective.x, &y = collective.y;
  const Group &group = getGroup();
  const CallSignature call = callOf(site, x);
  auto shardsIn = [&](const TensorList &tensors) {
    return [&](int32_t rank) {
      return shardsOf(tensors, group.size(), rank, collective.orders);
    };
  };
  switch (collective.kind) {
  case CollectiveKind::AllReduce: {
    // Each rank sums its shard of the tensors and sends it to the others.
    const Pieces own = shardsIn(x)(group.rank);
    scatterAndAdd(execution, *transport, group, call, shardsIn(x), own);
    gather(execution, *transport, group, call, /*isNew=*/false, own,
           shardsIn(x));
    return;
  }
  case CollectiveKind::ReduceScatter:
    return scatterAndAdd(execution, *transport, group, call, shardsIn(x),
                         wholes(y));
  case CollectiveKind::AllGather:
    return gather(execution, *transport, group, call, /*isNew=*/true, wholes(x),
                  shardsIn(y));
  case CollectiveKind::AllToAll:
    return exchange(execution, *transport, group, call, shardsIn(x),
                    shardsIn(y));
  }
}

void HostCommunicator::reduceNorm(const tert_site &site, Backend &backend,
                                  const TensorList &parts,
                                  const tert_tensor &norm) {
  const Group &group = getGroup();
  std::vector<double> all(group.size());
  double &own = all[group.rank];
  backend.sumOfSquares(site, parts.size(), parts.begin(), &own);
  std::vector<Transport::Sent> sends(group.size(), {&own, sizeof(own)});
  std::vector<Transport::Received> receives(group.size());
  for (int32_t rank = 0; rank < group.size(); ++rank)
    receives[rank] = {&all[rank], sizeof(own)};
  CallSignature call = {site, sizeof(own), uint64_t(parts.size())};
  transport->run(call, /*isNew=*/true, sends, receives);
  double sum = 0;
  for (double of : all)
    sum += of;
  scalarOf(norm) = static_cast<float>(std::sqrt(sum));
}

/// The larger of two non-negative numbers, compared by their bits, so that NaN
/// is the largest.
static float largerOf(float a, float b) {
  uint32_t x, y;
  std::memcpy(&x, &a, sizeof(x));
  std::memcpy(&y, &b, sizeof(y));
  const uint32_t larger = std::max(x & 0x7fffffffu, y & 0x7fffffffu);
  float result;
  std::memcpy(&result, &larger, sizeof(result));
  return result;
}

void HostCommunicator::reduceScalars(const tert_site &site,
                                     const TensorList &maxima,
                                     const TensorList &sums,
                                     const tert_tensor *max,
                                     const tert_tensor *sum) {
  const Group &group = getGroup();
  const int32_t numMaxima = maxima.size(), count = numMaxima + sums.size();
  std::vector<float> all(size_t(group.size()) * size_t(count));
  auto of = [&](int32_t rank) { return all.data() + size_t(rank) * count; };
  float *own = of(group.rank);
  for (int32_t i = 0; i < count; ++i)
    own[i] = scalarOf(i < numMaxima ? maxima[i] : sums[i - numMaxima]);
  std::vector<Transport::Sent> sends(group.size(),
                                     {own, count * sizeof(float)});
  std::vector<Transport::Received> receives(group.size());
  for (int32_t rank = 0; rank < group.size(); ++rank)
    receives[rank] = {of(rank), count * sizeof(float)};
  CallSignature call = {site, count * sizeof(float), uint64_t(numMaxima)};
  transport->run(call, /*isNew=*/true, sends, receives);

  for (int32_t i = 0; i < count; ++i) {
    float result = of(0)[i];
    for (int32_t rank = 1; rank < group.size(); ++rank)
      result =
          i < numMaxima ? largerOf(result, of(rank)[i]) : result + of(rank)[i];
    if (i < numMaxima)
      static_cast<float *>(max->data)[i] = result;
    else
      static_cast<float *>(sum->data)[i - numMaxima] = result;
  }
}
