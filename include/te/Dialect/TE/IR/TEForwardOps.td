// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_TEFORWARDOPS_TD
#define TE_DIALECT_TE_IR_TEFORWARDOPS_TD

include "te/Dialect/TE/IR/TEBase.td"

def TE_MatmulOp : TE_Op<"matmul", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<TE_Fp8OpInterface>,
    DeclareOpInterfaceMethods<TE_LinearOpInterface,
        ["isLinear", "getBiasOperand", "getLinearForm"]>,
    DeclareOpInterfaceMethods<TE_ParameterReaderOpInterface>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands", "getConvertibleResults"]>,
    DeclareOpInterfaceMethods<TE_CostOpInterface, ["getWork"]>]> {
  let summary = "Matrix product with optional bias";
  let description = [{
    `d[M,N] = op(a)[M,K] · op(b)[K,N] + bias[N] + addend[M,N]`. `a` is stored
    [M,K], or [K,M] with `transpose_a`; `b` is stored [K,N], or [N,K] with
    `transpose_b`. Products and sums are float32, the result is rounded once.
    `addend` has the result's type and usually gives up its buffer to it: a
    gradient summed over parts of a batch is a chain of such products.

    `role` says which product of a linear layer this is. The operands are
    (input, weight) for fprop and (gradient of the output, weight) for dgrad.
    For wgrad they are (gradient, input), or (input, gradient) with
    `input_first`, which gives the gradient of a weight stored [K,N]. `layer`
    names that layer (te-name-layers); its three products have one name. The role
    `other` is that of a product of no layer, such as an optimizer's; it has no
    FP8 form.

    ```mlir
    %u = te.matmul %h, %w bias(%b : tensor<16384xf32>) {layer = "h.0.mlp.c_fc", transpose_b}
       : tensor<8192x4096xbf16>, tensor<16384x4096xbf16> -> tensor<8192x16384xbf16>
    ```
  }];
  let arguments = (ins TE_Matrix:$a, TE_Matrix:$b, Optional<TE_Vector>:$bias,
    Optional<TE_Matrix>:$addend, UnitAttr:$transpose_a, UnitAttr:$transpose_b,
    DefaultValuedAttr<TE_MatmulRoleAttr, "MatmulRole::Fprop">:$role,
    UnitAttr:$input_first, OptionalAttr<StrAttr>:$layer);
  let results = (outs TE_Matrix:$d);
  // A product of no layer yet.
  let builders = [OpBuilder<(ins "::mlir::Type":$d, "::mlir::Value":$a,
      "::mlir::Value":$b, "::mlir::Value":$bias, "::mlir::Value":$addend,
      CArg<"bool", "false">:$transposeA, CArg<"bool", "false">:$transposeB,
      CArg<"MatmulRole", "MatmulRole::Fprop">:$role,
      CArg<"bool", "false">:$inputFirst)>];
  let assemblyFormat = [{
    $a `,` $b (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`addend` `(` $addend^ `:` type($addend) `)`)? attr-dict
    `:` type($a) `,` type($b) `->` type($d)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getM() { return getD().getType().getDimSize(0); }
    int64_t getN() { return getD().getType().getDimSize(1); }
    int64_t getK() {
      return getA().getType().getDimSize(getTransposeA() ? 0 : 1);
    }
  }];
}

