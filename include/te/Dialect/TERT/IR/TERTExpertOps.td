// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mixtures of experts: rows grouped by expert, and their products.

#ifndef TE_DIALECT_TERT_IR_TERTEXPERTOPS_TD
#define TE_DIALECT_TERT_IR_TERTEXPERTOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

let section = "Experts" in {

def TERT_GroupRowsOp : TERT_Op<"group_rows"> {
  let summary = "Places of rows that are grouped by expert";
  let description = [{
    The places [P] of rows [S] that are sorted by expert: the rows of expert 0 in
    their order, then places without a row up to a multiple of `alignment`, then
    the rows of expert 1, and so on; an expert without rows takes no places.
    experts [S]: the expert of each row, in [0, count), or -1 for none. source
    [P]: the row at each place, or -1. slot [S]: the place of each row, or -1.
    groups [P]: the expert of the row at each place, or -1. All i32. P is a
    multiple of `alignment`, and at least S + min(count, S) * (alignment - 1),
    rounded down to one. Any other expert fails with TERT_INVALID_DATA, naming it
    and its row.
    With `ranks` above 1 the places are as many shards of equal size, each for
    count / ranks experts, which groups counts from the shard's first; P is any
    multiple of ranks * alignment, and rows for which their shard has no space
    left have no place.
  }];
  let inputs = (ins TERT_I32:$experts);
  let outputs = (ins TERT_I32:$source, TERT_I32:$slot, TERT_I32:$groups);
  let constants = (ins I64Attr:$count, I64Attr:$alignment, I64Attr:$ranks);
}

def TERT_ExpertMatmulOp : TERT_Op<"expert_matmul"> {
  let summary = "Matrix product of every row with the matrix of its expert";
  let description = [{
    groups [P] i32: the expert e of each row, or -1. d[p,:] = a[p,:]·B_e, a [P,K], d
    [P,N]; zeros where groups is -1. `b` is stored [E*K,N], the B_e [K,N] one below
    the other, or [E*N,K], their transposes, when transpose_b. With wgrad, d
    [E*M,N] has for each expert the sum over its rows p of a[p,:]ᵀ·b[p,:], a [P,M],
    b [P,N]; zeros for an expert without rows; transpose_b has no meaning. a, b, d
    float. Products and sums in f32.
    An `alignment` above 1 promises groups as tert_group_rows makes them with it:
    experts in ascending order, one in each `alignment` rows, -1 only behind its
    rows. With wgrad, rows among these whose group is -1 are then zeros in a, and
    finite in b.
  }];
  let inputs = (ins TERT_Float:$a, TERT_Float:$b, TERT_I32:$groups);
  let outputs = (ins TERT_Float:$d);
  let constants = (ins UnitAttr:$transpose_b, UnitAttr:$wgrad,
                       I64Attr:$alignment);
}

def TERT_ScaledExpertMatmulOp : TERT_Op<"scaled_expert_matmul"> {
  let summary = "FP8 matrix product of every row with the matrix of its expert";
  let description = [{
    tert_expert_matmul of FP8 matrices (never both E5M2) with scales. The summed
    dimension is the last of both: `a` is [P,K], and `b` is [E*N,K] when
    transpose_b, else [N,E*K], the B_eᵀ side by side. With wgrad they are [M,P] and
    [N,P]. Codes are multiplied, and their sum in f32 is multiplied with both
    scale_inv: f32, a scalar, or [E], one for each expert. accumulate:
    tert_accumulate, what the backend may do to sums.
  }];
  let inputs = (ins TERT_Scaled:$a, TERT_Scaled:$b, TERT_I32:$groups);
  let outputs = (ins TERT_Float:$d);
  let constants = (ins UnitAttr:$transpose_b, UnitAttr:$wgrad,
                       I64Attr:$alignment, TE_AccumulateAttr:$accumulate);
  let alignedRows = ["a", "b", "d"];
}

} // section

#endif // TE_DIALECT_TERT_IR_TERTEXPERTOPS_TD
