// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives on sequences that are sharded. C++ has them in
// te/Dialect/TE/IR/SequenceOps.h.

#ifndef TE_DIALECT_TE_IR_TESEQUENCEOPS_TD
#define TE_DIALECT_TE_IR_TESEQUENCEOPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "te/Dialect/TE/IR/TEBase.td"

def TE_SequenceTensor : TE_StaticTensor<[AnyFloat, AnySignlessInteger], [],
                                        "tensor of numbers">;

class TE_SequenceOp<string mnemonic, TypeConstraint type, list<Trait> traits>
    : TE_Op<mnemonic, !listconcat(traits, [
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
                        DeclareOpInterfaceMethods<TE_CostOpInterface>]> {
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

#endif // TE_DIALECT_TE_IR_TESEQUENCEOPS_TD