def TE_ScaledMatmulOp : TE_Op<"scaled_matmul", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    TE_MixedPrecisionOpInterface,
    AttrSizedOperandSegments, TE_ScaledProductOpInterface,
    DeclareOpInterfaceMethods<TE_AccumulatingOpInterface>,
    DeclareOpInterfaceMethods<TE_CostOpInterface, ["getWork"]>]> {
  let summary = "FP8 matrix product with scales";
  let description = [{
    `d[M,N] = (a[M,K] · b[N,K]ᵀ) * a_scale_inv * b_scale_inv + bias[N]
    + addend[M,N]`: the one form that FP8 tensor cores take on Hopper, both
    operands with K innermost. Scales [r, c] multiply the elements of their block
    of a or b (ScaleShape.h). `addend`, of the result's type, is a residual that
    the product joins before it is rounded; it keeps its own buffer, unless it is
    a sum made for this alone. At most one operand is E5M2. K, M and N of the
    operands are padded to multiples of 16 by te-quantize. `role` and `layer` are
    those of te.matmul.

    ```mlir
    %u = te.scaled_matmul %q, %wq scales(%si, %wsi) bias(%b : tensor<16384xf32>) {layer = "h.0.mlp.c_fc"}
       : tensor<8192x4096xf8E4M3FN>, tensor<16384x4096xf8E4M3FN> -> tensor<8192x16384xbf16>
    ```
  }];
  let arguments = (ins TE_Fp8Matrix:$a, TE_Fp8Matrix:$b,
    TE_Scale:$a_scale_inv, TE_Scale:$b_scale_inv,
    Optional<TE_Vector>:$bias, Optional<TE_Matrix>:$addend,
    DefaultValuedAttr<TE_MatmulRoleAttr, "MatmulRole::Fprop">:$role,
    DefaultValuedAttr<TE_AccumulateAttr, "Accumulate::Split">:$accumulate,
    OptionalAttr<StrAttr>:$layer);
  let results = (outs TE_Matrix:$d);
  // te-quantize names the layer of what an op's FP8 form is made of.
  let builders = [OpBuilder<(ins "::mlir::Type":$d, "::mlir::Value":$a,
      "::mlir::Value":$b, "::mlir::Value":$aScaleInv,
      "::mlir::Value":$bScaleInv, "::mlir::Value":$bias, "MatmulRole":$role,
      "Accumulate":$accumulate)>];
  let assemblyFormat = [{
    $a `,` $b `scales` `(` $a_scale_inv `` custom<ScaleType>(type($a_scale_inv))
    `,` $b_scale_inv `` custom<ScaleType>(type($b_scale_inv)) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`addend` `(` $addend^ `:` type($addend) `)`)? attr-dict
    `:` type($a) `,` type($b) `->` type($d)
  }];
  let hasVerifier = 1;
}

def TE_LayerNormOp : TE_QuantizingOp<"layer_norm", "getX", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_ParameterReaderOpInterface>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands"]>,
    TE_QuantizingProducerOpInterface,
    TE_CostOpInterface]> {
  let summary = "Layer normalization over the last dimension";
  let description = [{
    `y = (x - mean) * rstd * g + beta` with `rstd = 1/sqrt(variance + eps)` and
    `g = gamma`, or `1 + gamma` with `zero_centered`. The statistics are saved
    for the backward pass. With `quantize` the op writes FP8 copies of its
    float32 result and that result's amax in the same pass.

    ```mlir
    %y, %mean, %rstd = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32}
      : tensor<64x128xbf16>, tensor<128xf32>, tensor<128xf32>
      -> y tensor<64x128xbf16> stats tensor<64xf32>, tensor<64xf32>
    ```
  }];
  let arguments = (ins TE_Matrix:$x, TE_Vector:$gamma, TE_Vector:$beta,
    Optional<TE_F32Scalar>:$scale,
    F32Attr:$eps, UnitAttr:$zero_centered);
  let results = !con((outs Optional<TE_Matrix>:$y, TE_F32Vector:$mean, TE_F32Vector:$rstd),
    TE_QuantizedResults.results);
  let assemblyFormat = !strconcat([{
    $x `,` $gamma `,` $beta (`quantize` `(` $scale^ `)`)? attr-dict
    `:` type($x) `,` type($gamma) `,` type($beta)
    `->` (`y` type($y)^)? `stats` type($mean) `,` type($rstd)
  }], TE_QuantizedResults.format);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$gamma,
                                 "::mlir::Value":$beta, "float":$eps,
                                 CArg<"bool", "false">:$zeroCentered)>];
  let hasVerifier = 1;
}

