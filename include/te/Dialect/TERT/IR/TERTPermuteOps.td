// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows in the order of tert_group_rows, and back.

#ifndef TE_DIALECT_TERT_IR_TERTPERMUTEOPS_TD
#define TE_DIALECT_TERT_IR_TERTPERMUTEOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

let section = "Experts" in {

def TERT_PermuteOp : TERT_Op<"permute"> {
  let summary = "Rows in the order of their experts";
  let description = [{
    y[p,:] = x[source[p] / repeat, :], times weights[source[p]] if there are
    weights, and zeros where source[p] is negative. x [T,H] float, y [P,H]
    optional float, source [P] i32, weights [T*repeat] optional f32. The f32
    result is quantized. A source of T*repeat or more fails with
    TERT_INVALID_DATA.
  }];
  let inputs = (ins TERT_Float:$x, TERT_I32:$source, Optional<TERT_F32>:$weights);
  let outputs = (ins Optional<TERT_Float>:$y,
                     TERT_OptionalQuantized:$quantized);
  let constants = (ins I64Attr:$repeat);
}

def TERT_TakeRowsOp : TERT_Op<"take_rows"> {
  let summary = "FP8 rows in the order of their experts";
  let description = [{
    y[p,:] = x[source[p],:], and zeros where source[p] is negative. x [S,H] and y
    [P,H] of one FP8 type, source [P] i32. A source of S or more fails with
    TERT_INVALID_DATA.
  }];
  let inputs = (ins TERT_Fp8:$x, TERT_I32:$source);
  let outputs = (ins TERT_Fp8:$y);
}

def TERT_UnpermuteOp : TERT_Op<"unpermute"> {
  let summary = "Rows back in their own order, and sums of them";
  let description = [{
    y[t,:] = sum over j < repeat of x[slot[t*repeat + j], :], each times
    weights[t*repeat + j] if there are weights, in the order of j. x [P,H] and
    y [T,H] float, slot [T*repeat] i32, weights [T*repeat] optional f32. The sum
    is f32 and rounded once. A slot of -1 adds nothing; any other outside [0,P)
    fails with TERT_INVALID_DATA.
  }];
  let inputs = (ins TERT_Float:$x, TERT_I32:$slot, Optional<TERT_F32>:$weights);
  let outputs = (ins TERT_Float:$y);
  let constants = (ins I64Attr:$repeat);
}

def TERT_PermuteWeightsGradOp : TERT_Op<"permute_weights_grad"> {
  let summary = "Gradient of the weights of permute and unpermute";
  let description = [{
    dweights[s] = sum over h of permuted[slot[s],h] * tokens[s / repeat, h], in
    f32, and 0 for a slot of -1. permuted [P,H] and tokens [T,H] float, slot
    [T*repeat] i32, dweights [T*repeat] f32. Any other slot outside [0,P) fails
    with TERT_INVALID_DATA.
  }];
  let inputs = (ins TERT_Float:$permuted, TERT_I32:$slot, TERT_Float:$tokens);
  let outputs = (ins TERT_F32:$dweights);
  let constants = (ins I64Attr:$repeat);
}

} // section

#endif // TE_DIALECT_TERT_IR_TERTPERMUTEOPS_TD
