// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TERT_TRANSFORMS_MEMORY_PASSES_TD
#define TE_DIALECT_TERT_TRANSFORMS_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def TERTFuseAdditions : Pass<"tert-fuse-additions", "::mlir::func::FuncOp"> {
  let summary = "Accumulate the gradients of a tied table in place";
  let description = [{
    A table that is also the weight of a layer has the sum of two gradients. The
    one of the lookups has few rows that are not zero: they are added to the
    other gradient where it lies (`tert.add_embedding_grad`), instead of filling
    a table with zeros and adding up two tables. In float32, where that gives the
    same bits; the other gradient must not be read again. Comes after
    tert-bufferize and before tert-join-updates.

    ```mlir
    %t = memref.alloc() : memref<64x32xf32>
    tert.embedding_grad ids(%ids : memref<8xi64>) dy(%dy : memref<8x32xbf16>) -> dtable(%t : memref<64x32xf32>)
    tert.add a(%dw : memref<64x32xf32>) b(%t : memref<64x32xf32>) -> y(%dw : memref<64x32xf32>)
    ```
    becomes
    ```mlir
    tert.add_embedding_grad ids(%ids : memref<8xi64>) dy(%dy : memref<8x32xbf16>) -> dtable(%dw : memref<64x32xf32>)
    ```
  }];
  let statistics = [
    Statistic<"numFused", "fused", "Additions that became part of a gradient">,
  ];
  let dependentDialects = ["::mlir::te::tert::TERTDialect"];
}

