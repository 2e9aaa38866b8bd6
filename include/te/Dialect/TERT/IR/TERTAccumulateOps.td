// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that do more than the te op that they come from, made by passes on
// runtime calls.

#ifndef TE_DIALECT_TERT_IR_TERTACCUMULATEOPS_TD
#define TE_DIALECT_TERT_IR_TERTACCUMULATEOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

let section = "Embedding and loss" in
def TERT_AddEmbeddingGradOp : TERT_Op<"add_embedding_grad"> {
  let summary = "embedding_grad, accumulated into the table's gradient";
  let description = [{
    dtable (f32, in place) += the result of tert_embedding_grad; rows without an
    id stay unchanged. The same bits as computing and adding it, except for the
    sign of zeros.
  }];
  let inputs = (ins TERT_Int:$ids, TERT_Float:$dy);
  let outputs = (ins TERT_F32:$dtable);
  let updated = ["dtable"];
}

let section = "Precision" in
def TERT_QuantizeJoinedOp : TERT_Op<"quantize_joined"> {
  let summary = "FP8 copies of a concatenation of matrices, and its amax";
  let description = [{
    Quantizes the matrix [M,N] that is the concatenation of the rows of num_x
    matrices [Mi,N] of one float dtype, 1 to TERT_MAX_JOINED of them, as
    tert_quantize does. `quantized` and its scale are not optional.
  }];
  let inputs = (ins Variadic<TERT_Float>:$x);
  let outputs = (ins TERT_Quantized:$quantized);
  let hasVerifier = 1;
}

let section = "Normalization and activation" in
def TERT_RMSNormGradRecomputeOp : TERT_Op<"rms_norm_grad_recompute"> {
  let summary = "rms_norm_grad, and a copy of rms_norm's result";
  let description = [{
    tert_rms_norm_grad that also recomputes what tert_rms_norm quantizes:
    y_columnwise [N,M] FP8 (at least these; the rest is padding) is the
    column-wise copy of x * rstd * g for the scale y_scale (f32 scalar), the
    same bytes if rstd is tert_rms_norm's output.
  }];
  let inputs = (ins TERT_Float:$dy, TERT_Float:$x, TERT_Float:$gamma,
                    TERT_F32:$rstd, TERT_F32:$y_scale,
                    Optional<TERT_Float>:$residual);
  let outputs = (ins Optional<TERT_Float>:$dx, TERT_Float:$dgamma,
                     TERT_OptionalQuantized:$quantized, TERT_Fp8:$y_columnwise);
  let constants = (ins UnitAttr:$zero_centered);
}

let section = "Normalization and activation" in
def TERT_GatedActivationGradRecomputeOp : TERT_Op<"gated_activation_grad_recompute"> {
  let summary = "gated_activation_grad, and a copy of gated_activation's result";
  let description = [{
    tert_gated_activation_grad of gate and up in one matrix x [M,2N] that also
    recomputes what tert_gated_activation quantizes: y_columnwise [N,M] FP8 (at
    least these; the rest is padding) is the column-wise copy of kind(gate) * up
    for the scale y_scale (f32 scalar), the same bytes.
  }];
  let inputs = (ins TERT_Float:$dy, TERT_Float:$x, TERT_F32:$y_scale);
  let outputs = (ins Optional<TERT_Float>:$dx,
                     TERT_OptionalQuantized:$quantized,
                     Optional<TERT_Float>:$dbias, TERT_Fp8:$y_columnwise);
  let constants = (ins TE_ActivationKindAttr:$kind, UnitAttr:$up_first);
}

#endif // TE_DIALECT_TERT_IR_TERTACCUMULATEOPS_TD
