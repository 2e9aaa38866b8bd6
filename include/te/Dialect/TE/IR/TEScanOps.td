// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear recurrences along a sequence.

#ifndef TE_DIALECT_TE_IR_TESCANOPS_TD
#define TE_DIALECT_TE_IR_TESCANOPS_TD

include "te/Dialect/TE/IR/TEBase.td"

def TE_Sequences : TE_StaticTensor<[TE_Float], [HasAnyRankOfPred<[3]>], "rank-3 tensor of f32 or bf16">;
def TE_F32States : TE_StaticTensor<[F32], [HasAnyRankOfPred<[3]>], "rank-3 tensor of f32">;
def TE_F32Chunks : TE_StaticTensor<[F32], [HasAnyRankOfPred<[4]>], "rank-4 tensor of f32">;
def TE_F32Matrix : TE_StaticTensor<[F32], [HasAnyRankOfPred<[2]>], "matrix of f32">;

def TE_ScanOp : TE_Op<"scan", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<TE_RangeOpInterface>,
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands", "getFloat32Operands"]>,
    DeclareOpInterfaceMethods<TE_CostOpInterface, ["getWork"]>]> {
  let summary = "Linear recurrence along a sequence";
  let description = [{
    For each of B sequences of T tokens with D channels, a state of N numbers per
    channel: `h[t,d,n] = a[t,d,n] * h[t-1,d,n] + u[t,d,n]`, and `y` [B,T,D]. All
    in float32. `decay` and `x` are [B,T,D]. Three forms:

    - Alone, N is 1: `a = decay`, `u = x`, `y = h` (RG-LRU).
    - With `keys` and `queries` [B,T,G·N], `a = decay`, `u[d,n] = x[d] *
      keys[g,n]`, `y[d] = Σ_n queries[g,n] * h[d,n]`, where the G groups of N
      numbers serve D/G consecutive channels each, g = d / (D/G) (linear
      attention, Mamba-2).
    - With `rates` [D,N], too, `decay` is a step: `a[d,n] = exp(decay[d] *
      rates[d,n])` and `u[d,n] = decay[d] * x[d] * keys[g,n]` (Mamba).

    The state before the first token is `initial` [B,D,N], or zero; that behind
    the last one is `final`. `states` [B,C,D,N] holds the states before tokens 0,
    chunk, 2·chunk and so on, C of them, for the backward pass, which computes
    the others again.

    ```mlir
    %y, %states, %final = te.scan %dt, %x rates(%a : tensor<1536x16xf32>)
      keys(%b : tensor<8x2048x16xbf16>) queries(%c : tensor<8x2048x16xbf16>) {chunk = 32 : i64}
      : tensor<8x2048x1536xbf16>, tensor<8x2048x1536xbf16>
      -> tensor<8x2048x1536xbf16>, tensor<8x64x1536x16xf32>, tensor<8x1536x16xf32>
    ```
  }];
  let arguments = (ins TE_Sequences:$decay, TE_Sequences:$x,
    Optional<TE_F32Matrix>:$rates, Optional<TE_Sequences>:$keys,
    Optional<TE_Sequences>:$queries, Optional<TE_F32States>:$initial,
    I64Attr:$chunk);
  let results = (outs TE_Sequences:$y, TE_F32Chunks:$states,
    TE_F32States:$final);
  let assemblyFormat = [{
    $decay `,` $x (`rates` `(` $rates^ `:` type($rates) `)`)?
    (`keys` `(` $keys^ `:` type($keys) `)`)?
    (`queries` `(` $queries^ `:` type($queries) `)`)?
    (`initial` `(` $initial^ `:` type($initial) `)`)? attr-dict
    `:` type($decay) `,` type($x) `->` type($y) `,` type($states) `,` type($final)
  }];
  // Others than `decay` and `x` may be null; N is `stateSize`.
  let builders = [OpBuilder<(ins "::mlir::Value":$decay, "::mlir::Value":$x,
      "::mlir::Value":$rates, "::mlir::Value":$keys, "::mlir::Value":$queries,
      "::mlir::Value":$initial, "int64_t":$stateSize)>];
  let hasVerifier = 1;
}

def TE_ScanGradOp : TE_Op<"scan_grad", [
    AttrSizedOperandSegments, AttrSizedResultSegments,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands", "getFloat32Operands"]>,
    DeclareOpInterfaceMethods<TE_CostOpInterface, ["getWork"]>]> {
  let summary = "Gradient of scan";
  let description = [{
    With G[t] the gradient of the loss by h[t], `G[t] = a[t+1] * G[t+1] + dh[t]`,
    where dh is that by way of y, and `dfinal` is added to the last one:
    `du = G`, `da[t] = G[t] * h[t-1]`, and through the formulas of te.scan to
    each operand. `dinitial` is `a[0] * G[0]`, whether scan has an `initial` or
    not. Sums over channels and tokens are float32, in a fixed order.

    ```mlir
    %dd, %dx, %dr, %dk, %dq, %di = te.scan_grad %dy, %dt, %x, %states
      rates(%a : tensor<1536x16xf32>) keys(%b : tensor<8x2048x16xbf16>) queries(%c : tensor<8x2048x16xbf16>) {chunk = 32 : i64}
      : tensor<8x2048x1536xbf16>, tensor<8x2048x1536xbf16>, tensor<8x2048x1536xbf16>, tensor<8x64x1536x16xf32>
      -> tensor<8x2048x1536xbf16>, tensor<8x2048x1536xbf16> drates tensor<1536x16xf32>
         dkeys tensor<8x2048x16xbf16> dqueries tensor<8x2048x16xbf16> dinitial tensor<8x1536x16xf32>
    ```
  }];
  let arguments = (ins TE_Sequences:$dy, TE_Sequences:$decay, TE_Sequences:$x,
    TE_F32Chunks:$states, Optional<TE_F32Matrix>:$rates,
    Optional<TE_Sequences>:$keys, Optional<TE_Sequences>:$queries,
    Optional<TE_F32States>:$dfinal, I64Attr:$chunk);
  let results = (outs TE_Sequences:$ddecay, TE_Sequences:$dx,
    Optional<TE_F32Matrix>:$drates, Optional<TE_Sequences>:$dkeys,
    Optional<TE_Sequences>:$dqueries, TE_F32States:$dinitial);
  let assemblyFormat = [{
    $dy `,` $decay `,` $x `,` $states (`rates` `(` $rates^ `:` type($rates) `)`)?
    (`keys` `(` $keys^ `:` type($keys) `)`)?
    (`queries` `(` $queries^ `:` type($queries) `)`)?
    (`dfinal` `(` $dfinal^ `:` type($dfinal) `)`)? attr-dict
    `:` type($dy) `,` type($decay) `,` type($x) `,` type($states)
    `->` type($ddecay) `,` type($dx) (`drates` type($drates)^)?
    (`dkeys` type($dkeys)^)? (`dqueries` type($dqueries)^)?
    `dinitial` type($dinitial)
  }];
  let hasVerifier = 1;
}

#endif // TE_DIALECT_TE_IR_TESCANOPS_TD