def TE_ActivationOp : TE_QuantizingOp<"activation", "getX", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands"]>,
    TE_QuantizingProducerOpInterface,
    DeclareOpInterfaceMethods<TE_EpilogueOpInterface>,
    TE_CostOpInterface]> {
  let summary = "Pointwise activation";
  let description = [{
    `y = kind(x)`, computed in float32. `quick_gelu` is `x * sigmoid(1.702 x)`,
    `squared_relu` is `max(x, 0)²`, `gelu_tanh` the tanh approximation of
    Hendrycks and Gimpel.

    ```mlir
    %y = te.activation gelu_tanh %x : tensor<64x512xbf16> -> y tensor<64x512xbf16>
    %q, %qt, %amax = te.activation gelu_tanh %x quantize(%s)
      : tensor<64x512xbf16> -> rowwise tensor<64x512xf8E4M3FN> columnwise tensor<512x64xf8E4M3FN> amax tensor<f32>
    ```
  }];
  let arguments = (ins TE_ActivationKindAttr:$kind, TE_Matrix:$x,
    Optional<TE_F32Scalar>:$scale);
  let results = !con((outs Optional<TE_Matrix>:$y), TE_QuantizedResults.results);
  let assemblyFormat = !strconcat([{
    $kind $x (`quantize` `(` $scale^ `)`)? attr-dict
    `:` type($x) `->` (`y` type($y)^)?
  }], TE_QuantizedResults.format);
  let builders = [OpBuilder<(ins "ActivationKind":$kind, "::mlir::Value":$x)>];
  let hasVerifier = 1;
}

def TE_AttentionOp : TE_Op<"attention", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands", "getFloat32Operands"]>,
    DeclareOpInterfaceMethods<TE_CostOpInterface, ["getWork"]>]> {
  let summary = "Scaled dot-product attention";
  let description = [{
    `o = softmax(scale * q·kᵀ + mask) · v` per batch and head. q, o: batch B,
    sequence Sq, heads H, head dimension D, in the order `layout` says; k, v:
    sequence Sk and heads Hkv, where H is a multiple of Hkv (each key head
    serves H/Hkv query heads). With `causal`, query i sees keys
    `j <= i + Sk - Sq`. `lse` [B,H,Sq], the log of the softmax's denominators,
    is saved for the backward pass.

    What else there may be, in the order in which it acts on the scores:
    - `softcap` c > 0: the scaled score s becomes `c * tanh(s / c)` (Gemma 2).
    - `bias` [B|1, H|1, Sq|1, Sk]: is added to the scores of the batches, heads
      and queries that it is repeated over: ALiBi, T5's buckets, any additive
      mask. Its gradient is the sum over those.
    - `window` w > 0: query i sees the last w keys up to its own, those with
      `j > i + Sk - Sq - w` (Mistral's count, which includes the query's own
      key), and with `causal` none after it.
    - `lengths` [B]: keys `j >= lengths[b]` are hidden from every query of the
      sequence (padding at the end). A length beyond Sk hides none.
    - `sinks` [H]: the softmax's denominator counts `exp(sinks[h])` as well, as
      if there were one more key, of value 0 (GPT-OSS).

    With `query_axes`, a set of axes of the module's mesh (bit a for axis a), the
    queries are the rank's part of a sequence of Sk that n ranks share along these
    axes, so that Sk = n * Sq, and all keys are there: for rank r of them query i
    is at r * Sq + i, not at i + Sk - Sq. With `balanced` the sequence is cut
    into 2n pieces, and rank r has piece r and then piece 2n - 1 - r, so that with
    `causal` all ranks have as many scores to compute.

    A query that sees no key has the output 0, as in PyTorch's
    scaled_dot_product_attention, and passes no gradient on.

    ```mlir
    %o, %lse = te.attention %q, %k, %v {causal, scale = 0.125 : f32}
      : tensor<8x256x4x64xbf16>, tensor<8x256x4x64xbf16>, tensor<8x256x4x64xbf16>
      -> tensor<8x256x4x64xbf16>, tensor<8x4x256xf32>
    %p, %lse2 = te.attention %q, %k, %v bias(%b : tensor<1x4x256x256xf32>)
      {causal, scale = 0.125 : f32, softcap = 50.0 : f32, window = 64 : i64}
      : tensor<8x256x4x64xbf16>, tensor<8x256x4x64xbf16>, tensor<8x256x4x64xbf16>
      -> tensor<8x256x4x64xbf16>, tensor<8x4x256xf32>
    ```
  }];
  let arguments = (ins TE_Heads:$q, TE_Heads:$k, TE_Heads:$v,
    Optional<TE_Heads>:$bias, Optional<TE_IdVector>:$lengths,
    Optional<TE_F32Vector>:$sinks, F32Attr:$scale, UnitAttr:$causal,
    DefaultValuedAttr<TE_AttentionLayoutAttr, "AttentionLayout::BSHD">:$layout,
    DefaultValuedAttr<I64Attr, "0">:$window,
    DefaultValuedAttr<F32Attr, "0.0f">:$softcap,
    DefaultValuedAttr<I32Attr, "0">:$query_axes, UnitAttr:$balanced);
  let results = (outs TE_Heads:$o, TE_F32Tensor:$lse);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`lengths` `(` $lengths^ `:` type($lengths) `)`)?
    (`sinks` `(` $sinks^ `:` type($sinks) `)`)? attr-dict
    `:` type($q) `,` type($k) `,` type($v) `->` type($o) `,` type($lse)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$q, "::mlir::Value":$k,
      "::mlir::Value":$v, "float":$scale, "bool":$causal,
      "AttentionLayout":$layout, CArg<"::mlir::Value", "{}">:$bias,
      CArg<"int64_t", "0">:$window, CArg<"float", "0.0f">:$softcap,
      CArg<"::mlir::Value", "{}">:$lengths,
      CArg<"::mlir::Value", "{}">:$sinks)>];
  let hasVerifier = 1;
}

