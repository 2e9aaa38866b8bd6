// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops, reductions and movement: checks of the C functions before a
// backend runs.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

#include <cmath>

using namespace tert;

tert_status tert_add(tert_context *context, const tert_site *site,
                     const tert_tensor *a, const tert_tensor *b,
                     const tert_tensor *y) {
  return callOp(context, site, "tert.add", [&](OpCall &op) {
    Operand left("a", a), right("b", b);
    left.isFloat().hasUnitInnerStride();
    right.isFloat().hasUnitInnerStride();
    Operand("y", y).isFloatLike(left);
    int32_t dropped = rankOf(*a) - rankOf(*b);
    bool suffix = dropped >= 0;
    for (int32_t dim = 0; suffix && dim < rankOf(*b); ++dim)
      suffix = right.size(dim) == left.size(dim + dropped);
    if (!suffix)
      right.fail("a suffix of " + describeShape(*a) + ", the shape of 'a'");
    op.add(*a, *b, *y);
    op.moves({a, b, y});
  });
}

tert_status tert_column_sum(tert_context *context, const tert_site *site,
                            const tert_tensor *x, const tert_tensor *y) {
  return callOp(context, site, "tert.column_sum", [&](OpCall &op) {
    Operand input("x", x);
    input.isFloatMatrix();
    Operand("y", y).isFloatVector(input.size(1), "the columns of 'x'");
    op.columnSum(*x, *y);
    op.moves({x, y});
  });
}

static void checkCopy(const tert_tensor *x, const tert_tensor *y) {
  Operand input("x", x), output("y", y);
  output.hasShapeOf(input);
  if (!isFloat(dtypeOf(*x)) || !isFloat(dtypeOf(*y)))
    output.hasDtype(dtypeOf(*x));
}

tert_status tert_copy(tert_context *context, const tert_site *site,
                      const tert_tensor *x, const tert_tensor *y) {
  return callOp(context, site, "tert.copy", [&](OpCall &op) {
    checkCopy(x, y);
    op.copy(*x, *y);
    op.moves({x, y});
  });
}

/// Calls check(i) for the elements of a call on several tensors; an error names
/// the element.
template <typename Fn>
static void forEachOf(const char *part, int32_t count, const Fn &check) {
  for (int32_t i = 0; i < count; ++i) {
    try {
      check(i);
    } catch (const Error &error) {
      invalidArgument(std::string(part) + " " + std::to_string(i) + ": " +
                      error.what());
    }
  }
}

tert_status tert_multi_copy(tert_context *context, const tert_site *site,
                            int32_t num_x, const tert_tensor *x, int32_t num_y,
                            const tert_tensor *y) {
  return callOp(context, site, "tert.multi_copy", [&](OpCall &op) {
    if (num_x < 0 || num_y != num_x)
      invalidArgument("'y' has " + std::to_string(num_y) + " entries for " +
                      std::to_string(num_x) + " in 'x'");
    if (num_x > 0 && (!x || !y))
      invalidArgument("'x' or 'y' is null");
    forEachOf("copy", num_x, [&](int32_t i) { checkCopy(x + i, y + i); });
    op.multiCopy(num_x, x, num_y, y);
    op.moves({num_x, x});
    op.moves({num_y, y});
  });
}

/// An integer tensor requires an integer in its range.
static void checkRepresentable(tert_dtype dtype, double value) {
  double low = 0, high = 0; // [low, high)
  switch (dtype) {
  case TERT_I64:
    low = -0x1p63, high = 0x1p63;
    break;
  case TERT_I32:
    low = -0x1p31, high = 0x1p31;
    break;
  case TERT_U8:
    low = 0, high = 0x1p8;
    break;
  default:
    return;
  }
  if (!(value >= low && value < high) || value != std::floor(value))
    invalidArgument("'value' is " + std::to_string(value) + ", which no " +
                    dtypeName(dtype) + " can hold");
}

static void checkFill(const tert_tensor *y, double value) {
  Operand output("y", y);
  if (isFp8(dtypeOf(*y)) || dtypeOf(*y) == TERT_F8E8M0)
    output.fail("f32, bf16 or an integer: fill such a tensor "
                "and quantize it");
  checkRepresentable(dtypeOf(*y), value);
}

tert_status tert_fill(tert_context *context, const tert_site *site,
                      const tert_tensor *y, double value) {
  return callOp(context, site, "tert.fill", [&](OpCall &op) {
    checkFill(y, value);
    op.fill(*y, value);
    op.moves({y});
  });
}

tert_status tert_multi_fill(tert_context *context, const tert_site *site,
                            int32_t num_y, const tert_tensor *y, double value) {
  return callOp(context, site, "tert.multi_fill", [&](OpCall &op) {
    if (num_y < 0 || (num_y > 0 && !y))
      invalidArgument(std::string("'y' is ") + (y ? "" : "null, ") +
                      "a list of " + std::to_string(num_y));
    forEachOf("fill", num_y, [&](int32_t i) { checkFill(y + i, value); });
    op.multiFill(num_y, y, value);
    op.moves({num_y, y});
  });
}

tert_status tert_dropout(tert_context *context, const tert_site *site,
                         const tert_tensor *x, const tert_tensor *seed,
                         const tert_tensor *y, float ratio, int64_t stream) {
  return callOp(context, site, "tert.dropout", [&](OpCall &op) {
    Operand input("x", x), output("y", y);
    input.isFloat().isContiguous();
    output.isFloat().isContiguous().hasShapeOf(input);
    Operand("seed", seed).hasDtype(TERT_I64).hasRank(0);
    if (!(ratio >= 0 && ratio < 1))
      invalidArgument("'ratio' is " + std::to_string(ratio) +
                      ", but must be in [0, 1)");
    op.dropout(*x, *seed, *y, ratio, stream);
    op.moves({x, y});
  });
}
