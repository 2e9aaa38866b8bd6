// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers and losses besides those of te/Dialect/TE/IR/TEForwardOps.td, with
// their gradients. C++ has them in te/Dialect/TE/IR/LayerOps.h: few passes know
// them, and the others are not built anew when they change.

#ifndef TE_DIALECT_TE_IR_TELAYEROPS_TD
#define TE_DIALECT_TE_IR_TELAYEROPS_TD

include "te/Dialect/TE/IR/TEBase.td"
include "te/Dialect/TE/IR/TECausalConvOps.td"
include "te/Dialect/TE/IR/TEExpertOps.td"
include "te/Dialect/TE/IR/TEScanOps.td"

def TE_RMSNormOp : TE_QuantizingOp<"rms_norm", "getX", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_ParameterReaderOpInterface>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands"]>,
    TE_QuantizingProducerOpInterface,
    TE_CostOpInterface]> {
  let summary = "Root mean square normalization over the last dimension";
  let description = [{
    `y = x * rstd * g` with `rstd = 1/sqrt(mean(x²) + eps)` and `g = gamma`, or
    `1 + gamma` with `zero_centered` (Zhang and Sennrich). `rstd` is saved for
    the backward pass. With `quantize` the op writes FP8 copies of its float32
    result and that result's amax in the same pass.

    ```mlir
    %y, %rstd = te.rms_norm %x, %g {eps = 1.0e-5 : f32}
      : tensor<64x128xbf16>, tensor<128xf32> -> y tensor<64x128xbf16> stats tensor<64xf32>
    ```
  }];
  let arguments = (ins TE_Matrix:$x, TE_Vector:$gamma,
    Optional<TE_F32Scalar>:$scale,
    F32Attr:$eps, UnitAttr:$zero_centered);
  let results = !con((outs Optional<TE_Matrix>:$y, TE_F32Vector:$rstd),
    TE_QuantizedResults.results);
  let assemblyFormat = !strconcat([{
    $x `,` $gamma (`quantize` `(` $scale^ `)`)? attr-dict
    `:` type($x) `,` type($gamma)
    `->` (`y` type($y)^)? `stats` type($rstd)
  }], TE_QuantizedResults.format);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$gamma,
                                 "float":$eps,
                                 CArg<"bool", "false">:$zeroCentered)>];
  let hasVerifier = 1;
}

def TE_RMSNormGradOp : TE_QuantizingOp<"rms_norm_grad", "getDy", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<TE_AccumulatingOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands", "getConvertibleResults", "getWidenableResults"]>,
    TE_QuantizingProducerOpInterface,
    TE_CostOpInterface]> {
  let summary = "Gradient of rms_norm";
  let description = [{
    With n = x * rstd, g = gamma (or 1 + gamma), c = dy * g, and means over the
    last dimension: `dx = rstd * (c - n * mean(c * n))`, plus `residual` where x
    also reaches the loss by another way; `dgamma = Σ_rows dy * n`. With
    `quantize` the op writes FP8 copies of the float32 dx, the residual
    included, and its amax in the same pass.

    ```mlir
    %dx, %dg, %q, %qt, %amax = te.rms_norm_grad %dy, %x, %g, %rstd residual(%r : tensor<64x128xbf16>) quantize(%s)
      : tensor<64x128xbf16>, tensor<64x128xbf16>, tensor<128xf32>, tensor<64xf32>
      -> dx tensor<64x128xbf16> dgamma tensor<128xf32>
         rowwise tensor<64x128xf8E5M2> columnwise tensor<128x64xf8E5M2> amax tensor<f32>
    ```
  }];
  let arguments = (ins TE_Matrix:$dy, TE_Matrix:$x, TE_Vector:$gamma,
    TE_F32Vector:$rstd, Optional<TE_Matrix>:$residual,
    Optional<TE_F32Scalar>:$scale, UnitAttr:$zero_centered);
  let results = !con((outs Optional<TE_Matrix>:$dx, TE_Vector:$dgamma),
    TE_QuantizedResults.results);
  let assemblyFormat = !strconcat([{
    $dy `,` $x `,` $gamma `,` $rstd
    (`residual` `(` $residual^ `:` type($residual) `)`)?
    (`quantize` `(` $scale^ `)`)? attr-dict
    `:` type($dy) `,` type($x) `,` type($gamma) `,` type($rstd)
    `->` (`dx` type($dx)^)? `dgamma` type($dgamma)
  }], TE_QuantizedResults.format);
  let builders = [OpBuilder<(ins "::mlir::Value":$dy, "::mlir::Value":$x,
      "::mlir::Value":$gamma, "::mlir::Value":$rstd, "bool":$zeroCentered)>];
  let hasVerifier = 1;
}

