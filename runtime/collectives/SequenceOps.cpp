// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives over sharded sequences. A piece of a sequence, together with the
// pieces of other ranks next to it, is a contiguous run, so that each
// collective works on one of these runs. The ranks' first pieces are in the
// order of the ranks, their second pieces in reverse order.

#include "collectives/CollectiveCall.h"
#include "program/Check.h"
#include "program/Contiguous.h"
#include "tert/ops.h"

#include <vector>

using namespace tert;

/// True if the shard is at the rank's position in the full tensor, with its
/// strides.
static bool isInPlace(const tert_tensor &part, const tert_tensor &whole,
                      int32_t dim, const Group &group) {
  if (rankOf(part) != rankOf(whole) || dim < 0 || dim >= rankOf(part))
    return false;
  for (int32_t i = 0; i < rankOf(part); ++i)
    if (sizeOf(part, i) > 1 && strideOf(part, i) != strideOf(whole, i))
      return false;
  return part.data == static_cast<char *>(whole.data) +
                          group.rank * sizeOf(part, dim) *
                              strideOf(whole, dim) * bytesOf(dtypeOf(part));
}

namespace {
/// The runs of a rank's shard, and the runs of all ranks that contain them.
class SequenceRuns {
public:
  SequenceRuns(const tert_tensor *parts, const tert_tensor *wholes,
               const char *shardName, const char *fullName, int32_t dim,
               bool balanced, const Group &group, bool mayBeInPlace = false)
      : part(*parts), whole(*wholes) {
    const Operand own(shardName, parts), all(fullName, wholes);
    inPlace = mayBeInPlace && !balanced && isInPlace(part, whole, dim, group);
    if (!inPlace)
      own.isContiguous();
    all.isContiguous().hasDtype(dtypeOf(part)).hasRank(rankOf(part));
    if (dim < 0 || dim >= rankOf(part))
      invalidArgument("'dim' is " + std::to_string(dim) + ", of tensors of " +
                      std::to_string(rankOf(part)) + " dimensions");
    for (int32_t i = 0; i < rankOf(part); ++i) {
      int64_t wanted = 0;
      if (__builtin_mul_overflow(own.size(i), i == dim ? group.size() : 1,
                                 &wanted) ||
          all.size(i) != wanted)
        all.fail("of " + std::to_string(group.size()) + " times '" + shardName +
                 "', " + describe(part) + ", in dimension " +
                 std::to_string(dim) + ", for the " +
                 std::to_string(group.size()) + " ranks along " + group.axes);
      if (i != dim)
        (i < dim ? outer : inner) *= own.size(i);
    }
    if (balanced && own.size(dim) % 2 != 0)
      own.fail("even in dimension " + std::to_string(dim) +
               ": a rank has two pieces of a sequence");
    pieces = balanced ? 2 : 1;
    count = own.size(dim) / pieces * inner;
    shardLayout = vectorLayout(part.layout->dtype, count);
    fullLayout = vectorLayout(part.layout->dtype, count * group.size());
    std::vector<bool> reversed;
    for (int64_t i = 0; i < outer * pieces; ++i) {
      shardRuns.push_back({static_cast<char *>(part.data) +
                               i * bytes() * (inPlace ? group.size() : 1),
                           &shardLayout});
      fullRuns.push_back(
          {static_cast<char *>(whole.data) + i * bytes() * group.size(),
           &fullLayout});
      reversed.push_back(i % pieces != 0);
    }
    orders = ShardOrders(std::move(reversed));
  }
  SequenceRuns(const SequenceRuns &) = delete;
  SequenceRuns &operator=(const SequenceRuns &) = delete;

  TensorList parts() const { return listOf(shardRuns); }
  TensorList wholes() const { return listOf(fullRuns); }
  const ShardOrders &getOrders() const { return orders; }

  /// True if they overlap, other than in place.
  bool overlap() const {
    if (inPlace)
      return false;
    const auto *from = static_cast<const char *>(part.data),
               *to = static_cast<const char *>(whole.data);
    const int64_t element = bytesOf(dtypeOf(part));
    return from < to + numElements(whole) * element &&
           to < from + numElements(part) * element;
  }

  /// Copies the rank's pieces out of the full tensors.
  void slice(Backend &backend, const tert_site &site,
             const Group &group) const {
    if (numElements(part) == 0)
      return;
    const int64_t ranks = group.size(), stride = pieces * count;
    const tert_layout to = {part.layout->dtype, 2, {outer, count}, {stride, 1}};
    tert_layout from = to;
    from.strides[0] *= ranks;
    for (int32_t piece = 0; piece < pieces; ++piece)
      backend.copy(site,
                   {static_cast<char *>(fullRuns[piece].data) +
                        orders.placeOf(piece, group.rank, ranks) * bytes(),
                    &from},
                   {shardRuns[piece].data, &to});
  }

private:
  int64_t bytes() const { return count * bytesOf(dtypeOf(part)); }
  static TensorList listOf(const std::vector<tert_tensor> &runs) {
    return {static_cast<int32_t>(runs.size()), runs.data()};
  }

  const tert_tensor part, whole;
  int64_t outer = 1, inner = 1, pieces = 1;
  int64_t count = 0; ///< number of a piece's elements
  bool inPlace = false;
  tert_layout shardLayout = {}, fullLayout = {};
  std::vector<tert_tensor> shardRuns, fullRuns;
  ShardOrders orders;
};
} // namespace

tert_status tert_collective_sequence(tert_context *context,
                                     const tert_site *site,
                                     const tert_tensor *x, const tert_tensor *y,
                                     int32_t kind, int32_t async, int32_t dim,
                                     int32_t balanced, int32_t axes) {
  return callCollective(
      context, site, nameOf(kind), axes,
      [&](Communicator &communicator, OpCall &op) {
        const Group &group = communicator.getGroup();
        if (kind == TERT_ALL_GATHER) {
          const SequenceRuns runs(x, y, "x", "y", dim, balanced != 0, group,
                                  /*mayBeInPlace=*/true);
          if (runs.overlap())
            invalidArgument("'x' overlaps 'y'");
          run(communicator, op.site,
              {CollectiveKind::AllGather, runs.parts(), runs.wholes(),
               runs.getOrders()},
              async);
        } else if (kind == TERT_REDUCE_SCATTER) {
          Operand("x", x).isFloat();
          const SequenceRuns runs(y, x, "y", "x", dim, balanced != 0, group);
          run(communicator, op.site,
              {CollectiveKind::ReduceScatter, runs.wholes(), runs.parts(),
               runs.getOrders()},
              async);
        } else {
          invalidArgument("'kind' is " + std::to_string(kind) +
                          ", and no collective of sequences");
        }
        op.moves({x, y});
      });
}

tert_status tert_all_slice_sequence(tert_context *context,
                                    const tert_site *site, const tert_tensor *x,
                                    const tert_tensor *y, int32_t dim,
                                    int32_t balanced, int32_t axes) {
  return callCollective(context, site, "tert.all_slice_sequence", axes,
                        [&](Communicator &communicator, OpCall &op) {
                          const Group &group = communicator.getGroup();
                          SequenceRuns(y, x, "y", "x", dim, balanced != 0,
                                       group)
                              .slice(op.backend, op.site, group);
                          op.moves({y, y});
                        });
}
