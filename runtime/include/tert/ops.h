/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The operations of the runtime: one function per op of the tert dialect, the
 * same for every backend. Collectives are in tert/collectives.h.
 *
 * Conventions.
 * - Arguments have the order of the tert op: tensors (inputs, then outputs),
 *   then attributes. A list of tensors follows its length, num_ and the list's
 *   name. "optional" tensors may be null; an output that is null is not
 *   computed.
 * - `quantized`: the quantized outputs of a float32 result (tert_quantized);
 *   optional unless stated.
 * - Arithmetic is float32 for every storage type; results are rounded once (to
 *   nearest even) to the storage type of the output. "float" below means f32 or
 *   bf16 storage.
 * - The innermost stride must be 1 and the outer ones at least the innermost
 *   size (rows are dense and do not overlap) unless stated. The compiler knows
 *   from TERTOps.td which layouts each function takes and copies other
 * operands.
 * - Results do not depend on the number of threads.
 * - Scalars are rank-0 tensors in the backend's memory.
 */
#ifndef TERT_OPS_H
#define TERT_OPS_H

#include "tert/collectives.h"
#include "tert/context.h"
#include "tert/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Written by tert-signatures, from the ops' definitions (TERTOps.td). */
/* clang-format off */

/*===-- Linear algebra ----------------------------------------------------===*/

/* d[M,N] = op(a)·op(b) + bias[N], plus what d held if add_to_d. op(a) is [M,K]:
 * `a` is stored [M,K], or [K,M] when transpose_a; op(b) is [K,N]: `b` is stored
 * [K,N], or [N,K] when transpose_b. a, b, d float; bias optional float.
 * Products and sums in f32. */
tert_status tert_matmul(
    tert_context *context, const tert_site *site, const tert_tensor *a,
    const tert_tensor *b, const tert_tensor *bias, const tert_tensor *d,
    int32_t transpose_a, int32_t transpose_b, int32_t add_to_d);

/* d[M,N] = a·bᵀ + bias[N] + addend[M,N], with a [M,K] and b [N,K] in FP8 (never
 * both E5M2), d float: codes are multiplied, their sum in f32 is multiplied with
 * both scale_inv. Where a row of a or b has several scales, that is done for each
 * piece of K that has one of either, and these products are added in f32 in the
 * order of K. bias optional float; addend optional, of d's dtype, may be d.
 * accumulate: tert_accumulate, what the backend may do to sums. */
tert_status tert_scaled_matmul(
    tert_context *context, const tert_site *site, const tert_scaled *a,
    const tert_scaled *b, const tert_tensor *bias, const tert_tensor *addend,
    const tert_tensor *d, int32_t accumulate);

/*===-- Experts -----------------------------------------------------------===*/

/* The places [P] of rows [S] that are sorted by expert: the rows of expert 0 in
 * their order, then places without a row up to a multiple of `alignment`, then
 * the rows of expert 1, and so on; an expert without rows takes no places.
 * experts [S]: the expert of each row, in [0, count), or -1 for none. source
 * [P]: the row at each place, or -1. slot [S]: the place of each row, or -1.
 * groups [P]: the expert of the row at each place, or -1. All i32. P is a
 * multiple of `alignment`, and at least S + min(count, S) * (alignment - 1),
 * rounded down to one. Any other expert fails with TERT_INVALID_DATA, naming it
 * and its row.
 * With `ranks` above 1 the places are as many shards of equal size, each for
 * count / ranks experts, which groups counts from the shard's first; P is any
 * multiple of ranks * alignment, and rows for which their shard has no space
 * left have no place. */
tert_status tert_group_rows(
    tert_context *context, const tert_site *site, const tert_tensor *experts,
    const tert_tensor *source, const tert_tensor *slot,
    const tert_tensor *groups, int64_t count, int64_t alignment, int64_t ranks);

/* groups [P] i32: the expert e of each row, or -1. d[p,:] = a[p,:]·B_e, a [P,K], d
 * [P,N]; zeros where groups is -1. `b` is stored [E*K,N], the B_e [K,N] one below
 * the other, or [E*N,K], their transposes, when transpose_b. With wgrad, d
 * [E*M,N] has for each expert the sum over its rows p of a[p,:]ᵀ·b[p,:], a [P,M],
 * b [P,N]; zeros for an expert without rows; transpose_b has no meaning. a, b, d
 * float. Products and sums in f32.
 * An `alignment` above 1 promises groups as tert_group_rows makes them with it:
 * experts in ascending order, one in each `alignment` rows, -1 only behind its
 * rows. With wgrad, rows among these whose group is -1 are then zeros in a, and
 * finite in b. */
