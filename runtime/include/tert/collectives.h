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
#ifndef TERT_COLLECTIVES_H
#define TERT_COLLECTIVES_H

#include "tert/context.h"
#include "tert/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Written by tert-signatures, from the ops' definitions (TERTOps.td). */
/* clang-format off */

/*===-- Collectives -------------------------------------------------------===*/

/* kind is a tert_collective_kind. TERT_ALL_REDUCE: y[k] (f32 or bf16) becomes
 * its sum over the ranks, the same bits on all of them; there is no x. On the
 * CPU sums are added in float32, in rank order, and rounded once. On GPUs of
 * several hosts the order is NCCL's, and with more than two ranks partial sums
 * of bf16 tensors are rounded to bf16. TERT_REDUCE_SCATTER: y[k] becomes the
 * rank's shard of the sum of x[k], which has R times its elements and its
 * dtype: rank r gets elements [r * n, (r + 1) * n), n the number of elements
 * of y[k]. TERT_ALL_GATHER: y[k] becomes the concatenation of x[k] of all
 * ranks, R times its elements, of the same dtype, which may be any. x[k] may
 * be stored in y[k], at the position of its copy. TERT_ALL_TO_ALL: x[k] and
 * y[k] have R shards of one size and any dtype, and do not overlap; shard s of
 * y[k] becomes shard r of x[k] of rank s, on rank r.
 *
 * If async is not 0, the call may overlap the following ones, until tert_await
 * of one of its y: none of these calls writes to x or accesses y. Several may
 * be in flight at a time; they are processed in the order in which they were
 * started. */
tert_status tert_collective(
    tert_context *context, const tert_site *site, int32_t num_x,
    const tert_tensor *x, int32_t num_y, const tert_tensor *y, int32_t kind,
    int32_t async, int32_t axes);

/* The gather and the reduce-scatter of tert_collective for sequences that are
 * split over ranks, as tert_all_slice_sequence splits them: tensors are
 * [outer..., S, inner...], a shard has s = S/R positions of the dimension
 * `dim` and all of the others. Rank r has positions [r * s, (r + 1) * s) or,
 * if `balanced` is not 0, two pieces of s / 2, the numbers r and 2R - 1 - r of
 * 2R, concatenated, which balances the work of causal attention. x and y have
 * the same dtype, do not overlap and are contiguous; full tensors are in the
 * order of the sequence. If `balanced` is 0, the operand of a gather may be
 * stored in y at the position of its copy, with y's strides. */
tert_status tert_collective_sequence(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *y, int32_t kind, int32_t async, int32_t dim,
    int32_t balanced, int32_t axes);

/* The following calls see the results of the collectives that were started on
 * these tensors. The host does not wait. */
tert_status tert_await(
    tert_context *context, const tert_site *site, int32_t num_tensors,
    const tert_tensor *tensors);

/* y becomes the rank's shard of x, which is the same on all R ranks and has R
 * times the elements of y, of the same dtype, which may be any: rank r gets
 * elements [r * n, (r + 1) * n). Local, without communication. */
tert_status tert_all_slice(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *y, int32_t axes);

/* The rank's shard, as of tert_collective_sequence, of sequences that are the
 * same on all ranks. Local, without communication. */
tert_status tert_all_slice_sequence(
    tert_context *context, const tert_site *site, const tert_tensor *x,
    const tert_tensor *y, int32_t dim, int32_t balanced, int32_t axes);

/* One collective for many f32 scalars: max[i] is the largest maxima[i] of all
 * ranks, which are not negative, NaN if one is; sum[i] is the sum of all
 * ranks' sums[i] in rank order. max and sum are f32 [n], null if n is 0. */
tert_status tert_reduce_scalars(
    tert_context *context, const tert_site *site, int32_t num_maxima,
    const tert_tensor *maxima, int32_t num_sums, const tert_tensor *sums,
    const tert_tensor *max, const tert_tensor *sum, int32_t axes);

/* norm = sqrt of the sum of squares of all gradients, f32 scalar. If
 * is_part[k] is not 0, gradients[k] is the rank's shard; else it is replicated
 * (f32 or bf16), and rank r adds elements [r * n, (r + 1) * n), n = ceil(count
 * / R), so that a gradient adds the same whether it is sharded or replicated.
 * Sums are in f64: each rank's, then those of the ranks in their order. A
 * non-finite element makes it non-finite on all ranks. */
tert_status tert_reduce_norm(
    tert_context *context, const tert_site *site, int32_t num_gradients,
    const tert_tensor *gradients, const tert_tensor *norm,
    const int32_t *is_part, int32_t axes);

/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif /* TERT_COLLECTIVES_H */