def TE_GatedActivationOp : TE_QuantizingOp<"gated_activation", "getX", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands"]>,
    TE_QuantizingProducerOpInterface,
    TE_CostOpInterface]> {
  let summary = "Activation of one matrix times another";
  let description = [{
    `y = kind(gate) * up` [M,F], computed in float32: SwiGLU with silu, GeGLU
    with either GELU, ReGLU with relu (Shazeer). `x` is the gate where `up` is
    an operand of its own. Otherwise `x` [M,2F] holds both, the gate in its
    first F columns, or in its last ones with `up_first`: one linear layer makes
    it, and its gradient is one matrix.

    ```mlir
    %y = te.gated_activation silu %x : tensor<64x1024xbf16> -> y tensor<64x512xbf16>
    %z = te.gated_activation silu %gate up(%up : tensor<64x512xbf16>) : tensor<64x512xbf16> -> y tensor<64x512xbf16>
    ```

    The canonical form of the second, where gate and up are all pieces of one
    te.split, is the first.
  }];
  let arguments = (ins TE_ActivationKindAttr:$kind, TE_Matrix:$x,
    Optional<TE_Matrix>:$up, Optional<TE_F32Scalar>:$scale,
    UnitAttr:$up_first);
  let results = !con((outs Optional<TE_Matrix>:$y), TE_QuantizedResults.results);
  let assemblyFormat = !strconcat([{
    $kind $x (`up` `(` $up^ `:` type($up) `)`)?
    (`quantize` `(` $scale^ `)`)? attr-dict
    `:` type($x) `->` (`y` type($y)^)?
  }], TE_QuantizedResults.format);
  // `up` may be null.
  let builders = [OpBuilder<(ins "ActivationKind":$kind, "::mlir::Value":$x,
                                 "::mlir::Value":$up,
                                 CArg<"bool", "false">:$upFirst)>];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def TE_GatedActivationGradOp : TE_QuantizingOp<"gated_activation_grad", "getDy", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands"]>,
    DeclareOpInterfaceMethods<TE_QuantizingProducerOpInterface,
        ["canQuantizeResult"]>,
    DeclareOpInterfaceMethods<TE_RowSummingOpInterface,
        ["getSummableMatrix"]>,
    TE_CostOpInterface]> {
  let summary = "Gradient of gated_activation";
  let description = [{
    `dgate = dy * up * kind'(gate)` and `dup = dy * kind(gate)`, computed in
    float32. Of a joined `x` [M,2F], `dx` holds both where x holds gate and up;
    only this form is quantized, and `dbias`, when wanted, is the sum of the
    float32 dx over rows: the gradient of the joined bias added before. With an
    operand `up`, `dx` is dgate.

    ```mlir
    %q, %qt, %amax = te.gated_activation_grad silu %dy, %x quantize(%s)
      : tensor<64x512xbf16>, tensor<64x1024xbf16>
      -> rowwise tensor<64x1024xf8E5M2> columnwise tensor<1024x64xf8E5M2> amax tensor<f32>
    %dgate, %dup = te.gated_activation_grad silu %dy, %gate up(%up : tensor<64x512xbf16>)
      : tensor<64x512xbf16>, tensor<64x512xbf16> -> dx tensor<64x512xbf16> dup tensor<64x512xbf16>
    ```
  }];
  let arguments = (ins TE_ActivationKindAttr:$kind, TE_Matrix:$dy, TE_Matrix:$x,
    Optional<TE_Matrix>:$up, Optional<TE_F32Scalar>:$scale,
    UnitAttr:$up_first);
  let results = !con((outs Optional<TE_Matrix>:$dx, Optional<TE_Matrix>:$dup),
    TE_QuantizedResults.results, (outs Optional<TE_Vector>:$dbias));
  let assemblyFormat = !strconcat([{
    $kind $dy `,` $x (`up` `(` $up^ `:` type($up) `)`)?
    (`quantize` `(` $scale^ `)`)? attr-dict
    `:` type($dy) `,` type($x) `->` (`dx` type($dx)^)? (`dup` type($dup)^)?
    }], TE_QuantizedResults.format, [{ (`dbias` type($dbias)^)?
  }]);
  // `up` may be null.
  let builders = [OpBuilder<(ins "ActivationKind":$kind, "::mlir::Value":$dy,
                                 "::mlir::Value":$x, "::mlir::Value":$up,
                                 "bool":$upFirst)>];
  let hasVerifier = 1;
}