tert_status tert_expert_matmul(
    tert_context *context, const tert_site *site, const tert_tensor *a,
    const tert_tensor *b, const tert_tensor *groups, const tert_tensor *d,
    int32_t transpose_b, int32_t wgrad, int64_t alignment);

/* tert_expert_matmul of FP8 matrices (never both E5M2) with scales. The summed
 * dimension is the last of both: `a` is [P,K], and `b` is [E*N,K] when
 * transpose_b, else [N,E*K], the B_eᵀ side by side. With wgrad they are [M,P] and
 * [N,P]. Codes are multiplied, and their sum in f32 is multiplied with both
 * scale_inv: f32, a scalar, or [E], one for each expert. accumulate:
 * tert_accumulate, what the backend may do to sums. */
tert_status tert_scaled_expert_matmul(
    tert_context *context, const tert_site *site, const tert_scaled *a,
    const tert_scaled *b, const tert_tensor *groups, const tert_tensor *d,
    int32_t transpose_b, int32_t wgrad, int64_t alignment, int32_t accumulate);

/* y[p,:] = x[source[p] / repeat, :], times weights[source[p]] if there are
 * weights, and zeros where source[p] is negative. x [T,H] float, y [P,H]
 * optional float, source [P] i32, weights [T*repeat] optional f32. The f32
 * result is quantized. A source of T*repeat or more fails with
 * TERT_INVALID_DATA. */
tert_status tert_permute(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *source, const tert_tensor *weights,
    const tert_tensor *y, const tert_quantized *quantized, int64_t repeat);

/* dweights[s] = sum over h of permuted[slot[s],h] * tokens[s / repeat, h], in
 * f32, and 0 for a slot of -1. permuted [P,H] and tokens [T,H] float, slot
 * [T*repeat] i32, dweights [T*repeat] f32. Any other slot outside [0,P) fails
 * with TERT_INVALID_DATA. */
tert_status tert_permute_weights_grad(
    tert_context *context, const tert_site *site, const tert_tensor *permuted,
    const tert_tensor *slot, const tert_tensor *tokens,
    const tert_tensor *dweights, int64_t repeat);

/* y[t,:] = sum over j < repeat of x[slot[t*repeat + j], :], each times
 * weights[t*repeat + j] if there are weights, in the order of j. x [P,H] and
 * y [T,H] float, slot [T*repeat] i32, weights [T*repeat] optional f32. The sum
 * is f32 and rounded once. A slot of -1 adds nothing; any other outside [0,P)
 * fails with TERT_INVALID_DATA. */
tert_status tert_unpermute(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *slot, const tert_tensor *weights, const tert_tensor *y,
    int64_t repeat);

/* y[p,:] = x[source[p],:], and zeros where source[p] is negative. x [S,H] and y
 * [P,H] of one FP8 type, source [P] i32. A source of S or more fails with
 * TERT_INVALID_DATA. */
tert_status tert_take_rows(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *source, const tert_tensor *y);

/*===-- Precision ---------------------------------------------------------===*/

/* Quantizes x [M,N] (float); dbias[N] = sum over rows of x (optional, float).
 * `quantized` and its scale are not optional; with the scales of blocks there is
 * one copy. */
tert_status tert_quantize(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_quantized *quantized, const tert_tensor *dbias);

/* Quantizes the matrix [M,N] that is the concatenation of the rows of num_x
 * matrices [Mi,N] of one float dtype, 1 to TERT_MAX_JOINED of them, as
 * tert_quantize does. `quantized` and its scale are not optional. */
tert_status tert_quantize_joined(
    tert_context *context, const tert_site *site, int32_t num_x,
    const tert_tensor *x, const tert_quantized *quantized);

/* Quantizes x [M,N] (float) with scales that it makes: each copy is divided into
 * blocks by the shape of its scale_inv (tert_scaled), which is required and
 * written; `quantized` has no scale. Of a block with the largest absolute value
 * amax, the scale is what tert_compute_scale makes of it with the copy's format,
 * no margin, epsilon and power_of_two (of the amax alone where scale_inv is
 * f8E8M0), and every element becomes sat(x * scale). The columnwise copy is
 * quantized from x, too, with blocks of its own. dbias[N] = sum over rows of x
 * (optional, float). */
tert_status tert_quantize_blocks(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_quantized *quantized, const tert_tensor *dbias, float epsilon,
    int32_t power_of_two);

/* y = x as numbers, x FP8 with scales, y float, same shape. With the scales of
 * blocks x is a matrix. */
tert_status tert_dequantize(
    tert_context *context, const tert_site *site, const tert_scaled *x,
    const tert_tensor *y);

/* amax (f32 scalar) = max |x|, x float of any shape. NaN wins. An amax [r, c] has
 * that of each block of the matrix x, or of xᵀ if transposed, as tert_scaled
 * divides it or one whose dimensions are rounded up to multiples of 16; blocks
 * without elements of x have 0. */
