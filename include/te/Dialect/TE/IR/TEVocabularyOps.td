// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks that share a vocabulary compute of it. C++ has them in
// te/Dialect/TE/IR/VocabularyOps.h.

#ifndef TE_DIALECT_TE_IR_TEVOCABULARYOPS_TD
#define TE_DIALECT_TE_IR_TEVOCABULARYOPS_TD

include "te/Dialect/TE/IR/TEBase.td"

def TE_VocabularyCrossEntropyOp : TE_Op<"vocabulary_cross_entropy", [
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>]> {
  let summary = "Softmax cross-entropy whose classes ranks share";
  let description = [{
    The sum that te.cross_entropy makes, of `classes` classes: rank r along
    `grid_axes` has the logits [M,N] of classes [r * N, (r + 1) * N), and all have
    the same labels. Columns beyond the last class are no classes. `loss` and
    `lse`, the log of the sum of all classes' exponentials, are the same on all
    ranks; the gradient is that of the rank's logits.

    What the ranks exchange is a number for each row: the logs of the sums of their
    exponentials. te-parallelize replaces the op by te.cross_entropy of the rank's
    classes, in which rows with other labels do not count, and what corrects it:
    with l_r of rank r and L = log(Σ exp(l_r)), a row whose label is on rank r adds
    `L - l_r` to `l_r - logits[label]`.

    ```mlir
    %loss, %lse = te.vocabulary_cross_entropy %logits, %labels on @mesh axes = [0] {classes = 509 : i64}
      : tensor<128x255xf32>, tensor<128xi64> -> tensor<128xf32>
    ```
  }];
  let arguments = (ins TE_Matrix:$logits, TE_IdVector:$labels,
    FlatSymbolRefAttr:$grid, DenseI16ArrayAttr:$grid_axes, I64Attr:$classes,
    DefaultValuedAttr<I64Attr, "-100">:$ignore_index,
    DefaultValuedAttr<F32Attr, "0.0f">:$z_loss);
  let results = (outs TE_F32Scalar:$loss, TE_F32Vector:$lse);
  let assemblyFormat = [{
    $logits `,` $labels `on` $grid `axes` `=` $grid_axes attr-dict
    `:` type($logits) `,` type($labels) `->` type($lse)
  }];
  let hasVerifier = 1;
}

#endif // TE_DIALECT_TE_IR_TEVOCABULARYOPS_TD
