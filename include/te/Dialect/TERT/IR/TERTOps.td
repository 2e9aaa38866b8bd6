// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mirror of runtime/include/tert/ops.h, in its order.

#ifndef TE_DIALECT_TERT_IR_TERTOPS_TD
#define TE_DIALECT_TERT_IR_TERTOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

//===-- Linear algebra ----------------------------------------------------===//

def TERT_MatmulOp : TERT_Op<"matmul",
    (ins TERT_Float:$a, TERT_Float:$b, Optional<TERT_Float>:$bias),
    (ins TERT_Float:$d),
    (ins UnitAttr:$transpose_a, UnitAttr:$transpose_b, UnitAttr:$add_to_d), [],
    "add_to_d"> {
  let summary = "Matrix product with optional bias, which may be added to d";
}

def TERT_ScaledMatmulOp : TERT_Op<"scaled_matmul",
    (ins TERT_Scaled:$a, TERT_Scaled:$b, Optional<TERT_Float>:$bias,
         Optional<TERT_Float>:$addend),
    (ins TERT_Float:$d),
    (ins TE_AccumulateAttr:$accumulate)> {
  let summary = "FP8 matrix product with per-tensor scales, added to a matrix";
  let alignedRows = ["a", "b", "d"];
}

//===-- Precision ---------------------------------------------------------===//

def TERT_QuantizeOp : TERT_Op<"quantize",
    (ins TERT_Float:$x),
    (ins TERT_Quantized:$quantized, Optional<TERT_Float>:$dbias)> {
  let summary = "FP8 copies of a matrix, its amax and the sum of its rows";
}

def TERT_DequantizeOp : TERT_Op<"dequantize",
    (ins TERT_Scaled:$x), (ins TERT_Float:$y)> {
  let summary = "High-precision values of an FP8 matrix";
}

def TERT_AmaxOp : TERT_Op<"amax", (ins TERT_Float:$x), (ins TERT_F32:$amax)> {
  let summary = "Largest absolute value of a tensor";
}

def TERT_ComputeScaleOp : TERT_Op<"compute_scale",
    (ins TERT_F32:$amax), (ins TERT_F32:$scale, TERT_F32:$scale_inv),
    (ins TypeAttr:$format, I32Attr:$margin)> {
  let summary = "Scale of a format from an amax";
}

def TERT_UpdateScalesOp : TERT_Op<"update_scales",
    (ins Variadic<TERT_F32>:$amaxes),
    (ins TERT_F32:$scales, TERT_F32:$scale_invs, TERT_F32:$history,
         TERT_I64:$nonfinite),
    (ins TypeArrayAttr:$formats, TE_AmaxAlgoAttr:$algo, I32Attr:$margin),
    ["scales", "scale_invs", "history", "nonfinite"]> {
  let summary = "Delayed scaling of all slots";
}

def TERT_RecordAmaxesOp : TERT_Op<"record_amaxes",
    (ins Variadic<TERT_F32>:$amaxes), (ins TERT_F32:$history), (ins),
    ["history"]> {
  let summary = "Amaxes that wait in the staging row for the next update";
}

//===-- Normalization and activation --------------------------------------===//

def TERT_LayerNormOp : TERT_Op<"layer_norm",
    (ins TERT_Float:$x, TERT_Float:$gamma, TERT_Float:$beta),
    (ins Optional<TERT_Float>:$y, TERT_F32:$mean, TERT_F32:$rstd,
         TERT_OptionalQuantized:$quantized),
    (ins F32Attr:$eps, UnitAttr:$zero_centered)> {
  let summary = "Layer normalization over the last dimension";
}

def TERT_LayerNormGradOp : TERT_Op<"layer_norm_grad",
    (ins TERT_Float:$dy, TERT_Float:$x, TERT_Float:$gamma, TERT_F32:$mean,
         TERT_F32:$rstd, Optional<TERT_Float>:$residual),
    (ins Optional<TERT_Float>:$dx, TERT_Float:$dgamma, TERT_Float:$dbeta,
         TERT_OptionalQuantized:$quantized, Optional<TERT_Float>:$dbias),
    (ins UnitAttr:$zero_centered)> {
  let summary = "Gradient of layer_norm";
}

