// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of mixtures of experts: every row has an expert, and is multiplied
// with that expert's matrix.

#ifndef TE_DIALECT_TE_IR_TEEXPERTOPS_TD
#define TE_DIALECT_TE_IR_TEEXPERTOPS_TD

include "te/Dialect/TE/IR/TEBase.td"

def TE_ExpertVector : TE_StaticTensor<[I32], [HasAnyRankOfPred<[1]>], "vector of i32">;

def TE_GroupRowsOp : TE_Op<"group_rows", [
    AllTypesMatch<["experts", "slot"]>, AllTypesMatch<["source", "groups"]>,
    TE_CostOpInterface]> {
  let summary = "Order of rows by expert";
  let description = [{
    Sorts S rows by their `experts`, each of [0, count), or -1 for a row without
    one, and keeps the order of rows with one expert. The rows of each expert
    start at a multiple of `alignment`; an expert without rows has no space. Of
    the P places, `groups[p]` is the expert of the row at p, or -1 if there is
    none, and `source[p]` is that row, or -1. `slot[s]` is the place of row s, or
    -1 if it has none. P is a multiple of `alignment` and has space for any
    choice of experts.

    With `ranks` R > 1 the places are R equal shards, the r-th for the experts
    r·count/R to (r+1)·count/R, which `groups` counts from the first of them. A
    row for which its shard has no space left has no place.

    ```mlir
    %source, %slot, %groups = te.group_rows %experts {count = 8 : i64, alignment = 128 : i64}
      : tensor<16384xi32> -> tensor<17408xi32>
    ```
  }];
  let arguments = (ins TE_ExpertVector:$experts, I64Attr:$count,
    I64Attr:$alignment, DefaultValuedAttr<I64Attr, "1">:$ranks);
  let results = (outs TE_ExpertVector:$source, TE_ExpertVector:$slot,
    TE_ExpertVector:$groups);
  let assemblyFormat = [{
    $experts attr-dict `:` type($experts) `->` type($source)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Places that are enough for `rows` rows of any experts.
    static int64_t getPlaces(int64_t rows, int64_t count, int64_t alignment);
  }];
}

def TE_PermuteOp : TE_QuantizingOp<"permute", "getX", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getFloat32Operands", "getConvertibleResults"]>,
    TE_QuantizingProducerOpInterface,
    TE_CostOpInterface]> {
  let summary = "Rows in the order of their experts";
  let description = [{
    `y[p] = x[source[p] / repeat]`, times `weights[source[p]]` if there are
    weights, and a row of zeros where source[p] is negative. `x` is [T,H],
    `weights` has T·repeat elements, and `source`, of te.group_rows, counts rows
    that repeat each row of x so many times. With `quantize` the op writes FP8
    copies of its float32 result and that result's amax in the same pass.

    ```mlir
    %y = te.permute %x, %source {repeat = 2 : i64}
      : tensor<8192x4096xbf16>, tensor<17408xi32> -> y tensor<17408x4096xbf16>
    ```
  }];
  let arguments = (ins TE_Matrix:$x, TE_ExpertVector:$source,
    Optional<TE_F32Vector>:$weights, Optional<TE_F32Scalar>:$scale,
    DefaultValuedAttr<I64Attr, "1">:$repeat);
  let results = !con((outs Optional<TE_Matrix>:$y), TE_QuantizedResults.results);
  let assemblyFormat = !strconcat([{
    $x `,` $source (`weights` `(` $weights^ `:` type($weights) `)`)?
    (`quantize` `(` $scale^ `)`)? attr-dict
    `:` type($x) `,` type($source) `->` (`y` type($y)^)?
  }], TE_QuantizedResults.format);
  let builders = [OpBuilder<(ins "::mlir::Type":$y, "::mlir::Value":$x,
      "::mlir::Value":$source, "::mlir::Value":$weights, "int64_t":$repeat)>];
  let hasVerifier = 1;
}

