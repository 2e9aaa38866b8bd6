// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_TEGRADIENTOPS_TD
#define TE_DIALECT_TE_IR_TEGRADIENTOPS_TD

include "te/Dialect/TE/IR/TEBase.td"

def TE_LayerNormGradOp : TE_QuantizingOp<"layer_norm_grad", "getDy", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<TE_AccumulatingOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands", "getConvertibleResults", "getWidenableResults"]>,
    TE_QuantizingProducerOpInterface,
    TE_RowSummingOpInterface,
    TE_CostOpInterface]> {
  let summary = "Gradient of layer_norm";
  let description = [{
    With n = (x - mean) * rstd, g = gamma (or 1 + gamma), c = dy * g, and means
    over the last dimension: `dx = rstd * (c - mean(c) - n * mean(c * n))`, plus
    `residual` where x also reaches the loss by another way;
    `dgamma = Σ_rows dy * n`, `dbeta = Σ_rows dy`. With `quantize` the op writes
    FP8 copies of the float32 dx, the residual included, and its amax in the same
    pass; `dbias`, when wanted, is the sum of that dx over rows: the gradient of
    the bias of the layer whose output x is, or is added to.

    ```mlir
    %dx, %dg, %db, %q, %qt, %amax, %dbias = te.layer_norm_grad %dy, %x, %g, %mean, %rstd residual(%r : tensor<64x128xbf16>) quantize(%s)
      : tensor<64x128xbf16>, tensor<64x128xbf16>, tensor<128xf32>, tensor<64xf32>, tensor<64xf32>
      -> dx tensor<64x128xbf16> dgamma tensor<128xf32> dbeta tensor<128xf32>
         rowwise tensor<64x128xf8E5M2> columnwise tensor<128x64xf8E5M2> amax tensor<f32> dbias tensor<128xf32>
    ```
  }];
  let arguments = (ins TE_Matrix:$dy, TE_Matrix:$x, TE_Vector:$gamma,
    TE_F32Vector:$mean, TE_F32Vector:$rstd, Optional<TE_Matrix>:$residual,
    Optional<TE_F32Scalar>:$scale, UnitAttr:$zero_centered);
  let results = !con((outs Optional<TE_Matrix>:$dx, TE_Vector:$dgamma,
    TE_Vector:$dbeta), TE_QuantizedResults.results,
    (outs Optional<TE_Vector>:$dbias));
  let assemblyFormat = !strconcat([{
    $dy `,` $x `,` $gamma `,` $mean `,` $rstd
    (`residual` `(` $residual^ `:` type($residual) `)`)?
    (`quantize` `(` $scale^ `)`)? attr-dict
    `:` type($dy) `,` type($x) `,` type($gamma) `,` type($mean) `,` type($rstd)
    `->` (`dx` type($dx)^)? `dgamma` type($dgamma) `dbeta` type($dbeta)
  }], TE_QuantizedResults.format, [{ (`dbias` type($dbias)^)?
  }]);
  let builders = [OpBuilder<(ins "::mlir::Value":$dy, "::mlir::Value":$x,
      "::mlir::Value":$gamma, "::mlir::Value":$mean, "::mlir::Value":$rstd,
      "bool":$zeroCentered)>];
  let hasVerifier = 1;
}

