// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers and losses, a part of TERTOps.td.

#ifndef TE_DIALECT_TERT_IR_TERTLAYEROPS_TD
#define TE_DIALECT_TERT_IR_TERTLAYEROPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

let section = "Normalization and activation" in {

def TERT_LayerNormOp : TERT_Op<"layer_norm"> {
  let summary = "Layer normalization over the last dimension";
  let description = [{
    Over the last dimension of x [M,N]: y = (x - mean) * rstd * g + beta, with
    g = gamma, or 1 + gamma when zero_centered; rstd = 1/sqrt(var + eps), biased
    variance. mean, rstd: [M] f32. gamma, beta: [N] float. y optional float.
  }];
  let inputs = (ins TERT_Float:$x, TERT_Float:$gamma, TERT_Float:$beta);
  let outputs = (ins Optional<TERT_Float>:$y, TERT_F32:$mean, TERT_F32:$rstd,
                     TERT_OptionalQuantized:$quantized);
  let constants = (ins F32Attr:$eps, UnitAttr:$zero_centered);
}

def TERT_LayerNormGradOp : TERT_Op<"layer_norm_grad"> {
  let summary = "Gradient of layer_norm";
  let description = [{
    dx [M,N] optional float (plus `residual` [M,N] when present: a cotangent
    that reaches x on another path); dgamma, dbeta [N] float, summed over rows.
    The f32 dx with the residual is quantized, and summed over rows in dbias
    (optional [N] float).
  }];
  let inputs = (ins TERT_Float:$dy, TERT_Float:$x, TERT_Float:$gamma,
                    TERT_F32:$mean, TERT_F32:$rstd,
                    Optional<TERT_Float>:$residual);
  let outputs = (ins Optional<TERT_Float>:$dx, TERT_Float:$dgamma,
                     TERT_Float:$dbeta, TERT_OptionalQuantized:$quantized,
                     Optional<TERT_Float>:$dbias);
  let constants = (ins UnitAttr:$zero_centered);
}

def TERT_RMSNormOp : TERT_Op<"rms_norm"> {
  let summary = "Root mean square normalization over the last dimension";
  let description = [{
    Over the last dimension of x [M,N]: y = x * rstd * g, with g = gamma, or
    1 + gamma when zero_centered; rstd = 1/sqrt(mean(x²) + eps). rstd: [M] f32.
    gamma: [N] float. y optional float.
  }];
  let inputs = (ins TERT_Float:$x, TERT_Float:$gamma);
  let outputs = (ins Optional<TERT_Float>:$y, TERT_F32:$rstd,
                     TERT_OptionalQuantized:$quantized);
  let constants = (ins F32Attr:$eps, UnitAttr:$zero_centered);
}

def TERT_RMSNormGradOp : TERT_Op<"rms_norm_grad"> {
  let summary = "Gradient of rms_norm";
  let description = [{
    dx [M,N] optional float (plus `residual` [M,N] when present, as above);
    dgamma [N] float, summed over rows. dx with the residual is quantized.
  }];
  let inputs = (ins TERT_Float:$dy, TERT_Float:$x, TERT_Float:$gamma,
                    TERT_F32:$rstd, Optional<TERT_Float>:$residual);
  let outputs = (ins Optional<TERT_Float>:$dx, TERT_Float:$dgamma,
                     TERT_OptionalQuantized:$quantized);
  let constants = (ins UnitAttr:$zero_centered);
}

def TERT_ActivationOp : TERT_Op<"activation"> {
  let summary = "Pointwise activation";
  let description = [{
    y = act(x), x [M,N] float; y optional float; kind: tert_activation_kind.
  }];
  let inputs = (ins TERT_Float:$x);
  let outputs = (ins Optional<TERT_Float>:$y,
                     TERT_OptionalQuantized:$quantized);
  let constants = (ins TE_ActivationKindAttr:$kind);
}

def TERT_ActivationGradOp : TERT_Op<"activation_grad"> {
  let summary = "Gradient of activation";
  let description = [{
    dx = dy * act'(x), [M,N]; dx optional float; dbias optional [N] float, the
    sum of the f32 dx over rows.
  }];
  let inputs = (ins TERT_Float:$dy, TERT_Float:$x);
  let outputs = (ins Optional<TERT_Float>:$dx,
                     TERT_OptionalQuantized:$quantized,
                     Optional<TERT_Float>:$dbias);
  let constants = (ins TE_ActivationKindAttr:$kind);
}

def TERT_GatedActivationOp : TERT_Op<"gated_activation"> {
  let summary = "Product of an activation of one matrix and another matrix";
  let description = [{
    y = act(gate) * up, [M,F]; y optional float; kind: tert_activation_kind. With
    `up` [M,F], x [M,F] is the gate. Without, x [M,2F] holds gate and up side by
    side, up in front when up_first.
  }];
  let inputs = (ins TERT_Float:$x, Optional<TERT_Float>:$up);
  let outputs = (ins Optional<TERT_Float>:$y,
                     TERT_OptionalQuantized:$quantized);
  let constants = (ins TE_ActivationKindAttr:$kind, UnitAttr:$up_first);
}

def TERT_GatedActivationGradOp : TERT_Op<"gated_activation_grad"> {
  let summary = "Gradient of gated_activation";
  let description = [{
    dgate = dy * up * act'(gate) and dup = dy * act(gate), dy [M,F]. With `up`,
    dx is dgate, and dx and dup are the only outputs. Without, dx [M,2F] holds
    both as x does, dup is null, dx is optional, and dbias is optional [2F]
    float, the sum of the f32 dx over rows.
  }];
  let inputs = (ins TERT_Float:$dy, TERT_Float:$x, Optional<TERT_Float>:$up);
  let outputs = (ins Optional<TERT_Float>:$dx, Optional<TERT_Float>:$dup,
                     TERT_OptionalQuantized:$quantized,
                     Optional<TERT_Float>:$dbias);
  let constants = (ins TE_ActivationKindAttr:$kind, UnitAttr:$up_first);
}

} // section