def TE_TakeRowsOp : TE_Op<"take_rows", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    TE_DataMovementOpInterface, TE_CostOpInterface]> {
  let summary = "FP8 rows in the order of their experts";
  let description = [{
    `y[p] = x[source[p]]`, and a row of zeros where source[p] is negative: what
    te.permute does, of rows that are quantized already. `x` is [S,H] and `y`
    [P,H], of one type.

    ```mlir
    %y = te.take_rows %x, %source : tensor<16384x4096xf8E4M3FN>, tensor<17408xi32> -> tensor<17408x4096xf8E4M3FN>
    ```
  }];
  let arguments = (ins TE_Fp8Matrix:$x, TE_ExpertVector:$source);
  let results = (outs TE_Fp8Matrix:$y);
  let assemblyFormat = [{
    $x `,` $source attr-dict `:` type($x) `,` type($source) `->` type($y)
  }];
  let hasVerifier = 1;
}

def TE_UnpermuteOp : TE_Op<"unpermute", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getFloat32Operands", "getConvertibleResults"]>,
    DeclareOpInterfaceMethods<TE_CostOpInterface, ["getWork"]>]> {
  let summary = "Rows back in their own order, and sums of them";
  let description = [{
    `y[t] = Σ_j x[slot[t·repeat + j]]` for j < repeat, each times
    `weights[t·repeat + j]` if there are weights: the inverse of te.permute for
    a `repeat` of 1, and its gradient. A row without a place, whose slot is -1,
    adds nothing. `x` is [P,H], `slot` of te.group_rows and `weights` have
    T·repeat elements. The sum is float32 and rounded once.

    ```mlir
    %y = te.unpermute %x, %slot weights(%w : tensor<16384xf32>) {repeat = 2 : i64}
      : tensor<17408x4096xbf16>, tensor<16384xi32> -> tensor<8192x4096xbf16>
    ```
  }];
  let arguments = (ins TE_Matrix:$x, TE_ExpertVector:$slot,
    Optional<TE_F32Vector>:$weights, DefaultValuedAttr<I64Attr, "1">:$repeat);
  let results = (outs TE_Matrix:$y);
  let assemblyFormat = [{
    $x `,` $slot (`weights` `(` $weights^ `:` type($weights) `)`)? attr-dict
    `:` type($x) `,` type($slot) `->` type($y)
  }];
  let hasVerifier = 1;
}

def TE_PermuteWeightsGradOp : TE_Op<"permute_weights_grad", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    TE_MixedPrecisionOpInterface, TE_CostOpInterface]> {
  let summary = "Gradient of the weights of permute and unpermute";
  let description = [{
    `dweights[s] = Σ_h permuted[slot[s], h] · tokens[s / repeat, h]`, in float32,
    with `permuted` [P,H], `tokens` [T,H] and T·repeat places in `slot`; 0 where
    slot[s] is -1.
  }];
  let arguments = (ins TE_Matrix:$permuted, TE_ExpertVector:$slot,
    TE_Matrix:$tokens, DefaultValuedAttr<I64Attr, "1">:$repeat);
  let results = (outs TE_F32Vector:$dweights);
  let assemblyFormat = [{
    $permuted `,` $slot `,` $tokens attr-dict
    `:` type($permuted) `,` type($slot) `,` type($tokens) `->` type($dweights)
  }];
  let hasVerifier = 1;
}