def TE_EmbeddingOp : TE_Op<"embedding", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_ParameterReaderOpInterface>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults"]>,
    DeclareOpInterfaceMethods<TE_CostOpInterface, ["getWork"]>]> {
  let summary = "Rows of a table";
  let description = [{
    `y[i,:] = table[ids[i],:]`. An id outside the table is an error at run time.

    ```mlir
    %y = te.embedding %ids, %table : tensor<128xi64>, tensor<512x128xf32> -> tensor<128x128xbf16>
    ```
  }];
  let arguments = (ins TE_IdVector:$ids, TE_Matrix:$table);
  let results = (outs TE_Matrix:$y);
  let assemblyFormat = [{
    $ids `,` $table attr-dict `:` type($ids) `,` type($table) `->` type($y)
  }];
  let hasVerifier = 1;
}

def TE_ShiftLabelsOp : TE_Op<"shift_labels", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    TE_MixedPrecisionOpInterface,
    AllTypesMatch<["ids", "labels"]>]> {
  let summary = "Next-token labels of a batch of sequences";
  let description = [{
    `labels[b,s] = ids[b,s+1]`, and `ignore_index` in the last column, where no
    next token is known.

    ```mlir
    %labels = te.shift_labels %ids {ignore_index = -100 : i64} : tensor<8x256xi64>
    ```
  }];
  let arguments = (ins TE_IdMatrix:$ids, DefaultValuedAttr<I64Attr, "-100">:$ignore_index);
  let results = (outs TE_IdMatrix:$labels);
  let assemblyFormat = "$ids attr-dict `:` type($labels)";
}

