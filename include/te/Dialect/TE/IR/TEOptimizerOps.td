// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_TEOPTIMIZEROPS_TD
#define TE_DIALECT_TE_IR_TEOPTIMIZEROPS_TD

include "te/Dialect/TE/IR/TEBase.td"

def TE_GlobalNormOp : TE_Op<"global_norm", [TE_MixedPrecisionOpInterface]> {
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

def TE_ClipCoefficientOp : TE_Op<"clip_coefficient", [TE_MixedPrecisionOpInterface,
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

def TE_AdamWOp : TE_Op<"adamw", [DeclareOpInterfaceMethods<TE_QuantizingOpInterface>,
    AttrSizedResultSegments, TE_MixedPrecisionOpInterface,
    AllTypesMatch<["param", "exp_avg", "exp_avg_sq", "new_param", "new_exp_avg", "new_exp_avg_sq"]>,
    DeclareOpInterfaceMethods<TE_QuantizingProducerOpInterface>,
    DeclareOpInterfaceMethods<TE_CostOpInterface>]> {
  let summary = "AdamW update of one parameter";
  let description = [{
    Loshchilov and Hutter's AdamW with decoupled weight decay (when `decay`), as
    torch.optim.AdamW computes it; `gradient` is first multiplied by
    `coefficient`, and a NaN coefficient leaves parameter and moments as they
    are. `step` counts from 1. With `quantize` the op also writes the FP8 copies
    of the new parameter.
  }];
  let arguments = (ins TE_FloatTensor:$gradient, TE_F32Scalar:$coefficient,
    TE_F32Scalar:$lr, TE_F32Scalar:$beta1, TE_F32Scalar:$beta2, TE_F32Scalar:$eps,
    TE_F32Scalar:$weight_decay, TE_I64Scalar:$step,
    Optional<TE_F32Scalar>:$scale,
    TE_F32Tensor:$param, TE_F32Tensor:$exp_avg, TE_F32Tensor:$exp_avg_sq,
    UnitAttr:$decay);
  let results = !con((outs TE_F32Tensor:$new_param, TE_F32Tensor:$new_exp_avg,
    TE_F32Tensor:$new_exp_avg_sq),
    TE_QuantizedResults.results);
  let assemblyFormat = [{
    $param `,` $exp_avg `,` $exp_avg_sq `,` $gradient
    `coefficient` `(` $coefficient `)` `lr` `(` $lr `)` `betas` `(` $beta1 `,` $beta2 `)`
    `eps` `(` $eps `)` `weight_decay` `(` $weight_decay `)` `step` `(` $step `)`
    (`quantize` `(` $scale^ `)`)? attr-dict
    `:` type($param) `,` type($gradient)
    (`->` `rowwise` type($rowwise)^)? (`columnwise` type($columnwise)^)? (`amax` type($amax)^)?
  }];
  let hasVerifier = 1;
  let extraClassDefinition = TE_QuantizationOf<"getNewParam">.definition;
}

def TE_SgdOp : TE_Op<"sgd", [DeclareOpInterfaceMethods<TE_QuantizingOpInterface>,
    AttrSizedOperandSegments, AttrSizedResultSegments,
    TE_MixedPrecisionOpInterface,
    AllTypesMatch<["param", "new_param"]>,
    DeclareOpInterfaceMethods<TE_QuantizingProducerOpInterface>,
    DeclareOpInterfaceMethods<TE_CostOpInterface>]> {
  let summary = "Update of one parameter by gradient descent with momentum";
  let description = [{
    As torch.optim.SGD computes it, in float32:

    - `g = gradient * coefficient`, plus `weight_decay * param` (when `decay`);
    - with `momentum`, `buffer = momentum * buffer + (1 - dampening) * g`, in step
      1 `buffer = g`; `step` counts from 1;
    - `param -= lr * d`, where d is `g` without momentum, `g + momentum * buffer`
      with `nesterov`, else `buffer`.

    A NaN coefficient leaves parameter and buffer as they are. With `quantize` the
    op also writes the FP8 copies of the new parameter.

    ```mlir
    %w1, %b1 = te.sgd %w gradient(%dw) coefficient(%c) lr(%lr) weight_decay(%wd) step(%s)
      momentum(%m, %b : tensor<512x128xf32> -> tensor<512x128xf32>) {decay, nesterov}
      : tensor<512x128xf32>, tensor<512x128xbf16>
    ```
  }];
  let arguments = (ins TE_FloatTensor:$gradient, TE_F32Scalar:$coefficient,
    TE_F32Scalar:$lr, Optional<TE_F32Scalar>:$momentum,
    Optional<TE_F32Scalar>:$dampening, TE_F32Scalar:$weight_decay,
    TE_I64Scalar:$step, Optional<TE_F32Scalar>:$scale,
    TE_F32Tensor:$param, Optional<TE_F32Tensor>:$momentum_buffer,
    UnitAttr:$nesterov, UnitAttr:$decay);
  let results = !con((outs TE_F32Tensor:$new_param,
    Optional<TE_F32Tensor>:$new_momentum_buffer), TE_QuantizedResults.results);
  let assemblyFormat = [{
    $param `gradient` `(` $gradient `)` `coefficient` `(` $coefficient `)`
    `lr` `(` $lr `)` `weight_decay` `(` $weight_decay `)` `step` `(` $step `)`
    (`momentum` `(` $momentum^ `,` $momentum_buffer `:` type($momentum_buffer)
       `->` type($new_momentum_buffer) `)`)?
    (`dampening` `(` $dampening^ `)`)? (`quantize` `(` $scale^ `)`)? attr-dict
    `:` type($param) `,` type($gradient)
    (`->` `rowwise` type($rowwise)^)? (`columnwise` type($columnwise)^)? (`amax` type($amax)^)?
  }];
  let hasVerifier = 1;
  let extraClassDefinition = TE_QuantizationOf<"getNewParam">.definition;
}

#endif // TE_DIALECT_TE_IR_TEOPTIMIZEROPS_TD
