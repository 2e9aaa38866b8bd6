// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts and scales: checks of the C functions before a backend runs.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

#include <cmath>

using namespace tert;

static void checkFormat(const char *name, int32_t format) {
  if (format != TERT_F8E4M3 && format != TERT_F8E5M2)
    invalidArgument(std::string("'") + name + "' is " + dtypeName(format) +
                    ", but must be f8E4M3 or f8E5M2");
}

/// 2^-margin must be a normal f32 so that no scale becomes 0 or infinite.
static void checkMargin(int32_t margin) {
  if (margin < -100 || margin > 100)
    invalidArgument("'margin' is " + std::to_string(margin) +
                    ", but must be in [-100, 100]");
}

static void checkEpsilon(float epsilon) {
  if (!(epsilon >= 0) || std::isinf(epsilon))
    invalidArgument("'epsilon' is " + std::to_string(epsilon) +
                    ", but must be finite and not negative");
}

/// Scales in E8M0 have a formula without parameters.
static void checkE8M0(const tert_tensor *scaleInv, int32_t margin,
                      float epsilon, int32_t powerOfTwo) {
  if (scaleInv && dtypeOf(*scaleInv) == TERT_F8E8M0 &&
      (margin != 0 || epsilon != 0 || powerOfTwo != 0))
    invalidArgument("scales in f8E8M0 are made of the amax alone: 'margin', "
                    "'epsilon' and 'power_of_two' must be 0");
}

tert_status tert_quantize(tert_context *context, const tert_site *site,
                          const tert_tensor *x, const tert_quantized *quantized,
                          const tert_tensor *dbias) {
  return callOp(context, site, "tert.quantize", [&](OpCall &op) {
    Operand input("x", x);
    input.isFloatMatrix();
    checkGiven("quantized", quantized);
    Operand("scale", quantized->scale).hasDtype(TERT_F32);
    checkQuantized(quantized, input.size(0), input.size(1),
                   op.backend.takesScaleBlocks());
    if (dbias)
      Operand("dbias", dbias)
          .isFloatVector(input.size(1), "the columns of 'x'");
    op.quantize(*x, *quantized, dbias);
    op.moves({x});
    op.writes(quantized);
  });
}

tert_status tert_quantize_joined(tert_context *context, const tert_site *site,
                                 int32_t num_x, const tert_tensor *x,
                                 const tert_quantized *quantized) {
  return callOp(context, site, "tert.quantize_joined", [&](OpCall &op) {
    if (num_x < 1 || num_x > TERT_MAX_JOINED)
      invalidArgument("'num_x' is " + std::to_string(num_x) +
                      ", but must be in [1, " +
                      std::to_string(TERT_MAX_JOINED) + "]");
    checkGiven("x", x);
    Operand first("x[0]", &x[0]);
    first.isFloatMatrix();
    int64_t rows = first.size(0), cols = first.size(1);
    for (int32_t i = 1; i < num_x; ++i) {
      const std::string name = "x[" + std::to_string(i) + "]";
      Operand part(name.c_str(), &x[i]);
      part.isFloatMatrix().hasDtype(dtypeOf(x[0]));
      if (part.size(1) != cols)
        part.fail("a matrix of " + std::to_string(cols) +
                  " columns as 'x[0]' is");
      rows += part.size(0);
    }
    checkGiven("quantized", quantized);
    Operand("scale", quantized->scale).isScalar();
    op.quantizeJoined(num_x, x, checkQuantized(quantized, rows, cols));
    op.writes(quantized);
    op.moves({num_x, x});
  });
}

tert_status tert_quantize_blocks(tert_context *context, const tert_site *site,
                                 const tert_tensor *x,
                                 const tert_quantized *quantized,
                                 const tert_tensor *dbias, float epsilon,
                                 int32_t power_of_two) {
  return callOp(context, site, "tert.quantize_blocks", [&](OpCall &op) {
    if (!op.backend.takesScaleBlocks())
      throw Error(TERT_UNSUPPORTED, "this device has no kernels for scales of "
                                    "blocks; use one scale a tensor");
    Operand input("x", x);
    input.isFloatMatrix();
    checkGiven("quantized", quantized);
    checkBlockQuantized(*quantized, input.size(0), input.size(1),
                        op.backend.takesE8M0Scales());
    if (dbias)
      Operand("dbias", dbias)
          .isFloatVector(input.size(1), "the columns of 'x'");
    checkEpsilon(epsilon);
    for (const tert_scaled *copy :
         {&quantized->rowwise, &quantized->columnwise})
      if (copy->data)
        checkE8M0(copy->scale_inv, /*margin=*/0, epsilon, power_of_two);
    op.quantizeBlocks(*x, *quantized, dbias, epsilon, power_of_two != 0);
    op.moves({x});
    op.writes(quantized);
  });
}

tert_status tert_dequantize(tert_context *context, const tert_site *site,
                            const tert_scaled *x, const tert_tensor *y) {
  return callOp(context, site, "tert.dequantize", [&](OpCall &op) {
    Operand input = checkScaled("x", x, op.backend.takesScaleBlocks(),
                                op.backend.takesE8M0Scales());
    Operand("y", y).isFloatLike(input);
    op.dequantize(*x, *y);
    op.moves({x->data, y});
  });
}