tert_status tert_amax(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *amax, int32_t transposed);

/* Elementwise: scale = (fp8_max(format) * 2^-margin) / amax, where an amax below
 * epsilon counts as epsilon; 1 when that is 0 or not finite; FLT_MAX when the
 * quotient overflows. With power_of_two, scale is rounded down to a power of two.
 * scale_inv = 1/scale, rounded to nearest. f32, contiguous and of one shape;
 * format is a tert_dtype, epsilon finite and not negative.
 * scale_inv may be f8E8M0, for which margin, epsilon and power_of_two are 0:
 * then it is the least power of two that is not below amax * (1/fp8_max), a
 * product of float32, so that nothing saturates; between 2^-127, also for 0, and
 * 2^127, also for infinity; NaN for NaN. scale is its reciprocal, but 1 for
 * 2^-127, with which all codes are 0. This is Transformer Engine's
 * float_to_e8m0; the OCP's specification rounds down, and saturates. */
tert_status tert_compute_scale(
    tert_context *context, const tert_site *site, const tert_tensor *amax,
    const tert_tensor *scale, const tert_tensor *scale_inv, int32_t format,
    int32_t margin, float epsilon, int32_t power_of_two);

/* Delayed scaling of all n = num_amaxes slots, once a step (docs/precision.md).
 * amaxes: f32 scalars. formats: n tert_dtype. In place: scales [n],
 * scale_invs [n], history [length, n] (row 0 is the staging row and is left
 * zero, as in Transformer Engine), nonfinite [n] i64.
 * Per slot, the amax is the larger of the one given and the one staged, NaN if
 * either is: an amax of 0 leaves history and scale alone; a non-finite amax
 * does so too and adds 1 to nonfinite; any other one enters the window of the
 * `length` most recent amaxes, and scale = (fp8_max * 2^-margin) / m, where m
 * is the window's maximum or its most recent entry (algo); infinity becomes
 * FLT_MAX. scale_inv = 1/scale, rounded to nearest. */
tert_status tert_update_scales(
    tert_context *context, const tert_site *site, int32_t num_amaxes,
    const tert_tensor *amaxes, const tert_tensor *scales,
    const tert_tensor *scale_invs, const tert_tensor *history,
    const tert_tensor *nonfinite, const int32_t *formats, int32_t algo,
    int32_t margin);

/* Stages amaxes for the next tert_update_scales: row 0 of history [length, n],
 * n = num_amaxes, becomes per slot the larger of itself and the amax (f32
 * scalars), NaN if either is. */
tert_status tert_record_amaxes(
    tert_context *context, const tert_site *site, int32_t num_amaxes,
    const tert_tensor *amaxes, const tert_tensor *history);

/*===-- Normalization and activation --------------------------------------===*/

/* Over the last dimension of x [M,N]: y = (x - mean) * rstd * g + beta, with
 * g = gamma, or 1 + gamma when zero_centered; rstd = 1/sqrt(var + eps), biased
 * variance. mean, rstd: [M] f32. gamma, beta: [N] float. y optional float. */
tert_status tert_layer_norm(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *gamma, const tert_tensor *beta, const tert_tensor *y,
    const tert_tensor *mean, const tert_tensor *rstd,
    const tert_quantized *quantized, float eps, int32_t zero_centered);

/* dx [M,N] optional float (plus `residual` [M,N] when present: a cotangent
 * that reaches x on another path); dgamma, dbeta [N] float, summed over rows.
 * The f32 dx with the residual is quantized, and summed over rows in dbias
 * (optional [N] float). */
tert_status tert_layer_norm_grad(
    tert_context *context, const tert_site *site, const tert_tensor *dy,
    const tert_tensor *x, const tert_tensor *gamma, const tert_tensor *mean,
    const tert_tensor *rstd, const tert_tensor *residual,
    const tert_tensor *dx, const tert_tensor *dgamma, const tert_tensor *dbeta,
    const tert_quantized *quantized, const tert_tensor *dbias,
    int32_t zero_centered);

/* Over the last dimension of x [M,N]: y = x * rstd * g, with g = gamma, or
 * 1 + gamma when zero_centered; rstd = 1/sqrt(mean(x²) + eps). rstd: [M] f32.
 * gamma: [N] float. y optional float. */
tert_status tert_rms_norm(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *gamma, const tert_tensor *y, const tert_tensor *rstd,
    const tert_quantized *quantized, float eps, int32_t zero_centered);

/* dx [M,N] optional float (plus `residual` [M,N] when present, as above);
 * dgamma [N] float, summed over rows. dx with the residual is quantized. */