def TE_RopeOp : TE_Op<"rope", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands"]>,
    TE_CostOpInterface]> {
  let summary = "Rotary position embedding";
  let description = [{
    Rotates pairs of elements of each head by angles that depend on the position
    (Su et al.): `y_a = x_a * cos - x_b * sin`, `y_b = x_b * cos + x_a * sin`,
    computed in float32. x and y: batch B, sequence S, heads H, head dimension D,
    in the order `layout` says. `cos` and `sin` are [T,R/2] with R <= D: pair i
    of the token at (b, s) reads column i of row s, or of row b * S + s where T
    is B * S and not S. Pair i is elements (i, i + R/2), or (2i, 2i + 1) with
    `interleaved`; elements from R on stay as they are. `inverse` rotates back,
    which is the gradient as well; the tables have none.

    ```mlir
    %y = te.rope %x, %cos, %sin
      : tensor<2x128x4x32xbf16>, tensor<128x16xf32>, tensor<128x16xf32> -> tensor<2x128x4x32xbf16>
    ```
  }];
  let arguments = (ins TE_Heads:$x, TE_Matrix:$cos, TE_Matrix:$sin,
    UnitAttr:$interleaved, UnitAttr:$inverse,
    DefaultValuedAttr<TE_AttentionLayoutAttr, "AttentionLayout::BSHD">:$layout);
  let results = (outs TE_Heads:$y);
  let assemblyFormat = [{
    $x `,` $cos `,` $sin attr-dict `:` type($x) `,` type($cos) `,` type($sin)
    `->` type($y)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$cos,
      "::mlir::Value":$sin, "bool":$interleaved, "AttentionLayout":$layout,
      CArg<"bool", "false">:$inverse)>];
  let hasVerifier = 1;
}

def TE_DropoutOp : TE_Op<"dropout", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands", "getConvertibleResults"]>,
    TE_CostOpInterface]> {
  let summary = "Random elements become zero, the others grow";
  let description = [{
    `y[i] = x[i] / (1 - ratio)`, or 0 with probability `ratio`, in [0, 1)
    (Srivastava et al.). Which elements stay is a function of `seed`, `stream`
    and the element's number i in row-major order alone: word i mod 4 of
    Philox-4x32-10 (Salmon et al.) for the key `seed` and the counter
    (i div 4, `stream`) is at least `ratio * 2^32`, rounded down. The gradient is
    the same op on dy.

    `stream`, not negative, is the number of the dropout within its model;
    those of one number and one seed have the same mask. A model does not say
    where seeds come from and has none; te-build-entries gives the entries that
    have gradients the scalar `dropout_seed`, and takes the op out of the others.

    ```mlir
    %y = te.dropout %x {ratio = 0.1 : f32, stream = 3 : i64} : tensor<64x128xf32> -> tensor<64x128xf32>
    %z = te.dropout %x seed(%s) {ratio = 0.1 : f32, stream = 3 : i64} : tensor<64x128xbf16> -> tensor<64x128xbf16>
    ```

    With a ratio of 0 it is its operand.
  }];
  let arguments = (ins TE_FloatTensor:$x, Optional<TE_I64Scalar>:$seed,
    F32Attr:$ratio, I64Attr:$stream);
  let results = (outs TE_FloatTensor:$y);
  let assemblyFormat = [{
    $x (`seed` `(` $seed^ `)`)? attr-dict `:` type($x) `->` type($y)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// What an element's word must be at least for it to stay.
    uint32_t getThreshold();
    /// 1 / (1 - ratio), in float32.
    float getFactor();
  }];
}

def TE_SquaredErrorOp : TE_Op<"squared_error", [TE_MixedPrecisionOpInterface,
    DeclareOpInterfaceMethods<TE_LossOpInterface>,
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>]> {
  let summary = "Squared distance of a matrix from targets";
  let description = [{
    `loss = Σ (x[i,j] - target[i,j])²`, divided by the number of elements for
    the mean; 0 of no elements. Differences are computed in float32.

    ```mlir
    %loss = te.squared_error %x, %target : tensor<8x3xbf16>, tensor<8x3xf32>
    ```
  }];
  let arguments = (ins TE_Matrix:$x, TE_Matrix:$target,
    DefaultValuedAttr<TE_ReductionAttr, "Reduction::Mean">:$reduction);
  let results = (outs TE_F32Scalar:$loss);
  let assemblyFormat = [{
    $x `,` $target attr-dict `:` type($x) `,` type($target)
  }];
  let hasVerifier = 1;
}

def TE_SquaredErrorGradOp : TE_Op<"squared_error_grad", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults"]>]> {
  let summary = "Gradient of squared_error";
  let description = [{
    `dx = dloss * 2 * (x - target)`, divided by the number of elements for the
    mean. The gradient of the targets is that of `x` and `target` exchanged.
  }];
  let arguments = (ins TE_F32Scalar:$dloss, TE_Matrix:$x, TE_Matrix:$target,
    DefaultValuedAttr<TE_ReductionAttr, "Reduction::Mean">:$reduction);
  let results = (outs TE_Matrix:$dx);
  let assemblyFormat = [{
    $dloss `,` $x `,` $target attr-dict
    `:` type($x) `,` type($target) `->` type($dx)
  }];
  let hasVerifier = 1;
}

#endif // TE_DIALECT_TE_IR_TELAYEROPS_TD
