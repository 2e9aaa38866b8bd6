// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_TEPRECISIONOPS_TD
#define TE_DIALECT_TE_IR_TEPRECISIONOPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "te/Dialect/TE/IR/TEBase.td"

def TE_QuantizeOp : TE_QuantizingOp<"quantize", "getX", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    TE_MixedPrecisionOpInterface,
    DeclareOpInterfaceMethods<TE_RowSummingOpInterface,
        ["getSummableMatrix"]>,
    DeclareOpInterfaceMethods<TE_CostOpInterface, ["getWork"]>]> {
  let summary = "FP8 copies of a matrix and its amax";
  let description = [{
    `rowwise[i,j] = sat(x[i,j] * scale)`, `columnwise` its physical transpose,
    `amax = max |x|` of the unscaled input; what nobody uses is not computed.
    Copies may be larger than x, each dimension rounded up to a multiple of 16;
    the padding is zero. With the scales of blocks, `scale` [r, c] in place of a
    scalar, there is one copy, which it divides as ScaleShape.h says: row i of
    `tensor<64x1xf32>` scales row i of a copy of 64 rows. `sat` rounds to nearest even, saturates, keeps NaN.
    `dbias`, when wanted, is the sum of x over its rows: where x is the gradient
    of a linear layer's result, the gradient of its bias.

    ```mlir
    %q, %qt, %amax = te.quantize %x, %s : tensor<64x509xbf16>
      -> rowwise tensor<64x512xf8E4M3FN> columnwise tensor<512x64xf8E4M3FN> amax tensor<f32>
    %qt = te.quantize %x, %t of tensor<512x1xf32> : tensor<64x509xbf16>
      -> columnwise tensor<512x64xf8E4M3FN>
    ```
  }];
  let arguments = (ins TE_Matrix:$x, TE_Scale:$scale);
  let results = !con(TE_QuantizedResults.results, (outs Optional<TE_Vector>:$dbias));
  let assemblyFormat = !strconcat([{
    $x `,` $scale `` custom<ScaleType>(type($scale)) attr-dict `:` type($x) `->`
    }], TE_QuantizedResults.format, [{ (`dbias` type($dbias)^)?
  }]);
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def TE_DequantizeOp : TE_Op<"dequantize", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    TE_MixedPrecisionOpInterface]> {
  let summary = "High-precision values of an FP8 matrix";
  let description = [{
    `y = x * scale_inv`, with the scale of each element's block.
  }];
  let arguments = (ins TE_Fp8Matrix:$x, TE_Scale:$scale_inv);
  let results = (outs TE_Matrix:$y);
  let assemblyFormat = [{
    $x `,` $scale_inv `` custom<ScaleType>(type($scale_inv)) attr-dict
    `:` type($x) `->` type($y)
  }];
  let hasVerifier = 1;
}

def TE_AmaxOp : TE_Op<"amax", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    TE_MixedPrecisionOpInterface]> {
  let summary = "Largest absolute value of a tensor, or of blocks of a matrix";
  let description = [{
    `max |x|`; a NaN makes it NaN. A result [r, c] has the amax of each block of
    x, or of xᵀ with `transposed` (ScaleShape.h). It may belong to a matrix that
    is larger than x, each dimension rounded up to a multiple of 16: blocks
    without elements of x have an amax of 0.

    ```mlir
    %a = te.amax %x : tensor<64x509xbf16>
    %b = te.amax %x {transposed} : tensor<64x509xbf16> -> tensor<512x1xf32>
    ```
  }];
  let arguments = (ins TE_FloatTensor:$x, UnitAttr:$transposed);
  let results = (outs TE_F32Scale:$amax);
  let assemblyFormat = "$x attr-dict `:` type($x) `` custom<AmaxType>(type($amax))";
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$x), [{
    build($_builder, $_state, type, x, /*transposed=*/false);
  }]>];
  let hasVerifier = 1;
}

def TE_ComputeScaleOp : TE_Op<"compute_scale", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    TE_MixedPrecisionOpInterface,
    AllTypesMatch<["amax", "scale"]>, AllShapesMatch<["amax", "scale_inv"]>]> {
  let summary = "Scales of a format from amaxes";
  let description = [{
    `scale = (fp8_max(format) * 2^-margin) / amax`, where an amax below `epsilon`
    counts as `epsilon`; 1 when that is 0 or not finite; FLT_MAX when the quotient
    overflows. With `power_of_two` the scale is rounded down to a power of two.
    `scale_inv` is its reciprocal rounded to nearest. Elementwise.

    A `scale_inv` of f8E8M0FNU is made first, of the amax alone: the least power of
    two that is not below `amax * (1 / fp8_max(format))`, a product of f32, so that
    no element saturates. 2^-127 is the least, also for 0; an infinity has 2^127,
    NaN has NaN. `scale` is the reciprocal, but 1 for 2^-127: elements of such a
    block, below 2^-118, become zeros.

    ```mlir
    %s, %si = te.compute_scale %amax {format = f8E4M3FN}
    %t, %ti = te.compute_scale %amaxes of tensor<64x1xf32> {format = f8E4M3FN}
    %u, %ui = te.compute_scale %amaxes of tensor<64x1xf32> {format = f8E4M3FN, power_of_two}
    %v, %vi = te.compute_scale %amaxes of tensor<64x1xf32> {format = f8E4M3FN} -> tensor<64x1xf8E8M0FNU>
    ```
  }];
  let arguments = (ins TE_F32Scale:$amax, TypeAttrOf<TE_Fp8>:$format,
    DefaultValuedAttr<I32Attr, "0">:$margin,
    DefaultValuedAttr<F32Attr, "0.0f">:$epsilon, UnitAttr:$power_of_two);
  let results = (outs TE_F32Scale:$scale, TE_ScaleInv:$scale_inv);
  let assemblyFormat = [{
    $amax `` custom<ScaleType>(type($amax)) attr-dict
    `` custom<ScaleInvType>(type($scale_inv), ref(type($amax)))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$amax, "::mlir::FloatType":$format,
      CArg<"int32_t", "0">:$margin, CArg<"float", "0.0f">:$epsilon,
      CArg<"bool", "false">:$powerOfTwo,
      CArg<"::mlir::FloatType", "{}">:$scaleInvType)>];
  let extraClassDeclaration = [{
    /// Whether scale_inv is f8E8M0FNU, which has a formula of its own.
    bool hasE8M0();
  }];
  let hasVerifier = 1;
}

