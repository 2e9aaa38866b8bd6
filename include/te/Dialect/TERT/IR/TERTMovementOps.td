// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills of many tensors at once.

#ifndef TE_DIALECT_TERT_IR_TERTMOVEMENTOPS_TD
#define TE_DIALECT_TERT_IR_TERTMOVEMENTOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

let section = "Elementwise, reductions, movement" in
def TERT_MultiCopyOp : TERT_Op<"multi_copy"> {
  let summary = "Copies, in any order, with conversion between f32 and bf16";
  let description = [{
    y[i] = x[i] for num_x pairs, each as in tert_copy: num_y is num_x. In any
    order, so no y overlaps another tensor, and no y[i] overlaps x[i].
  }];
  let inputs = (ins Variadic<TERT_Any>:$x);
  let outputs = (ins Variadic<TERT_Any>:$y);
  let anyStrides = ["x", "y"];
  let hasVerifier = 1;
}

let section = "Elementwise, reductions, movement" in
def TERT_MultiFillOp : TERT_Op<"multi_fill"> {
  let summary = "Fills several tensors with one number";
  let description = [{
    tert_fill of every y[i].
  }];
  let outputs = (ins Variadic<TERT_Number>:$y);
  let constants = (ins F64Attr:$value);
  let anyStrides = ["y"];
}

#endif // TE_DIALECT_TERT_IR_TERTMOVEMENTOPS_TD
