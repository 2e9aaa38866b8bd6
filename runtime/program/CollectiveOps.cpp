// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives: checks of the C functions before a communicator runs.

#include "program/Check.h"
#include "program/CollectiveCall.h"
#include "tert/ops.h"

#include <algorithm>
#include <vector>

using namespace tert;

//===-- Checks ------------------------------------------------------------===//

namespace {
/// A list of tensors under its name in tert/ops.h.
class ListOperand {
public:
  ListOperand(const char *name, int32_t count, const tert_tensor *tensors)
      : name(name), list(count, tensors) {
    if (count < 0)
      invalidArgument("'num_" + this->name + "' is negative");
    if (count > 0 && !tensors)
      invalidArgument("'" + this->name + "' is null");
  }

  const TensorList &operator*() const { return list; }

  /// Calls fn with every tensor as an Operand.
  template <typename Fn> const ListOperand &each(const Fn &fn) const {
    for (int32_t i = 0; i < list.size(); ++i) {
      const std::string element = nameOf(i);
      fn(Operand(element.c_str(), &list[i]));
    }
    return *this;
  }
  /// Every tensor has `times` the elements of its partner in `other`, and its
  /// dtype.
  void holds(int32_t times, const ListOperand &other,
             const Group &group) const {
    if (other.list.size() != list.size())
      invalidArgument("there are " + std::to_string(list.size()) + " '" + name +
                      "' for " + std::to_string(other.list.size()) + " '" +
                      other.name + "'");
    for (int32_t i = 0; i < list.size(); ++i) {
      const std::string element = nameOf(i);
      const Operand operand(element.c_str(), &list[i]);
      operand.hasDtype(dtypeOf(other.list[i]));
      int64_t wanted = 0;
      if (__builtin_mul_overflow(numElements(other.list[i]), times, &wanted) ||
          numElements(list[i]) != wanted)
        operand.fail("of " + std::to_string(times) +
                     " times the elements of '" + other.nameOf(i) + "', " +
                     describe(other.list[i]) + ", for the " +
                     std::to_string(times) + " ranks along " + group.axes);
    }
  }

private:
  std::string nameOf(int32_t i) const {
    return name + "[" + std::to_string(i) + "]";
  }

  std::string name;
  TensorList list;
};
} // namespace

/// Checks one result for `inputs`, f32 [n]; absent if there is nothing to
/// reduce.
static void checkReduced(const char *name, const tert_tensor *result,
                         const ListOperand &inputs) {
  const int32_t count = (*inputs).size();
  if (count == 0 && !result)
    return;
  Operand(name, result)
      .hasDtype(TERT_F32)
      .isContiguous()
      .hasShape({count}, "one element for each scalar");
}

/// Checks that no other rank's shard overwrites an all_gather's input before it
/// is read.
static void checkOverlap(const TensorList &x, const TensorList &y,
                         int32_t rank) {
  for (int32_t k = 0; k < x.size(); ++k) {
    const int64_t bytes = bytesIn(x[k]);
    const auto from = reinterpret_cast<uintptr_t>(x[k].data);
    const auto to = reinterpret_cast<uintptr_t>(y[k].data);
    const bool overlaps = from < to + bytesIn(y[k]) && to < from + bytes;
    if (overlaps && from != to + rank * bytes)
      invalidArgument("'x[" + std::to_string(k) + "]' overlaps 'y[" +
                      std::to_string(k) +
                      "]', but does not lie where its copy goes");
  }
}

//===-- C functions -------------------------------------------------------===//

static Work movesAll(int32_t count, const tert_tensor *tensors) {
  Work work;
  for (int32_t i = 0; i < count; ++i)
    work = work + moves({&tensors[i]});
  return work;
}

static void isDenseFloat(const Operand &operand) {
  operand.isFloat().isContiguous();
}
static void isDense(const Operand &operand) { operand.isContiguous(); }
static void isScalar(const Operand &operand) { operand.isScalar(); }

