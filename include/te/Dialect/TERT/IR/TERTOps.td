// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops from which runtime/include/tert/ops.h, the second half of collective.h
// and the methods of backends are generated (tert-signatures), in their order.

#ifndef TE_DIALECT_TERT_IR_TERTOPS_TD
#define TE_DIALECT_TERT_IR_TERTOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

let section = "Linear algebra" in {

def TERT_MatmulOp : TERT_Op<"matmul"> {
  let summary = "Matrix product with optional bias, which may be added to d";
  let description = [{
    d[M,N] = op(a)·op(b) + bias[N], plus what d held if add_to_d. op(a) is [M,K]:
    `a` is stored [M,K], or [K,M] when transpose_a; op(b) is [K,N]: `b` is stored
    [K,N], or [N,K] when transpose_b. a, b, d float; bias optional float.
    Products and sums in f32.
  }];
  let inputs = (ins TERT_Float:$a, TERT_Float:$b, Optional<TERT_Float>:$bias);
  let outputs = (ins TERT_Float:$d);
  let constants = (ins UnitAttr:$transpose_a, UnitAttr:$transpose_b,
                       UnitAttr:$add_to_d);
  let updatesIf = "add_to_d";
}

def TERT_ScaledMatmulOp : TERT_Op<"scaled_matmul"> {
  let summary = "FP8 matrix product with scales, added to a matrix";
  let description = [{
    d[M,N] = a·bᵀ + bias[N] + addend[M,N], with a [M,K] and b [N,K] in FP8 (never
    both E5M2), d float: codes are multiplied, their sum in f32 is multiplied with
    both scale_inv. Where a row of a or b has several scales, that is done for each
    piece of K that has one of either, and these products are added in f32 in the
    order of K. bias optional float; addend optional, of d's dtype, may be d.
    accumulate: tert_accumulate, what the backend may do to sums.
  }];
  let inputs = (ins TERT_Scaled:$a, TERT_Scaled:$b, Optional<TERT_Float>:$bias,
                    Optional<TERT_Float>:$addend);
  let outputs = (ins TERT_Float:$d);
  let constants = (ins TE_AccumulateAttr:$accumulate);
  let anyStrides = ["a_scale_inv", "b_scale_inv"];
  let alignedRows = ["a", "b", "d"];
}

} // section

include "te/Dialect/TERT/IR/TERTExpertOps.td"
include "te/Dialect/TERT/IR/TERTPermuteOps.td"