tert_status tert_rms_norm_grad(
    tert_context *context, const tert_site *site, const tert_tensor *dy,
    const tert_tensor *x, const tert_tensor *gamma, const tert_tensor *rstd,
    const tert_tensor *residual, const tert_tensor *dx,
    const tert_tensor *dgamma, const tert_quantized *quantized,
    int32_t zero_centered);

/* tert_rms_norm_grad that also recomputes what tert_rms_norm quantizes:
 * y_columnwise [N,M] FP8 (at least these; the rest is padding) is the
 * column-wise copy of x * rstd * g for the scale y_scale (f32 scalar), the
 * same bytes if rstd is tert_rms_norm's output. */
tert_status tert_rms_norm_grad_recompute(
    tert_context *context, const tert_site *site, const tert_tensor *dy,
    const tert_tensor *x, const tert_tensor *gamma, const tert_tensor *rstd,
    const tert_tensor *y_scale, const tert_tensor *residual,
    const tert_tensor *dx, const tert_tensor *dgamma,
    const tert_quantized *quantized, const tert_tensor *y_columnwise,
    int32_t zero_centered);

/* y = act(x), x [M,N] float; y optional float; kind: tert_activation_kind. */
tert_status tert_activation(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *y, const tert_quantized *quantized, int32_t kind);

/* dx = dy * act'(x), [M,N]; dx optional float; dbias optional [N] float, the
 * sum of the f32 dx over rows. */
tert_status tert_activation_grad(
    tert_context *context, const tert_site *site, const tert_tensor *dy,
    const tert_tensor *x, const tert_tensor *dx,
    const tert_quantized *quantized, const tert_tensor *dbias, int32_t kind);

/* y = act(gate) * up, [M,F]; y optional float; kind: tert_activation_kind. With
 * `up` [M,F], x [M,F] is the gate. Without, x [M,2F] holds gate and up side by
 * side, up in front when up_first. */
tert_status tert_gated_activation(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *up, const tert_tensor *y,
    const tert_quantized *quantized, int32_t kind, int32_t up_first);

/* dgate = dy * up * act'(gate) and dup = dy * act(gate), dy [M,F]. With `up`,
 * dx is dgate, and dx and dup are the only outputs. Without, dx [M,2F] holds
 * both as x does, dup is null, dx is optional, and dbias is optional [2F]
 * float, the sum of the f32 dx over rows. */
tert_status tert_gated_activation_grad(
    tert_context *context, const tert_site *site, const tert_tensor *dy,
    const tert_tensor *x, const tert_tensor *up, const tert_tensor *dx,
    const tert_tensor *dup, const tert_quantized *quantized,
    const tert_tensor *dbias, int32_t kind, int32_t up_first);

/* tert_gated_activation_grad of gate and up in one matrix x [M,2N] that also
 * recomputes what tert_gated_activation quantizes: y_columnwise [N,M] FP8 (at
 * least these; the rest is padding) is the column-wise copy of kind(gate) * up
 * for the scale y_scale (f32 scalar), the same bytes. */
tert_status tert_gated_activation_grad_recompute(
    tert_context *context, const tert_site *site, const tert_tensor *dy,
    const tert_tensor *x, const tert_tensor *y_scale, const tert_tensor *dx,
    const tert_quantized *quantized, const tert_tensor *dbias,
    const tert_tensor *y_columnwise, int32_t kind, int32_t up_first);

/*===-- Attention ---------------------------------------------------------===*/

/* o = softmax(scale * q·kᵀ + mask)·v per batch and head. q, o: [B,Sq,H,D]; k,
 * v: [B,Sk,Hkv,D], dimensions in the order of `layout`
 * (tert_attention_layout), any outer strides; H a multiple of Hkv. causal:
 * query i sees keys j with j <= i + Sk - Sq. lse: [B,H,Sq] f32, log of the sum
 * of exp of the scaled and masked scores. The full score matrix is never
 * stored.
 *
 * The scaled scores are modified by, in this order, each if given:
 *   softcap c > 0: s becomes c * tanh(s / c);
 *   bias [B|1,H|1,Sq|1,Sk] f32 or bf16, any outer strides: is added;
 *   window w > 0: query i sees only keys j > i + Sk - Sq - w;
 *   lengths [B] i64 or i32: keys j >= lengths[b] are hidden;
 *   sinks [H] f32: the sum of exp counts exp(sinks[h]) as well.
 * A query that sees no key has o = 0 and, without a sink, lse = -infinity. */
tert_status tert_attention(
    tert_context *context, const tert_site *site, const tert_tensor *q,
    const tert_tensor *k, const tert_tensor *v, const tert_tensor *bias,
    const tert_tensor *lengths, const tert_tensor *sinks, const tert_tensor *o,
    const tert_tensor *lse, float scale, int32_t causal, int32_t layout,
    int64_t window, float softcap);

