// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rank's program has besides tensor collectives, which are those of the
// dialect shard. C++ has the ops in te/Dialect/TE/IR/CollectiveOps.h.

#ifndef TE_DIALECT_TE_IR_TECOLLECTIVEOPS_TD
#define TE_DIALECT_TE_IR_TECOLLECTIVEOPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "te/Dialect/TE/IR/TEBase.td"

def TE_ReduceScalarsOp : TE_RankOp<"reduce_scalars", [TE_MixedPrecisionOpInterface,
                                                  AttrSizedOperandSegments,
                                                  AttrSizedResultSegments]> {
  let summary = "Largest values and sums of many scalars over ranks";
  let description = [{
    The one collective of a step: `max[i]` is the largest of the `maxima[i]` of all
    ranks that differ in `grid_axes` of the `shard.grid` that `grid` names, NaN if
    one is; they are not negative. `sum[i]` is the sum of the ranks' `sums[i]`,
    added in float32 in the order of the ranks. Every rank gets the same bits.

    ```mlir
    %max, %sum = te.reduce_scalars maxima(%a0, %a1) sums(%loss) on @mesh axes = [0]
      -> max tensor<2xf32> sum tensor<1xf32>
    ```
  }];
  let arguments = (ins Variadic<TE_F32Scalar>:$maxima,
      Variadic<TE_F32Scalar>:$sums, FlatSymbolRefAttr:$grid,
      DenseI16ArrayAttr:$grid_axes);
  let results = (outs Optional<TE_F32Vector>:$max, Optional<TE_F32Vector>:$sum);
  let assemblyFormat = [{
    (`maxima` `(` $maxima^ `)`)? (`sums` `(` $sums^ `)`)? `on` $grid
    `axes` `=` $grid_axes attr-dict
    `->` (`max` type($max)^)? (`sum` type($sum)^)?
  }];
  let hasVerifier = 1;
}

def TE_VaryOp : TE_RankOp<"vary", [
    DeclareOpInterfaceMethods<TE_DataMovementOpInterface, ["keepsOrder"]>,
    AllTypesMatch<["x", "y"]>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>]> {
  let summary = "A value that ranks have in common, for what each computes for itself";
  let description = [{
    `y` is `x`, which is the same on all ranks along `grid_axes` of the
    `shard.grid` that `grid` names. Those who read `y` compute something else of it
    on each rank, from their parts of other values, so that each rank's cotangent of
    `y` is one term of a sum: the cotangent of `x` is the `shard.all_reduce` of that
    of `y`. It has done its work when the gradients are there, and te-parallelize
    takes it out.

    ```mlir
    %y = te.vary %x on @mesh axes = [1] : tensor<64x128xf32>
    ```
  }];
  let arguments = (ins TE_FloatTensor:$x, FlatSymbolRefAttr:$grid,
      DenseI16ArrayAttr:$grid_axes);
  let results = (outs TE_FloatTensor:$y);
  let assemblyFormat = [{
    $x `on` $grid `axes` `=` $grid_axes attr-dict `:` type($y)
  }];
}

def TE_ReduceNormOp : TE_RankOp<"reduce_norm", [TE_MixedPrecisionOpInterface]> {
  let summary = "Euclidean norm of gradients that ranks share";
  let description = [{
    te.global_norm of what all ranks that differ in `grid_axes` have together:
    `sqrt(Σ over gradients of Σ g²)`, not finite anywhere when an element is not
    finite anywhere. Of the gradients that `is_part` says so of, every rank has a
    part of its own. The others are the same on all ranks, and each adds up a part
    of them: of R ranks, rank r elements [r * n, (r + 1) * n), n = ceil(count / R),
    so that a gradient adds the same whether it is whole or in parts. Each rank's
    sum and the sum of these, in the order of the ranks, are made in float64.

    ```mlir
    %norm = te.reduce_norm %dw, %db is_part = [1, 0] on @mesh axes = [0]
      : tensor<256x128xf32>, tensor<512xf32>
    ```
  }];
  let arguments = (ins Variadic<TE_FloatTensor>:$gradients,
      DenseI32ArrayAttr:$is_part, FlatSymbolRefAttr:$grid,
      DenseI16ArrayAttr:$grid_axes);
  let results = (outs TE_F32Scalar:$norm);
  let assemblyFormat = [{
    $gradients `is_part` `=` $is_part `on` $grid `axes` `=` $grid_axes attr-dict
    `:` type($gradients)
  }];
  let hasVerifier = 1;
}

def TE_SharedEmbeddingOp : TE_RankOp<"shared_embedding", [
    TE_MixedPrecisionOpInterface]> {
  let summary = "Rows of a table that is sharded by rows";
  let description = [{
    te.embedding of `ids` in a table [V, N], V being `num_rows`, of which each of
    the R ranks that differ in `grid_axes` of the `shard.grid` that `grid` names has
    a part: its range of ceil(V * N / R) elements in row-major order, in any shape.
    The ranks exchange ids, and of the rows what they have: for each rank's ids less
    than the table, where there are fewer of them than it has rows.

    ```mlir
    %y = te.shared_embedding %ids, %part rows = 509 on @mesh axes = [0]
      : tensor<64xi64>, tensor<4072xf32> -> tensor<64x16xbf16>
    ```
  }];
  let arguments = (ins TE_IdVector:$ids, TE_FloatTensor:$part,
      I64Attr:$num_rows, FlatSymbolRefAttr:$grid, DenseI16ArrayAttr:$grid_axes);
  let results = (outs TE_Matrix:$y);
  let assemblyFormat = [{
    $ids `,` $part `rows` `=` $num_rows `on` $grid `axes` `=` $grid_axes attr-dict
    `:` type($ids) `,` type($part) `->` type($y)
  }];
  let hasVerifier = 1;
}

