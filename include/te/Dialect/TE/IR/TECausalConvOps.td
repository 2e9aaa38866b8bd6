// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short convolutions along a sequence, each channel by itself.

#ifndef TE_DIALECT_TE_IR_TECAUSALCONVOPS_TD
#define TE_DIALECT_TE_IR_TECAUSALCONVOPS_TD

include "te/Dialect/TE/IR/TEBase.td"
include "te/Dialect/TE/IR/TEScanOps.td"

def TE_CausalConvOp : TE_Op<"causal_conv", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands", "getFloat32Operands"]>,
    TE_CostOpInterface]> {
  let summary = "Causal depthwise convolution along a sequence";
  let description = [{
    For each of B sequences of T tokens with D channels, and K taps of each
    channel: `s[t,d] = bias[d] + Σ_k weight[k,d] * x[t-(K-1)+k,d]`, with zeros
    for tokens before the first one; `y = s`, or `s * sigmoid(s)` with `silu`.
    All in float32. `x` and `y` are [B,T,D], `weight` [K,D], `bias` [D]. Nothing
    is saved for the backward pass but `x`: as slices, every tap would be a copy
    of it.

    ```mlir
    %y = te.causal_conv %x, %w bias(%b : tensor<1536xf32>) {silu}
      : tensor<8x1024x1536xbf16>, tensor<4x1536xf32> -> tensor<8x1024x1536xbf16>
    ```
  }];
  let arguments = (ins TE_Sequences:$x, TE_F32Matrix:$weight,
    Optional<TE_F32Vector>:$bias, UnitAttr:$silu);
  let results = (outs TE_Sequences:$y);
  let assemblyFormat = [{
    $x `,` $weight (`bias` `(` $bias^ `:` type($bias) `)`)? attr-dict
    `:` type($x) `,` type($weight) `->` type($y)
  }];
  let extraClassDeclaration = [{
    /// More taps than any model has; backends keep them in registers.
    static constexpr int64_t kMostTaps = 8;
  }];
  let hasVerifier = 1;
}

def TE_CausalConvGradOp : TE_Op<"causal_conv_grad", [
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands", "getFloat32Operands"]>,
    TE_CostOpInterface]> {
  let summary = "Gradient of causal_conv";
  let description = [{
    With s of te.causal_conv, which is computed again, and ds = dy, or dy *
    (s * sigmoid(s))' with `silu`: `dx[t,d] = Σ_k weight[k,d] * ds[t+(K-1)-k,d]`,
    `dweight[k,d] = Σ_t ds[t,d] * x[t-(K-1)+k,d]` and `dbias[d] = Σ_t ds[t,d]`,
    sums over batches, too, in float32 and a fixed order.

    ```mlir
    %dx, %dw, %db = te.causal_conv_grad %dy, %x, %w bias(%b : tensor<1536xf32>) {silu}
      : tensor<8x1024x1536xbf16>, tensor<8x1024x1536xbf16>, tensor<4x1536xf32>
      -> tensor<8x1024x1536xbf16>, tensor<4x1536xf32> dbias tensor<1536xf32>
    ```
  }];
  let arguments = (ins TE_Sequences:$dy, TE_Sequences:$x, TE_F32Matrix:$weight,
    Optional<TE_F32Vector>:$bias, UnitAttr:$silu);
  let results = (outs TE_Sequences:$dx, TE_F32Matrix:$dweight,
    Optional<TE_F32Vector>:$dbias);
  let assemblyFormat = [{
    $dy `,` $x `,` $weight (`bias` `(` $bias^ `:` type($bias) `)`)? attr-dict
    `:` type($dy) `,` type($x) `,` type($weight)
    `->` type($dx) `,` type($dweight) (`dbias` type($dbias)^)?
  }];
  let hasVerifier = 1;
}

#endif // TE_DIALECT_TE_IR_TECAUSALCONVOPS_TD
