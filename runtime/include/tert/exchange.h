/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The collectives of the runtime, with the conventions of tert/ops.h, which
 * includes them.
 *
 * Collectives run among the ranks of a job (tert/job.h) that differ only in
 * those axes of its mesh that `axes` names, bit a for axis a: R ranks, in the
 * order of the mesh, the last axis fastest. Every rank makes the same calls in
 * the same order. All tensors are contiguous; the elements of a list may differ
 * in shape and dtype. Without a job, or if R is 1, a collective has one rank:
 * sums equal its operands. An axis that the job's mesh lacks is an error. A
 * failure on another rank is TERT_PEER_ERROR; all later collectives fail, too.
 */
#ifndef TERT_EXCHANGE_H
#define TERT_EXCHANGE_H

#include "tert/context.h"
#include "tert/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Written by tert-signatures, from the ops' definitions (TERTOps.td). */
/* clang-format off */

/*===-- Collectives -------------------------------------------------------===*/

/* Replaces tensors (f32 or bf16) by their sums over the ranks, the same bits on
 * all of them. On the CPU they are added in float32, in the ranks' order, and
 * rounded once. On GPUs the order is NCCL's, and of more than two ranks it
 * rounds partial sums of bf16 tensors to bf16. */
tert_status tert_all_reduce(
    tert_context *context, const tert_site *site, int32_t num_tensors,
    const tert_tensor *tensors, int32_t axes);

/* tert_all_reduce that may run beside the calls that follow, until tert_await
 * of one of its tensors: none of them touches these tensors. Several may run at
 * a time; they are exchanged in the order in which they were begun. */
tert_status tert_start_all_reduce(
    tert_context *context, const tert_site *site, int32_t num_tensors,
    const tert_tensor *tensors, int32_t axes);

/* tert_reduce_scatter and tert_all_gather that may run beside the calls that
 * follow, until tert_await of one of their y: none of them writes to x or
 * touches y. */
tert_status tert_start_reduce_scatter(
    tert_context *context, const tert_site *site, int32_t num_x,
    const tert_tensor *x, int32_t num_y, const tert_tensor *y, int32_t axes);
tert_status tert_start_all_gather(
    tert_context *context, const tert_site *site, int32_t num_x,
    const tert_tensor *x, int32_t num_y, const tert_tensor *y, int32_t axes);

/* Calls that follow see the results of the exchanges that were begun on these
 * tensors. The host does not wait. */
tert_status tert_await(
    tert_context *context, const tert_site *site, int32_t num_tensors,
    const tert_tensor *tensors);

/* y[k] becomes the rank's part of the sum of x[k] over the ranks: x[k] (f32 or
 * bf16) has R times the elements of y[k], and rank r gets elements
 * [r * n, (r + 1) * n), n those of y[k], of the same dtype. Added as
 * tert_all_reduce does. */
tert_status tert_reduce_scatter(
    tert_context *context, const tert_site *site, int32_t num_x,
    const tert_tensor *x, int32_t num_y, const tert_tensor *y, int32_t axes);

/* y[k] becomes the x[k] of all ranks, one behind another: R times its elements,
 * of the same dtype, which may be any. x[k] may lie in y[k], where its copy
 * goes. */
tert_status tert_all_gather(
    tert_context *context, const tert_site *site, int32_t num_x,
    const tert_tensor *x, int32_t num_y, const tert_tensor *y, int32_t axes);

/* y becomes the rank's part of x, which is the same on all R ranks and has R
 * times the elements of y, of the same dtype, which may be any: rank r gets
 * elements [r * n, (r + 1) * n). Nothing is exchanged. */
tert_status tert_all_slice(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *y, int32_t axes);

/* The same three, and those that run beside other calls, of sequences of which
 * each rank has a part: tensors are [outer..., S, inner...], a part has s = S/R
 * positions of the dimension `dim` and all of the others. Rank r has positions
 * [r * s, (r + 1) * s) or, where `balanced` is not 0, two pieces of s / 2, the
 * numbers r and 2R - 1 - r of 2R, one behind another: of causal attention ranks
 * then compute the same amounts. x and y have the same dtype, do not overlap
 * and are contiguous; wholes are in the order of the sequence. Where `balanced`
 * is 0, what is gathered may lie in y, where its copy goes, with y's strides. */
tert_status tert_all_gather_sequence(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *y, int32_t dim, int32_t balanced, int32_t axes);
tert_status tert_start_all_gather_sequence(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *y, int32_t dim, int32_t balanced, int32_t axes);
tert_status tert_reduce_scatter_sequence(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *y, int32_t dim, int32_t balanced, int32_t axes);
tert_status tert_start_reduce_scatter_sequence(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *y, int32_t dim, int32_t balanced, int32_t axes);
tert_status tert_all_slice_sequence(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *y, int32_t dim, int32_t balanced, int32_t axes);

/* One exchange of many f32 scalars: max[i] is the largest maxima[i] of all
 * ranks, which are not negative, NaN if one is; sum[i] is the sum of all ranks'
 * sums[i] in their order. max and sum are f32 [n], null where n is 0. */
tert_status tert_reduce_scalars(
    tert_context *context, const tert_site *site, int32_t num_maxima,
    const tert_tensor *maxima, int32_t num_sums, const tert_tensor *sums,
    const tert_tensor *max, const tert_tensor *sum, int32_t axes);

/* norm = sqrt of the sum of squares of all gradients, f32 scalar, of ranks that
 * share them: where is_part[k] is not 0 every rank has a gradients[k] of its
 * own, else they have the same (f32 or bf16), and rank r adds elements
 * [r * n, (r + 1) * n), n = ceil(count / R), so that a gradient adds the same
 * whether it is in parts or whole. Sums are made in f64: each rank's, then
 * theirs in their order. A non-finite element makes it non-finite everywhere. */
tert_status tert_reduce_norm(
    tert_context *context, const tert_site *site, int32_t num_gradients,
    const tert_tensor *gradients, const tert_tensor *norm,
    const int32_t *is_part, int32_t axes);

/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif /* TERT_EXCHANGE_H */