def TERT_RMSNormOp : TERT_Op<"rms_norm",
    (ins TERT_Float:$x, TERT_Float:$gamma),
    (ins Optional<TERT_Float>:$y, TERT_F32:$rstd,
         TERT_OptionalQuantized:$quantized),
    (ins F32Attr:$eps, UnitAttr:$zero_centered)> {
  let summary = "Root mean square normalization over the last dimension";
}

def TERT_RMSNormGradOp : TERT_Op<"rms_norm_grad",
    (ins TERT_Float:$dy, TERT_Float:$x, TERT_Float:$gamma, TERT_F32:$rstd,
         Optional<TERT_Float>:$residual),
    (ins Optional<TERT_Float>:$dx, TERT_Float:$dgamma,
         TERT_OptionalQuantized:$quantized),
    (ins UnitAttr:$zero_centered)> {
  let summary = "Gradient of rms_norm";
}

def TERT_ActivationOp : TERT_Op<"activation",
    (ins TERT_Float:$x),
    (ins Optional<TERT_Float>:$y, TERT_OptionalQuantized:$quantized),
    (ins TE_ActivationKindAttr:$kind)> {
  let summary = "Pointwise activation";
}

def TERT_ActivationGradOp : TERT_Op<"activation_grad",
    (ins TERT_Float:$dy, TERT_Float:$x),
    (ins Optional<TERT_Float>:$dx, TERT_OptionalQuantized:$quantized,
         Optional<TERT_Float>:$dbias),
    (ins TE_ActivationKindAttr:$kind)> {
  let summary = "Gradient of activation";
}

def TERT_GatedActivationOp : TERT_Op<"gated_activation",
    (ins TERT_Float:$x, Optional<TERT_Float>:$up),
    (ins Optional<TERT_Float>:$y, TERT_OptionalQuantized:$quantized),
    (ins TE_ActivationKindAttr:$kind, UnitAttr:$up_first)> {
  let summary = "Activation of one matrix times another";
}

def TERT_GatedActivationGradOp : TERT_Op<"gated_activation_grad",
    (ins TERT_Float:$dy, TERT_Float:$x, Optional<TERT_Float>:$up),
    (ins Optional<TERT_Float>:$dx, Optional<TERT_Float>:$dup,
         TERT_OptionalQuantized:$quantized, Optional<TERT_Float>:$dbias),
    (ins TE_ActivationKindAttr:$kind, UnitAttr:$up_first)> {
  let summary = "Gradient of gated_activation";
}

//===-- Attention ---------------------------------------------------------===//

def TERT_AttentionOp : TERT_Op<"attention",
    (ins TERT_Float:$q, TERT_Float:$k, TERT_Float:$v,
         Optional<TERT_Float>:$bias, Optional<TERT_Int>:$lengths,
         Optional<TERT_F32>:$sinks),
    (ins TERT_Float:$o, TERT_F32:$lse),
    (ins F32Attr:$scale, UnitAttr:$causal, TE_AttentionLayoutAttr:$layout,
         I64Attr:$window, F32Attr:$softcap)> {
  let summary = "Scaled dot-product attention";
}

def TERT_AttentionGradOp : TERT_Op<"attention_grad",
    (ins TERT_Float:$d_o, TERT_Float:$q, TERT_Float:$k, TERT_Float:$v,
         TERT_Float:$o, TERT_F32:$lse, Optional<TERT_Float>:$bias,
         Optional<TERT_Int>:$lengths, Optional<TERT_F32>:$sinks),
    (ins TERT_Float:$dq, TERT_Float:$dk, TERT_Float:$dv,
         Optional<TERT_F32>:$dbias, Optional<TERT_F32>:$dsinks),
    (ins F32Attr:$scale, UnitAttr:$causal, TE_AttentionLayoutAttr:$layout,
         I64Attr:$window, F32Attr:$softcap)> {
  let summary = "Gradient of attention";
  // A deterministic gradient keeps that of all scores.
  let workspace = 1;
}

