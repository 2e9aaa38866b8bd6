// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short convolutions along a sequence, each channel by itself.

#ifndef TE_DIALECT_TERT_IR_TERTCAUSALCONVOPS_TD
#define TE_DIALECT_TERT_IR_TERTCAUSALCONVOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

let section = "Scans" in {

def TERT_CausalConvOp : TERT_Op<"causal_conv"> {
  let summary = "Causal depthwise convolution along a sequence";
  let description = [{
    s[t,d] = bias[d] + Σ_k weight[k,d] * x[t-(K-1)+k,d] in f32 for each of B
    sequences of T tokens with D channels, with zeros for tokens before the first;
    y = s, or s * sigmoid(s) with silu. x, y [B,T,D] float; weight [K,D], K at most
    8, and bias [D], which may be null, f32 and contiguous.
  }];
  let inputs = (ins TERT_Float:$x, TERT_F32:$weight, Optional<TERT_F32>:$bias);
  let outputs = (ins TERT_Float:$y);
  let constants = (ins UnitAttr:$silu);
  let contiguous = ["weight", "bias"];
}

def TERT_CausalConvGradOp : TERT_Op<"causal_conv_grad"> {
  let summary = "Gradient of causal_conv";
  let description = [{
    From dy [B,T,D] float and the operands of tert_causal_conv, with ds = dy, or
    dy * (s * sigmoid(s))' with silu: dx[t,d] = Σ_k weight[k,d] * ds[t+(K-1)-k,d],
    dweight[k,d] = Σ_t ds[t,d] * x[t-(K-1)+k,d], dbias[d] = Σ_t ds[t,d], null or
    not. Sums over tokens and batches are f32, in an order that depends on the
    shapes alone. dx [B,T,D] float; dweight, dbias f32 and contiguous.
  }];
  let inputs = (ins TERT_Float:$dy, TERT_Float:$x, TERT_F32:$weight,
                    Optional<TERT_F32>:$bias);
  let outputs = (ins TERT_Float:$dx, TERT_F32:$dweight,
                     Optional<TERT_F32>:$dbias);
  let constants = (ins UnitAttr:$silu);
  let contiguous = ["weight", "bias", "dweight", "dbias"];
}

} // section

#endif // TE_DIALECT_TERT_IR_TERTCAUSALCONVOPS_TD