let section = "Attention" in {

def TERT_AttentionOp : TERT_Op<"attention"> {
  let summary = "Scaled dot-product attention";
  let description = [{
    o = softmax(scale * q·kᵀ + mask)·v per batch and head. q, o: [B,Sq,H,D]; k,
    v: [B,Sk,Hkv,D], dimensions in the order of `layout`
    (tert_attention_layout), any outer strides; H a multiple of Hkv. causal:
    query i sees keys j with j <= i + Sk - Sq. lse: [B,H,Sq] f32, log of the sum
    of exp of the scaled and masked scores. The full score matrix is never
    stored.

    The scaled scores are modified by, in this order, each if given:
      softcap c > 0: s becomes c * tanh(s / c);
      bias [B|1,H|1,Sq|1,Sk] f32 or bf16, any outer strides: is added;
      window w > 0: query i sees only keys j > i + Sk - Sq - w;
      lengths [B] i64 or i32: keys j >= lengths[b] are hidden;
      sinks [H] f32: the sum of exp counts exp(sinks[h]) as well.
    A query that sees no key has o = 0 and, without a sink, lse = -infinity.
  }];
  let inputs = (ins TERT_Float:$q, TERT_Float:$k, TERT_Float:$v,
                    Optional<TERT_Float>:$bias, Optional<TERT_Int>:$lengths,
                    Optional<TERT_F32>:$sinks);
  let outputs = (ins TERT_Float:$o, TERT_F32:$lse);
  let constants = (ins F32Attr:$scale, UnitAttr:$causal,
                       TE_AttentionLayoutAttr:$layout, I64Attr:$window,
                       F32Attr:$softcap);
}

def TERT_AttentionGradOp : TERT_Op<"attention_grad"> {
  let summary = "Gradient of attention";
  let description = [{
    dbias, of bias' shape, and dsinks [H], both f32 and optional, are summed
    over the broadcast dimensions of bias and sinks.
  }];
  let inputs = (ins TERT_Float:$d_o, TERT_Float:$q, TERT_Float:$k,
                    TERT_Float:$v, TERT_Float:$o, TERT_F32:$lse,
                    Optional<TERT_Float>:$bias, Optional<TERT_Int>:$lengths,
                    Optional<TERT_F32>:$sinks);
  let outputs = (ins TERT_Float:$dq, TERT_Float:$dk, TERT_Float:$dv,
                     Optional<TERT_F32>:$dbias, Optional<TERT_F32>:$dsinks);
  let constants = (ins F32Attr:$scale, UnitAttr:$causal,
                       TE_AttentionLayoutAttr:$layout, I64Attr:$window,
                       F32Attr:$softcap);
  // A deterministic gradient stores the gradient of all scores.
  let workspace = 1;
}

def TERT_RopeOp : TERT_Op<"rope"> {
  let summary = "Rotary position embedding";
  let description = [{
    Rotates pairs of elements of every head of x [B,S,H,D], dimensions in the
    order of `layout` (tert_attention_layout): y_a = x_a * cos - x_b * sin, y_b
    = x_b * cos + x_a * sin, or with -sin when inverse. cos, sin: [T,R/2] float,
    R <= D, T either S (row s) or B * S (row b * S + s). Pair i is elements (i,
    i + R/2), or (2i, 2i + 1) when interleaved, and reads column i; elements
    from R on are copied. x and y have the same shape and may have different
    outer strides; x may be y.
  }];
  let inputs = (ins TERT_Float:$x, TERT_Float:$cos, TERT_Float:$sin);
  let outputs = (ins TERT_Float:$y);
  let constants = (ins UnitAttr:$interleaved, UnitAttr:$inverse,
                       TE_AttentionLayoutAttr:$layout);
}

} // section