let section = "Precision" in {

def TERT_QuantizeOp : TERT_Op<"quantize"> {
  let summary = "FP8 copies of a matrix, its amax and the sum of its rows";
  let description = [{
    Quantizes x [M,N] (float); dbias[N] = sum over rows of x (optional, float).
    `quantized` and its scale are not optional; with the scales of blocks there is
    one copy.
  }];
  let inputs = (ins TERT_Float:$x);
  let outputs = (ins TERT_Quantized:$quantized, Optional<TERT_Float>:$dbias);
}

def TERT_QuantizeBlocksOp : TERT_Op<"quantize_blocks"> {
  let summary = "FP8 copies of a matrix with scales of their own blocks";
  let description = [{
    Quantizes x [M,N] (float) with scales that it makes: each copy is divided into
    blocks by the shape of its scale_inv (tert_scaled), which is required and
    written; `quantized` has no scale. Of a block with the largest absolute value
    amax, the scale is what tert_compute_scale makes of it with the copy's format,
    no margin, epsilon and power_of_two (of the amax alone where scale_inv is
    f8E8M0), and every element becomes sat(x * scale). The columnwise copy is
    quantized from x, too, with blocks of its own. dbias[N] = sum over rows of x
    (optional, float).
  }];
  let inputs = (ins TERT_Float:$x);
  let outputs = (ins TERT_BlockQuantized:$quantized, Optional<TERT_Float>:$dbias);
  let constants = (ins F32Attr:$epsilon, UnitAttr:$power_of_two);
  let denseRowsOrColumns = ["rowwise_scale_inv", "columnwise_scale_inv"];
}

def TERT_DequantizeOp : TERT_Op<"dequantize"> {
  let summary = "High-precision values of an FP8 matrix";
  let description = [{
    y = x as numbers, x FP8 with scales, y float, same shape. With the scales of
    blocks x is a matrix.
  }];
  let inputs = (ins TERT_Scaled:$x);
  let outputs = (ins TERT_Float:$y);
  let anyStrides = ["x_scale_inv"];
}

def TERT_AmaxOp : TERT_Op<"amax"> {
  let summary = "Largest absolute value of a tensor, or of blocks of a matrix";
  let description = [{
    amax (f32 scalar) = max |x|, x float of any shape. NaN wins. An amax [r, c] has
    that of each block of the matrix x, or of xᵀ if transposed, as tert_scaled
    divides it or one whose dimensions are rounded up to multiples of 16; blocks
    without elements of x have 0.
  }];
  let inputs = (ins TERT_Float:$x);
  let outputs = (ins TERT_F32:$amax);
  let constants = (ins UnitAttr:$transposed);
}

def TERT_ComputeScaleOp : TERT_Op<"compute_scale"> {
  let summary = "Scales of a format from amaxes";
  let description = [{
    Elementwise: scale = (fp8_max(format) * 2^-margin) / amax, where an amax below
    epsilon counts as epsilon; 1 when that is 0 or not finite; FLT_MAX when the
    quotient overflows. With power_of_two, scale is rounded down to a power of two.
    scale_inv = 1/scale, rounded to nearest. f32, contiguous and of one shape;
    format is a tert_dtype, epsilon finite and not negative.
    scale_inv may be f8E8M0, for which margin, epsilon and power_of_two are 0:
    then it is the least power of two that is not below amax * (1/fp8_max), a
    product of float32, so that nothing saturates; between 2^-127, also for 0, and
    2^127, also for infinity; NaN for NaN. scale is its reciprocal, but 1 for
    2^-127, with which all codes are 0. This is Transformer Engine's
    float_to_e8m0; the OCP's specification rounds down, and saturates.
  }];
  let inputs = (ins TERT_F32:$amax);
  let outputs = (ins TERT_F32:$scale, TERT_Scale:$scale_inv);
  let constants = (ins TypeAttr:$format, I32Attr:$margin, F32Attr:$epsilon,
                       UnitAttr:$power_of_two);
}

def TERT_UpdateScalesOp : TERT_Op<"update_scales"> {
  let summary = "Delayed scaling update of all slots";
  let description = [{
    Delayed scaling of all n = num_amaxes slots, once a step (docs/precision.md).
    amaxes: f32 scalars. formats: n tert_dtype. In place: scales [n],
    scale_invs [n], history [length, n] (row 0 is the staging row and is left
    zero, as in Transformer Engine), nonfinite [n] i64.
    Per slot, the amax is the larger of the one given and the one staged, NaN if
    either is: an amax of 0 leaves history and scale alone; a non-finite amax
    does so too and adds 1 to nonfinite; any other one enters the window of the
    `length` most recent amaxes, and scale = (fp8_max * 2^-margin) / m, where m
    is the window's maximum or its most recent entry (algo); infinity becomes
    FLT_MAX. scale_inv = 1/scale, rounded to nearest.
  }];
  let inputs = (ins Variadic<TERT_F32>:$amaxes);
  let outputs = (ins TERT_F32:$scales, TERT_F32:$scale_invs, TERT_F32:$history,
                     TERT_I64:$nonfinite);
  let constants = (ins TypeArrayAttr:$formats, TE_AmaxAlgoAttr:$algo,
                       I32Attr:$margin);
  let updated = ["scales", "scale_invs", "history", "nonfinite"];
}

def TERT_RecordAmaxesOp : TERT_Op<"record_amaxes"> {
  let summary = "Stages amaxes for the next update";
  let description = [{
    Stages amaxes for the next tert_update_scales: row 0 of history [length, n],
    n = num_amaxes, becomes per slot the larger of itself and the amax (f32
    scalars), NaN if either is.
  }];
  let inputs = (ins Variadic<TERT_F32>:$amaxes);
  let outputs = (ins TERT_F32:$history);
  let updated = ["history"];
}

} // section

