// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that do more in passing than the op of the te dialect they stem
// from; passes on runtime calls make them. C++ has them in
// te/Dialect/TERT/IR/AccumulateOps.h.

#ifndef TE_DIALECT_TERT_IR_TERTACCUMULATEOPS_TD
#define TE_DIALECT_TERT_IR_TERTACCUMULATEOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

def TERT_AddEmbeddingGradOp : TERT_Op<"add_embedding_grad",
    (ins TERT_Int:$ids, TERT_Float:$dy), (ins TERT_F32:$dtable), (ins),
    ["dtable"]> {
  let summary = "embedding_grad, added to what is in the table's gradient";
}

def TERT_QuantizeJoinedOp : TERT_Op<"quantize_joined",
    (ins Variadic<TERT_Float>:$x), (ins TERT_Quantized:$quantized)> {
  let summary = "FP8 copies of matrices one below the other, and their amax";
  let hasVerifier = 1;
}

def TERT_RMSNormGradRecomputeOp : TERT_Op<"rms_norm_grad_recompute",
    (ins TERT_Float:$dy, TERT_Float:$x, TERT_Float:$gamma, TERT_F32:$rstd,
         TERT_F32:$y_scale, Optional<TERT_Float>:$residual),
    (ins Optional<TERT_Float>:$dx, TERT_Float:$dgamma,
         TERT_OptionalQuantized:$quantized, TERT_Fp8:$y_columnwise),
    (ins UnitAttr:$zero_centered)> {
  let summary = "rms_norm_grad, and a copy of rms_norm's result";
}

def TERT_GatedActivationGradRecomputeOp : TERT_Op<"gated_activation_grad_recompute",
    (ins TERT_Float:$dy, TERT_Float:$x, TERT_F32:$y_scale),
    (ins Optional<TERT_Float>:$dx, TERT_OptionalQuantized:$quantized,
         Optional<TERT_Float>:$dbias, TERT_Fp8:$y_columnwise),
    (ins TE_ActivationKindAttr:$kind, UnitAttr:$up_first)> {
  let summary = "gated_activation_grad, and a copy of gated_activation's result";
}

#endif // TE_DIALECT_TERT_IR_TERTACCUMULATEOPS_TD
