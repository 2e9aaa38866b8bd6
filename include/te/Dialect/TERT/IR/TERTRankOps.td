// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops whose result depends on the rank's position in the mesh.

#ifndef TE_DIALECT_TERT_IR_TERTRANKOPS_TD
#define TE_DIALECT_TERT_IR_TERTRANKOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

def TERT_Bytes : TERT_Tensor<[I<8>], "tensor or memref of bytes">;

let section = "Attention" in
def TERT_AttentionPartOp : TERT_Op<"attention_part"> {
  let summary = "Attention of a rank's shard of the queries";
  let description = [{
    tert_attention of queries that are the rank's shard of a sequence of Sk that
    is split over the n ranks along `query_axes`, a set of the job's axes: Sk =
    n * Sq, k and v hold all of it. For rank r query i is at position r * Sq +
    i, which replaces i + Sk - Sq above. If balanced, Sq is even, and the rank
    has the pieces r and 2n - 1 - r of 2n, in this order, which balances causal
    attention. A context without a job is one rank of one.
  }];
  let inputs = (ins TERT_Float:$q, TERT_Float:$k, TERT_Float:$v,
                    Optional<TERT_Float>:$bias, Optional<TERT_Int>:$lengths,
                    Optional<TERT_F32>:$sinks);
  let outputs = (ins TERT_Float:$o, TERT_F32:$lse);
  let constants = (ins F32Attr:$scale, UnitAttr:$causal,
                       TE_AttentionLayoutAttr:$layout, I64Attr:$window,
                       F32Attr:$softcap, I32Attr:$query_axes,
                       UnitAttr:$balanced);
  let hasBackendMethod = 0;
}

let section = "Attention" in
def TERT_AttentionPartGradOp : TERT_Op<"attention_part_grad"> {
  let summary = "Gradient of attention_part";
  let description = [{
    dk and dv, for all keys, and dbias and dsinks are the sums over the rank's
    queries; their sums over the ranks are the full gradients. If balanced
    queries are causal or have a window, the terms of the two pieces are
    computed one by one, rounded to the gradients' types, and added:
    `temporary`, u8 [n], holds one piece's dk, dv, dbias if bias is broadcast
    over queries, and dsinks, each rounded up to 256 bytes; half as much of all
    but dsinks if causal. It is not used, and may be null, in all other cases.
  }];
  let inputs = (ins TERT_Float:$d_o, TERT_Float:$q, TERT_Float:$k,
                    TERT_Float:$v, TERT_Float:$o, TERT_F32:$lse,
                    Optional<TERT_Float>:$bias, Optional<TERT_Int>:$lengths,
                    Optional<TERT_F32>:$sinks);
  let outputs = (ins TERT_Float:$dq, TERT_Float:$dk, TERT_Float:$dv,
                     Optional<TERT_F32>:$dbias, Optional<TERT_F32>:$dsinks,
                     Optional<TERT_Bytes>:$temporary);
  let constants = (ins F32Attr:$scale, UnitAttr:$causal,
                       TE_AttentionLayoutAttr:$layout, I64Attr:$window,
                       F32Attr:$softcap, I32Attr:$query_axes,
                       UnitAttr:$balanced);
  let hasBackendMethod = 0;
  let contiguous = ["temporary"];
  // A deterministic gradient stores the gradient of all scores.
  let workspace = 1;
}

let section = "Embedding and loss" in
def TERT_EmbeddingPartOp : TERT_Op<"embedding_part"> {
  let summary = "Lookup of table rows in the rank's shard";
  let description = [{
    tert_embedding if each of the R ranks along `axes` (tert/collectives.h) has a
    shard of the table [num_rows,N]: `table` (f32, contiguous, any shape) is its
    range of ceil(num_rows * N / R) elements in row-major order. y has the
    elements found in the shard, and zeros elsewhere: the sum over the ranks is
    the result of tert_embedding. N is that of y [M,N].
  }];
  let inputs = (ins TERT_Int:$ids, TERT_F32:$table);
  let outputs = (ins TERT_Float:$y);
  let constants = (ins I64Attr:$num_rows, I32Attr:$axes);
  let hasBackendMethod = 0;
  let contiguous = ["table"];
}

let section = "Embedding and loss" in
def TERT_AddEmbeddingGradPartOp : TERT_Op<"add_embedding_grad_part"> {
  let summary = "add_embedding_grad for the rank's shard of the table";
  let description = [{
    tert_add_embedding_grad if each of the R ranks along `axes`
    (tert/collectives.h) has a shard of the table [num_rows,N]: dtable (f32, in
    place, contiguous, any shape) is its range of ceil(num_rows * N / R)
    elements in row-major order, of which those beyond the table's end stay
    unchanged. N is that of dy [M,N].
  }];
  let inputs = (ins TERT_Int:$ids, TERT_Float:$dy);
  let outputs = (ins TERT_F32:$dtable);
  let constants = (ins I64Attr:$num_rows, I32Attr:$axes);
  let updated = ["dtable"];
  let hasBackendMethod = 0;
  let contiguous = ["dtable"];
}

#endif // TE_DIALECT_TERT_IR_TERTRANKOPS_TD