/* dbias, of bias' shape, and dsinks [H], both f32 and optional, are summed
 * over the broadcast dimensions of bias and sinks. */
tert_status tert_attention_grad(
    tert_context *context, const tert_site *site, const tert_tensor *d_o,
    const tert_tensor *q, const tert_tensor *k, const tert_tensor *v,
    const tert_tensor *o, const tert_tensor *lse, const tert_tensor *bias,
    const tert_tensor *lengths, const tert_tensor *sinks,
    const tert_tensor *dq, const tert_tensor *dk, const tert_tensor *dv,
    const tert_tensor *dbias, const tert_tensor *dsinks, float scale,
    int32_t causal, int32_t layout, int64_t window, float softcap);

/* tert_attention of queries that are the rank's shard of a sequence of Sk that
 * is split over the n ranks along `query_axes`, a set of the job's axes: Sk =
 * n * Sq, k and v hold all of it. For rank r query i is at position r * Sq +
 * i, which replaces i + Sk - Sq above. If balanced, Sq is even, and the rank
 * has the pieces r and 2n - 1 - r of 2n, in this order, which balances causal
 * attention. A context without a job is one rank of one. */
tert_status tert_attention_part(
    tert_context *context, const tert_site *site, const tert_tensor *q,
    const tert_tensor *k, const tert_tensor *v, const tert_tensor *bias,
    const tert_tensor *lengths, const tert_tensor *sinks, const tert_tensor *o,
    const tert_tensor *lse, float scale, int32_t causal, int32_t layout,
    int64_t window, float softcap, int32_t query_axes, int32_t balanced);

/* dk and dv, for all keys, and dbias and dsinks are the sums over the rank's
 * queries; their sums over the ranks are the full gradients. If balanced
 * queries are causal or have a window, the terms of the two pieces are
 * computed one by one, rounded to the gradients' types, and added:
 * `temporary`, u8 [n], holds one piece's dk, dv, dbias if bias is broadcast
 * over queries, and dsinks, each rounded up to 256 bytes; half as much of all
 * but dsinks if causal. It is not used, and may be null, in all other cases. */
tert_status tert_attention_part_grad(
    tert_context *context, const tert_site *site, const tert_tensor *d_o,
    const tert_tensor *q, const tert_tensor *k, const tert_tensor *v,
    const tert_tensor *o, const tert_tensor *lse, const tert_tensor *bias,
    const tert_tensor *lengths, const tert_tensor *sinks,
    const tert_tensor *dq, const tert_tensor *dk, const tert_tensor *dv,
    const tert_tensor *dbias, const tert_tensor *dsinks,
    const tert_tensor *temporary, float scale, int32_t causal, int32_t layout,
    int64_t window, float softcap, int32_t query_axes, int32_t balanced);

/* Rotates pairs of elements of every head of x [B,S,H,D], dimensions in the
 * order of `layout` (tert_attention_layout): y_a = x_a * cos - x_b * sin, y_b
 * = x_b * cos + x_a * sin, or with -sin when inverse. cos, sin: [T,R/2] float,
 * R <= D, T either S (row s) or B * S (row b * S + s). Pair i is elements (i,
 * i + R/2), or (2i, 2i + 1) when interleaved, and reads column i; elements
 * from R on are copied. x and y have the same shape and may have different
 * outer strides; x may be y. */
tert_status tert_rope(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *cos, const tert_tensor *sin, const tert_tensor *y,
    int32_t interleaved, int32_t inverse, int32_t layout);

/*===-- Embedding and loss ------------------------------------------------===*/

/* y[i,:] = table[ids[i],:]. ids [M] i64 or i32, table [V,N] float, y [M,N]
 * float. An id outside [0,V) fails with TERT_INVALID_DATA, naming the id and
 * its position. */
tert_status tert_embedding(
    tert_context *context, const tert_site *site, const tert_tensor *ids,
    const tert_tensor *table, const tert_tensor *y);

/* tert_embedding if each of the R ranks along `axes` (tert/collectives.h) has a
 * shard of the table [num_rows,N]: `table` (f32, contiguous, any shape) is its
 * range of ceil(num_rows * N / R) elements in row-major order. y has the
 * elements found in the shard, and zeros elsewhere: the sum over the ranks is
 * the result of tert_embedding. N is that of y [M,N]. */
tert_status tert_embedding_part(
    tert_context *context, const tert_site *site, const tert_tensor *ids,
    const tert_tensor *table, const tert_tensor *y, int64_t num_rows,
    int32_t axes);

/* dtable[V,N] = sum over i of dy[i,:] at row ids[i]; rows without an id are
 * zero. Deterministic. */