def TERTRecomputeCopies : Pass<"tert-recompute-copies", "::mlir::func::FuncOp"> {
  let summary = "Recompute columnwise copies at their uses";
  let description = [{
    The column-wise FP8 copy of an activation waits for the gradient of the
    weight through the rest of the forward pass. Where what it was made from
    waits as well, for a gradient of its own, the copy need not be kept: the call
    that made both copies makes the row-wise one alone, and the other one, of the
    same bits, is made where it is read first.

    Where that gradient is computed by a call that can write the copy in passing
    (`tert.gated_activation_grad_recompute`, `tert.rms_norm_grad_recompute`) it
    does, and calls that read the copy come behind it: nothing is read or written
    more often than before. If the scale has changed by then, the gradient comes
    before that.
    Otherwise the call that made the copy is repeated, which reads its input once
    more; `traffic` says for how many bytes per byte of the copy that is wanted.

    Only copies that are there when most memory is in use. Comes after
    tert-bufferize and before tert-plan-memory.

    ```mlir
    tert.quantize x(%o : memref<64x128xbf16>) scale(%s : memref<f32>) -> rowwise(%q : …) columnwise(%qt : …) amax(%m : …)
    …
    tert.scaled_matmul a(%g : …) … b(%qt : memref<128x64xf8E4M3FN>) …
    ```
    becomes, with `traffic=2.5`,
    ```mlir
    tert.quantize x(%o : memref<64x128xbf16>) scale(%s : memref<f32>) -> rowwise(%q : …) amax(%m : …)
    …
    tert.quantize x(%o : memref<64x128xbf16>) scale(%s : memref<f32>) -> columnwise(%qt : …)
    tert.scaled_matmul a(%g : …) … b(%qt : memref<128x64xf8E4M3FN>) …
    ```
  }];
  let options = [
    Option<"traffic", "traffic", "double", "0.0",
           "Bytes that may be read once more for a byte that is not kept">,
  ];
  let statistics = [
    Statistic<"numRecomputed", "recomputed", "Copies that are made later">,
  ];
  let dependentDialects = ["::mlir::te::tert::TERTDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TERTSplitRows : Pass<"tert-split-rows", "::mlir::func::FuncOp"> {
  let summary = "Split large temporaries by rows";
  let description = [{
    Where most memory is in use because of what calls hand to each other, such as
    the gradients inside a feed-forward network, the calls are repeated for some
    rows at a time, each of which needs a part of it. That takes calls of which
    rows are computed by themselves (RowwiseCallOpInterface), with the same bits.
    Powers of two up to `max-parts` are tried, and the smallest number is taken
    that saves nearly as much as the others; none if that is less than a twentieth
    of the memory.

    Where the calls are the last that read a matrix with rows as large as the
    temporaries', such as the gate, its rows are free when a part has read them,
    and the temporaries of the next part lie there. Then only the first part needs
    memory, and the parts have 1, 1, 2, 4 … times as many rows: four parts need an
    eighth of the temporaries, so numbers up to twice `max-parts` are tried.

    Comes after tert-bufferize and before tert-align-scales.

    ```mlir
    %dy = memref.alloc() : memref<256x512xbf16>
    tert.scaled_matmul a(%g : memref<256x128xf8E5M2>) … -> d(%dy : memref<256x512xbf16>) …
    tert.activation_grad dy(%dy : …) x(%x : …) scale(%s : memref<f32>) -> rowwise(%q : memref<256x512xf8E5M2>) columnwise(%qt : memref<512x256xf8E5M2>) amax(%m : memref<f32>) …
    tert.scaled_matmul a(%q : memref<256x512xf8E5M2>) … -> d(%dx : memref<256x128xbf16>) …
    ```
    becomes, twice, the second time for the rows from 128 on,
    ```mlir
    %dy0 = memref.alloc() : memref<128x512xbf16>
    %q0 = memref.alloc() : memref<128x512xf8E5M2>
    tert.scaled_matmul a(%g0 : memref<128x128xf8E5M2, …>) … -> d(%dy0 : memref<128x512xbf16>) …
    tert.activation_grad dy(%dy0 : …) x(%x0 : …) scale(%s : memref<f32>) -> rowwise(%q0 : …) columnwise(%qt0 : memref<512x128xf8E5M2, …>) amax(%m0 : …) …
    tert.scaled_matmul a(%q0 : …) … -> d(%dx0 : memref<128x128xbf16, …>) …
    ```
    and an amax of the parts' amaxes.
  }];
  let options = [
    Option<"minBytes", "min-bytes", "int64_t", "67108864",
           "Temporaries that are smaller together are left as they are">,
    Option<"maxParts", "max-parts", "unsigned", "4",
           "Most parts to split the rows into, a power of two">,
  ];
  let statistics = [
    Statistic<"numSplit", "split", "Calls that are made for some rows at a time">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::te::tert::TERTDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TERTPlaceParts : Pass<"tert-place-parts", "::mlir::func::FuncOp"> {
  let summary = "Gather in place";
  let description = [{
    A rank's part of an argument is not copied out of it (`tert.all_slice`): where
    nobody writes to either, the part is a view of the whole, at the place that the
    rank knows (`tert.locate_part`). And what is gathered (`tert.all_gather`) is
    made where it will lie in the whole, so that nothing is left to do for a rank's
    own part. That is so where the gather is the last that touches the part, nobody
    touches the whole while the part is made, and, unless the whole is there
    anyway, at most `max-calls` calls lie between: memory is taken for that long.

    Parts that are no multiples of 256 bytes are copied as before: kernels take
    them at addresses that are. Columns that are gathered
    (`tert.all_gather_sequence`) lie with the strides of the whole, if all calls
    take these and each row's begin at a multiple of 64 bytes. Comes behind
    tert-establish-layouts, the last pass that chooses operands, and before
    tert-overlap-exchanges, whose exchanges then end in front of what
    touches the wholes.

    ```mlir
    %p = memref.alloc() : memref<32x64xbf16>
    tert.all_slice x(%x : memref<64x64xbf16>) -> y(%p : memref<32x64xbf16>) {axes = 1 : i32}
    %q = memref.alloc() : memref<32x64xf8E4M3FN>
    tert.quantize x(%p : memref<32x64xbf16>) scale(%s : memref<f32>) -> rowwise(%q : memref<32x64xf8E4M3FN>)
    %a = memref.alloc() : memref<64x64xf8E4M3FN>
    tert.all_gather x(%q : memref<32x64xf8E4M3FN>) -> y(%a : memref<64x64xf8E4M3FN>) {axes = 1 : i32}
    ```
    becomes
    ```mlir
    %p = tert.locate_part %x {axes = 1 : i32, distance = 2048 : i64, ranks = 2 : i32} : memref<64x64xbf16> to memref<32x64xbf16>
    %a = memref.alloc() : memref<64x64xf8E4M3FN>
    %q = tert.locate_part %a {axes = 1 : i32, distance = 2048 : i64, ranks = 2 : i32} : memref<64x64xf8E4M3FN> to memref<32x64xf8E4M3FN>
    tert.quantize x(%p : memref<32x64xbf16>) scale(%s : memref<f32>) -> rowwise(%q : memref<32x64xf8E4M3FN>)
    tert.all_gather x(%q : memref<32x64xf8E4M3FN>) -> y(%a : memref<64x64xf8E4M3FN>) {axes = 1 : i32}
    ```
  }];
  let options = [
    Option<"maxCalls", "max-calls", "unsigned", "16",
           "So many calls before a gather, at most, what it gathers is made">,
  ];
  let statistics = [
    Statistic<"numSlices", "slices", "Parts that are not copied out">,
    Statistic<"numGathered", "gathered", "Parts that are made in the whole">,
  ];
  let dependentDialects = ["::mlir::te::tert::TERTDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TERTReuseRows : Pass<"tert-reuse-rows", "::mlir::func::FuncOp"> {
  let summary = "Reuse the rows of inputs for outputs";
  let description = [{
    A head whose logits are there for some rows at a time reads its input and
    writes the gradient of its input in parts, and nobody reads a part of the one
    again when that of the other is written. Both may be one buffer. More
    generally: a buffer becomes another one of its type if each of its parts is
    touched first when that part of the other has been touched last. A call that
    comes too early for that moves behind, where nothing in between depends on
    it. Only buffers that are there when most memory is in use, and only if that
    becomes less. Comes after tert-bufferize and before tert-plan-memory.

    ```mlir
    %dx = memref.alloc() : memref<256x64xbf16>
    %dx0 = memref.subview %dx[0, 0] [128, 64] [1, 1] : …
    tert.matmul a(%g0 : memref<128x512xbf16>) b(%w : memref<512x64xbf16>) -> d(%dx0 : …)
    tert.matmul a(%g0 : memref<128x512xbf16>) b(%x0 : …) -> d(%dw : memref<512x64xf32>) {transpose_a}
    …
    ```
    becomes
    ```mlir
    tert.matmul a(%g0 : memref<128x512xbf16>) b(%x0 : …) -> d(%dw : memref<512x64xf32>) {transpose_a}
    %dx0 = memref.subview %x[0, 0] [128, 64] [1, 1] : …
    tert.matmul a(%g0 : memref<128x512xbf16>) b(%w : memref<512x64xbf16>) -> d(%dx0 : …)
    …
    ```
  }];
  let options = [
    Option<"minBytes", "min-bytes", "int64_t", "1048576",
           "Smaller buffers are left as they are">,
  ];
  let statistics = [
    Statistic<"numShared", "shared", "Buffers that lie where another one is">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def TERTJoinCopies : Pass<"tert-join-copies", "::mlir::func::FuncOp"> {
  let summary = "Join copies and fills into one call";
  let description = [{
    A launch on a GPU takes some microseconds, in which it could copy megabytes:
    copies of at most `max-bytes` become one (`tert.multi_copy`), where the last
    of them was. A copy joins only if no other touches what it writes or writes
    what it reads, neither one of those it joins nor what lies between. A
    group that reaches past several `tert.await`s is two calls, in front of the
    last of them that has a copy behind it, and behind that one: what came before
    is copied while the last exchange is waited for. So that no memory is needed longer, what is copied is an
    argument, or small. Fills of arguments with one value, such as of the sums
    over microbatches that a step has used, become a `tert.multi_fill` likewise,
    of any size, and no `tert.await` ends their group. Comes behind
    tert-overlap-exchanges, which says where copies have to wait, and before
    tert-plan-memory.

    ```mlir
    tert.await -> tensors(%q0, %q1 : memref<64x32xf8E4M3FN>, memref<64x32xf8E4M3FN>)
    %t0 = memref.transpose %q0 (i, j) -> (j, i) : …
    tert.copy x(%t0 : memref<32x64xf8E4M3FN, strided<[1, 32]>>) -> y(%c0 : memref<32x64xf8E4M3FN>)
    %t1 = memref.transpose %q1 (i, j) -> (j, i) : …
    tert.copy x(%t1 : memref<32x64xf8E4M3FN, strided<[1, 32]>>) -> y(%c1 : memref<32x64xf8E4M3FN>)
    ```
    becomes
    ```mlir
    tert.await -> tensors(%q0, %q1 : memref<64x32xf8E4M3FN>, memref<64x32xf8E4M3FN>)
    %t0 = memref.transpose %q0 (i, j) -> (j, i) : …
    %t1 = memref.transpose %q1 (i, j) -> (j, i) : …
    tert.multi_copy x(%t0, %t1 : …) -> y(%c0, %c1 : memref<32x64xf8E4M3FN>, memref<32x64xf8E4M3FN>)
    ```
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", "33554432",
           "Copies of more bytes are left as they are">,
  ];
  let statistics = [
    Statistic<"numJoined", "joined",
              "Copies and fills that became part of a joint one">,
  ];
  let dependentDialects = ["::mlir::te::tert::TERTDialect"];
}

#endif // TE_DIALECT_TERT_TRANSFORMS_MEMORY_PASSES_TD