def TE_ActivationGradOp : TE_QuantizingOp<"activation_grad", "getDy", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands"]>,
    TE_QuantizingProducerOpInterface,
    TE_RowSummingOpInterface,
    DeclareOpInterfaceMethods<TE_EpilogueOpInterface>,
    TE_CostOpInterface]> {
  let summary = "Gradient of activation";
  let description = [{
    `dx = dy * kind'(x)`, computed in float32. `dbias`, when wanted, is the sum of
    the float32 dx over rows: the gradient of the bias added before.

    ```mlir
    %q, %qt, %amax, %db = te.activation_grad gelu_tanh %dy, %x quantize(%s)
      : tensor<64x512xbf16>, tensor<64x512xbf16>
      -> rowwise tensor<64x512xf8E5M2> columnwise tensor<512x64xf8E5M2> amax tensor<f32> dbias tensor<512xf32>
    ```
  }];
  let arguments = (ins TE_ActivationKindAttr:$kind, TE_Matrix:$dy, TE_Matrix:$x,
    Optional<TE_F32Scalar>:$scale);
  let results = !con((outs Optional<TE_Matrix>:$dx), TE_QuantizedResults.results,
    (outs Optional<TE_Vector>:$dbias));
  let assemblyFormat = !strconcat([{
    $kind $dy `,` $x (`quantize` `(` $scale^ `)`)? attr-dict
    `:` type($dy) `,` type($x) `->` (`dx` type($dx)^)?
    }], TE_QuantizedResults.format, [{ (`dbias` type($dbias)^)?
  }]);
  let builders = [OpBuilder<(ins "ActivationKind":$kind, "::mlir::Value":$dy,
                                 "::mlir::Value":$x)>];
  let hasVerifier = 1;
}

def TE_AttentionGradOp : TE_Op<"attention_grad", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands", "getFloat32Operands"]>,
    DeclareOpInterfaceMethods<TE_CostOpInterface, ["getWork"]>]> {
  let summary = "Gradient of attention";
  let description = [{
    The scores are recomputed from q, k and lse: with p the probabilities and
    `delta[i] = Σ_d do[i,d] * o[i,d]`, `ds = p * (do·vᵀ - delta)`,
    `dq = scale * ds·k`, `dk = scale * dsᵀ·q`, `dv = pᵀ·do` (summed over the
    query heads that share a key head). Behind a softcap, q and k get ds times
    its derivative, `1 - (score / softcap)²`. `dbias` is ds summed over what the
    bias is repeated over, and
    `dsinks[h] = -Σ over b, i of exp(sinks[h] - lse[b,h,i]) * delta[b,h,i]`.
  }];
  let arguments = (ins TE_Heads:$d_o, TE_Heads:$q, TE_Heads:$k, TE_Heads:$v,
    TE_Heads:$o, TE_F32Tensor:$lse, Optional<TE_Heads>:$bias,
    Optional<TE_IdVector>:$lengths, Optional<TE_F32Vector>:$sinks,
    F32Attr:$scale, UnitAttr:$causal,
    DefaultValuedAttr<TE_AttentionLayoutAttr, "AttentionLayout::BSHD">:$layout,
    DefaultValuedAttr<I64Attr, "0">:$window,
    DefaultValuedAttr<F32Attr, "0.0f">:$softcap,
    DefaultValuedAttr<I32Attr, "0">:$query_axes, UnitAttr:$balanced);
  let results = (outs TE_Heads:$dq, TE_Heads:$dk, TE_Heads:$dv,
    Optional<TE_F32Tensor>:$dbias, Optional<TE_F32Vector>:$dsinks);
  let assemblyFormat = [{
    $d_o `,` $q `,` $k `,` $v `,` $o `,` $lse
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`lengths` `(` $lengths^ `:` type($lengths) `)`)?
    (`sinks` `(` $sinks^ `:` type($sinks) `)`)? attr-dict
    `:` type($d_o) `,` type($q) `,` type($k) `,` type($v) `,` type($o) `,` type($lse)
    `->` type($dq) `,` type($dk) `,` type($dv)
    (`dbias` type($dbias)^)? (`dsinks` type($dsinks)^)?
  }];
  let hasVerifier = 1;
}

def TE_EmbeddingGradOp : TE_Op<"embedding_grad", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getConvertibleResults"]>]> {
  let summary = "Gradient of embedding's table";
  let description = [{
    `dtable[v,:] = Σ over i with ids[i] = v of dy[i,:]`, zero for rows no id names.
  }];
  let arguments = (ins TE_IdVector:$ids, TE_Matrix:$dy);
  let results = (outs TE_Matrix:$dtable);
  let assemblyFormat = "$ids `,` $dy attr-dict `:` type($ids) `,` type($dy) `->` type($dtable)";
  let hasVerifier = 1;
}