def TE_CrossEntropyOp : TE_Op<"cross_entropy", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    TE_MixedPrecisionOpInterface,
    DeclareOpInterfaceMethods<TE_LossOpInterface>,
    DeclareOpInterfaceMethods<TE_RowwiseLossOpInterface>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>]> {
  let summary = "Softmax cross-entropy with integer labels";
  let description = [{
    Over the rows of `logits` [M,V] whose label is not `ignore_index`: the mean
    (0 without such rows) or the sum of

    `(1 - e) * (lse[i] - logits[i, labels[i]]) + e * (lse[i] - mean(logits[i])) + z * lse[i]²`

    with e = `label_smoothing` in [0, 1], torch's, which gives every class e/V
    of the target, and z = `z_loss` >= 0, which keeps `lse` near 0 (PaLM,
    Chowdhery et al., section 5); both are 0 by default. `lse` [M], the log of
    the sum of exponentials, and `count`, the number of counted rows, are saved
    for the gradient.

    ```mlir
    %loss, %lse, %count = te.cross_entropy %logits, %labels {ignore_index = -100 : i64}
      : tensor<128x512xbf16>, tensor<128xi64> -> tensor<128xf32>
    %l, %s, %c = te.cross_entropy %logits, %labels {label_smoothing = 0.1 : f32, z_loss = 1.0e-4 : f32}
      : tensor<128x512xbf16>, tensor<128xi64> -> tensor<128xf32>
    ```
  }];
  let arguments = (ins TE_Matrix:$logits, TE_IdVector:$labels,
    DefaultValuedAttr<I64Attr, "-100">:$ignore_index,
    DefaultValuedAttr<TE_ReductionAttr, "Reduction::Mean">:$reduction,
    DefaultValuedAttr<F32Attr, "0.0f">:$label_smoothing,
    DefaultValuedAttr<F32Attr, "0.0f">:$z_loss);
  let results = (outs TE_F32Scalar:$loss, TE_F32Vector:$lse, TE_F32Scalar:$count);
  let assemblyFormat = [{
    $logits `,` $labels attr-dict `:` type($logits) `,` type($labels)
    `->` type($lse)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$logits, "::mlir::Value":$labels,
      "int64_t":$ignoreIndex, "Reduction":$reduction,
      CArg<"float", "0.0f">:$labelSmoothing, CArg<"float", "0.0f">:$zLoss)>];
  let hasVerifier = 1;
}

def TE_CountLabelsOp : TE_Op<"count_labels", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    TE_MixedPrecisionOpInterface]> {
  let summary = "Number of labels that a loss counts";
  let description = [{
    `count` = number of `labels` that are not `ignore_index`, as float32. Every
    other label must be a class in [0, `classes`).

    ```mlir
    %count = te.count_labels %labels {classes = 512 : i64, ignore_index = -100 : i64} : tensor<128xi64>
    ```
  }];
  let arguments = (ins TE_IdVector:$labels, I64Attr:$classes,
    DefaultValuedAttr<I64Attr, "-100">:$ignore_index);
  let results = (outs TE_F32Scalar:$count);
  let assemblyFormat = "$labels attr-dict `:` type($labels)";
}

def TE_AddOp : TE_Op<"add", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_ParameterReaderOpInterface>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getConvertibleResults", "getWidenableResults"]>]> {
  let summary = "Sum of two matrices";
  let description = [{
    `y = a + b`, computed in float32. `b` may have fewer rows than `a`, a divisor
    of their number, and then repeats: position embeddings [S,H] are added to
    [B*S,H] so.

    ```mlir
    %y = te.add %a, %b : tensor<128x64xbf16>, tensor<32x64xf32> -> tensor<128x64xbf16>
    ```
  }];
  let arguments = (ins TE_Matrix:$a, TE_Matrix:$b);
  let results = (outs TE_Matrix:$y);
  let assemblyFormat = [{
    $a `,` $b attr-dict `:` type($a) `,` type($b) `->` type($y)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TE_SplitOp : TE_Op<"split", [TE_DataMovementOpInterface,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>]> {
  let summary = "Consecutive pieces of a tensor along one axis";
  let description = [{
    The inverse of `tensor.concat`, and its gradient: the results' sizes along
    `axis` add up to the operand's.

    ```mlir
    %q, %k, %v = te.split %qkv axis 1 : tensor<128x384xbf16>
      -> tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xbf16>
    ```
  }];
  let arguments = (ins TE_FloatTensor:$x, I64Attr:$axis);
  let results = (outs Variadic<TE_FloatTensor>:$pieces);
  let assemblyFormat = "$x `axis` $axis attr-dict `:` type($x) `->` type($pieces)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // TE_DIALECT_TE_IR_TEFORWARDOPS_TD