tert_status tert_embedding_grad(
    tert_context *context, const tert_site *site, const tert_tensor *ids,
    const tert_tensor *dy, const tert_tensor *dtable);

/* dtable (f32, in place) += the result of tert_embedding_grad; rows without an
 * id stay unchanged. The same bits as computing and adding it, except for the
 * sign of zeros. */
tert_status tert_add_embedding_grad(
    tert_context *context, const tert_site *site, const tert_tensor *ids,
    const tert_tensor *dy, const tert_tensor *dtable);

/* tert_add_embedding_grad if each of the R ranks along `axes`
 * (tert/collectives.h) has a shard of the table [num_rows,N]: dtable (f32, in
 * place, contiguous, any shape) is its range of ceil(num_rows * N / R)
 * elements in row-major order, of which those beyond the table's end stay
 * unchanged. N is that of dy [M,N]. */
tert_status tert_add_embedding_grad_part(
    tert_context *context, const tert_site *site, const tert_tensor *ids,
    const tert_tensor *dy, const tert_tensor *dtable, int64_t num_rows,
    int32_t axes);

/* labels[b,s] = ids[b,s+1]; ignore_index in the last column. [B,S] integers. */
tert_status tert_shift_labels(
    tert_context *context, const tert_site *site, const tert_tensor *ids,
    const tert_tensor *labels, int64_t ignore_index);

/* count (f32 scalar) = number of labels [M] that are not ignore_index. Another
 * label outside [0,classes) fails with TERT_INVALID_DATA, naming it and its
 * position. */
tert_status tert_count_labels(
    tert_context *context, const tert_site *site, const tert_tensor *labels,
    const tert_tensor *count, int64_t classes, int64_t ignore_index);

/* Cross-entropy of logits [M,V] (float, outer stride free: padded columns are
 * not part of V) with labels [M] integers. Rows whose label is ignore_index do
 * not count. loss: f32 scalar, the mean over counted rows (0 if none) or the
 * sum of
 *   (1 - e) * (lse[i] - logits[i,labels[i]]) + e * (lse[i] - mean(logits[i,:]))
 *     + z * lse[i]^2
 * with e = label_smoothing in [0,1] and z = z_loss >= 0, 0 for neither.
 * lse: [M] f32. count: f32 scalar, the number of counted rows. A label
 * outside [0,V) that is not ignore_index fails with TERT_INVALID_DATA. */
tert_status tert_cross_entropy(
    tert_context *context, const tert_site *site, const tert_tensor *logits,
    const tert_tensor *labels, const tert_tensor *loss, const tert_tensor *lse,
    const tert_tensor *count, int64_t ignore_index, int32_t reduction,
    float label_smoothing, float z_loss);

/* dlogits[i,v] = dloss / count * ((1 + 2 * z * lse[i]) * exp(logits[i,v] -
 * lse[i])
 *                                 - (1 - e) * [v == labels[i]] - e / V)
 * (not divided for the sum); zero in ignored rows. */
tert_status tert_cross_entropy_grad(
    tert_context *context, const tert_site *site, const tert_tensor *dloss,
    const tert_tensor *logits, const tert_tensor *labels,
    const tert_tensor *lse, const tert_tensor *count,
    const tert_tensor *dlogits, int64_t ignore_index, int32_t reduction,
    float label_smoothing, float z_loss);

/* Loss and gradient at once for rows that may be a slice of a batch, of which
 * `count` rows count (tert_count_labels). In place: logits [M,V] (float)
 * become their gradient as tert_cross_entropy_grad gives it, and loss (f32
 * scalar) grows by the sum of these rows' losses, divided by count for the
 * mean. Rows are summed in an order that does not depend on threads. */
tert_status tert_cross_entropy_with_grad(
    tert_context *context, const tert_site *site, const tert_tensor *dloss,
    const tert_tensor *labels, const tert_tensor *count,
    const tert_tensor *logits, const tert_tensor *loss, int64_t ignore_index,
    int32_t reduction, float label_smoothing, float z_loss);

/* loss (f32 scalar) = sum over all elements of (x - target)^2, divided by their
 * number for the mean; 0 of no elements. x, target: [M,N] float, each with its
 * own type and outer stride. Differences and their squares are float32, sums
 * float64, in an order that does not depend on threads. */
tert_status tert_squared_error(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *target, const tert_tensor *loss, int32_t reduction);

/* dx[M,N] = dloss * 2 * (x - target), divided by M * N for the mean. dx may be
 * x. */
tert_status tert_squared_error_grad(
    tert_context *context, const tert_site *site, const tert_tensor *dloss,
    const tert_tensor *x, const tert_tensor *target, const tert_tensor *dx,
    int32_t reduction);