def TE_CrossEntropyGradOp : TE_Op<"cross_entropy_grad", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults"]>]> {
  let summary = "Gradient of cross_entropy";
  let description = [{
    `dlogits[i,v] = dloss * ((1 + 2 * z * lse[i]) * p[i,v] - (1 - e) * [v = labels[i]] - e / V)`
    with `p[i,v] = exp(logits[i,v] - lse[i])`, e = `label_smoothing` and
    z = `z_loss`; divided by `count` for the mean, zero in ignored rows.
  }];
  let arguments = (ins TE_F32Scalar:$dloss, TE_Matrix:$logits, TE_IdVector:$labels,
    TE_F32Vector:$lse, TE_F32Scalar:$count,
    DefaultValuedAttr<I64Attr, "-100">:$ignore_index,
    DefaultValuedAttr<TE_ReductionAttr, "Reduction::Mean">:$reduction,
    DefaultValuedAttr<F32Attr, "0.0f">:$label_smoothing,
    DefaultValuedAttr<F32Attr, "0.0f">:$z_loss);
  let results = (outs TE_Matrix:$dlogits);
  let assemblyFormat = [{
    $dloss `,` $logits `,` $labels `,` $lse `,` $count attr-dict
    `:` type($logits) `,` type($labels) `,` type($lse) `->` type($dlogits)
  }];
  let hasVerifier = 1;
}

def TE_CrossEntropyWithGradOp : TE_Op<"cross_entropy_with_grad", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    TE_MixedPrecisionOpInterface,
    DeclareOpInterfaceMethods<TE_LossOpInterface>,
    AllTypesMatch<["logits", "dlogits"]>]> {
  let summary = "A slice of a cross-entropy together with its gradient";
  let description = [{
    What `te.cross_entropy` and `te.cross_entropy_grad` compute, in one pass over
    some rows of the logits, whose buffer usually becomes that of the gradient:

    - `dlogits` is the gradient of the rows, zero in ignored ones;
    - `new_loss` is `loss` and the sum of the terms of the rows that are not
      ignored;

    both divided by `count`, the number of counted rows of the whole batch
    (`te.count_labels`), for the mean. A batch without counted rows contributes
    nothing.

    ```mlir
    %dlogits, %loss1 = te.cross_entropy_with_grad %dloss, %labels, %count, %logits, %loss0
      {ignore_index = -100 : i64} : tensor<128xi64>, tensor<128x512xbf16>
    ```
  }];
  let arguments = (ins TE_F32Scalar:$dloss, TE_IdVector:$labels, TE_F32Scalar:$count,
    TE_Matrix:$logits, TE_F32Scalar:$loss,
    DefaultValuedAttr<I64Attr, "-100">:$ignore_index,
    DefaultValuedAttr<TE_ReductionAttr, "Reduction::Mean">:$reduction,
    DefaultValuedAttr<F32Attr, "0.0f">:$label_smoothing,
    DefaultValuedAttr<F32Attr, "0.0f">:$z_loss);
  let results = (outs TE_Matrix:$dlogits, TE_F32Scalar:$new_loss);
  let assemblyFormat = [{
    $dloss `,` $labels `,` $count `,` $logits `,` $loss attr-dict
    `:` type($labels) `,` type($logits)
  }];
  let hasVerifier = 1;
}

def TE_ColumnSumOp : TE_Op<"column_sum", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_RowSumOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getConvertibleResults"]>]> {
  let summary = "Sum over rows";
  let description = [{
    `y[n] = Σ_m x[m,n]` in float32, in an order that does not depend on threads:
    the gradient of a bias.

    ```mlir
    %db = te.column_sum %dy : tensor<128x512xbf16> -> tensor<512xf32>
    ```
  }];
  let arguments = (ins TE_Matrix:$x);
  let results = (outs TE_Vector:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
  let hasVerifier = 1;
}

#endif // TE_DIALECT_TE_IR_TEGRADIENTOPS_TD