def TERT_RopeOp : TERT_Op<"rope",
    (ins TERT_Float:$x, TERT_Float:$cos, TERT_Float:$sin),
    (ins TERT_Float:$y),
    (ins UnitAttr:$interleaved, UnitAttr:$inverse,
         TE_AttentionLayoutAttr:$layout)> {
  let summary = "Rotary position embedding";
}

//===-- Embedding and loss ------------------------------------------------===//

def TERT_EmbeddingOp : TERT_Op<"embedding",
    (ins TERT_Int:$ids, TERT_Float:$table), (ins TERT_Float:$y)> {
  let summary = "Rows of a table";
}

def TERT_EmbeddingGradOp : TERT_Op<"embedding_grad",
    (ins TERT_Int:$ids, TERT_Float:$dy), (ins TERT_Float:$dtable)> {
  let summary = "Gradient of embedding's table";
}

def TERT_ShiftLabelsOp : TERT_Op<"shift_labels",
    (ins TERT_Int:$ids), (ins TERT_Int:$labels),
    (ins I64Attr:$ignore_index)> {
  let summary = "Next-token labels of a batch of sequences";
}

def TERT_CountLabelsOp : TERT_Op<"count_labels",
    (ins TERT_Int:$labels), (ins TERT_F32:$count),
    (ins I64Attr:$classes, I64Attr:$ignore_index)> {
  let summary = "Number of labels that a loss counts";
}

def TERT_CrossEntropyOp : TERT_Op<"cross_entropy",
    (ins TERT_Float:$logits, TERT_Int:$labels),
    (ins TERT_F32:$loss, TERT_F32:$lse, TERT_F32:$count),
    (ins I64Attr:$ignore_index, TE_ReductionAttr:$reduction,
         F32Attr:$label_smoothing, F32Attr:$z_loss)> {
  let summary = "Softmax cross-entropy with integer labels";
}

def TERT_CrossEntropyGradOp : TERT_Op<"cross_entropy_grad",
    (ins TERT_F32:$dloss, TERT_Float:$logits, TERT_Int:$labels, TERT_F32:$lse,
         TERT_F32:$count),
    (ins TERT_Float:$dlogits),
    (ins I64Attr:$ignore_index, TE_ReductionAttr:$reduction,
         F32Attr:$label_smoothing, F32Attr:$z_loss)> {
  let summary = "Gradient of cross_entropy";
}

def TERT_CrossEntropyWithGradOp : TERT_Op<"cross_entropy_with_grad",
    (ins TERT_F32:$dloss, TERT_Int:$labels, TERT_F32:$count),
    (ins TERT_Float:$logits, TERT_F32:$loss),
    (ins I64Attr:$ignore_index, TE_ReductionAttr:$reduction,
         F32Attr:$label_smoothing, F32Attr:$z_loss),
    ["logits", "loss"]> {
  let summary = "Part of a cross-entropy; its gradient replaces the logits";
}

def TERT_SquaredErrorOp : TERT_Op<"squared_error",
    (ins TERT_Float:$x, TERT_Float:$target), (ins TERT_F32:$loss),
    (ins TE_ReductionAttr:$reduction)> {
  let summary = "Squared distance of a matrix from another";
}

def TERT_SquaredErrorGradOp : TERT_Op<"squared_error_grad",
    (ins TERT_F32:$dloss, TERT_Float:$x, TERT_Float:$target),
    (ins TERT_Float:$dx), (ins TE_ReductionAttr:$reduction)> {
  let summary = "Gradient of squared_error";
}

//===-- Elementwise, reductions, movement ---------------------------------===//

