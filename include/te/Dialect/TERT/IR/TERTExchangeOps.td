// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges that run beside the computation, and the norm of what ranks share.
// C++ has them in te/Dialect/TERT/IR/ExchangeOps.h.

#ifndef TE_DIALECT_TERT_IR_TERTEXCHANGEOPS_TD
#define TE_DIALECT_TERT_IR_TERTEXCHANGEOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

let section = "Collectives", header = "exchange" in {

def TERT_StartAllReduceOp : TERT_Op<"start_all_reduce"> {
  let summary = "Sums over ranks, begun; nobody touches the tensors until await";
  let description = [{
    tert_all_reduce that may run beside the calls that follow, until tert_await
    of one of its tensors: none of them touches these tensors. Several may run at
    a time; they are exchanged in the order in which they were begun.
  }];
  let outputs = (ins Variadic<TERT_Float>:$tensors);
  let constants = (ins I32Attr:$axes);
  let updated = ["tensors"];
  let hasBackendMethod = 0;
  let contiguous = ["tensors"];
}

def TERT_StartReduceScatterOp : TERT_Op<"start_reduce_scatter"> {
  let summary = "A part of sums over ranks on each, begun; nobody touches y or writes to x until await";
  let description = [{
    tert_reduce_scatter and tert_all_gather that may run beside the calls that
    follow, until tert_await of one of their y: none of them writes to x or
    touches y.
  }];
  let inputs = (ins Variadic<TERT_Float>:$x);
  let outputs = (ins Variadic<TERT_Float>:$y);
  let constants = (ins I32Attr:$axes);
  let hasBackendMethod = 0;
  let contiguous = ["x", "y"];
}

def TERT_StartAllGatherOp : TERT_Op<"start_all_gather"> {
  let summary = "The parts of all ranks, begun; nobody touches y or writes to x until await";
  let inputs = (ins Variadic<TERT_Any>:$x);
  let outputs = (ins Variadic<TERT_Any>:$y);
  let constants = (ins I32Attr:$axes);
  let hasBackendMethod = 0;
  let contiguous = ["x", "y"];
}

def TERT_AwaitOp : TERT_Op<"await"> {
  let summary = "What follows sees the results that were begun";
  let description = [{
    Calls that follow see the results of the exchanges that were begun on these
    tensors. The host does not wait.
  }];
  let outputs = (ins Variadic<TERT_Any>:$tensors);
  let updated = ["tensors"];
  let hasBackendMethod = 0;
  let anyStrides = ["tensors"];
}

def TERT_AllSliceOp : TERT_Op<"all_slice"> {
  let summary = "The rank's part of what all ranks have";
  let description = [{
    y becomes the rank's part of x, which is the same on all R ranks and has R
    times the elements of y, of the same dtype, which may be any: rank r gets
    elements [r * n, (r + 1) * n). Nothing is exchanged.
  }];
  let inputs = (ins TERT_Any:$x);
  let outputs = (ins TERT_Any:$y);
  let constants = (ins I32Attr:$axes);
  let hasBackendMethod = 0;
  let contiguous = ["x", "y"];
}

// Sequences of which each rank has a part, or two pieces.
class TERT_SequenceOp<string mnemonic, TypeConstraint type, string what>
    : TERT_Op<mnemonic> {
  let summary = what;
  let inputs = (ins type:$x);
  let outputs = (ins type:$y);
  let constants = (ins I32Attr:$dim, UnitAttr:$balanced, I32Attr:$axes);
  let contiguous = ["x", "y"];
  let hasBackendMethod = 0;
}

def TERT_AllGatherSequenceOp : TERT_SequenceOp<"all_gather_sequence", TERT_Any,
    "Sequences of which each rank has a part"> {
  let description = [{
    The same three, and those that run beside other calls, of sequences of which
    each rank has a part: tensors are [outer..., S, inner...], a part has s = S/R
    positions of the dimension `dim` and all of the others. Rank r has positions
    [r * s, (r + 1) * s) or, where `balanced` is not 0, two pieces of s / 2, the
    numbers r and 2R - 1 - r of 2R, one behind another: of causal attention ranks
    then compute the same amounts. x and y have the same dtype, do not overlap
    and are contiguous; wholes are in the order of the sequence. Where `balanced`
    is 0, what is gathered may lie in y, where its copy goes, with y's strides.
  }];
}
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

def TERT_ReduceNormOp : TERT_Op<"reduce_norm"> {
  let summary = "Euclidean norm of gradients that ranks share";
  let description = [{
    norm = sqrt of the sum of squares of all gradients, f32 scalar, of ranks that
    share them: where is_part[k] is not 0 every rank has a gradients[k] of its
    own, else they have the same (f32 or bf16), and rank r adds elements
    [r * n, (r + 1) * n), n = ceil(count / R), so that a gradient adds the same
    whether it is in parts or whole. Sums are made in f64: each rank's, then
    theirs in their order. A non-finite element makes it non-finite everywhere.
  }];
  let inputs = (ins Variadic<TERT_Float>:$gradients);
  let outputs = (ins TERT_F32:$norm);
  let constants = (ins DenseI32ArrayAttr:$is_part, I32Attr:$axes);
  let hasBackendMethod = 0;
  let contiguous = ["gradients"];
}

} // section

#endif // TE_DIALECT_TERT_IR_TERTEXCHANGEOPS_TD