def TE_UpdateScalesOp : TE_Op<"update_scales", [TE_MixedPrecisionOpInterface,
    AllTypesMatch<["scales", "new_scales"]>,
    AllTypesMatch<["scale_invs", "new_scale_invs"]>,
    AllTypesMatch<["history", "new_history"]>,
    AllTypesMatch<["nonfinite", "new_nonfinite"]>]> {
  let summary = "Delayed scaling of all slots";
  let description = [{
    Once a step, per slot: an amax of 0 changes nothing; a non-finite one adds 1
    to `nonfinite` and changes nothing else; any other enters the window of the
    `length` most recent ones (`history` [length, slots]), and
    `scale = (fp8_max * 2^-margin) / m`, m the window's maximum or its most
    recent entry; infinity becomes FLT_MAX. `scale_inv` is the reciprocal
    rounded to nearest. Row 0 of the history is the staging row: what
    te.record_amaxes left there counts like the amax, the larger of the two, and
    the row is zero afterwards.

    ```mlir
    %s1, %si1, %h1, %n1 = te.update_scales %s, %si, %h, %n amaxes(%a0, %a1)
      {recipe = #te.delayed_scaling<history = 16>, formats = [f8E4M3FN, f8E5M2]}
      : tensor<2xf32>, tensor<2xf32>, tensor<16x2xf32>, tensor<2xi64>
    ```
  }];
  let arguments = (ins TE_F32Vector:$scales, TE_F32Vector:$scale_invs,
    TE_F32Tensor:$history, TE_IdVector:$nonfinite, Variadic<TE_F32Scalar>:$amaxes,
    TE_DelayedScalingAttr:$recipe, TypeArrayAttr:$formats);
  let results = (outs TE_F32Vector:$new_scales, TE_F32Vector:$new_scale_invs,
    TE_F32Tensor:$new_history, TE_IdVector:$new_nonfinite);
  let assemblyFormat = [{
    $scales `,` $scale_invs `,` $history `,` $nonfinite `amaxes` `(` $amaxes `)` attr-dict
    `:` type($scales) `,` type($scale_invs) `,` type($history) `,` type($nonfinite)
  }];
  let hasVerifier = 1;
}

def TE_RecordAmaxesOp : TE_Op<"record_amaxes", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    TE_MixedPrecisionOpInterface,
    AllTypesMatch<["history", "new_history"]>]> {
  let summary = "Amaxes that wait for the next update of the scales";
  let description = [{
    Per slot, row 0 of `history` [length, slots] becomes the larger of itself and
    the slot's amax, NaN if one of them is. Microbatches before the last of a step
    leave their amaxes so for te.update_scales.

    ```mlir
    %h1 = te.record_amaxes %h amaxes(%a0, %a1) : tensor<16x2xf32>
    ```
  }];
  let arguments = (ins TE_F32Tensor:$history, Variadic<TE_F32Scalar>:$amaxes);
  let results = (outs TE_F32Tensor:$new_history);
  let assemblyFormat = [{
    $history `amaxes` `(` $amaxes `)` attr-dict `:` type($history)
  }];
  let hasVerifier = 1;
}

def TE_RegionOp : Op<TE_Dialect, "region", [
    RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock, NoRegionArguments]> {
  let summary = "Operations that run in one precision";
  let description = [{
    te-partition's decision, until te-quantize carries it out. Values flow in
    from outside; those used outside are yielded.

    ```mlir
    %u = te.region fp8 -> (tensor<64x512xbf16>) {
      %0 = te.matmul %x, %w : tensor<64x128xbf16>, tensor<128x512xf32> -> tensor<64x512xbf16>
      te.yield %0 : tensor<64x512xbf16>
    }
    ```
  }];
  let arguments = (ins TE_PrecisionAttr:$precision);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$precision (`->` `(` type($results)^ `)`)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def TE_YieldOp : Op<TE_Dialect, "yield", [Pure, Terminator, ReturnLike, ParentOneOf<["RegionOp"]>]> {
  let summary = "Values a region hands out";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), [{ }]>];
}

#endif // TE_DIALECT_TE_IR_TEPRECISIONOPS_TD
