// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_TEOPTIMIZEROPS_TD
#define TE_DIALECT_TE_IR_TEOPTIMIZEROPS_TD

include "te/Dialect/TE/IR/TEBase.td"

def TE_GlobalNormOp : TE_Op<"global_norm"> {
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

def TE_ClipCoefficientOp : TE_Op<"clip_coefficient"> {
  let summary = "Factor that clips the gradients by their global norm";
  let description = [{
    `min(1, max_norm / (norm + 1e-6))`; 1 when `max_norm` is not positive; NaN,
    which tells the optimizer to skip the step, when `norm` is not finite.
  }];
  let arguments = (ins TE_F32Scalar:$norm, TE_F32Scalar:$max_norm);
  let results = (outs TE_F32Scalar:$coefficient);
  let assemblyFormat = "$norm `,` $max_norm attr-dict";
}

def TE_AdvanceStepOp : TE_Op<"advance_step"> {
  let summary = "Step counter plus one, unless the step is skipped";
  let arguments = (ins TE_F32Scalar:$coefficient, TE_I64Scalar:$step);
  let results = (outs TE_I64Scalar:$new_step);
  let assemblyFormat = "$step `if_finite` $coefficient attr-dict";
}

def TE_AdamWOp : TE_Op<"adamw", [DeclareOpInterfaceMethods<TE_QuantizingOpInterface>,
    AttrSizedResultSegments,
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

#endif // TE_DIALECT_TE_IR_TEOPTIMIZEROPS_TD