def TERT_AddOp : TERT_Op<"add",
    (ins TERT_Float:$a, TERT_Float:$b), (ins TERT_Float:$y)> {
  let summary = "Sum, the second operand repeating over leading dimensions";
}

def TERT_ColumnSumOp : TERT_Op<"column_sum",
    (ins TERT_Float:$x), (ins TERT_Float:$y)> {
  let summary = "Sum over rows";
}

def TERT_CopyOp : TERT_Op<"copy", (ins TERT_Any:$x), (ins TERT_Any:$y)> {
  let summary = "Copy with conversion between f32 and bf16";
  let anyStrides = ["x", "y"];
}

def TERT_FillOp : TERT_Op<"fill", (ins), (ins TERT_Number:$y),
                          (ins F64Attr:$value)> {
  let summary = "Every element becomes one value";
  let anyStrides = ["y"];
}

def TERT_DropoutOp : TERT_Op<"dropout",
    (ins TERT_Float:$x, TERT_I64:$seed), (ins TERT_Float:$y),
    (ins F32Attr:$ratio, I64Attr:$stream)> {
  let summary = "Random elements become zero, the others grow";
  let contiguous = ["x", "y"];
}

//===-- Collectives -------------------------------------------------------===//

// Ranks that exchange are those that differ in the mesh's axes of `axes`, a set
// of bits; their order is that of the mesh. Without a backend's method: the
// context's communicators do the work (tert/job.h).

def TERT_AllReduceOp : TERT_Op<"all_reduce",
    (ins), (ins Variadic<TERT_Float>:$tensors), (ins I32Attr:$axes),
    ["tensors"], "", (ins), /*backend=*/0> {
  let summary = "Sums over ranks, in their order, in place";
  let contiguous = ["tensors"];
}

def TERT_ReduceScatterOp : TERT_Op<"reduce_scatter",
    (ins Variadic<TERT_Float>:$x), (ins Variadic<TERT_Float>:$y),
    (ins I32Attr:$axes), [], "", (ins), /*backend=*/0> {
  let summary = "Sums over ranks, in their order, a part on each rank";
  let contiguous = ["x", "y"];
}

def TERT_AllGatherOp : TERT_Op<"all_gather",
    (ins Variadic<TERT_Any>:$x), (ins Variadic<TERT_Any>:$y),
    (ins I32Attr:$axes), [], "", (ins), /*backend=*/0> {
  let summary = "The parts of all ranks, one behind another";
  let contiguous = ["x", "y"];
}

def TERT_ReduceScalarsOp : TERT_Op<"reduce_scalars",
    (ins Variadic<TERT_F32>:$maxima, Variadic<TERT_F32>:$sums),
    (ins Optional<TERT_F32>:$max, Optional<TERT_F32>:$sum),
    (ins I32Attr:$axes), [], "", (ins), /*backend=*/0> {
  let summary = "Largest values and sums over ranks, in one exchange";
}

//===-- Generated kernels -------------------------------------------------===//

def TERT_LaunchOp : TERT_Op<"launch",
    (ins Variadic<TERT_Any>:$inputs), (ins Variadic<TERT_Any>:$outputs),
    (ins SymbolRefAttr:$kernel), ["outputs"], "", (ins), /*backend=*/0> {
  let summary = "Run of a generated kernel";
  // A kernel is generated for the strides of its operands.
  let anyStrides = ["inputs", "outputs"];
}

//===-- Optimizer ---------------------------------------------------------===//

def TERT_GlobalNormOp : TERT_Op<"global_norm",
    (ins Variadic<TERT_Float>:$gradients), (ins TERT_F32:$norm)> {
  let summary = "Euclidean norm of all gradients together";
}

def TERT_ClipCoefficientOp : TERT_Op<"clip_coefficient",
    (ins TERT_F32:$norm, TERT_F32:$max_norm, Variadic<TERT_F32>:$amaxes),
    (ins TERT_F32:$coefficient)> {
  let summary = "Factor that clips the gradients by their global norm";
}

