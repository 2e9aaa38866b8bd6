// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_TEATTRS_TD
#define TE_DIALECT_TE_IR_TEATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "te/Dialect/TE/IR/TEDialect.td"
include "te/Dialect/TE/IR/CostInterfaces.td"
include "te/Dialect/TE/IR/TEEnums.td"
include "te/Dialect/TE/IR/RecipeInterfaces.td"
include "te/Dialect/TE/IR/TELossAttrs.td"
include "te/Dialect/TE/IR/TEOptimizerAttrs.td"
include "te/Dialect/TE/IR/TEShardAttrs.td"

// A recipe with the element types of its parameter `format`.
class TE_RecipeAttr<string name, string attrMnemonic, list<string> overridden,
                    string moreMethods = "">
    : AttrDef<TE_Dialect, name,
              [DeclareAttrInterfaceMethods<TE_RecipeAttrInterface, overridden>]> {
  let mnemonic = attrMnemonic;
  let parameters = (ins
    DefaultValuedParameter<"Fp8Format", "Fp8Format::Hybrid">:$format);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
  let extraClassDefinition = [{
    ::llvm::StringRef $cppClass::getRecipeName() const { return getMnemonic(); }
    ::mlir::FloatType
    $cppClass::getElementType(::mlir::te::TensorRole role) const {
      return ::mlir::te::getElementType(getContext(), getFormat(), role);
    }
  }] # moreMethods;
}