include "te/Dialect/TERT/IR/TERTLayerOps.td"
include "te/Dialect/TERT/IR/TERTScanOps.td"
include "te/Dialect/TERT/IR/TERTCausalConvOps.td"

let section = "Elementwise, reductions, movement" in {

def TERT_AddOp : TERT_Op<"add"> {
  let summary = "Sum, with the second operand broadcast over leading dimensions";
  let description = [{
    y = a + b. a and y have the same shape; b has that shape too, or is a suffix
    of it after dropping leading dimensions, and then repeats. float.
  }];
  let inputs = (ins TERT_Float:$a, TERT_Float:$b);
  let outputs = (ins TERT_Float:$y);
}

def TERT_ColumnSumOp : TERT_Op<"column_sum"> {
  let summary = "Sum over rows";
  let description = [{
    y[N] = sum over rows of x [M,N], f32 sums in an order that does not depend on
    threads. float.
  }];
  let inputs = (ins TERT_Float:$x);
  let outputs = (ins TERT_Float:$y);
}

def TERT_CopyOp : TERT_Op<"copy"> {
  let summary = "Copy with conversion between f32 and bf16";
  let description = [{
    y = x with conversion between f32 and bf16 (round to nearest even) or a plain
    copy of equal dtypes; any strides, same shape, any dtype when equal.
  }];
  let inputs = (ins TERT_Any:$x);
  let outputs = (ins TERT_Any:$y);
  let anyStrides = ["x", "y"];
}

def TERT_FillOp : TERT_Op<"fill"> {
  let summary = "Fills a tensor with one value";
  let description = [{
    Every element of y (float or integer, any strides) = value.
  }];
  let outputs = (ins TERT_Number:$y);
  let constants = (ins F64Attr:$value);
  let anyStrides = ["y"];
}

def TERT_DropoutOp : TERT_Op<"dropout"> {
  let summary = "Dropout: random elements become zero, the others are scaled up";
  let description = [{
    y[i] = x[i] / (1 - ratio) or 0, the latter with probability `ratio`, in [0,
    1). x and y: any shape, f32 or bf16, contiguous; x may be y. Element i, in
    row-major order, is decided by word i mod 4 of Philox-4x32-10 (Salmon and
    others, 2011) for the key *seed (an i64 scalar) and the counter (i div 4,
    stream), 64 bits each, low words first: it is kept if that word is at least
    ratio * 2^32, rounded down. The gradient is therefore the same call on dy.
  }];
  let inputs = (ins TERT_Float:$x, TERT_I64:$seed);
  let outputs = (ins TERT_Float:$y);
  let constants = (ins F32Attr:$ratio, I64Attr:$stream);
  let contiguous = ["x", "y"];
}

} // section

let section = "Generated kernels" in {

def TERT_LaunchOp : TERT_Op<"launch"> {
  let summary = "Launches a generated kernel";
  let description = [{
    Runs a kernel of the program on operands of the layouts it was generated
    for. Inputs and outputs of any dtype and strides; if an input overlaps an
    output, they are the same tensor.
  }];
  let inputs = (ins Variadic<TERT_Any>:$inputs);
  let outputs = (ins Variadic<TERT_Any>:$outputs);
  let constants = (ins SymbolRefAttr:$kernel);
  let updated = ["outputs"];
  let hasBackendMethod = 0;
  // A kernel is generated for the strides of its operands.
  let anyStrides = ["inputs", "outputs"];
}

} // section

