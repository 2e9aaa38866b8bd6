// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks that share a vocabulary compute of it. C++ has them in
// te/Dialect/TE/IR/VocabularyOps.h.

#ifndef TE_DIALECT_TE_IR_TEVOCABULARYOPS_TD
#define TE_DIALECT_TE_IR_TEVOCABULARYOPS_TD

include "te/Dialect/TE/IR/TEBase.td"

/// What the loss and its gradient have in common.
defvar TE_VocabularyArguments = (ins
    FlatSymbolRefAttr:$grid, DenseI16ArrayAttr:$grid_axes, I64Attr:$classes,
    OptionalAttr<I64Attr>:$rank_classes,
    DefaultValuedAttr<I64Attr, "-100">:$ignore_index,
    DefaultValuedAttr<F32Attr, "0.0f">:$z_loss);

def TE_VocabularyCrossEntropyOp : TE_Op<"vocabulary_cross_entropy", [
    TE_MixedPrecisionOpInterface,
    DeclareOpInterfaceMethods<TE_LossOpInterface>,
    DeclareOpInterfaceMethods<TE_RowwiseLossOpInterface>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>]> {
  let summary = "Softmax cross-entropy whose classes ranks share";
  let description = [{
    The sum that te.cross_entropy makes, of `classes` classes: of the columns of
    the logits [M,N] of rank r along `grid_axes` the first R = `rank_classes` (N
    without it) are classes [r * R, (r + 1) * R), and all ranks have the same
    labels. What lies beyond the last class, or beyond R, is no class; its logits
    have to be so small that their exponentials are 0. `loss` is the rank's term of
    the loss, to be added up over the ranks; `lse`, the log of the sum of all
    classes' exponentials, is the same on all.

    What the ranks exchange is a number for each row: the logs of the sums of their
    exponentials. te-expand-vocabulary replaces the op by te.cross_entropy of the
    rank's columns, in which rows with other labels do not count, and what corrects
    it: with l_r of rank r and L = log(Σ exp(l_r)), a row whose label is on rank r
    adds `L - l_r` to `l_r - logits[label]`.

    ```mlir
    %loss, %lse = te.vocabulary_cross_entropy %logits, %labels on @mesh axes = [0] {classes = 509 : i64, rank_classes = 255 : i64}
      : tensor<128x256xf32>, tensor<128xi64> -> tensor<128xf32>
    ```
  }];
  let arguments = !con((ins TE_Matrix:$logits, TE_IdVector:$labels),
                       TE_VocabularyArguments);
  let results = (outs TE_F32Scalar:$loss, TE_F32Vector:$lse);
  let assemblyFormat = [{
    $logits `,` $labels `on` $grid `axes` `=` $grid_axes attr-dict
    `:` type($logits) `,` type($labels) `->` type($lse)
  }];
  let hasVerifier = 1;
}

def TE_VocabularyCrossEntropyGradOp : TE_Op<"vocabulary_cross_entropy_grad", [
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults"]>,
    AllTypesMatch<["logits", "dlogits"]>]> {
  let summary = "Gradient of vocabulary_cross_entropy";
  let description = [{
    The gradient of the rank's logits, from `lse` of all classes: that of
    te.cross_entropy's sum, `dloss * ((1 + 2 * z * lse[i]) * p[i,v] - [v = labels[i]])`
    with `p[i,v] = exp(logits[i,v] - lse[i])`, zero in ignored rows and in columns
    that are no classes.

    te-expand-vocabulary replaces it by te.cross_entropy_grad, which takes 1 off
    the column of every row's label: rows with another rank's label have column 0
    for one, and its gradient is computed anew.

    ```mlir
    %dlogits = te.vocabulary_cross_entropy_grad %dloss, %logits, %labels, %lse on @mesh axes = [0] {classes = 509 : i64, rank_classes = 255 : i64}
      : tensor<128x256xbf16>, tensor<128xi64>, tensor<128xf32>
    ```
  }];
  let arguments = !con((ins TE_F32Scalar:$dloss, TE_Matrix:$logits,
                            TE_IdVector:$labels, TE_F32Vector:$lse),
                       TE_VocabularyArguments);
  let results = (outs TE_Matrix:$dlogits);
  let assemblyFormat = [{
    $dloss `,` $logits `,` $labels `,` $lse `on` $grid `axes` `=` $grid_axes
    attr-dict `:` type($logits) `,` type($labels) `,` type($lse)
  }];
  let hasVerifier = 1;
}

#endif // TE_DIALECT_TE_IR_TEVOCABULARYOPS_TD
