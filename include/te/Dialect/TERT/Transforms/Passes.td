// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TERT_TRANSFORMS_PASSES_TD
#define TE_DIALECT_TERT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TERTQuantizeBlocks : Pass<"tert-quantize-blocks", "::mlir::func::FuncOp"> {
  let summary = "Quantize with the scales of blocks in one call";
  let description = [{
    The amaxes of a tensor's blocks, their scales and the copy that is quantized
    with them become one call, of which a kernel can keep a block in registers
    from its amax to its codes; so do both copies of a tensor. Of calls that
    somebody else reads the amaxes or the scales of, nothing is changed. Runs on
    tensors, before tert-bufferize.

    ```mlir
    %a = tert.amax x(%x : tensor<64x256xbf16>) -> amax(%0 : tensor<64x2xf32>) {transposed = false} …
    %s, %si = tert.compute_scale amax(%a : …) -> scale(%1 : …) scale_inv(%2 : …) {format = f8E4M3FN, power_of_two, …}
    %q = tert.quantize x(%x : tensor<64x256xbf16>) scale(%s : …) -> rowwise(%3 : tensor<64x256xf8E4M3FN>)
    ```
    becomes
    ```mlir
    %q, %si = tert.quantize_blocks x(%x : tensor<64x256xbf16>)
      -> rowwise(%0 : tensor<64x256xf8E4M3FN>) rowwise_scale_inv(%1 : tensor<64x2xf32>) {power_of_two, …}
    ```
  }];
  let statistics = [
    Statistic<"numJoined", "joined", "Calls that make copies with scales of their blocks">,
  ];
  let dependentDialects = ["::mlir::te::tert::TERTDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TERTMaterializeResults : Pass<"tert-materialize-results", "::mlir::ModuleOp"> {
  let summary = "Give every result an argument to be written into";
  let description = [{
    The first step of tert-bufferize. A result that is tied to an argument of the
    same name (`te.param`, `te.state`) is materialized in that argument; every
    other result gets an argument of its own behind the others, with the result's
    attributes. The functions then return nothing. Insertions into a state become
    writes of slices of its buffer. Functions that are called are refused.

    ```mlir
    func.func @f(%p: tensor<4xf32> {te.param = "p"}) -> (tensor<f32> {te.output = "norm"}) {
      %0 = tensor.empty() : tensor<f32>
      %1 = tert.global_norm gradients(%p : tensor<4xf32>) -> norm(%0 : tensor<f32>)
      return %1 : tensor<f32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%p: tensor<4xf32> {bufferization.writable = false, te.param = "p"},
                 %norm: tensor<f32> {bufferization.writable = true, te.output = "norm"}) {
      %0 = tensor.empty() : tensor<f32>
      %1 = tert.global_norm gradients(%p : tensor<4xf32>) -> norm(%0 : tensor<f32>)
      %2 = bufferization.materialize_in_destination %1 in %norm : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::te::tert::TERTDialect", "::mlir::memref::MemRefDialect",
    "::mlir::bufferization::BufferizationDialect"];
}

def TERTSeparateReads : Pass<"tert-separate-reads", "::mlir::func::FuncOp"> {
  let summary = "Give each of many reads of one tensor a tensor of its own";
  let description = [{
    One-Shot Analysis compares, for every operand, all reads of the tensors that
    may share its memory: for a learning rate that every parameter's update reads,
    or scales that every layer takes slices of, work quadratic in the depth of the
    model. Where all of at least 8 reads are done before anything can write the
    tensor's buffer, they conflict with nothing, and each reads a tensor of its
    own.

    ```mlir
    %0 = tert.scaled_matmul … a_scale_inv(%s) …
    ```
    becomes
    ```mlir
    %b = bufferization.to_buffer %s read_only : tensor<f32> to memref<f32>
    …
    %s0 = bufferization.to_tensor %b restrict : memref<f32> to tensor<f32>
    %0 = tert.scaled_matmul … a_scale_inv(%s0) …
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TERTOneShotBufferize : Pass<"tert-one-shot-bufferize", "::mlir::ModuleOp"> {
  let summary = "Run One-Shot Bufferize with the runtime's copies";
  let description = [{
    Upstream's one-shot bufferization of functions and their boundaries: dense
    rows for arguments, `tert.copy` for the copies that it inserts. A copy of an
    element type that the runtime does not have is an error. Afterwards the
    arguments no longer say which of them may be written.

    ```mlir
    func.func @f(%p: tensor<4xf32> {bufferization.writable = false, te.param = "p"},
                 %norm: tensor<f32> {bufferization.writable = true, te.output = "norm"}) {
      %0 = tensor.empty() : tensor<f32>
      %1 = tert.global_norm gradients(%p : tensor<4xf32>) -> norm(%0 : tensor<f32>)
      %2 = bufferization.materialize_in_destination %1 in %norm : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return
    }
    ```
    becomes
    ```mlir
    func.func @f(%p: memref<4xf32> {te.param = "p"}, %norm: memref<f32> {te.output = "norm"}) {
      %alloc = memref.alloc() : memref<f32>
      tert.global_norm gradients(%p : memref<4xf32>) -> norm(%alloc : memref<f32>)
      tert.copy x(%alloc : memref<f32>) -> y(%norm : memref<f32>)
      return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::te::tert::TERTDialect", "::mlir::memref::MemRefDialect",
    "::mlir::bufferization::BufferizationDialect"];
}

def TERTLowerTransposes : Pass<"tert-lower-transposes", "::mlir::func::FuncOp"> {
  let summary = "Make transposes copies from views with permuted strides";
  let description = [{
    ```mlir
    linalg.transpose ins(%x : memref<4x8xf32>) outs(%y : memref<8x4xf32>) permutation = [1, 0]
    ```
    becomes
    ```mlir
    %t = memref.transpose %x (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
    tert.copy x(%t : memref<8x4xf32, strided<[1, 8]>>) -> y(%y : memref<8x4xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::te::tert::TERTDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TERTForwardCopies : Pass<"tert-forward-copies", "::mlir::func::FuncOp"> {
  let summary = "Compute values where they are copied to";
  let description = [{
    What is computed into a buffer of its own, only to be copied elsewhere, is
    computed where it goes. The copy's source is an allocation, possibly reshaped,
    that nobody uses after the copy; its destination is any static view that
    nobody touches between the first use of the allocation and the copy. Parts of
    one buffer that do not overlap are told apart, so that the pieces of a
    concatenation are all written in place.

    This is what gets results into the arguments that hold them, FP8 copies of
    weights into their states and, through a reshape, attention's gradients into
    the gradient of a packed QKV projection.

    ```mlir
    %0 = memref.alloc() : memref<f32>
    tert.global_norm gradients(%p : memref<4xf32>) -> norm(%0 : memref<f32>)
    tert.copy x(%0 : memref<f32>) -> y(%norm : memref<f32>)
    ```
    becomes
    ```mlir
    tert.global_norm gradients(%p : memref<4xf32>) -> norm(%norm : memref<f32>)
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def TERTReuseInputs : Pass<"tert-reuse-inputs", "::mlir::func::FuncOp"> {
  let summary = "Write results over inputs that are no longer needed";
  let description = [{
    Calls that may (InPlaceCallOpInterface) write their result over an input that
    nobody touches any more do so, rather than into an allocation. The input may
    be a part of a buffer, where what lies beside it is needed for as long as the
    result: queries and keys are rotated inside the product that they and the
    values come from.

    ```mlir
    %y = memref.alloc() : memref<64x32xf32>
    tert.add a(%x : memref<64x32xf32>) b(%r : memref<64x32xf32>) -> y(%y : memref<64x32xf32>)
    ```
    becomes, where nobody else reads `%x` behind it,
    ```mlir
    tert.add a(%x : memref<64x32xf32>) b(%r : memref<64x32xf32>) -> y(%x : memref<64x32xf32>)
    ```
  }];
}

def TERTRemoveSelfCopies : Pass<"tert-remove-self-copies", "::mlir::func::FuncOp"> {
  let summary = "Remove copies of a buffer onto itself";
  let description = [{
    They are there to see only after forwarding and cleaning up. Each copy that
    remains between two buffers is a remark (category `memory`).

    ```mlir
    tert.copy x(%p : memref<4xf32>) -> y(%p : memref<4xf32>)
    ```
    goes.
  }];
  let statistics = [
    Statistic<"numAllocations", "allocations", "Buffers allocated">,
    Statistic<"numCopies", "copies",
              "Copies inserted by bufferization that remain">,
  ];
}

def TERTJoinDimensions : Pass<"tert-join-dimensions", "::mlir::func::FuncOp"> {
  let summary = "Make copies and fills have as few dimensions as runtime tensors";
  let description = [{
    Copies and fills of more dimensions than the runtime's tensors have are of
    views that join those dimensions that follow each other in both; a copy for
    which that leaves too many becomes `linalg.copy`, which is a generated kernel
    later.

    ```mlir
    tert.fill y(%y : memref<2x2x2x2x2x2x2x2x2xf32>) {value = 0.0 : f32}
    ```
    becomes
    ```mlir
    %v = memref.reinterpret_cast %y to offset: [0], sizes: [512], strides: [1] : … to memref<512xf32, strided<[1]>>
    tert.fill y(%v : memref<512xf32, strided<[1]>>) {value = 0.0 : f32}
    ```
  }];
  let dependentDialects = ["::mlir::te::tert::TERTDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TERTJoinUpdates : Pass<"tert-join-updates", "::mlir::func::FuncOp"> {
  let summary = "Join optimizer updates into one call";
  let description = [{
    Calls that update lists of parameters (UpdateCallOpInterface, such as
    `tert.update`; te-to-tert makes one call for each parameter) by one rule with
    the same scalars (clipping coefficient, learning rate, step and so on) become
    one, at the position of the last of them: a GPU then updates all parameters
    with one launch instead of one each. A call joins only if no op in between
    reads or writes what it writes, or writes what it reads. Runs after
    tert-bufferize
    and before tert-plan-memory.

    ```mlir
    tert.update gradients(%g0 : memref<4xf32>) coefficient(%c : memref<f32>) …
      -> params(%p0 : …) states(%m0 : …) {copies = array<i32: 0>, decays = array<i32: 1>, rule = "lion"}
    tert.update gradients(%g1 : memref<8xf32>) coefficient(%c : memref<f32>) …
      -> params(%p1 : …) states(%m1 : …) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "lion"}
    ```
    becomes
    ```mlir
    tert.update gradients(%g0, %g1 : memref<4xf32>, memref<8xf32>) coefficient(%c : memref<f32>) …
      -> params(%p0, %p1 : …) states(%m0, %m1 : …) {copies = array<i32: 0, 0>, decays = array<i32: 1, 0>, rule = "lion"}
    ```
  }];
  let statistics = [
    Statistic<"numJoined", "joined", "Updates merged into a joint one">,
  ];
}

def TERTBucketCollectives : Pass<"tert-bucket-collectives", "::mlir::func::FuncOp"> {
  let summary = "Join neighbouring collectives into buckets";
  let description = [{
    Calls of `tert.collective` of one kind along the same axes become one, at the
    position of the last of them, up to a quarter of the bytes of all of them (4
    to 32 MiB): each call costs its start once, and all but the last bucket begins
    long before the backward pass ends. A call joins only if no op in between
    reads or writes what it writes, or writes what it reads; gathers only with
    their neighbours, and the sums that tensor parallel ranks wait for with none.
    Runs after tert-bufferize and before tert-async-collectives.

    ```mlir
    tert.collective reduce_scatter x(%a : memref<8xf32>) -> y(%b : memref<4xf32>) {axes = 1 : i32}
    tert.collective reduce_scatter x(%c : memref<8xf32>) -> y(%d : memref<4xf32>) {axes = 1 : i32}
    ```
    becomes
    ```mlir
    tert.collective reduce_scatter x(%a, %c : memref<8xf32>, memref<8xf32>)
      -> y(%b, %d : memref<4xf32>, memref<4xf32>) {axes = 1 : i32}
    ```
  }];
  let statistics = [
    Statistic<"numJoined", "joined", "Collectives merged into a joint one">,
  ];
}

def TERTAsyncCollectives : Pass<"tert-async-collectives", "::mlir::func::FuncOp"> {
  let summary = "Overlap collectives with computation";
  let description = [{
    A `tert.collective` becomes asynchronous, and is followed by a `tert.await`
    before the first op that writes one of its tensors, or reads its result.
    Between the two are the gradients of the layers below, so that a layer's
    gradients are reduced while these are computed. A reduce_scatter is awaited, at the latest, when the second one
    after it begins, which frees the memory of the full gradients. One that is
    more than twice as large as those after it takes longer, and is awaited when
    more have begun. A collective with less than `least-microseconds` of
    computation between it and its reader, by the floors of the module's cost
    model (without one, none takes time), stays synchronous: all multiprocessors
    are free to process it. An op with unknown effects counts as accessing
    everything. Runs after tert-establish-layouts, which may copy, and before
    tert-plan-memory, which derives the lifetime of the tensors from the await.

    ```mlir
    tert.collective all_reduce -> y(%g : memref<4xf32>) {axes = 1 : i32}
    tert.add a(%a : memref<4xf32>) b(%b : memref<4xf32>) -> y(%y : memref<4xf32>)
    tert.global_norm gradients(%g : memref<4xf32>) -> norm(%n : memref<f32>)
    ```
    becomes
    ```mlir
    tert.collective all_reduce async -> y(%g : memref<4xf32>) {axes = 1 : i32}
    tert.add a(%a : memref<4xf32>) b(%b : memref<4xf32>) -> y(%y : memref<4xf32>)
    tert.await -> tensors(%g : memref<4xf32>)
    tert.global_norm gradients(%g : memref<4xf32>) -> norm(%n : memref<f32>)
    ```
  }];
  let options = [
    Option<"leastMicroseconds", "least-microseconds", "double", "10.0",
           "Least accelerator time, in microseconds, of the computation between a collective and its reader for the two to overlap">,
  ];
  let statistics = [
    Statistic<"numOverlapped", "overlapped", "Collectives that overlap computation">,
  ];
}

def TERTQuantizeConcats : Pass<"tert-quantize-concats", "::mlir::func::FuncOp"> {
  let summary = "Quantize the operands of a concatenation in place";
  let description = [{
    A matrix that copies concatenate from blocks of rows only to be quantized
    (the weights of linear layers that te-merge-linears joined) is not
    materialized: `tert.quantize_joined` reads up to four blocks in place. More
    are quantized one by one into their rows of the row-wise and their columns
    of the column-wise copy, with the same scale, and the amax is the maximum of
    their amaxes. A `tert.amax` of the matrix, of which the scale is made, becomes
    the maximum of the blocks' amaxes, too. Runs after tert-bufferize and before tert-plan-memory.

    ```mlir
    %0 = memref.alloc() : memref<64x128xf32>
    %1 = memref.subview %0[0, 0] [16, 128] [1, 1] : …
    tert.copy x(%a : memref<16x128xf32>) -> y(%1 : …)
    %2 = memref.subview %0[16, 0] [48, 128] [1, 1] : …
    tert.copy x(%b : memref<48x128xf32>) -> y(%2 : …)
    tert.quantize x(%0 : memref<64x128xf32>) scale(%s : memref<f32>) -> rowwise(%q : memref<64x128xf8E4M3FN>) amax(%m : memref<f32>)
    ```
    becomes
    ```mlir
    tert.quantize_joined x(%a, %b : memref<16x128xf32>, memref<48x128xf32>) scale(%s : memref<f32>) -> rowwise(%q : memref<64x128xf8E4M3FN>) amax(%m : memref<f32>)
    ```
  }];
  let statistics = [
    Statistic<"numRewritten", "rewritten", "Concatenations that are avoided">,
  ];
  let dependentDialects = ["::mlir::te::tert::TERTDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TERTAlignScales : Pass<"tert-align-scales", "::mlir::func::FuncOp"> {
  let summary = "Align scale factors for the matrix units";
  let description = [{
    GPUs require scale factors of FP8 products at addresses that are multiples
    of 16, and slots of one vector are 4 bytes apart. Before the first product
    that reads such a vector it is copied to slots 16 bytes apart, which
    products read until the vector is written: one small copy a step instead of
    one a product. Runs after tert-bufferize and before tert-plan-memory.

    The scales of blocks are written where products read them, which want those
    of 1 x 128 elements column by column, and those of larger blocks row by row,
    the rows at multiples of 16 bytes. Buffers that runtime calls alone access
    get these strides.

    ```mlir
    %s5 = memref.subview %scale_invs[5] [1] [1] : memref<6xf32> to memref<f32, strided<[], offset: 5>>
    tert.scaled_matmul a(…) b(…) a_scale_inv(%s5 : …) …
    ```
    becomes
    ```mlir
    %0 = memref.alloc() : memref<6x4xf32>
    %1 = memref.subview %0[0, 0] [6, 1] [1, 1] : memref<6x4xf32> to memref<6xf32, strided<[4]>>
    tert.copy x(%scale_invs : memref<6xf32>) -> y(%1 : memref<6xf32, strided<[4]>>)
    %2 = memref.subview %0[5, 0] [1, 1] [1, 1] : memref<6x4xf32> to memref<f32, strided<[], offset: 20>>
    tert.scaled_matmul a(…) b(…) a_scale_inv(%2 : …) …
    ```
    and
    ```mlir
    %si = memref.alloc() : memref<64x2xf32>
    tert.quantize_blocks x(…) -> rowwise(%q : memref<64x256xf8E4M3FN>) rowwise_scale_inv(%si : memref<64x2xf32>) …
    tert.scaled_matmul a(%q : …) a_scale_inv(%si : memref<64x2xf32>) …
    ```
    becomes
    ```mlir
    %0 = memref.alloc() : memref<2x64xf32>
    %si = memref.transpose %0 (d0, d1) -> (d1, d0) : memref<2x64xf32> to memref<64x2xf32, strided<[1, 64]>>
    tert.quantize_blocks x(…) -> rowwise(%q : memref<64x256xf8E4M3FN>) rowwise_scale_inv(%si : memref<64x2xf32, strided<[1, 64]>>) …
    tert.scaled_matmul a(%q : …) a_scale_inv(%si : memref<64x2xf32, strided<[1, 64]>>) …
    ```
  }];
  let statistics = [
    Statistic<"numAligned", "aligned", "Operands that read an aligned slot">,
    Statistic<"numOrdered", "ordered", "Buffers of scales of blocks whose strides changed">,
  ];
  let dependentDialects = ["::mlir::te::tert::TERTDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TERTEstablishLayouts : Pass<"tert-establish-layouts", "::mlir::func::FuncOp"> {
  let summary = "Insert copies for unsupported layouts";
  let description = [{
    Queries the layouts that each runtime call (RuntimeCallOpInterface) accepts,
    usually an innermost stride of 1. An operand of another layout, every second
    column of a matrix, say, or a transposed view, is copied into a new buffer
    before the call; calls share the copy until the original is written. A
    destination gets a buffer that is copied back after the call, and filled
    before it if the call reads what it updates. Each copy is reported as a
    remark. Runs after every pass that chooses operands of runtime calls, and
    before tert-plan-memory.

    ```mlir
    %g = memref.subview %u[0, 1] [32, 32] [1, 2] : memref<32x64xf32> to memref<32x32xf32, strided<[64, 2], offset: 1>>
    tert.activation x(%g : memref<32x32xf32, strided<[64, 2], offset: 1>>) -> y(%s : memref<32x32xf32>) {kind = #te<activation_kind silu>}
    ```
    becomes
    ```mlir
    %g = memref.subview %u[0, 1] [32, 32] [1, 2] : memref<32x64xf32> to memref<32x32xf32, strided<[64, 2], offset: 1>>
    %0 = memref.alloc() : memref<32x32xf32>
    tert.copy x(%g : memref<32x32xf32, strided<[64, 2], offset: 1>>) -> y(%0 : memref<32x32xf32>)
    tert.activation x(%0 : memref<32x32xf32>) -> y(%s : memref<32x32xf32>) {kind = #te<activation_kind silu>}
    ```
  }];
  let statistics = [
    Statistic<"numCopies", "copies", "Copies made for a layout">,
  ];
  let dependentDialects = ["::mlir::te::tert::TERTDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TERTOutlineKernels : Pass<"tert-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Outline remaining linalg ops as generated kernels";
  let description = [{
    Every linalg op on memrefs becomes the body of a function in the module
    `@tert_kernels`, replaced by a `tert.launch`. Layouts are static by now, so
    a kernel knows all its strides; offsets stay outside. Ops of equal bodies on
    equal layouts share a kernel. An operand that occurs twice is one argument;
    for an operand with more dimensions than the runtime's tensors have, a view
    with fewer is passed.

    ```mlir
    func.func @f(%x: memref<64x128xf32>, %y: memref<64x128xf32>) {
      linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
          ins(%x : memref<64x128xf32>) outs(%y : memref<64x128xf32>) {
      ^bb0(%in: f32, %out: f32):
        %0 = math.exp %in : f32
        linalg.yield %0 : f32
      }
      return
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: memref<64x128xf32>, %y: memref<64x128xf32>) {
      tert.launch inputs(%x : memref<64x128xf32>) -> outputs(%y : memref<64x128xf32>)
        {kernel = @tert_kernels::@exp_0}
      return
    }
    module @tert_kernels {
      func.func @exp_0(%x: memref<64x128xf32> {tert.alignment = 16 : i64}, %y: memref<64x128xf32> {tert.alignment = 16 : i64}) {
        linalg.generic ...
        return
      }
    }
    ```

    Ops for which no kernel can be generated are an error; all are listed at
    once.
  }];
  let statistics = [
    Statistic<"numLaunches", "launches", "Launches of generated kernels">,
  ];
  let dependentDialects = ["::mlir::te::tert::TERTDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def TERTPlanMemory : Pass<"tert-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Assign all buffers to one arena";
  let description = [{
    Buffers that are live at different times share memory. Each `memref.alloc`
    becomes a view of one byte buffer, the function's new last argument
    (`te.arena`), at an offset that liveness over the function's block allows.
    Several orders are tried (by size, by lifetime, by both, by first use), in
    each of them a buffer goes to the lowest offset that fits, and the smallest
    arena wins. `te.arena_bytes` on the function is the arena's size.

    ```mlir
    func.func @f(%x: memref<64x128xf32>, %y: memref<128xf32>) {
      %0 = memref.alloc() : memref<64x128xf32>
      tert.copy x(%x : memref<64x128xf32>) -> y(%0 : memref<64x128xf32>)
      tert.column_sum x(%0 : memref<64x128xf32>) -> y(%y : memref<128xf32>)
      return
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: memref<64x128xf32>, %y: memref<128xf32>, %arena: memref<32768xi8> {te.arena})
        attributes {te.arena_bytes = 32768 : i64} {
      %c0 = arith.constant 0 : index
      %0 = memref.view %arena[%c0][] : memref<32768xi8> to memref<64x128xf32>
      ...
    ```

    Results of the entry (`te.output`) live from their first use to the end.
    They get an offset in the arena as well, `te.arena_offset`: a caller without
    a buffer for a result finds it there afterwards, and the memory serves other
    buffers before the result is written. With `places-outputs=false` they have
    none: every caller passes a buffer, and the arena is smaller by that. For
    gradients (`te.gradient`) `places-gradients` says which.

    Inputs with `te.donated` lend their memory, and so do outputs without a place
    in the arena: buffers that come into use behind the last use of such an input,
    or that are last used before the first use of such an output, are views of it
    (`tert.bytes`), where they fit, and not of the arena.

    `te.spare` on a call is the longest piece of the arena, as offset and bytes,
    that is free meanwhile: the runtime takes temporary memory from it.

    A remark reports the arena's size, the most bytes live at one time (no plan
    can be smaller) and the sum of all buffers.
  }];
  let options = [
    Option<"alignment", "alignment", "int64_t",
           /*default=*/"kBufferAlignment",
           "Alignment of every offset, in bytes, a power of two">,
    Option<"placesOutputs", "places-outputs", "bool", "true",
           "Whether outputs that are no gradients have a place in the arena">,
    Option<"placesGradients", "places-gradients", "bool", "true",
           "Whether gradients have a place in the arena">,
  ];
  let statistics = [
    Statistic<"arenaBytes", "arena-bytes", "Bytes of the largest arena">,
    Statistic<"liveBytes", "live-bytes",
              "Most bytes live at one time in that function">,
    Statistic<"bufferBytes", "buffer-bytes",
              "Bytes of all buffers of that function">,
    Statistic<"numBuffers", "buffers", "Buffers of that function">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // TE_DIALECT_TERT_TRANSFORMS_PASSES_TD
