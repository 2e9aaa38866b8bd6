// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mixtures of experts: checks of the C functions before a backend runs.

#include "program/Check.h"
#include "program/Context.h"
#include "program/ExpertProduct.h"
#include "tert/ops.h"

#include <algorithm>
#include <climits>

using namespace tert;

/// A vector of i32, whose elements have i32 numbers.
static void isI32Vector(const Operand &operand) {
  operand.hasDtype(TERT_I32).hasRank(1).hasUnitInnerStride();
  if (operand.size(0) > INT32_MAX)
    operand.fail("of at most 2147483647 elements");
}

static void checkAlignment(int64_t alignment) {
  if (alignment < 1 || alignment > INT32_MAX)
    invalidArgument("'alignment' is " + std::to_string(alignment) +
                    ", but must be in [1, 2147483647]");
}

static void checkWholeGroups(const Operand &places, int64_t alignment) {
  if (places.size(0) % alignment != 0)
    places.fail("of a multiple of " + std::to_string(alignment) +
                " elements, the alignment");
}

tert_status tert_group_rows(tert_context *context, const tert_site *site,
                            const tert_tensor *experts,
                            const tert_tensor *source, const tert_tensor *slot,
                            const tert_tensor *groups, int64_t count,
                            int64_t alignment, int64_t ranks) {
  return callOp(context, site, "tert.group_rows", [&](OpCall &op) {
    Operand ids("experts", experts), places("source", source);
    Operand slots("slot", slot), owners("groups", groups);
    for (const Operand *operand : {&ids, &places, &slots, &owners})
      isI32Vector(*operand);
    slots.hasShapeOf(ids);
    owners.hasShapeOf(places);
    if (count < 1 || count > INT32_MAX)
      invalidArgument("'count' is " + std::to_string(count) +
                      ", but must be in [1, 2147483647]");
    checkAlignment(alignment);
    checkWholeGroups(places, alignment);
    if (ranks < 1 || count % ranks != 0)
      invalidArgument("'ranks' is " + std::to_string(ranks) +
                      ", but must divide 'count', " + std::to_string(count));
    const int64_t rows = ids.size(0);
    const int64_t most = rows + std::min(count, rows) * (alignment - 1);
    if (ranks > 1) {
      if (places.size(0) / alignment % ranks != 0)
        places.fail("of equal shards for 'ranks', " + std::to_string(ranks) +
                    ", of whole groups of 'alignment', " +
                    std::to_string(alignment));
    } else if (places.size(0) < most / alignment * alignment)
      places.fail("of at least " +
                  std::to_string(most / alignment * alignment) +
                  " elements, which " + std::to_string(rows) + " rows of " +
                  std::to_string(count) + " experts may need with alignment " +
                  std::to_string(alignment));
    op.groupRows(*experts, *source, *slot, *groups, count, alignment, ranks);
    op.moves({experts, experts, source, slot, groups});
  });
}

/// Requires `matrix` to have `size` rows or columns.
static void hasSize(const Operand &matrix, int32_t dim, int64_t size,
                    const std::string &reason) {
  if (matrix.size(dim) != size)
    matrix.fail("of " + std::to_string(size) + " in dimension " +
                std::to_string(dim) + ", " + reason);
}

/// Requires `matrix` to have the parts of all experts in a dimension.
static void hasParts(const Operand &matrix, int32_t dim, int64_t size,
                     const std::string &reason) {
  if (size ? matrix.size(dim) % size != 0 : matrix.size(dim) != 0)
    matrix.fail("of a multiple of " + std::to_string(size) + " in dimension " +
                std::to_string(dim) + ", " + reason + " for each expert");
}