def TE_AddEmbeddingPartOp : TE_RankOp<"add_embedding_part", [
    TE_MixedPrecisionOpInterface, AllTypesMatch<["part", "sum"]>]> {
  let summary = "A rank's shard of a table's gradient, with the gradients of lookups";
  let description = [{
    A table [V, N], V being `num_rows`, of which each of the R ranks that differ in
    `grid_axes` of the `shard.grid` that `grid` names has a part: its range of
    ceil(V * N / R) elements in row-major order, in any shape. `sum` is `part` and
    the same elements of `te.embedding_grad` of `ids` and `dy`; elements that no id
    names, and those beyond the table, are as in `part`.

    ```mlir
    %0 = te.add_embedding_part %part, %ids, %dy rows = 509 on @mesh axes = [0]
      : tensor<4072xf32>, tensor<64xi64>, tensor<64x16xbf16>
    ```
  }];
  let arguments = (ins TE_FloatTensor:$part, TE_IdVector:$ids, TE_Matrix:$dy,
      I64Attr:$num_rows, FlatSymbolRefAttr:$grid, DenseI16ArrayAttr:$grid_axes);
  let results = (outs TE_FloatTensor:$sum);
  let assemblyFormat = [{
    $part `,` $ids `,` $dy `rows` `=` $num_rows `on` $grid `axes` `=` $grid_axes
    attr-dict `:` type($part) `,` type($ids) `,` type($dy)
  }];
  let hasVerifier = 1;
}

def TE_SequenceTensor : TE_StaticTensor<[AnyFloat, AnySignlessInteger], [],
                                        "tensor of numbers">;

class TE_SequenceOp<string mnemonic, TypeConstraint type, list<Trait> traits>
    : TE_RankOp<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<SymbolUserOpInterface>])> {
  let arguments = (ins type:$x, FlatSymbolRefAttr:$grid,
    DenseI16ArrayAttr:$grid_axes,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$dim, UnitAttr:$balanced);
  let results = (outs type:$y);
  let assemblyFormat = [{
    $x `on` $grid `axes` `=` $grid_axes `dim` `=` $dim attr-dict
    `:` type($x) `->` type($y)
  }];
}

def TE_AllGatherSequenceOp : TE_SequenceOp<"all_gather_sequence",
    TE_SequenceTensor, [TE_DataMovementOpInterface]> {
  let summary = "Sequences that are sharded over ranks";
  let description = [{
    `y` are sequences along dimension `dim`, of which each of the R ranks along
    `grid_axes` of the `shard.grid` that `grid` names has the part `x`. Rank r has
    the r-th of R pieces or, if `balanced`, two of 2R pieces, one behind the other:
    those with the numbers r and 2R - 1 - r, so that with a causal mask all ranks
    have as much to compute (te.attention). `y` is in the order of the sequence.

    The cotangent of `x` is the rank's part of that of `y` (te.all_slice_sequence);
    where that is a sum over the ranks (te.vary), its part of the sum
    (te.reduce_scatter_sequence).

    ```mlir
    %k = te.all_gather_sequence %own on @mesh axes = [0] dim = 1 {balanced}
      : tensor<2x8x4x16xf32> -> tensor<2x16x4x16xf32>
    ```
  }];
}

def TE_AllSliceSequenceOp : TE_SequenceOp<"all_slice_sequence",
    TE_SequenceTensor, [TE_DataMovementOpInterface,
                        DeclareOpInterfaceMethods<TE_CostOpInterface, ["getWork"]>]> {
  let summary = "A rank's shard of replicated sequences";
  let description = [{
    The opposite of te.all_gather_sequence, which exchanges nothing: all ranks have
    the sequences `x`, and each keeps its part.

    ```mlir
    %own = te.all_slice_sequence %ids on @mesh axes = [0] dim = 1 {balanced}
      : tensor<2x16xi64> -> tensor<2x8xi64>
    ```
  }];
}

def TE_ReduceScatterSequenceOp : TE_SequenceOp<"reduce_scatter_sequence",
    TE_FloatTensor, [DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
                                               ["getComputeResults"]>]> {
  let summary = "A rank's shard of sequences summed over ranks";
  let description = [{
    Every rank has a term `x` of a sum over whole sequences; `y` is its part of the
    sum, of the pieces that te.all_gather_sequence says. The sum is added and held
    in the type that its terms come in.

    ```mlir
    %dk = te.reduce_scatter_sequence %terms on @mesh axes = [0] dim = 1 {balanced}
      : tensor<2x16x4x16xf32> -> tensor<2x8x4x16xf32>
    ```
  }];
}

/// What the loss and its gradient have in common.
defvar TE_VocabularyArguments = (ins
    FlatSymbolRefAttr:$grid, DenseI16ArrayAttr:$grid_axes, I64Attr:$classes,
    OptionalAttr<I64Attr>:$rank_classes,
    DefaultValuedAttr<I64Attr, "-100">:$ignore_index,
    DefaultValuedAttr<F32Attr, "0.0f">:$z_loss);

def TE_VocabularyCrossEntropyOp : TE_RankOp<"vocabulary_cross_entropy", [
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

def TE_VocabularyCrossEntropyGradOp : TE_RankOp<"vocabulary_cross_entropy_grad", [
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

#endif // TE_DIALECT_TE_IR_TECOLLECTIVEOPS_TD