/// Both forms of an all_reduce.
static tert_status callAllReduce(
    tert_context *context, const tert_site *site, const char *op, int32_t count,
    const tert_tensor *tensors, int32_t axes,
    void (Communicator::*run)(const tert_site &, const TensorList &)) {
  return callCollective(
      context, site, op, axes,
      [&](Backend &, Communicator &communicator, const tert_site &at) {
        ListOperand list("tensors", count, tensors);
        list.each(isDenseFloat);
        (communicator.*run)(at, *list);
      },
      [&] { return movesAll(count, tensors) + movesAll(count, tensors); });
}

tert_status tert_all_reduce(tert_context *context, const tert_site *site,
                            int32_t num_tensors, const tert_tensor *tensors,
                            int32_t axes) {
  return callAllReduce(context, site, "tert.all_reduce", num_tensors, tensors,
                       axes, &Communicator::allReduce);
}

tert_status tert_start_all_reduce(tert_context *context, const tert_site *site,
                                  int32_t num_tensors,
                                  const tert_tensor *tensors, int32_t axes) {
  return callAllReduce(context, site, "tert.start_all_reduce", num_tensors,
                       tensors, axes, &Communicator::startAllReduce);
}

tert_status tert_await(tert_context *context, const tert_site *site,
                       int32_t num_tensors, const tert_tensor *tensors) {
  return callOp(context, site, "tert.await",
                [&](Backend &, const tert_site &at) {
                  ListOperand list("tensors", num_tensors, tensors);
                  list.each([](const Operand &) {});
                  if (context->job)
                    context->job->await(at, *list);
                });
}

/// Both forms of a reduce_scatter.
static tert_status callReduceScatter(
    tert_context *context, const tert_site *site, const char *op, int32_t num_x,
    const tert_tensor *x, int32_t num_y, const tert_tensor *y, int32_t axes,
    void (Communicator::*run)(const tert_site &, const TensorList &,
                              const TensorList &, const ShardOrders &)) {
  return callCollective(
      context, site, op, axes,
      [&](Backend &, Communicator &communicator, const tert_site &at) {
        const Group &group = communicator.getGroup();
        ListOperand inputs("x", num_x, x), outputs("y", num_y, y);
        inputs.each(isDenseFloat);
        outputs.each(isDenseFloat);
        inputs.holds(group.size(), outputs, group);
        (communicator.*run)(at, *inputs, *outputs, ShardOrders());
      },
      [&] { return movesAll(num_x, x) + movesAll(num_y, y); });
}

tert_status tert_reduce_scatter(tert_context *context, const tert_site *site,
                                int32_t num_x, const tert_tensor *x,
                                int32_t num_y, const tert_tensor *y,
                                int32_t axes) {
  return callReduceScatter(context, site, "tert.reduce_scatter", num_x, x,
                           num_y, y, axes, &Communicator::reduceScatter);
}

tert_status tert_start_reduce_scatter(tert_context *context,
                                      const tert_site *site, int32_t num_x,
                                      const tert_tensor *x, int32_t num_y,
                                      const tert_tensor *y, int32_t axes) {
  return callReduceScatter(context, site, "tert.start_reduce_scatter", num_x, x,
                           num_y, y, axes, &Communicator::startReduceScatter);
}

/// Both forms of an all_gather.
static tert_status callAllGather(
    tert_context *context, const tert_site *site, const char *op, int32_t num_x,
    const tert_tensor *x, int32_t num_y, const tert_tensor *y, int32_t axes,
    void (Communicator::*run)(const tert_site &, const TensorList &,
                              const TensorList &, const ShardOrders &)) {
  return callCollective(
      context, site, op, axes,
      [&](Backend &, Communicator &communicator, const tert_site &at) {
        const Group &group = communicator.getGroup();
        ListOperand inputs("x", num_x, x), outputs("y", num_y, y);
        inputs.each(isDense);
        outputs.each(isDense);
        outputs.holds(group.size(), inputs, group);
        checkOverlap(*inputs, *outputs, group.rank);
        (communicator.*run)(at, *inputs, *outputs, ShardOrders());
      },
      [&] { return movesAll(num_x, x) + movesAll(num_y, y); });
}

