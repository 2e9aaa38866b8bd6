// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills of many tensors at once. C++ has them in
// te/Dialect/TERT/IR/MovementOps.h.

#ifndef TE_DIALECT_TERT_IR_TERTMOVEMENTOPS_TD
#define TE_DIALECT_TERT_IR_TERTMOVEMENTOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

def TERT_MultiCopyOp : TERT_Op<"multi_copy",
    (ins Variadic<TERT_Any>:$x), (ins Variadic<TERT_Any>:$y)> {
  let summary = "Copies, in any order, with conversion between f32 and bf16";
  let anyStrides = ["x", "y"];
  let hasVerifier = 1;
}

def TERT_MultiFillOp : TERT_Op<"multi_fill", (ins),
    (ins Variadic<TERT_Number>:$y), (ins F64Attr:$value)> {
  let summary = "Writes one number to every element of several tensors";
  let anyStrides = ["y"];
}

#endif // TE_DIALECT_TERT_IR_TERTMOVEMENTOPS_TD