/*===-- Elementwise, reductions, movement ---------------------------------===*/

/* y = a + b. a and y have the same shape; b has that shape too, or is a suffix
 * of it after dropping leading dimensions, and then repeats. float. */
tert_status tert_add(
    tert_context *context, const tert_site *site, const tert_tensor *a,
    const tert_tensor *b, const tert_tensor *y);

/* y[N] = sum over rows of x [M,N], f32 sums in an order that does not depend on
 * threads. float. */
tert_status tert_column_sum(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *y);

/* y = x with conversion between f32 and bf16 (round to nearest even) or a plain
 * copy of equal dtypes; any strides, same shape, any dtype when equal. */
tert_status tert_copy(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *y);

/* y[i] = x[i] for num_x pairs, each as in tert_copy: num_y is num_x. In any
 * order, so no y overlaps another tensor, and no y[i] overlaps x[i]. */
tert_status tert_multi_copy(
    tert_context *context, const tert_site *site, int32_t num_x,
    const tert_tensor *x, int32_t num_y, const tert_tensor *y);

/* Every element of y (float or integer, any strides) = value. */
tert_status tert_fill(
    tert_context *context, const tert_site *site, const tert_tensor *y,
    double value);

/* tert_fill of every y[i]. */
tert_status tert_multi_fill(
    tert_context *context, const tert_site *site, int32_t num_y,
    const tert_tensor *y, double value);

/* y[i] = x[i] / (1 - ratio) or 0, the latter with probability `ratio`, in [0,
 * 1). x and y: any shape, f32 or bf16, contiguous; x may be y. Element i, in
 * row-major order, is decided by word i mod 4 of Philox-4x32-10 (Salmon and
 * others, 2011) for the key *seed (an i64 scalar) and the counter (i div 4,
 * stream), 64 bits each, low words first: it is kept if that word is at least
 * ratio * 2^32, rounded down. The gradient is therefore the same call on dy. */
tert_status tert_dropout(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *seed, const tert_tensor *y, float ratio, int64_t stream);

/*===-- Generated kernels -------------------------------------------------===*/

/* Runs a kernel of the program on operands of the layouts it was generated
 * for. Inputs and outputs of any dtype and strides; if an input overlaps an
 * output, they are the same tensor. */
tert_status tert_launch(
    tert_context *context, const tert_site *site, int32_t num_inputs,
    const tert_tensor *inputs, int32_t num_outputs, const tert_tensor *outputs,
    const tert_kernel *kernel);

/*===-- Optimizer ---------------------------------------------------------===*/

/* norm = sqrt(sum over the tensors of the sum of squares). f32 scalar, sums
 * in f64. A non-finite element makes it non-finite. */
tert_status tert_global_norm(
    tert_context *context, const tert_site *site, int32_t num_gradients,
    const tert_tensor *gradients, const tert_tensor *norm);

/* coefficient = min(1, max_norm / (norm + 1e-6)); 1 when max_norm is not
 * positive; NaN when norm or one of the amaxes is not finite, which makes the
 * optimizer skip the step. f32 scalars; amaxes: num_amaxes of them, those of
 * the FP8 tensors that the gradients were computed from, whose casts hide an
 * infinity. Same as torch.nn.utils.clip_grad_norm_ otherwise. */
tert_status tert_clip_coefficient(
    tert_context *context, const tert_site *site, const tert_tensor *norm,
    const tert_tensor *max_norm, int32_t num_amaxes, const tert_tensor *amaxes,
    const tert_tensor *coefficient);

/* step (i64 scalar, in place) += 1, unless coefficient is NaN. */
tert_status tert_advance_step(
    tert_context *context, const tert_site *site,
    const tert_tensor *coefficient, const tert_tensor *step);

/* Updates parameters in place by the rule of an optimizer, such as "adamw",
 * with
 * the same scalars, in any order: entry i of gradients, params, quantized and
 * decays belongs to parameter i, and entries i * n to i * n + n - 1 of states,
 * where the rule has n states. param is f32 or bf16, contiguous, of any shape, and
 * its states are f32, bf16 or FP8, of that shape; g = gradient * coefficient.
 * `scalars` are the rule's, `step` counts from 1. A NaN coefficient leaves param
 * and states as they are. The new param is quantized as a matrix of its rows,
 * [E, N, K] as [E * N, K], and so is its gradient; it is written either way.
 *
 * The FP8 states of a parameter, of [..., N], have the next n state_scales,
 * [..., ceil(N / 128)] in f32: a state is its code times the scale of its 128
 * elements of a row. A new scale is max(amax / fp8_max, 2^-126) in f32. What is
 * bf16 or FP8 is rounded stochastically by 16 random bits r: a magnitude x between
 * two neighbours a < b of the format becomes b if (x - a) / (b - a) + r / 2^16 is
 * at least 1; r is the low half of h for the first state, the high half for the
 * second, and for param the low half of F(h * 0x9e3779b1), where F is
 * MurmurHash3's finalizer and h = F((bits(g) * 0x9e3779b1) ^ bits(param) ^
 * (step * 0x85ebca77)), all modulo 2^32. A positive second state in FP8 is at least
 * the smallest positive number of its format. */
