// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What part of a tensor each rank of a mesh holds.

#ifndef TE_DIALECT_TE_IR_TESHARDATTRS_TD
#define TE_DIALECT_TE_IR_TESHARDATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "te/Dialect/TE/IR/TEDialect.td"

def TE_ShardAttr : AttrDef<TE_Dialect, "Shard"> {
  let mnemonic = "shard";
  let summary = "The shard of a state that a rank holds";
  let description = [{
    `te.shard` of an argument that is a parameter or a state, and of the result
    that is its new value: the argument is the rank's part of a tensor of `shape`,
    the one that checkpoints and weights have. Axes are those of the module's mesh
    (bit a for axis a, ranks along several counted with the last one fastest).

    First, along `dim_axes` of n ranks, dimension `dim` is cut: it consists of
    consecutive `blocks` (sizes that add up to it; one, the whole dimension, where
    none are given), such as the queries, keys and values of one linear, and rank
    r has the r-th of n equal parts of each. Parts of size ceil(s / n) are the same
    on all ranks; if n does not divide a block, there is only one, and what lies
    beyond its end is zero.

    Then, along `flat_axes` of m ranks, what is left is cut as its elements lie in
    row-major order: rank r has the r-th of m ranges of ceil(count / m) elements,
    again with zeros beyond the end. The type of the argument has as many elements
    as a part, in any shape.

    ```mlir
    #te.shard<shape = [50257, 768], flat_axes = 1>
    #te.shard<shape = [2304, 768], dim_axes = 2, dim = 0, blocks = [768, 768, 768], flat_axes = 1>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    DefaultValuedParameter<"int32_t", "0">:$dim_axes,
    DefaultValuedParameter<"int64_t", "0">:$dim,
    OptionalArrayRefParameter<"int64_t">:$blocks,
    DefaultValuedParameter<"int32_t", "0">:$flat_axes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // TE_DIALECT_TE_IR_TESHARDATTRS_TD
