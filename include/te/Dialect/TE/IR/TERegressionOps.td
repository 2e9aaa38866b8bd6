// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loss of regression, with its gradient. C++ has them in
// te/Dialect/TE/IR/RegressionOps.h.

#ifndef TE_DIALECT_TE_IR_TEREGRESSIONOPS_TD
#define TE_DIALECT_TE_IR_TEREGRESSIONOPS_TD

include "te/Dialect/TE/IR/TEBase.td"

def TE_SquaredErrorOp : TE_Op<"squared_error", [TE_MixedPrecisionOpInterface,
    DeclareOpInterfaceMethods<TE_LossOpInterface>,
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

#endif // TE_DIALECT_TE_IR_TEREGRESSIONOPS_TD