def TERT_AdvanceStepOp : TERT_Op<"advance_step",
    (ins TERT_F32:$coefficient), (ins TERT_I64:$step), (ins), ["step"]> {
  let summary = "Step counter plus one, unless the step is skipped";
}

def TERT_AdamWOp : TERT_Op<"adamw",
    (ins TERT_Float:$gradient, TERT_F32:$coefficient, TERT_F32:$lr,
         TERT_F32:$beta1, TERT_F32:$beta2, TERT_F32:$eps,
         TERT_F32:$weight_decay, TERT_I64:$step),
    (ins TERT_F32:$param, TERT_F32:$exp_avg, TERT_F32:$exp_avg_sq,
         TERT_OptionalQuantized:$quantized),
    (ins UnitAttr:$decay), ["param", "exp_avg", "exp_avg_sq"], "", (ins),
    /*backend=*/0, [DeclareOpInterfaceMethods<TERT_UpdateCallOpInterface>]> {
  let summary = "AdamW update of one parameter";
  let contiguous = ["param", "exp_avg", "exp_avg_sq"];
}

def TERT_MultiAdamWOp : TERT_Op<"multi_adamw",
    (ins Variadic<TERT_Float>:$gradients, TERT_F32:$coefficient, TERT_F32:$lr,
         TERT_F32:$beta1, TERT_F32:$beta2, TERT_F32:$eps,
         TERT_F32:$weight_decay, TERT_I64:$step),
    (ins Variadic<TERT_F32>:$params, Variadic<TERT_F32>:$exp_avgs,
         Variadic<TERT_F32>:$exp_avg_sqs, TERT_QuantizedList:$quantized),
    (ins DenseI32ArrayAttr:$decays), ["params", "exp_avgs", "exp_avg_sqs"], "",
    (ins DenseI32ArrayAttr:$copies), /*backend=*/0> {
  let summary = "AdamW update of several parameters";
  let contiguous = ["params", "exp_avgs", "exp_avg_sqs"];
  let hasVerifier = 1;
}

def TERT_SgdOp : TERT_Op<"sgd",
    (ins TERT_Float:$gradient, TERT_F32:$coefficient, TERT_F32:$lr,
         Optional<TERT_F32>:$momentum, Optional<TERT_F32>:$dampening,
         TERT_F32:$weight_decay, TERT_I64:$step),
    (ins TERT_F32:$param, Optional<TERT_F32>:$momentum_buffer,
         TERT_OptionalQuantized:$quantized),
    (ins UnitAttr:$nesterov, UnitAttr:$decay), ["param", "momentum_buffer"],
    "", (ins), /*backend=*/0,
    [DeclareOpInterfaceMethods<TERT_UpdateCallOpInterface>]> {
  let summary = "Update of one parameter by gradient descent with momentum";
  let contiguous = ["param", "momentum_buffer"];
}

def TERT_MultiSgdOp : TERT_Op<"multi_sgd",
    (ins Variadic<TERT_Float>:$gradients, TERT_F32:$coefficient, TERT_F32:$lr,
         Optional<TERT_F32>:$momentum, Optional<TERT_F32>:$dampening,
         TERT_F32:$weight_decay, TERT_I64:$step),
    (ins Variadic<TERT_F32>:$params, Variadic<TERT_F32>:$momentum_buffers,
         TERT_QuantizedList:$quantized),
    (ins UnitAttr:$nesterov, DenseI32ArrayAttr:$decays),
    ["params", "momentum_buffers"], "",
    (ins DenseI32ArrayAttr:$copies), /*backend=*/0> {
  let summary = "Update of several parameters by gradient descent with momentum";
  let contiguous = ["params", "momentum_buffers"];
  let hasVerifier = 1;
}

#endif // TE_DIALECT_TERT_IR_TERTOPS_TD
