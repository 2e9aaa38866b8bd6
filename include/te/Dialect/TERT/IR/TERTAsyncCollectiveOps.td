// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous collectives, and the norm of sharded gradients.

#ifndef TE_DIALECT_TERT_IR_TERTASYNCCOLLECTIVEOPS_TD
#define TE_DIALECT_TERT_IR_TERTASYNCCOLLECTIVEOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

let section = "Collectives", header = "collectives" in {

def TERT_StartAllReduceOp : TERT_Op<"start_all_reduce"> {
  let summary = "Starts an all-reduce; no access to tensors until await";
  let description = [{
    tert_all_reduce that may overlap the following calls, until tert_await of
    one of its tensors: none of these calls accesses the tensors. Several may be
    in flight at a time; they are processed in the order in which they were
    started.
  }];
  let outputs = (ins Variadic<TERT_Float>:$tensors);
  let constants = (ins I32Attr:$axes);
  let updated = ["tensors"];
  let hasBackendMethod = 0;
  let contiguous = ["tensors"];
}

def TERT_StartReduceScatterOp : TERT_Op<"start_reduce_scatter"> {
  let summary = "Starts a reduce-scatter; no access to y and no write to x until await";
  let description = [{
    tert_reduce_scatter and tert_all_gather that may overlap the following
    calls, until tert_await of one of their y: none of these calls writes to x
    or accesses y.
  }];
  let inputs = (ins Variadic<TERT_Float>:$x);
  let outputs = (ins Variadic<TERT_Float>:$y);
  let constants = (ins I32Attr:$axes);
  let hasBackendMethod = 0;
  let contiguous = ["x", "y"];
}

def TERT_StartAllGatherOp : TERT_Op<"start_all_gather"> {
  let summary = "Starts an all-gather; no access to y and no write to x until await";
  let inputs = (ins Variadic<TERT_Any>:$x);
  let outputs = (ins Variadic<TERT_Any>:$y);
  let constants = (ins I32Attr:$axes);
  let hasBackendMethod = 0;
  let contiguous = ["x", "y"];
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

// Collectives of sequences: a shard is one piece of each, or two.
class TERT_SequenceOp<string mnemonic, TypeConstraint type, string what>
    : TERT_Op<mnemonic> {
  let summary = what;
  let inputs = (ins type:$x);
  let outputs = (ins type:$y);
  let constants = (ins I32Attr:$dim, UnitAttr:$balanced, I32Attr:$axes);
  let contiguous = ["x", "y"];
  let hasBackendMethod = 0;
}

def TERT_AllGatherSequenceOp : TERT_SequenceOp<"all_gather_sequence", TERT_Any,
    "All-gather of sequence shards"> {
  let description = [{
    The counterparts of tert_all_gather, tert_reduce_scatter and tert_all_slice,
    and of their tert_start_ forms, for sequences that are split over ranks:
    tensors are [outer..., S, inner...], a shard has s = S/R positions of the
    dimension `dim` and all of the others. Rank r has positions [r * s, (r + 1)
    * s) or, if `balanced` is not 0, two pieces of s / 2, the numbers r and 2R -
    1 - r of 2R, concatenated, which balances the work of causal attention. x
    and y have the same dtype, do not overlap and are contiguous; full tensors
    are in the order of the sequence. If `balanced` is 0, the operand of a
    gather may be stored in y at the position of its copy, with y's strides.
  }];
}
def TERT_StartAllGatherSequenceOp : TERT_SequenceOp<
    "start_all_gather_sequence", TERT_Any,
    "Starts it; no access to y and no write to x until await">;
def TERT_ReduceScatterSequenceOp : TERT_SequenceOp<
    "reduce_scatter_sequence", TERT_Float,
    "Reduce-scatter of sequences">;
def TERT_StartReduceScatterSequenceOp : TERT_SequenceOp<
    "start_reduce_scatter_sequence", TERT_Float,
    "Starts it; no access to y and no write to x until await">;
def TERT_AllSliceSequenceOp : TERT_SequenceOp<"all_slice_sequence", TERT_Any,
    "The rank's shard of replicated sequences">;

def TERT_ReduceNormOp : TERT_Op<"reduce_norm"> {
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

#endif // TE_DIALECT_TERT_IR_TERTASYNCCOLLECTIVEOPS_TD