let section = "Optimizer" in {

def TERT_GlobalNormOp : TERT_Op<"global_norm"> {
  let summary = "Global Euclidean norm of all gradients";
  let description = [{
    norm = sqrt(sum over the tensors of the sum of squares). f32 scalar, sums
    in f64. A non-finite element makes it non-finite.
  }];
  let inputs = (ins Variadic<TERT_Float>:$gradients);
  let outputs = (ins TERT_F32:$norm);
}

def TERT_ClipCoefficientOp : TERT_Op<"clip_coefficient"> {
  let summary = "Factor that clips the gradients by their global norm";
  let description = [{
    coefficient = min(1, max_norm / (norm + 1e-6)); 1 when max_norm is not
    positive; NaN when norm or one of the amaxes is not finite, which makes the
    optimizer skip the step. f32 scalars; amaxes: num_amaxes of them, those of
    the FP8 tensors that the gradients were computed from, whose casts hide an
    infinity. Same as torch.nn.utils.clip_grad_norm_ otherwise.
  }];
  let inputs = (ins TERT_F32:$norm, TERT_F32:$max_norm,
                    Variadic<TERT_F32>:$amaxes);
  let outputs = (ins TERT_F32:$coefficient);
}

def TERT_AdvanceStepOp : TERT_Op<"advance_step"> {
  let summary = "Increments the step counter, unless the step is skipped";
  let description = [{
    step (i64 scalar, in place) += 1, unless coefficient is NaN.
  }];
  let inputs = (ins TERT_F32:$coefficient);
  let outputs = (ins TERT_I64:$step);
  let updated = ["step"];
}

def TERT_UpdateOp : TERT_Op<"update",
    [DeclareOpInterfaceMethods<TERT_UpdateCallOpInterface, ["isOfKind"]>]> {
  let summary = "Update of parameters by an optimizer, element by element";
  let description = [{
    Updates parameters in place by the rule of an optimizer, such as "adamw",
    with
    the same scalars, in any order: entry i of gradients, params, quantized and
    decays belongs to parameter i, and entries i * n to i * n + n - 1 of states,
    where the rule has n states. param is f32 or bf16, contiguous, of any shape, and
    its states are f32, bf16 or FP8, of that shape; g = gradient * coefficient.
    `scalars` are the rule's, `step` counts from 1. A NaN coefficient leaves param
    and states as they are. The new param is quantized as a matrix of its rows,
    [E, N, K] as [E * N, K], and so is its gradient; it is written either way.

    The FP8 states of a parameter, of [..., N], have the next n state_scales,
    [..., ceil(N / 128)] in f32: a state is its code times the scale of its 128
    elements of a row. A new scale is max(amax / fp8_max, 2^-126) in f32. What is
    bf16 or FP8 is rounded stochastically by 16 random bits r: a magnitude x between
    two neighbours a < b of the format becomes b if (x - a) / (b - a) + r / 2^16 is
    at least 1; r is the low half of h for the first state, the high half for the
    second, and for param the low half of F(h * 0x9e3779b1), where F is
    MurmurHash3's finalizer and h = F((bits(g) * 0x9e3779b1) ^ bits(param) ^
    (step * 0x85ebca77)), all modulo 2^32. A positive second state in FP8 is at least
    the smallest positive number of its format.
  }];
  let inputs = (ins Variadic<TERT_Float>:$gradients, TERT_F32:$coefficient,
                    Variadic<TERT_F32>:$scalars, TERT_I64:$step);
  let outputs = (ins Variadic<TERT_Float>:$params, Variadic<TERT_State>:$states,
                     Variadic<TERT_F32>:$state_scales,
                     TERT_QuantizedList:$quantized);
  let constants = (ins StrAttr:$rule, DenseI32ArrayAttr:$decays);
  let hidden = (ins DenseI32ArrayAttr:$copies);
  let updated = ["params", "states", "state_scales"];
  let hasBackendMethod = 0;
  let contiguous = ["params", "states", "state_scales"];
  let hasVerifier = 1;
}

} // section

include "te/Dialect/TERT/IR/TERTCollectiveOps.td"
include "te/Dialect/TERT/IR/TERTAccumulateOps.td"
include "te/Dialect/TERT/IR/TERTMovementOps.td"
include "te/Dialect/TERT/IR/TERTRankOps.td"

#endif // TE_DIALECT_TERT_IR_TERTOPS_TD
