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
    TE_CostOpInterface]> {
  let summary = "Update of one parameter, element by element";
  let description = [{
    What `optimizer` makes of a parameter, of its states and of `gradient *
    coefficient`; the attribute has the formula. `scalars` and `states` are the
    optimizer's, in its order; `step` counts from 1; the states have the
    parameter's shape. Weight decay applies when `decay`. A NaN coefficient leaves
    parameter and states as they are. With `quantize` the op also writes the FP8
    copies of the new parameter.

    ```mlir
    %w1, %m1, %v1 = te.update #te.adamw %w states(%m, %v) gradient(%dw) coefficient(%c)
      scalars(%lr, %beta1, %beta2, %eps, %wd) step(%s) {decay}
      : tensor<512x128xf32>, tensor<512x128xbf16>
    ```
  }];
  let arguments = (ins TE_ElementwiseOptimizerAttrInterface:$optimizer,
    TE_FloatTensor:$gradient, TE_F32Scalar:$coefficient,
    Variadic<TE_F32Scalar>:$scalars, TE_I64Scalar:$step,
    Optional<TE_F32Scalar>:$scale, TE_F32Tensor:$param,
    Variadic<TE_F32Tensor>:$states, UnitAttr:$decay);
  let results = !con((outs TE_F32Tensor:$new_param,
    Variadic<TE_F32Tensor>:$new_states), TE_QuantizedResults.results);
  let assemblyFormat = [{
    $optimizer $param (`states` `(` $states^ `)`)? `gradient` `(` $gradient `)`
    `coefficient` `(` $coefficient `)` `scalars` `(` $scalars `)`
    `step` `(` $step `)` (`quantize` `(` $scale^ `)`)? attr-dict
    `:` type($param) `,` type($gradient)
    custom<StateTypes>(ref(type($param)), ref($states), type($states), type($new_states))
    (`->` `rowwise` type($rowwise)^)? (`columnwise` type($columnwise)^)? (`amax` type($amax)^)?
  }];
  let hasVerifier = 1;
}

#endif // TE_DIALECT_TE_IR_TEOPTIMIZEROPS_TD