tert_status tert_all_gather(tert_context *context, const tert_site *site,
                            int32_t num_x, const tert_tensor *x, int32_t num_y,
                            const tert_tensor *y, int32_t axes) {
  return callAllGather(context, site, "tert.all_gather", num_x, x, num_y, y,
                       axes, &Communicator::allGather);
}

tert_status tert_start_all_gather(tert_context *context, const tert_site *site,
                                  int32_t num_x, const tert_tensor *x,
                                  int32_t num_y, const tert_tensor *y,
                                  int32_t axes) {
  return callAllGather(context, site, "tert.start_all_gather", num_x, x, num_y,
                       y, axes, &Communicator::startAllGather);
}

namespace {
/// One rank's operands of a norm: tensors, or its shard of them.
class NormOperands {
public:
  NormOperands(const TensorList &gradients, const int32_t *isPart,
               const Group &group) {
    layouts.reserve(gradients.size());
    for (int32_t k = 0; k < gradients.size(); ++k) {
      const int64_t total = numElements(gradients[k]);
      int64_t first = 0, count = total;
      if (!isPart[k]) {
        const int64_t size = (total + group.size() - 1) / group.size();
        first = std::min(total, group.rank * size);
        count = std::min(size, total - first);
      }
      tert_layout layout = {};
      layout.dtype = gradients[k].layout->dtype;
      layout.rank = 1;
      layout.sizes[0] = count;
      layout.strides[0] = 1;
      layouts.push_back(layout);
      tensors.push_back({static_cast<char *>(gradients[k].data) +
                             first * bytesOf(dtypeOf(gradients[k])),
                         &layouts.back()});
    }
  }

  TensorList list() const {
    return {static_cast<int32_t>(tensors.size()), tensors.data()};
  }

private:
  std::vector<tert_layout> layouts;
  std::vector<tert_tensor> tensors;
};
} // namespace

tert_status tert_reduce_norm(tert_context *context, const tert_site *site,
                             int32_t num_gradients,
                             const tert_tensor *gradients,
                             const tert_tensor *norm, const int32_t *is_part,
                             int32_t axes) {
  return callCollective(
      context, site, "tert.reduce_norm", axes,
      [&](Backend &backend, Communicator &communicator, const tert_site &at) {
        ListOperand list("gradients", num_gradients, gradients);
        list.each(isDenseFloat);
        Operand("norm", norm).isScalar();
        if (num_gradients > 0 && !is_part)
          invalidArgument("'is_part' is null");
        NormOperands parts(*list, is_part, communicator.getGroup());
        communicator.reduceNorm(at, backend, parts.list(), *norm);
      },
      [&] { return movesAll(num_gradients, gradients); });
}

tert_status tert_reduce_scalars(tert_context *context, const tert_site *site,
                                int32_t num_maxima, const tert_tensor *maxima,
                                int32_t num_sums, const tert_tensor *sums,
                                const tert_tensor *max, const tert_tensor *sum,
                                int32_t axes) {
  return callCollective(
      context, site, "tert.reduce_scalars", axes,
      [&](Backend &, Communicator &communicator, const tert_site &at) {
        ListOperand larger("maxima", num_maxima, maxima);
        ListOperand added("sums", num_sums, sums);
        larger.each(isScalar);
        added.each(isScalar);
        checkReduced("max", max, larger);
        checkReduced("sum", sum, added);
        communicator.reduceScalars(at, *larger, *added, max, sum);
      },
      [&] { return moves({max, sum}); });
}