tert_status tert_update(
    tert_context *context, const tert_site *site, int32_t num_gradients,
    const tert_tensor *gradients, const tert_tensor *coefficient,
    int32_t num_scalars, const tert_tensor *scalars, const tert_tensor *step,
    int32_t num_params, const tert_tensor *params, int32_t num_states,
    const tert_tensor *states, int32_t num_state_scales,
    const tert_tensor *state_scales, int32_t num_quantized,
    const tert_quantized *quantized, const char *rule, const int32_t *decays);

/*===-- Scans -------------------------------------------------------------===*/

/* From dy [B,T,D], the operands of tert_scan and its `states`: ddecay, dx [B,T,D]
 * float, drates [D,N] f32, dkeys, dqueries [B,T,G*N] float, each optional, and
 * dinitial [B,D,N] f32, the gradient by the state before the first token. dfinal
 * [B,D,N] f32 or null: that by the state behind the last. The states between
 * those of `states` are computed again. Sums over channels and tokens are f32, in
 * an order that depends on the shapes alone. */
tert_status tert_scan_grad(
    tert_context *context, const tert_site *site, const tert_tensor *dy,
    const tert_tensor *decay, const tert_tensor *x, const tert_tensor *states,
    const tert_tensor *rates, const tert_tensor *keys,
    const tert_tensor *queries, const tert_tensor *dfinal,
    const tert_tensor *ddecay, const tert_tensor *dx,
    const tert_tensor *drates, const tert_tensor *dkeys,
    const tert_tensor *dqueries, const tert_tensor *dinitial, int64_t chunk);

/* h[t,d,n] = a * h[t-1,d,n] + u in f32 for each of B sequences of T tokens with D
 * channels. decay, x, y [B,T,D] float. Alone: N = 1, a = decay, u = x, y = h. With
 * keys and queries [B,T,G*N] float, whose group g = d / (D/G) serves D/G
 * consecutive channels: u = x[d] * keys[g,n], y[d] = Σ_n queries[g,n] * h[d,n].
 * With rates [D,N] f32, too: a = exp(decay[d] * rates[d,n]) and u = decay[d] * x[d]
 * * keys[g,n]. initial [B,D,N] f32 or null: the state before the first token.
 * final [B,D,N] f32: that behind the last. states [B,C,D,N] f32, C = T / chunk
 * rounded up: those before the tokens 0, chunk, 2 * chunk and so on. rates,
 * initial, states, final are contiguous. */
tert_status tert_scan(
    tert_context *context, const tert_site *site, const tert_tensor *decay,
    const tert_tensor *x, const tert_tensor *rates, const tert_tensor *keys,
    const tert_tensor *queries, const tert_tensor *initial,
    const tert_tensor *y, const tert_tensor *states, const tert_tensor *final,
    int64_t chunk);

/* From dy [B,T,D] float and the operands of tert_causal_conv, with ds = dy, or
 * dy * (s * sigmoid(s))' with silu: dx[t,d] = Σ_k weight[k,d] * ds[t+(K-1)-k,d],
 * dweight[k,d] = Σ_t ds[t,d] * x[t-(K-1)+k,d], dbias[d] = Σ_t ds[t,d], null or
 * not. Sums over tokens and batches are f32, in an order that depends on the
 * shapes alone. dx [B,T,D] float; dweight, dbias f32 and contiguous. */
tert_status tert_causal_conv_grad(
    tert_context *context, const tert_site *site, const tert_tensor *dy,
    const tert_tensor *x, const tert_tensor *weight, const tert_tensor *bias,
    const tert_tensor *dx, const tert_tensor *dweight,
    const tert_tensor *dbias, int32_t silu);

/* s[t,d] = bias[d] + Σ_k weight[k,d] * x[t-(K-1)+k,d] in f32 for each of B
 * sequences of T tokens with D channels, with zeros for tokens before the first;
 * y = s, or s * sigmoid(s) with silu. x, y [B,T,D] float; weight [K,D], K at most
 * 8, and bias [D], which may be null, f32 and contiguous. */
tert_status tert_causal_conv(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *weight, const tert_tensor *bias, const tert_tensor *y,
    int32_t silu);

/* clang-format on */

#ifdef __cplusplus
}
#endif
#endif /* TERT_OPS_H */