/// Checks the shapes of a product, whose operands are matrices.
static ExpertProduct checkProduct(const Operand &left, const Operand &right,
                                  const tert_tensor *groups,
                                  const tert_tensor *d, bool transposeB,
                                  bool wgrad, bool scaled, int64_t alignment) {
  Operand places("groups", groups), result("d", d);
  isI32Vector(places);
  checkAlignment(alignment);
  checkWholeGroups(places, alignment);
  result.isFloatMatrix();
  const int64_t n = result.size(1);
  if (wgrad) {
    const int32_t summed = scaled ? 1 : 0;
    hasSize(left, summed, places.size(0), "the elements of 'groups'");
    hasSize(right, summed, places.size(0), "the elements of 'groups'");
    hasSize(right, 1 - summed, n, "the columns of 'd'");
    hasParts(result, 0, left.size(1 - summed),
             scaled ? "the rows of 'a'" : "the columns of 'a'");
  } else {
    hasSize(left, 0, places.size(0), "the elements of 'groups'");
    hasSize(result, 0, places.size(0), "the elements of 'groups'");
    const int32_t outer = transposeB || scaled ? 0 : 1;
    if (transposeB) {
      hasSize(right, 1, left.size(1), "the columns of 'a'");
      hasParts(right, 0, n, "the columns of 'd'");
    } else {
      hasSize(right, outer, n, "the columns of 'd'");
      hasParts(right, 1 - outer, left.size(1), "the columns of 'a'");
    }
  }
  return getExpertProduct(*left, *right, *groups, *d, transposeB, wgrad,
                          scaled);
}

tert_status tert_expert_matmul(tert_context *context, const tert_site *site,
                               const tert_tensor *a, const tert_tensor *b,
                               const tert_tensor *groups, const tert_tensor *d,
                               int32_t transpose_b, int32_t wgrad,
                               int64_t alignment) {
  return callOp(context, site, "tert.expert_matmul", [&](OpCall &op) {
    Operand left("a", a), right("b", b);
    left.isFloatMatrix();
    right.isFloatMatrix();
    const ExpertProduct product =
        checkProduct(left, right, groups, d, transpose_b != 0, wgrad != 0,
                     /*scaled=*/false, alignment);
    op.expertMatmul(*a, *b, *groups, *d, transpose_b != 0, wgrad != 0,
                    alignment);
    op.multiplies(product.flops(),
                  dtypeOf(*a) == dtypeOf(*b) ? dtypeOf(*a) : TERT_F32,
                  {a, b, groups, d});
  });
}

/// An FP8 matrix with one scale, or one for each expert.
static Operand checkExpertScaled(const char *name, const tert_scaled *scaled) {
  checkGiven(name, scaled);
  Operand data(name, scaled->data);
  data.isFp8().hasRank(2).hasUnitInnerStride();
  Operand((std::string(name) + ".scale_inv").c_str(), scaled->scale_inv)
      .hasDtype(TERT_F32)
      .hasUnitInnerStride();
  return data;
}

static void checkScales(const char *name, const tert_scaled &scaled,
                        int64_t experts) {
  const tert_tensor &scales = *scaled.scale_inv;
  if (rankOf(scales) != 0)
    Operand((std::string(name) + ".scale_inv").c_str(), &scales)
        .hasShape({experts}, "one for each expert, or a scalar");
}

tert_status tert_scaled_expert_matmul(
    tert_context *context, const tert_site *site, const tert_scaled *a,
    const tert_scaled *b, const tert_tensor *groups, const tert_tensor *d,
    int32_t transpose_b, int32_t wgrad, int64_t alignment, int32_t accumulate) {
  return callOp(context, site, "tert.scaled_expert_matmul", [&](OpCall &op) {
    Operand left = checkExpertScaled("a", a), right = checkExpertScaled("b", b);
    if (dtypeOf(*left) == TERT_F8E5M2 && dtypeOf(*right) == TERT_F8E5M2)
      right.fail("f8E4M3, because 'a' is f8E5M2: no device multiplies two "
                 "f8E5M2 matrices");
    const ExpertProduct product =
        checkProduct(left, right, groups, d, transpose_b != 0, wgrad != 0,
                     /*scaled=*/true, alignment);
    checkScales("a", *a, product.experts);
    checkScales("b", *b, product.experts);
    op.scaledExpertMatmul(
        *a, *b, *groups, *d, transpose_b != 0, wgrad != 0, alignment,
        checkEnum("accumulate", accumulate, TERT_ACCUMULATE_SPLIT));
    op.multiplies(product.flops(), dtypeOf(*left),
                  {a->data, b->data, groups, d});
  });
}
