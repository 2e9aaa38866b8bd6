// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops whose result depends on the rank's place in the mesh. C++ has them in
// te/Dialect/TERT/IR/PartOps.h.

#ifndef TE_DIALECT_TERT_IR_TERTPARTOPS_TD
#define TE_DIALECT_TERT_IR_TERTPARTOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

def TERT_Bytes : TERT_Tensor<[I<8>], "tensor or memref of bytes">;

def TERT_AttentionPartOp : TERT_Op<"attention_part",
    (ins TERT_Float:$q, TERT_Float:$k, TERT_Float:$v,
         Optional<TERT_Float>:$bias, Optional<TERT_Int>:$lengths,
         Optional<TERT_F32>:$sinks),
    (ins TERT_Float:$o, TERT_F32:$lse),
    (ins F32Attr:$scale, UnitAttr:$causal, TE_AttentionLayoutAttr:$layout,
         I64Attr:$window, F32Attr:$softcap, I32Attr:$query_axes,
         UnitAttr:$balanced), [], "", (ins), /*backend=*/0> {
  let summary = "Attention of a rank's part of the queries";
}

def TERT_AttentionPartGradOp : TERT_Op<"attention_part_grad",
    (ins TERT_Float:$d_o, TERT_Float:$q, TERT_Float:$k, TERT_Float:$v,
         TERT_Float:$o, TERT_F32:$lse, Optional<TERT_Float>:$bias,
         Optional<TERT_Int>:$lengths, Optional<TERT_F32>:$sinks),
    (ins TERT_Float:$dq, TERT_Float:$dk, TERT_Float:$dv,
         Optional<TERT_F32>:$dbias, Optional<TERT_F32>:$dsinks,
         Optional<TERT_Bytes>:$temporary),
    (ins F32Attr:$scale, UnitAttr:$causal, TE_AttentionLayoutAttr:$layout,
         I64Attr:$window, F32Attr:$softcap, I32Attr:$query_axes,
         UnitAttr:$balanced), [], "", (ins), /*backend=*/0> {
  let summary = "Gradient of attention_part";
  let contiguous = ["temporary"];
  // A deterministic gradient keeps that of all scores.
  let workspace = 1;
}

def TERT_EmbeddingPartOp : TERT_Op<"embedding_part",
    (ins TERT_Int:$ids, TERT_F32:$table), (ins TERT_Float:$y),
    (ins I64Attr:$num_rows, I32Attr:$axes), [], "", (ins), /*backend=*/0> {
  let summary = "Rows of a table as far as they are in the rank's part";
  let contiguous = ["table"];
}

def TERT_AddEmbeddingGradPartOp : TERT_Op<"add_embedding_grad_part",
    (ins TERT_Int:$ids, TERT_Float:$dy), (ins TERT_F32:$dtable),
    (ins I64Attr:$num_rows, I32Attr:$axes), ["dtable"], "", (ins),
    /*backend=*/0> {
  let summary = "add_embedding_grad of the rank's part of the table";
  let contiguous = ["dtable"];
}

#endif // TE_DIALECT_TERT_IR_TERTPARTOPS_TD
