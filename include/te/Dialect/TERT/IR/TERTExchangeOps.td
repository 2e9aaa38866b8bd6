// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges that run beside the computation, and the norm of what ranks share.
// C++ has them in te/Dialect/TERT/IR/ExchangeOps.h.

#ifndef TE_DIALECT_TERT_IR_TERTEXCHANGEOPS_TD
#define TE_DIALECT_TERT_IR_TERTEXCHANGEOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

def TERT_StartAllReduceOp : TERT_Op<"start_all_reduce",
    (ins), (ins Variadic<TERT_Float>:$tensors), (ins I32Attr:$axes),
    ["tensors"], "", (ins), /*backend=*/0> {
  let summary = "Sums over ranks, begun; nobody touches the tensors until await";
  let contiguous = ["tensors"];
}

def TERT_StartReduceScatterOp : TERT_Op<"start_reduce_scatter",
    (ins Variadic<TERT_Float>:$x), (ins Variadic<TERT_Float>:$y),
    (ins I32Attr:$axes), [], "", (ins), /*backend=*/0> {
  let summary = "A part of sums over ranks on each, begun; nobody touches y or writes to x until await";
  let contiguous = ["x", "y"];
}

def TERT_StartAllGatherOp : TERT_Op<"start_all_gather",
    (ins Variadic<TERT_Any>:$x), (ins Variadic<TERT_Any>:$y),
    (ins I32Attr:$axes), [], "", (ins), /*backend=*/0> {
  let summary = "The parts of all ranks, begun; nobody touches y or writes to x until await";
  let contiguous = ["x", "y"];
}

def TERT_AwaitOp : TERT_Op<"await",
    (ins), (ins Variadic<TERT_Any>:$tensors), (ins), ["tensors"], "", (ins),
    /*backend=*/0> {
  let summary = "What follows sees the results that were begun";
  let anyStrides = ["tensors"];
}

def TERT_AllSliceOp : TERT_Op<"all_slice",
    (ins TERT_Any:$x), (ins TERT_Any:$y), (ins I32Attr:$axes), [], "", (ins),
    /*backend=*/0> {
  let summary = "The rank's part of what all ranks have";
  let contiguous = ["x", "y"];
}

// Sequences of which each rank has a part, or two pieces.
class TERT_SequenceOp<string mnemonic, TypeConstraint type, string what>
    : TERT_Op<mnemonic, (ins type:$x), (ins type:$y),
              (ins I32Attr:$dim, UnitAttr:$balanced, I32Attr:$axes), [], "",
              (ins), /*backend=*/0> {
  let summary = what;
  let contiguous = ["x", "y"];
}

def TERT_AllGatherSequenceOp : TERT_SequenceOp<"all_gather_sequence", TERT_Any,
    "Sequences of which each rank has a part">;
def TERT_StartAllGatherSequenceOp : TERT_SequenceOp<
    "start_all_gather_sequence", TERT_Any,
    "The same, begun; nobody touches y or writes to x until await">;
def TERT_ReduceScatterSequenceOp : TERT_SequenceOp<
    "reduce_scatter_sequence", TERT_Float,
    "The rank's part of the sum of what ranks have of sequences">;
def TERT_StartReduceScatterSequenceOp : TERT_SequenceOp<
    "start_reduce_scatter_sequence", TERT_Float,
    "The same, begun; nobody touches y or writes to x until await">;
def TERT_AllSliceSequenceOp : TERT_SequenceOp<"all_slice_sequence", TERT_Any,
    "The rank's part of sequences that all ranks have">;

def TERT_ReduceNormOp : TERT_Op<"reduce_norm",
    (ins Variadic<TERT_Float>:$gradients), (ins TERT_F32:$norm),
    (ins DenseI32ArrayAttr:$is_part, I32Attr:$axes), [], "", (ins),
    /*backend=*/0> {
  let summary = "Euclidean norm of gradients that ranks share";
  let contiguous = ["gradients"];
}

#endif // TE_DIALECT_TERT_IR_TERTEXCHANGEOPS_TD
