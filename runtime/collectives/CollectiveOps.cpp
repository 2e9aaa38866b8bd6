// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives: checks of the C functions before a communicator runs.

#include "collectives/CollectiveCall.h"
#include "program/Check.h"
#include "program/Contiguous.h"
#include "tert/ops.h"

#include <algorithm>
#include <vector>

using namespace tert;

//===-- Checks ------------------------------------------------------------===//

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

/// Checks that the ranks' shards have one size, and none is overwritten before
/// it is sent.
static void checkExchange(const TensorList &x, const TensorList &y,
                          const Group &group) {
  if (x.size() != y.size())
    invalidArgument("there are " + std::to_string(y.size()) + " 'y' for " +
                    std::to_string(x.size()) + " 'x'");
  for (int32_t k = 0; k < x.size(); ++k) {
    const std::string name = "'x[" + std::to_string(k) + "]'";
    const std::string to = "y[" + std::to_string(k) + "]";
    const Operand output(to.c_str(), &y[k]);
    output.hasDtype(dtypeOf(x[k]));
    if (numElements(y[k]) != numElements(x[k]))
      output.fail("of as many elements as " + name + ", " + describe(x[k]));
    if (numElements(x[k]) % group.size() != 0)
      invalidArgument(
          name + " is " + describe(x[k]) + ", which is no multiple of the " +
          std::to_string(group.size()) + " ranks along " + group.axes);
    const auto first = reinterpret_cast<uintptr_t>(x[k].data);
    const auto second = reinterpret_cast<uintptr_t>(y[k].data);
    const auto bytes = uintptr_t(bytesIn(x[k]));
    if (group.size() > 1 && first < second + bytes && second < first + bytes)
      invalidArgument(name + " overlaps '" + to + "'");
  }
}

//===-- C functions -------------------------------------------------------===//

static void isDenseFloat(const Operand &operand) {
  operand.isFloat().isContiguous();
}
static void isDense(const Operand &operand) { operand.isContiguous(); }
static void isScalar(const Operand &operand) { operand.isScalar(); }

tert_status tert_collective(tert_context *context, const tert_site *site,
                            int32_t num_x, const tert_tensor *x, int32_t num_y,
                            const tert_tensor *y, int32_t kind, int32_t async,
                            int32_t axes) {
  return callCollective(
      context, site, nameOf(kind), axes,
      [&](Communicator &communicator, OpCall &op) {
        const Group &group = communicator.getGroup();
        ListOperand inputs("x", num_x, x), outputs("y", num_y, y);
        const bool sums = kind != TERT_ALL_GATHER && kind != TERT_ALL_TO_ALL;
        const auto check = sums ? isDenseFloat : isDense;
        inputs.each(check);
        outputs.each(check);
        switch (kind) {
        case TERT_ALL_REDUCE:
          if (num_x != 0)
            invalidArgument("'x' has " + std::to_string(num_x) +
                            " tensors, but an all-reduce has only 'y'");
          inputs = outputs;
          break;
        case TERT_REDUCE_SCATTER:
          inputs.holds(group.size(), outputs, group.axes);
          break;
        case TERT_ALL_GATHER:
          outputs.holds(group.size(), inputs, group.axes);
          checkOverlap(*inputs, *outputs, group.rank);
          break;
        case TERT_ALL_TO_ALL:
          checkExchange(*inputs, *outputs, group);
          break;
        default:
          invalidArgument("'kind' is " + std::to_string(kind) +
                          ", and no tert_collective_kind");
        }
        run(communicator, op.site,
            {static_cast<CollectiveKind>(kind), *inputs, *outputs}, async);
        op.moves(*inputs);
        op.moves(*outputs);
      });
}

tert_status tert_await(tert_context *context, const tert_site *site,
                       int32_t num_tensors, const tert_tensor *tensors) {
  return callOp(context, site, "tert.await", [&](OpCall &op) {
    ListOperand list("tensors", num_tensors, tensors);
    list.each([](const Operand &) {});
    if (context->job)
      context->job->await(op.site, *list);
  });
}

tert_status tert_all_slice(tert_context *context, const tert_site *site,
                           const tert_tensor *x, const tert_tensor *y,
                           int32_t axes) {
  return callCollective(
      context, site, "tert.all_slice", axes,
      [&](Communicator &communicator, OpCall &op) {
        const Group &group = communicator.getGroup();
        Operand whole("x", x), part("y", y);
        whole.isContiguous();
        part.isContiguous().hasDtype(dtypeOf(*x));
        int64_t wanted = 0;
        if (__builtin_mul_overflow(numElements(*y), group.size(), &wanted) ||
            numElements(*x) != wanted)
          whole.fail("of " + std::to_string(group.size()) +
                     " times the elements of 'y', " + describe(*y));
        if (numElements(*y) == 0)
          return;
        const tert_layout layout = vectorLayout(dtypeOf(*y), numElements(*y));
        const int64_t bytes = layout.sizes[0] * bytesOf(layout.dtype);
        op.copy({static_cast<char *>(x->data) + group.rank * bytes, &layout},
                {y->data, &layout});
        op.moves({y, y});
      });
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
      layouts.push_back(vectorLayout(gradients[k].layout->dtype, count));
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
      [&](Communicator &communicator, OpCall &op) {
        ListOperand list("gradients", num_gradients, gradients);
        list.each(isDenseFloat);
        Operand("norm", norm).isScalar();
        if (num_gradients > 0)
          checkGiven("is_part", is_part);
        NormOperands parts(*list, is_part, communicator.getGroup());
        communicator.reduceNorm(op.site, op.backend, parts.list(), *norm);
        op.moves({num_gradients, gradients});
      });
}

tert_status tert_reduce_scalars(tert_context *context, const tert_site *site,
                                int32_t num_maxima, const tert_tensor *maxima,
                                int32_t num_sums, const tert_tensor *sums,
                                const tert_tensor *max, const tert_tensor *sum,
                                int32_t axes) {
  return callCollective(context, site, "tert.reduce_scalars", axes,
                        [&](Communicator &communicator, OpCall &op) {
                          ListOperand larger("maxima", num_maxima, maxima);
                          ListOperand added("sums", num_sums, sums);
                          larger.each(isScalar);
                          added.each(isScalar);
                          checkReduced("max", max, larger);
                          checkReduced("sum", sum, added);
                          communicator.reduceScalars(op.site, *larger, *added,
                                                     max, sum);
                          op.moves({max, sum});
                        });
}