/// Amaxes [r, c] of blocks of x, or of a matrix whose dimensions are rounded up
/// to multiples of 16.
static void checkBlockAmaxes(const Operand &x, const Operand &amax,
                             bool transposed) {
  x.hasRank(2);
  amax.hasDtype(TERT_F32).hasRank(2).isContiguous();
  for (int32_t dim : {0, 1}) {
    int64_t size = x.size(transposed ? 1 - dim : dim);
    if (tert_padded_scale_block(size, amax.size(dim)) == 0)
      amax.fail("a scalar, or [r, c] for blocks of 'x', " + describeShape(*x) +
                (transposed ? " transposed" : "") +
                ", whose sizes are powers of two or all of a dimension");
  }
}

tert_status tert_amax(tert_context *context, const tert_site *site,
                      const tert_tensor *x, const tert_tensor *amax,
                      int32_t transposed) {
  return callOp(context, site, "tert.amax", [&](OpCall &op) {
    Operand input("x", x), result("amax", amax);
    input.isFloat().hasUnitInnerStride();
    if (!op.backend.takesScaleBlocks() || rankOf(*amax) == 0)
      result.isScalar();
    else
      checkBlockAmaxes(input, result, transposed != 0);
    op.amax(*x, *amax, transposed != 0);
    op.moves({x});
  });
}

tert_status tert_compute_scale(tert_context *context, const tert_site *site,
                               const tert_tensor *amax,
                               const tert_tensor *scale,
                               const tert_tensor *scale_inv, int32_t format,
                               int32_t margin, float epsilon,
                               int32_t power_of_two) {
  return callOp(context, site, "tert.compute_scale", [&](OpCall &op) {
    Operand input("amax", amax);
    if (!op.backend.takesScaleBlocks())
      input.isScalar();
    input.hasDtype(TERT_F32).isContiguous();
    Operand result("scale", scale), inverse("scale_inv", scale_inv);
    result.hasDtype(TERT_F32).hasShapeOf(input).isContiguous();
    if (!op.backend.takesE8M0Scales() || dtypeOf(*inverse) != TERT_F8E8M0)
      inverse.hasDtype(TERT_F32);
    inverse.hasShapeOf(input).isContiguous();
    checkFormat("format", format);
    checkMargin(margin);
    checkEpsilon(epsilon);
    checkE8M0(scale_inv, margin, epsilon, power_of_two);
    op.computeScale(*amax, *scale, *scale_inv, static_cast<tert_dtype>(format),
                    margin, epsilon, power_of_two != 0);
  });
}

/// A window of amaxes [length, count] with one column per amax.
static void checkHistory(const tert_tensor *history, int32_t count) {
  Operand window("history", history);
  window.hasDtype(TERT_F32).hasRank(2).hasUnitInnerStride();
  if (window.size(0) < 1 || window.size(1) != count)
    window.fail("[length, " + std::to_string(count) +
                "] with a length of at least 1 and one column per amax");
}

tert_status tert_record_amaxes(tert_context *context, const tert_site *site,
                               int32_t num_amaxes, const tert_tensor *amaxes,
                               const tert_tensor *history) {
  return callOp(context, site, "tert.record_amaxes", [&](OpCall &op) {
    checkAmaxes(num_amaxes, amaxes);
    checkHistory(history, num_amaxes);
    op.recordAmaxes(num_amaxes, amaxes, *history);
  });
}

tert_status
tert_update_scales(tert_context *context, const tert_site *site,
                   int32_t num_amaxes, const tert_tensor *amaxes,
                   const tert_tensor *scales, const tert_tensor *scale_invs,
                   const tert_tensor *history, const tert_tensor *nonfinite,
                   const int32_t *formats, int32_t algo, int32_t margin) {
  return callOp(context, site, "tert.update_scales", [&](OpCall &op) {
    checkAmaxes(num_amaxes, amaxes);
    if (num_amaxes > 0)
      checkGiven("formats", formats);
    for (int32_t slot = 0; slot < num_amaxes; ++slot)
      checkFormat(("formats[" + std::to_string(slot) + "]").c_str(),
                  formats[slot]);
    std::string reason = "one entry per amax";
    for (auto [name, tensor] :
         {std::pair("scales", scales), {"scale_invs", scale_invs}})
      Operand(name, tensor)
          .hasDtype(TERT_F32)
          .hasShape({num_amaxes}, reason)
          .hasUnitInnerStride();
    checkHistory(history, num_amaxes);
    Operand("nonfinite", nonfinite)
        .hasDtype(TERT_I64)
        .hasShape({num_amaxes}, reason)
        .hasUnitInnerStride();

    checkMargin(margin);
    op.updateScales(num_amaxes, amaxes, *scales, *scale_invs, *history,
                    *nonfinite, formats,
                    checkEnum("algo", algo, TERT_AMAX_MOST_RECENT), margin);
    op.moves({scales, scales, scale_invs, history, history});
  });
}
