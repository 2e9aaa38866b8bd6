// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives, and slices by rank.

#ifndef TE_DIALECT_TERT_IR_TERTCOLLECTIVEOPS_TD
#define TE_DIALECT_TERT_IR_TERTCOLLECTIVEOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"
include "te/Dialect/TE/IR/TECollectiveInterface.td"

let section = "Collectives", header = "collectives" in {

// The ranks of a collective are those that differ in the mesh's axes of `axes`,
// a set of bits; their order is that of the mesh. Not in the backend interface:
// the context's communicators do the work (tert/job.h).

class TERT_TensorCollectiveOp<string mnemonic> : TERT_Op<mnemonic,
    [DeclareOpInterfaceMethods<TE_CollectiveOpInterface, ["isAsync"]>]> {
  let prefix = "$kind (`async` $async^)? ";
  let hasBackendMethod = 0;
  let contiguous = ["x", "y"];
  let hasVerifier = 1;
}

def TERT_CollectiveOp : TERT_TensorCollectiveOp<"collective"> {
  let summary = "A collective of lists of tensors";
  let description = [{
    kind is a tert_collective_kind. TERT_ALL_REDUCE: y[k] (f32 or bf16) becomes
    its sum over the ranks, the same bits on all of them; there is no x. On the
    CPU sums are added in float32, in rank order, and rounded once. On GPUs of
    several hosts the order is NCCL's, and with more than two ranks partial sums
    of bf16 tensors are rounded to bf16. TERT_REDUCE_SCATTER: y[k] becomes the
    rank's shard of the sum of x[k], which has R times its elements and its
    dtype: rank r gets elements [r * n, (r + 1) * n), n the number of elements
    of y[k]. TERT_ALL_GATHER: y[k] becomes the concatenation of x[k] of all
    ranks, R times its elements, of the same dtype, which may be any. x[k] may
    be stored in y[k], at the position of its copy. TERT_ALL_TO_ALL: x[k] and
    y[k] have R shards of one size and any dtype, and do not overlap; shard s of
    y[k] becomes shard r of x[k] of rank s, on rank r.

    If async is not 0, the call may overlap the following ones, until tert_await
    of one of its y: none of these calls writes to x or accesses y. Several may
    be in flight at a time; they are processed in the order in which they were
    started.
  }];
  let inputs = (ins Variadic<TERT_Any>:$x);
  let outputs = (ins Variadic<TERT_Any>:$y);
  let constants = (ins TE_CollectiveKind:$kind, UnitAttr:$async,
                       I32Attr:$axes);
  let updatesIf = "kind.getValue() == CollectiveKind::AllReduce";
}

def TERT_CollectiveSequenceOp : TERT_TensorCollectiveOp<"collective_sequence"> {
  let summary = "A collective of sequence shards";
  let description = [{
    The gather and the reduce-scatter of tert_collective for sequences that are
    split over ranks, as tert_all_slice_sequence splits them: tensors are
    [outer..., S, inner...], a shard has s = S/R positions of the dimension
    `dim` and all of the others. Rank r has positions [r * s, (r + 1) * s) or,
    if `balanced` is not 0, two pieces of s / 2, the numbers r and 2R - 1 - r of
    2R, concatenated, which balances the work of causal attention. x and y have
    the same dtype, do not overlap and are contiguous; full tensors are in the
    order of the sequence. If `balanced` is 0, the operand of a gather may be
    stored in y at the position of its copy, with y's strides.
  }];
  let inputs = (ins TERT_Any:$x);
  let outputs = (ins TERT_Any:$y);
  let constants = (ins TE_CollectiveKind:$kind, UnitAttr:$async,
                       I32Attr:$dim, UnitAttr:$balanced, I32Attr:$axes);
}

def TERT_AwaitOp : TERT_Op<"await"> {
  let summary = "Waits for collectives that were started";
  let description = [{
    The following calls see the results of the collectives that were started on
    these tensors. The host does not wait.
  }];
  let outputs = (ins Variadic<TERT_Any>:$tensors);
  let updated = ["tensors"];
  let hasBackendMethod = 0;
  let anyStrides = ["tensors"];
}

def TERT_AllSliceOp : TERT_Op<"all_slice"> {
  let summary = "The rank's shard of a replicated tensor";
  let description = [{
    y becomes the rank's shard of x, which is the same on all R ranks and has R
    times the elements of y, of the same dtype, which may be any: rank r gets
    elements [r * n, (r + 1) * n). Local, without communication.
  }];
  let inputs = (ins TERT_Any:$x);
  let outputs = (ins TERT_Any:$y);
  let constants = (ins I32Attr:$axes);
  let hasBackendMethod = 0;
  let contiguous = ["x", "y"];
}

def TERT_AllSliceSequenceOp : TERT_Op<"all_slice_sequence"> {
  let summary = "The rank's shard of replicated sequences";
  let description = [{
    The rank's shard, as of tert_collective_sequence, of sequences that are the
    same on all ranks. Local, without communication.
  }];
  let inputs = (ins TERT_Any:$x);
  let outputs = (ins TERT_Any:$y);
  let constants = (ins I32Attr:$dim, UnitAttr:$balanced, I32Attr:$axes);
  let contiguous = ["x", "y"];
  let hasBackendMethod = 0;
}

def TERT_ReduceScalarsOp : TERT_Op<"reduce_scalars",
    [DeclareOpInterfaceMethods<TE_CollectiveOpInterface>]> {
  let summary = "Maxima and sums over ranks, in one collective";
  let description = [{
    One collective for many f32 scalars: max[i] is the largest maxima[i] of all
    ranks, which are not negative, NaN if one is; sum[i] is the sum of all
    ranks' sums[i] in rank order. max and sum are f32 [n], null if n is 0.
  }];
  let inputs = (ins Variadic<TERT_F32>:$maxima, Variadic<TERT_F32>:$sums);
  let outputs = (ins Optional<TERT_F32>:$max, Optional<TERT_F32>:$sum);
  let constants = (ins I32Attr:$axes);
  let hasBackendMethod = 0;
}

def TERT_ReduceNormOp : TERT_Op<"reduce_norm",
    [DeclareOpInterfaceMethods<TE_CollectiveOpInterface>]> {
  let summary = "Euclidean norm of gradients of all ranks";
  let description = [{
    norm = sqrt of the sum of squares of all gradients, f32 scalar. If
    is_part[k] is not 0, gradients[k] is the rank's shard; else it is replicated
    (f32 or bf16), and rank r adds elements [r * n, (r + 1) * n), n = ceil(count
    / R), so that a gradient adds the same whether it is sharded or replicated.
    Sums are in f64: each rank's, then those of the ranks in their order. A
    non-finite element makes it non-finite on all ranks.
  }];
  let inputs = (ins Variadic<TERT_Float>:$gradients);
  let outputs = (ins TERT_F32:$norm);
  let constants = (ins DenseI32ArrayAttr:$is_part, I32Attr:$axes);
  let hasBackendMethod = 0;
  let contiguous = ["gradients"];
}

} // section

#endif // TE_DIALECT_TERT_IR_TERTCOLLECTIVEOPS_TD
