// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks exchange besides tensors, whose collectives are those of the
// dialect shard. C++ has them in te/Dialect/TE/IR/CollectiveOps.h.

#ifndef TE_DIALECT_TE_IR_TECOLLECTIVEOPS_TD
#define TE_DIALECT_TE_IR_TECOLLECTIVEOPS_TD

include "te/Dialect/TE/IR/TEBase.td"

def TE_ReduceScalarsOp : TE_Op<"reduce_scalars", [TE_MixedPrecisionOpInterface,
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

def TE_VaryOp : TE_Op<"vary", [
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

def TE_ReduceNormOp : TE_Op<"reduce_norm", [TE_MixedPrecisionOpInterface]> {
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

def TE_SharedEmbeddingOp : TE_Op<"shared_embedding", [
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

def TE_AddEmbeddingPartOp : TE_Op<"add_embedding_part", [
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

#endif // TE_DIALECT_TE_IR_TECOLLECTIVEOPS_TD
