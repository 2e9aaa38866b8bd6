// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_TEOPTIMIZEROPS_TD
#define TE_DIALECT_TE_IR_TEOPTIMIZEROPS_TD

include "te/Dialect/TE/IR/OptimizerInterfaces.td"
include "te/Dialect/TE/IR/TEBase.td"

def TE_GlobalNormOp : TE_Op<"global_norm", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    TE_MixedPrecisionOpInterface]> {
  let summary = "Euclidean norm of all gradients together";
  let description = [{
    `sqrt(Σ over tensors of Σ g²)`, not finite when an element is not.

    ```mlir
    %norm = te.global_norm %dw, %db : tensor<512x128xf32>, tensor<512xf32>
    ```
  }];
  let arguments = (ins Variadic<TE_FloatTensor>:$gradients);
  let results = (outs TE_F32Scalar:$norm);
  let assemblyFormat = "$gradients attr-dict `:` type($gradients)";
}

def TE_ClipCoefficientOp : TE_Op<"clip_coefficient", [
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    TE_MixedPrecisionOpInterface,
    DeclareOpInterfaceMethods<TE_UpdateGuardOpInterface>]> {
  let summary = "Factor that clips the gradients by their global norm";
  let description = [{
    `min(1, max_norm / (norm + 1e-6))`; 1 when `max_norm` is not positive; NaN,
    which tells the optimizer to skip the step, when `norm` or one of `amaxes`
    is not finite. The amaxes are those of the tensors that became FP8 on the
    way to the gradients: casts saturate, so that the gradients of an infinite
    activation are finite, and wrong.

    ```mlir
    %c = te.clip_coefficient %norm, %max amaxes(%a0, %a1)
    ```
  }];
  let arguments = (ins TE_F32Scalar:$norm, TE_F32Scalar:$max_norm,
    Variadic<TE_F32Scalar>:$amaxes);
  let results = (outs TE_F32Scalar:$coefficient);
  let assemblyFormat = [{
    $norm `,` $max_norm (`amaxes` `(` $amaxes^ `)`)? attr-dict
  }];
}

def TE_AdvanceStepOp : TE_Op<"advance_step", [TE_MixedPrecisionOpInterface]> {
  let summary = "Step counter plus one, unless the step is skipped";
  let arguments = (ins TE_F32Scalar:$coefficient, TE_I64Scalar:$step);
  let results = (outs TE_I64Scalar:$new_step);
  let assemblyFormat = "$step `if_finite` $coefficient attr-dict";
}

def TE_UpdateOp : TE_QuantizingOp<"update", "getNewParam", [
    AttrSizedOperandSegments,
    TE_MixedPrecisionOpInterface, AllTypesMatch<["param", "new_param"]>,
    DeclareOpInterfaceMethods<TE_QuantizingProducerOpInterface,
        ["canQuantizeResult", "quantizeResult"]>,
    DeclareOpInterfaceMethods<TE_CostOpInterface, ["getWork"]>]> {
  let summary = "Update of one parameter, element by element";
  let description = [{
    What `optimizer` makes of a parameter, of its states and of `gradient *
    coefficient`; the attribute has the formula. `scalars` and `states` are the
    optimizer's, in its order; `step` counts from 1; the states have the
    parameter's shape. Weight decay applies when `decay`. A NaN coefficient leaves
    parameter and states as they are. With `quantize` the op also writes the FP8
    copies of the new parameter: those of a matrix with the rows of all dimensions
    but the last, [E * N, K] of [E, N, K].

    The parameter is f32, or bf16, whose new value is rounded as states are, below;
    FP8 copies are made of the rounded one. States are all f32, all bf16 or all FP8. FP8 states of
    a parameter [..., N] of rank 2 or more have `state_scales` [..., ceil(N / 128)] each: a state is its code times the scale of
    its 128 elements of a row. They are computed in f32; a new scale is the
    block's amax divided by the format's largest number, at least 2^-126, and
    what does not fit bf16 or FP8 is rounded stochastically, so that changes
    smaller than the last bit are kept on average. The random bits are a hash of
    the step and of the bits of the element's parameter and gradient: equal
    steps round equally, on any device and in any shard. A second state that is
    positive, which is a divisor, is not rounded to 0.

    ```mlir
    %w1, %m1, %v1 = te.update #te.adamw %w states(%m, %v) gradient(%dw) coefficient(%c)
      scalars(%lr, %beta1, %beta2, %eps, %wd) step(%s) {decay}
      : tensor<512x128xf32>, tensor<512x128xbf16>
    %w1, %m1, %v1, %ms1, %vs1 = te.update #te.adamw %w states(%m, %v) state_scales(%ms, %vs)
      gradient(%dw) coefficient(%c) scalars(%lr, %beta1, %beta2, %eps, %wd) step(%s)
      : tensor<512x128xf32>, tensor<512x128xbf16> states(f8E4M3FN, f8E5M2)
    ```
  }];
  let arguments = (ins TE_ElementwiseOptimizerAttrInterface:$optimizer,
    TE_FloatTensor:$gradient, TE_F32Scalar:$coefficient,
    Variadic<TE_F32Scalar>:$scalars, TE_I64Scalar:$step,
    Optional<TE_F32Scalar>:$scale, TE_FloatTensor:$param,
    Variadic<TE_StateTensor>:$states, Variadic<TE_F32Tensor>:$state_scales,
    UnitAttr:$decay);
  let results = !con((outs TE_FloatTensor:$new_param,
    Variadic<TE_StateTensor>:$new_states,
    Variadic<TE_F32Tensor>:$new_state_scales), TE_QuantizedResults.results);
  let assemblyFormat = [{
    $optimizer $param (`states` `(` $states^ `)`)?
    (`state_scales` `(` $state_scales^ `)`)? `gradient` `(` $gradient `)`
    `coefficient` `(` $coefficient `)` `scalars` `(` $scalars `)`
    `step` `(` $step `)` (`quantize` `(` $scale^ `)`)? attr-dict
    `:` type($param) `,` type($gradient)
    custom<StateTypes>(ref(type($param)), ref($states), ref($state_scales),
      type($states), type($new_states), type($state_scales), type($new_state_scales))
    (`->` `rowwise` type($rowwise)^)? (`columnwise` type($columnwise)^)? (`amax` type($amax)^)?
  }];
  let hasVerifier = 1;
}

#endif // TE_DIALECT_TE_IR_TEOPTIMIZEROPS_TD