let section = "Embedding and loss" in {

def TERT_EmbeddingOp : TERT_Op<"embedding"> {
  let summary = "Rows of a table";
  let description = [{
    y[i,:] = table[ids[i],:]. ids [M] i64 or i32, table [V,N] float, y [M,N]
    float. An id outside [0,V) fails with TERT_INVALID_DATA, naming the id and
    its position.
  }];
  let inputs = (ins TERT_Int:$ids, TERT_Float:$table);
  let outputs = (ins TERT_Float:$y);
}

def TERT_EmbeddingGradOp : TERT_Op<"embedding_grad"> {
  let summary = "Gradient of embedding's table";
  let description = [{
    dtable[V,N] = sum over i of dy[i,:] at row ids[i]; rows without an id are
    zero. Deterministic.
  }];
  let inputs = (ins TERT_Int:$ids, TERT_Float:$dy);
  let outputs = (ins TERT_Float:$dtable);
}

def TERT_ShiftLabelsOp : TERT_Op<"shift_labels"> {
  let summary = "Next-token labels of a batch of sequences";
  let description = [{
    labels[b,s] = ids[b,s+1]; ignore_index in the last column. [B,S] integers.
  }];
  let inputs = (ins TERT_Int:$ids);
  let outputs = (ins TERT_Int:$labels);
  let constants = (ins I64Attr:$ignore_index);
}

def TERT_CountLabelsOp : TERT_Op<"count_labels"> {
  let summary = "Number of labels that a loss counts";
  let description = [{
    count (f32 scalar) = number of labels [M] that are not ignore_index. Another
    label outside [0,classes) fails with TERT_INVALID_DATA, naming it and its
    position.
  }];
  let inputs = (ins TERT_Int:$labels);
  let outputs = (ins TERT_F32:$count);
  let constants = (ins I64Attr:$classes, I64Attr:$ignore_index);
}

def TERT_CrossEntropyOp : TERT_Op<"cross_entropy"> {
  let summary = "Softmax cross-entropy with integer labels";
  let description = [{
    Cross-entropy of logits [M,V] (float, outer stride free: padded columns are
    not part of V) with labels [M] integers. Rows whose label is ignore_index do
    not count. loss: f32 scalar, the mean over counted rows (0 if none) or the
    sum of
      (1 - e) * (lse[i] - logits[i,labels[i]]) + e * (lse[i] - mean(logits[i,:]))
        + z * lse[i]^2
    with e = label_smoothing in [0,1] and z = z_loss >= 0, 0 for neither.
    lse: [M] f32. count: f32 scalar, the number of counted rows. A label
    outside [0,V) that is not ignore_index fails with TERT_INVALID_DATA.
  }];
  let inputs = (ins TERT_Float:$logits, TERT_Int:$labels);
  let outputs = (ins TERT_F32:$loss, TERT_F32:$lse, TERT_F32:$count);
  let constants = (ins I64Attr:$ignore_index, TE_ReductionAttr:$reduction,
                       F32Attr:$label_smoothing, F32Attr:$z_loss);
}

def TERT_CrossEntropyGradOp : TERT_Op<"cross_entropy_grad"> {
  let summary = "Gradient of cross_entropy";
  let description = [{
    dlogits[i,v] = dloss / count * ((1 + 2 * z * lse[i]) * exp(logits[i,v] -
    lse[i])
                                    - (1 - e) * [v == labels[i]] - e / V)
    (not divided for the sum); zero in ignored rows.
  }];
  let inputs = (ins TERT_F32:$dloss, TERT_Float:$logits, TERT_Int:$labels,
                    TERT_F32:$lse, TERT_F32:$count);
  let outputs = (ins TERT_Float:$dlogits);
  let constants = (ins I64Attr:$ignore_index, TE_ReductionAttr:$reduction,
                       F32Attr:$label_smoothing, F32Attr:$z_loss);
}

def TERT_CrossEntropyWithGradOp : TERT_Op<"cross_entropy_with_grad"> {
  let summary = "Cross-entropy of some rows; its gradient replaces the logits";
  let description = [{
    Loss and gradient at once for rows that may be a slice of a batch, of which
    `count` rows count (tert_count_labels). In place: logits [M,V] (float)
    become their gradient as tert_cross_entropy_grad gives it, and loss (f32
    scalar) grows by the sum of these rows' losses, divided by count for the
    mean. Rows are summed in an order that does not depend on threads.
  }];
  let inputs = (ins TERT_F32:$dloss, TERT_Int:$labels, TERT_F32:$count);
  let outputs = (ins TERT_Float:$logits, TERT_F32:$loss);
  let constants = (ins I64Attr:$ignore_index, TE_ReductionAttr:$reduction,
                       F32Attr:$label_smoothing, F32Attr:$z_loss);
  let updated = ["logits", "loss"];
}

def TERT_SquaredErrorOp : TERT_Op<"squared_error"> {
  let summary = "Squared distance between two matrices";
  let description = [{
    loss (f32 scalar) = sum over all elements of (x - target)^2, divided by their
    number for the mean; 0 of no elements. x, target: [M,N] float, each with its
    own type and outer stride. Differences and their squares are float32, sums
    float64, in an order that does not depend on threads.
  }];
  let inputs = (ins TERT_Float:$x, TERT_Float:$target);
  let outputs = (ins TERT_F32:$loss);
  let constants = (ins TE_ReductionAttr:$reduction);
}

def TERT_SquaredErrorGradOp : TERT_Op<"squared_error_grad"> {
  let summary = "Gradient of squared_error";
  let description = [{
    dx[M,N] = dloss * 2 * (x - target), divided by M * N for the mean. dx may be
    x.
  }];
  let inputs = (ins TERT_F32:$dloss, TERT_Float:$x, TERT_Float:$target);
  let outputs = (ins TERT_Float:$dx);
  let constants = (ins TE_ReductionAttr:$reduction);
}

} // section

#endif // TE_DIALECT_TERT_IR_TERTLAYEROPS_TD
