// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear recurrences along a sequence.

#ifndef TE_DIALECT_TERT_IR_TERTSCANOPS_TD
#define TE_DIALECT_TERT_IR_TERTSCANOPS_TD

include "te/Dialect/TERT/IR/TERTBase.td"

let section = "Scans" in {

def TERT_ScanOp : TERT_Op<"scan"> {
  let summary = "Linear recurrence along a sequence";
  let description = [{
    h[t,d,n] = a * h[t-1,d,n] + u in f32 for each of B sequences of T tokens with D
    channels. decay, x, y [B,T,D] float. Alone: N = 1, a = decay, u = x, y = h. With
    keys and queries [B,T,G*N] float, whose group g = d / (D/G) serves D/G
    consecutive channels: u = x[d] * keys[g,n], y[d] = Σ_n queries[g,n] * h[d,n].
    With rates [D,N] f32, too: a = exp(decay[d] * rates[d,n]) and u = decay[d] * x[d]
    * keys[g,n]. initial [B,D,N] f32 or null: the state before the first token.
    final [B,D,N] f32: that behind the last. states [B,C,D,N] f32, C = T / chunk
    rounded up: those before the tokens 0, chunk, 2 * chunk and so on. rates,
    initial, states, final are contiguous.
  }];
  let inputs = (ins TERT_Float:$decay, TERT_Float:$x, Optional<TERT_F32>:$rates,
                    Optional<TERT_Float>:$keys, Optional<TERT_Float>:$queries,
                    Optional<TERT_F32>:$initial);
  let outputs = (ins TERT_Float:$y, TERT_F32:$states, TERT_F32:$final);
  let constants = (ins I64Attr:$chunk);
  let contiguous = ["rates", "initial", "states", "final"];
}

def TERT_ScanGradOp : TERT_Op<"scan_grad"> {
  let summary = "Gradient of scan";
  let description = [{
    From dy [B,T,D], the operands of tert_scan and its `states`: ddecay, dx [B,T,D]
    float, drates [D,N] f32, dkeys, dqueries [B,T,G*N] float, each optional, and
    dinitial [B,D,N] f32, the gradient by the state before the first token. dfinal
    [B,D,N] f32 or null: that by the state behind the last. The states between
    those of `states` are computed again. Sums over channels and tokens are f32, in
    an order that depends on the shapes alone.
  }];
  let inputs = (ins TERT_Float:$dy, TERT_Float:$decay, TERT_Float:$x,
                    TERT_F32:$states, Optional<TERT_F32>:$rates,
                    Optional<TERT_Float>:$keys, Optional<TERT_Float>:$queries,
                    Optional<TERT_F32>:$dfinal);
  let outputs = (ins TERT_Float:$ddecay, TERT_Float:$dx,
                     Optional<TERT_F32>:$drates, Optional<TERT_Float>:$dkeys,
                     Optional<TERT_Float>:$dqueries, TERT_F32:$dinitial);
  let constants = (ins I64Attr:$chunk);
  let contiguous = ["rates", "states", "dfinal", "drates", "dinitial"];
}

} // section

#endif // TE_DIALECT_TERT_IR_TERTSCANOPS_TD