def TE_ExpertMatmulOp : TE_Op<"expert_matmul", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_Fp8OpInterface, ["takesScaleBlocks"]>,
    DeclareOpInterfaceMethods<TE_ParameterReaderOpInterface>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands", "getConvertibleResults"]>,
    DeclareOpInterfaceMethods<TE_CostOpInterface, ["getWork"]>]> {
  let summary = "Product of each row with its expert's matrix";
  let description = [{
    `groups[p]` is the expert of row p, or negative for none. With the roles
    fprop and dgrad, `b` holds one matrix of each expert, one after the other,
    and

    `d[p,n] = Σ_k a[p,k] · B_e[k,n]`, e = groups[p], and 0 without an expert.

    B_e is rows e·K to (e+1)·K of `b` [E·K, N], or the transpose of rows e·N to
    (e+1)·N of `b` [E·N, K] with `transpose_b`. With the role wgrad `a` is [P,M],
    `b` [P,N] and `d` [E·M, N]:

    `d[e·M + m, n] = Σ_p a[p,m] · b[p,n]` over the rows p with groups[p] = e.

    There `a` is the gradient of the output and `b` the input, or the other way
    round with `input_first`. Rows of `a` without an expert are zero there.
    Products and sums are float32, the result is rounded once. `alignment` A > 1
    promises that each A rows have one expert, with rows without one behind
    them, as te.group_rows makes them; only such products have an FP8 form.
    `role` and `layer` are those of te.matmul.

    ```mlir
    %d = te.expert_matmul %x, %w experts(%groups) {alignment = 128 : i64, transpose_b}
      : tensor<17408x4096xbf16>, tensor<114688x4096xbf16>, tensor<17408xi32> -> tensor<17408x14336xbf16>
    ```
  }];
  let arguments = (ins TE_Matrix:$a, TE_Matrix:$b, TE_ExpertVector:$groups,
    UnitAttr:$transpose_b, DefaultValuedAttr<I64Attr, "1">:$alignment,
    DefaultValuedAttr<TE_MatmulRoleAttr, "MatmulRole::Fprop">:$role,
    UnitAttr:$input_first, OptionalAttr<StrAttr>:$layer);
  let results = (outs TE_Matrix:$d);
  let assemblyFormat = [{
    $a `,` $b `experts` `(` $groups `)` attr-dict
    `:` type($a) `,` type($b) `,` type($groups) `->` type($d)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isWgrad() { return getRole() == ::mlir::te::MatmulRole::Wgrad; }
    /// How many matrices `b`, or of wgrad `d`, holds.
    int64_t getExperts();
  }];
}

def TE_ScaledExpertMatmulOp : TE_Op<"scaled_expert_matmul", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    TE_MixedPrecisionOpInterface, TE_ScaledProductOpInterface,
    DeclareOpInterfaceMethods<TE_CostOpInterface, ["getWork"]>]> {
  let summary = "FP8 form of expert_matmul";
  let description = [{
    te.expert_matmul of FP8 copies with what is summed innermost, times
    `a_scale_inv * b_scale_inv`. For fprop and dgrad `a` is [P,K], and `b` is
    [E·N, K] with `transpose_b`, or else the columnwise copy [N, E·K] of
    [E·K, N]. For wgrad both are columnwise copies, `a` [M,P] and `b` [N,P]. At
    most one operand is E5M2.

    ```mlir
    %d = te.scaled_expert_matmul %x, %w scales(%sx, %sw) experts(%groups) {alignment = 128 : i64, transpose_b}
      : tensor<17408x4096xf8E4M3FN>, tensor<114688x4096xf8E4M3FN>, tensor<17408xi32> -> tensor<17408x14336xbf16>
    ```
  }];
  let arguments = (ins TE_Fp8Matrix:$a, TE_Fp8Matrix:$b, TE_F32Scalar:$a_scale_inv,
    TE_F32Scalar:$b_scale_inv, TE_ExpertVector:$groups, UnitAttr:$transpose_b,
    DefaultValuedAttr<I64Attr, "1">:$alignment,
    DefaultValuedAttr<TE_MatmulRoleAttr, "MatmulRole::Fprop">:$role,
    DefaultValuedAttr<TE_AccumulateAttr, "Accumulate::Split">:$accumulate,
    OptionalAttr<StrAttr>:$layer);
  let results = (outs TE_Matrix:$d);
  let assemblyFormat = [{
    $a `,` $b `scales` `(` $a_scale_inv `,` $b_scale_inv `)` `experts`
    `(` $groups `)` attr-dict
    `:` type($a) `,` type($b) `,` type($groups) `->` type($d)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isWgrad() { return getRole() == ::mlir::te::MatmulRole::Wgrad; }
    /// How many matrices `b`, or of wgrad `d`, holds.
    int64_t getExperts();
  }];
}

#endif // TE_DIALECT_TE_IR_TEEXPERTOPS_TD