def TE_DelayedScalingAttr
    : TE_RecipeAttr<"DelayedScaling", "delayed_scaling",
                    ["getStates", "buildUpdate", "getUpdate", "buildRecord",
                     "getRecord", "getRecordState",
                     "buildInitialScale", "getInitialScale"]> {
  let summary = "Per-tensor scales from the amaxes of earlier steps";
  let description = [{
    Each slot keeps the `history` most recent amaxes, the current step's
    included, and its scale for the next step is
    `(fp8_max / amax) * 2^-margin` of their maximum or of the most recent one.
    For finite inputs it agrees bit for bit with Transformer Engine's
    DelayedScaling.

    ```mlir
    #te.delayed_scaling<history = 1024, algo = max, margin = 0, format = hybrid>
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "1024", "amaxes kept per slot">:$history,
    DefaultValuedParameter<"AmaxAlgo", "AmaxAlgo::Max">:$algo,
    DefaultValuedParameter<"int64_t", "0", "powers of two of headroom">:$margin,
    DefaultValuedParameter<"Fp8Format", "Fp8Format::Hybrid">:$format);
  let genVerifyDecl = 1;
}

// A recipe whose scales are made of amaxes of the same step. Their formula is
// that of te.compute_scale.
class TE_StepRecipeAttr<string name, string attrMnemonic, string format,
                        string powerOfTwo, list<string> overridden>
    : TE_RecipeAttr<name, attrMnemonic, overridden, [{
    ::llvm::LogicalResult $cppClass::verify(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        ::mlir::te::Fp8Format, bool, ::mlir::FloatAttr epsilon) {
      return ::mlir::te::verifyEpsilon(emitError, epsilon);
    }
    ::mlir::DictionaryAttr $cppClass::getParameters() const {
      return ::mlir::te::StepScale::of(*this).getParameters(getContext());
    }
    ::mlir::Value $cppClass::buildScale(
        ::mlir::OpBuilder &builder, ::mlir::Location loc, ::mlir::Value tensor,
        ::mlir::FloatType format, ::llvm::ArrayRef<int64_t> shape,
        bool transposed, ::mlir::ValueRange, int64_t) const {
      return ::mlir::te::StepScale::of(*this).build(builder, loc, tensor,
                                                    format, shape, transposed);
    }
    ::mlir::Value $cppClass::buildScaleInv(
        ::mlir::OpBuilder &, ::mlir::Location, ::mlir::Value scale,
        ::mlir::ValueRange, int64_t) const {
      return ::mlir::te::getStepScaleInv(scale);
    }
  }]> {
  let parameters = (ins
    DefaultValuedParameter<"Fp8Format", "Fp8Format::" # format>:$format,
    DefaultValuedParameter<"bool", powerOfTwo, "scales are rounded down to powers of two">:$power_of_two,
    TE_Number<"0.0", "a smaller amax counts as this">:$epsilon);
  let genVerifyDecl = 1;
}

def TE_CurrentScalingAttr
    : TE_StepRecipeAttr<"CurrentScaling", "current_scaling", "Hybrid", "false",
                        ["checkScale"]> {
  let summary = "Per-tensor scales from each tensor's own amax";
  let description = [{
    A tensor is read once for its amax and again to be quantized with
    `fp8_max / amax`. Nothing is carried between steps, and no value saturates.
    Agrees bit for bit with Transformer Engine's Float8CurrentScaling with the
    same epsilon and rounding of scales.

    ```mlir
    #te.current_scaling<format = hybrid, power_of_two = false, epsilon = 0.0>
    ```
  }];
}

def TE_RowScalingAttr
    : TE_StepRecipeAttr<"RowScaling", "row_scaling", "Hybrid", "false",
                        ["getScaleShape", "checkScale"]> {
  let summary = "A scale for each row of a product's operands, from its amax";
  let description = [{
    As #te.current_scaling, with an amax and a scale for each row of either
    operand of a product: a row of zeros and an outlier in another row do not
    change each other's precision. The rowwise copy has scales of the tensor's
    rows, the columnwise copy of its columns, so each is quantized by itself.
    torchao calls it row-wise scaling.

    ```mlir
    #te.row_scaling<format = e4m3>
    ```
  }];
}

def TE_BlockScalingAttr
    : TE_StepRecipeAttr<"BlockScaling", "block_scaling", "E4M3", "true",
                        ["getScaleShape", "checkScale"]> {
  let summary = "A scale for each block of a product's operands, from its amax";
  let description = [{
    As #te.row_scaling, with a scale for each 128 x 128 elements of a weight and
    for each 1 x 128 elements, along the dimension that is summed, of inputs and
    output gradients. The last blocks of a matrix may be smaller. The rowwise and
    the columnwise copy are both quantized from the tensor; those of an input or a
    gradient have different blocks, so their values differ. By default all
    tensors are E4M3, and scales are rounded down to powers of two. Agrees bit
    for bit with Transformer Engine's Float8BlockScaling.

    ```mlir
    #te.block_scaling<format = e4m3, power_of_two = true, epsilon = 0.0>
    ```
  }];
}

def TE_MXFP8ScalingAttr
    : TE_RecipeAttr<"MXFP8Scaling", "mxfp8_scaling",
                    ["getScaleShape", "getScaleInvType", "checkScale"]> {
  let summary = "MXFP8: a scale in E8M0 for each 1 x 32 elements, from their amax";
  let description = [{
    The MXFP8 format of OCP Microscaling Formats v1.0: 32 elements along the
    dimension that is summed share a scale of f8E8M0FNU, a power of two, for
    weights as for inputs and output gradients. The last block of a row may be
    smaller. The rowwise and the columnwise copy are both quantized from the
    tensor, so their values differ. By default all tensors are E4M3. Agrees with
    Transformer Engine's MXFP8BlockScaling in scales and values of numbers that
    are finite.

    The scale of a block is that of Transformer Engine (`float_to_e8m0` of
    `amax * (1 / fp8_max)`, transformer_engine/common/util/ptx.cuh):
    `2^ceil(log2(amax / fp8_max))`, the least power of two with which no element
    saturates. OCP's specification (6.3) has `2^(floor(log2(amax)) -
    floor(log2(fp8_max)))`, which is half of it where the amax's mantissa is
    above that of `fp8_max`, 1.75, and saturates these. te.compute_scale says
    what 0, small numbers, infinity and NaN have.

    ```mlir
    #te.mxfp8_scaling<format = e4m3>
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"Fp8Format", "Fp8Format::E4M3">:$format);
}

def TE_MeasuredCostsAttr
    : AttrDef<TE_Dialect, "MeasuredCosts",
              [DeclareAttrInterfaceMethods<TE_CostModelAttrInterface>]> {
  let mnemonic = "measured_costs";
  let summary = "What kernels take on a device, from measurements";
  let description = [{
    All numbers are f64, in seconds, bytes per second and operations per second.

    - `ceilings`: `bytes`, what a copy attains, and `f8`, `bf16`, `f32`, what the
      best matrix products of such operands do; `multiprocessors`. Optional are
      `operands`, the bytes per second that one of them loads to multiply, and the
      seconds that a `tile` of a result takes besides and that a `split` takes:
      adding up parts of its sums. Without them loading is free, and sums are not
      split.
    - `kernels`: a kernel's name to an array of its fixed seconds and the share
      of the ceilings that it attains besides: `fixed + work / (share * ceiling)`.
      What a kernel does besides its op follows after `+`, in alphabetical order;
      a name that is absent is looked up without its last addition, and then as
      `default`.
    - `epilogues`: names of what a matrix product's kernel may do to its result,
      to an array of pairs: the summed dimension, and how many times as long as
      without it the kernel takes. Between them the logarithm of the dimension is
      interpolated.
    - `benchmarked`: matrix products to the seconds that such a device took, and
      `tuned`: to those that a tuning database has. A product is written as the
      database does, `MxNxK A * B^T -> D + bias, fast`. One in `tuned` counts as
      measured. The others are `fixed` and the longest of what its bytes take and
      what the tiles of the result do, of the size that is fastest; corrected by
      how far that is off for similar ones in both, weighted by how near they are.
    - `unaligned`: how many times as long a product takes whose rows do not begin
      at multiples of 16 bytes.

    ```mlir
    #te.measured_costs<device = "NVIDIA H200", unaligned = 6.0,
      ceilings = {bytes = 4.0e12, f8 = 1.5e15, bf16 = 8.0e14, f32 = 5.0e13, multiprocessors = 132.0},
      kernels = {default = [2.0e-6, 0.8], "layer_norm+quantize" = [4.0e-6, 0.5]},
      epilogues = {}, benchmarked = {},
      tuned = {"8192x12288x4096 f8E4M3 * f8E4M3^T -> bf16 + bias, fast" = 6.2e-4}>
    ```
  }];
  let parameters = (ins "StringAttr":$device, "FloatAttr":$unaligned,
    "DictionaryAttr":$ceilings, "DictionaryAttr":$kernels,
    "DictionaryAttr":$epilogues, "DictionaryAttr":$benchmarked,
    "DictionaryAttr":$tuned);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // TE_DIALECT_TE_IR_TEATTRS_TD
