// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_TEDIALECT_TD
#define TE_DIALECT_TE_IR_TEDIALECT_TD

include "mlir/IR/OpBase.td"

def TE_Dialect : Dialect {
  let name = "te";
  let cppNamespace = "::mlir::te";
  let summary = "Transformer training with FP8: what the upstream dialects lack";
  let description = [{
    Operations of a transformer's training step on tensors, with value
    semantics: forward ops, their gradients with the saved tensors as explicit
    operands, the optimizer, and quantization to FP8 with every scale and amax
    as a value. Everything upstream has (tensor reshapes, constants, functions)
    is used as it is.

    Activations are matrices: leading dimensions are folded into rows, and only
    attention sees batch, sequence and heads.

    The dialect gives meaning to these attributes of function arguments and
    results, which connect a function to the outside:

    | attribute | on | meaning |
    |---|---|---|
    | `te.input = "name"` | argument | an input of the model |
    | `te.param = "name"` | argument, result | a parameter; a result of the same name is its new value |
    | `te.frozen` | argument with `te.param` | the parameter is not trained: it gets no gradient and no new value |
    | `te.state = "name"` | argument, result | any other state, tied in the same way |
    | `te.kind = "…"` | with `te.state` | `optimizer`, `counter`, `fp8_scale`, `fp8_scale_inv`, `fp8_amax_history`, `fp8_nonfinite`, `fp8_weight`, `fp8_weight_amax`, `gradient`, `accumulator` (sums over the microbatches of a step), `kv_cache` (keys and values of earlier tokens), `weight_copy` (of the parameter that is named behind `copy.`, or in `te.copy_of`) |
    | `te.shard = #te.shard<…>` | with `te.param`, `te.state` | the part of the state that each rank of a mesh holds; without it all of it |
    | `te.init = value` | with `te.state`, `te.param` | a number (every element), or a string: `"data"`, `"derived"`, `"normal:MEAN,STD"`, `"uniform:LOW,HIGH"` |
    | `te.scalar = "name"` | argument | a scalar of the step, such as the learning rate; `te.default` is its value when the caller gives none |
    | `te.output = "name"` | result, memref argument | an output |
    | `te.gradient = "name"` | with `te.output` | the output is the gradient of the argument of that name, a parameter or an input |
    | `te.gradient_coefficient` | with `te.output` | what all gradients are still to be multiplied by; NaN: there is nothing to learn from them |
    | `te.range = array<i64: LOW, HIGH>` | with `te.input` | integers of the input lie in [LOW, HIGH) |
    | `te.donated` | input | the caller needs its values no longer: the function may write other tensors into its memory |
    | `te.max_abs = value` | argument | no finite element has a larger absolute value, which whoever calls the function promises |
    | `te.arena` | memref argument | the buffer that holds all temporaries |

    It gives meaning to these attributes of a module:

    | attribute | meaning |
    |---|---|
    | `te.target = "sm_90"` | what the program is compiled for, for passes that are not told (TargetInfo.h) |
    | `te.costs` | a CostModelAttrInterface: what kernels take on the target |
    | `te.recipe` | the recipe that te-quantize quantized the module with |
    | `te.slots`, `te.slot_formats` | names and formats of the columns of the scaling state |
    | `te.tied = {"param" = ["other", …]}` | further names of parameters: a tied parameter is one argument, and a checkpoint for the framework has it under all of its names |
    | `te.description` | the artifact's description |

    `te.entry` on a function says which entry point it is, `te.arena_bytes` how
    large its arena is. `te.ranges` on any op has what te-annotate-ranges found
    about its results. `te.layer` on a product of another dialect names its
    layer, as the attribute `layer` of te.matmul does.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  // That of loops for the form of te.scan in linalg.
  let dependentDialects = ["::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // TE_DIALECT_TE_IR_TEDIALECT_TD
