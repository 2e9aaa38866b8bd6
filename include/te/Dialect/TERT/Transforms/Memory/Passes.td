// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TERT_TRANSFORMS_MEMORY_PASSES_TD
#define TE_DIALECT_TERT_TRANSFORMS_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def TERTFuseAdditions : Pass<"tert-fuse-additions", "::mlir::func::FuncOp"> {
  let summary = "Accumulate the gradients of a tied table in place";
  let description = [{
    A table that is also the weight of a layer has the sum of two gradients.
    That of the lookups has few nonzero rows: they are added to the other
    gradient in place (`tert.add_embedding_grad`), instead of filling a table
    with zeros and adding two tables. In float32, where that gives the same
    bits; the other gradient must not be read again. Runs after tert-bufferize
    and before tert-join-updates.

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
    Statistic<"numFused", "fused", "Additions merged into a gradient">,
  ];
  let dependentDialects = ["::mlir::te::tert::TERTDialect"];
}

def TERTRecomputeCopies : Pass<"tert-recompute-copies", "::mlir::func::FuncOp"> {
  let summary = "Recompute columnwise copies at their uses";
  let description = [{
    The column-wise FP8 copy of an activation stays allocated through the rest
    of the forward pass, until the gradient of the weight. If its source stays
    allocated as well, for a gradient of its own, the copy need not be kept: the
    call that made both copies makes only the row-wise one, and the other one,
    of the same bits, is made just before its first use.

    If that gradient is computed by a call that can also write the copy
    (`tert.gated_activation_grad_recompute`, `tert.rms_norm_grad_recompute`), it
    does, and calls that read the copy move after it: nothing is read or written
    more often than before. If the scale changes before then, the gradient moves
    before that. Otherwise the call that made the copy is repeated, which reads
    its input once more; `traffic` is the limit of bytes read for each byte of
    the copy.

    Only for copies that are live at peak memory. Runs after tert-bufferize and
    before tert-plan-memory.

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
           "Most bytes to read again for each byte that is not kept">,
  ];
  let statistics = [
    Statistic<"numRecomputed", "recomputed", "Copies that are recomputed">,
  ];
  let dependentDialects = ["::mlir::te::tert::TERTDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TERTSplitRows : Pass<"tert-split-rows", "::mlir::func::FuncOp"> {
  let summary = "Split large temporaries by rows";
  let description = [{
    If peak memory is due to temporaries that calls pass to each other, such as
    the gradients inside a feed-forward network, the calls are repeated for some
    rows at a time, each of which needs a fraction of them. That requires calls
    that compute rows independently (RowwiseCallOpInterface), with the same
    bits. Powers of two up to `max-parts` are tried, and the smallest number is
    taken that saves nearly as much as the others; none if that is less than a
    twentieth of the memory.

    If the calls are the last that read a matrix with rows as large as the
    temporaries', such as the gate, its rows are free once a slice has read
    them, and the temporaries of the next slice are stored there. Then only the
    first slice needs memory, and the slices have 1, 1, 2, 4 … times as many
    rows: four slices need an eighth of the temporaries, so numbers up to twice
    `max-parts` are tried.

    Runs after tert-bufferize and before tert-align-scales.

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
    and the maximum of the slices' amaxes.
  }];
  let options = [
    Option<"minBytes", "min-bytes", "int64_t", "67108864",
           "Smaller temporaries, in total, are left as they are">,
    Option<"maxParts", "max-parts", "unsigned", "4",
           "Maximum number of slices of the rows, a power of two">,
  ];
  let statistics = [
    Statistic<"numSplit", "split", "Calls that are split by rows">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::te::tert::TERTDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TERTGatherInPlace : Pass<"tert-gather-in-place", "::mlir::func::FuncOp"> {
  let summary = "Gather in place";
  let description = [{
    A rank's shard of an argument is not copied out of it (`tert.all_slice`): if
    neither is written, the shard is a view of the full tensor at the rank's
    offset (`tert.locate_part`). And the operand of a gather (`tert.collective
    all_gather`)
    is computed at its offset in the full tensor, so that the rank's own shard
    needs no copy. That requires that the gather is the last access to the
    shard, that the full tensor is not accessed while the shard is made and,
    unless the full tensor is an argument, that at most `max-calls` calls are in
    between: it is allocated for that long.

    Parts that are no multiples of 256 bytes are copied as before: kernels take
    them at addresses that are. Columns that are gathered
    (`tert.collective_sequence all_gather`) lie with the strides of the whole, if all calls
    take these and each row's begin at a multiple of 64 bytes. Comes behind
    tert-establish-layouts, the last pass that chooses operands, and before
    tert-async-collectives, whose collectives then end in front of what
    touches the wholes.

    ```mlir
    %p = memref.alloc() : memref<32x64xbf16>
    tert.all_slice x(%x : memref<64x64xbf16>) -> y(%p : memref<32x64xbf16>) {axes = 1 : i32}
    %q = memref.alloc() : memref<32x64xf8E4M3FN>
    tert.quantize x(%p : memref<32x64xbf16>) scale(%s : memref<f32>) -> rowwise(%q : memref<32x64xf8E4M3FN>)
    %a = memref.alloc() : memref<64x64xf8E4M3FN>
    tert.collective all_gather x(%q : memref<32x64xf8E4M3FN>) -> y(%a : memref<64x64xf8E4M3FN>) {axes = 1 : i32}
    ```
    becomes
    ```mlir
    %p = tert.locate_part %x {axes = 1 : i32, distance = 2048 : i64, ranks = 2 : i32} : memref<64x64xbf16> to memref<32x64xbf16>
    %a = memref.alloc() : memref<64x64xf8E4M3FN>
    %q = tert.locate_part %a {axes = 1 : i32, distance = 2048 : i64, ranks = 2 : i32} : memref<64x64xf8E4M3FN> to memref<32x64xf8E4M3FN>
    tert.quantize x(%p : memref<32x64xbf16>) scale(%s : memref<f32>) -> rowwise(%q : memref<32x64xf8E4M3FN>)
    tert.collective all_gather x(%q : memref<32x64xf8E4M3FN>) -> y(%a : memref<64x64xf8E4M3FN>) {axes = 1 : i32}
    ```
  }];
  let options = [
    Option<"maxCalls", "max-calls", "unsigned", "16",
           "Most calls between the first use of a shard in place and its gather">,
  ];
  let statistics = [
    Statistic<"numSlices", "slices", "Shards that are not copied out">,
    Statistic<"numGathered", "gathered", "Shards that are made in the full tensor">,
  ];
  let dependentDialects = ["::mlir::te::tert::TERTDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TERTReuseRows : Pass<"tert-reuse-rows", "::mlir::func::FuncOp"> {
  let summary = "Reuse the rows of inputs for outputs";
  let description = [{
    A head that computes logits for some rows at a time reads its input and
    writes the gradient of its input slice by slice, and no slice of the one is
    read again once that of the other is written. Both may share a buffer. More
    generally: a buffer is replaced by another one of its type if each of its
    slices is first accessed after the last access to that slice of the other. A
    call that comes too early for that moves later, if nothing in between
    depends on it. Only for buffers that are live at peak memory, and only if
    the peak shrinks. Runs after tert-bufferize and before tert-plan-memory.

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
    Statistic<"numShared", "shared", "Buffers that share the memory of another one">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def TERTJoinCopies : Pass<"tert-join-copies", "::mlir::func::FuncOp"> {
  let summary = "Join copies and fills into one call";
  let description = [{
    A launch on a GPU takes some microseconds, in which it could copy megabytes:
    copies of at most `max-bytes` become one (`tert.multi_copy`), at the
    position of the last of them. A copy joins only if no other op, of the group
    or in between, accesses what it writes or writes what it reads. A group that
    spans several `tert.await`s is two calls, one before the last await that has
    a copy after it, and one after it: the former overlaps the last collective.
    So that no buffer lives longer, sources are arguments, or small. Fills of
    arguments with one value, such as of the sums over microbatches that a step
    has used, become a `tert.multi_fill` likewise, of any size, and no
    `tert.await` ends their group. Runs after tert-async-collectives, which
    determines where copies have to wait, and before tert-plan-memory.

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
              "Copies and fills merged into a joint one">,
  ];
  let dependentDialects = ["::mlir::te::tert::TERTDialect"];
}

#endif // TE_DIALECT_TERT_TRANSFORMS_MEMORY_PASSES_TD
