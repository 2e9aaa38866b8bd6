// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_CONVERSION_PASSES_TD
#define TE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def TEToTERT : Pass<"te-to-tert", "::mlir::ModuleOp"> {
  let summary = "Lower te ops to runtime calls on tensors";
  let description = [{
    Lowers every op with RuntimeOpInterface to tert ops in destination-passing
    style. Destinations are `tensor.empty`; values that the runtime updates in
    place (parameters, moments, scaling state, the step counter) are their own
    destinations.

    ```mlir
    %d = te.matmul %x, %w {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32>
    ```
    becomes
    ```mlir
    %0 = tensor.empty() : tensor<64x16xf32>
    %d = tert.matmul a(%x : tensor<64x32xf32>) b(%w : tensor<16x32xf32>)
      -> d(%0 : tensor<64x16xf32>) {transpose_b}
    ```

    Conversions between f32 and bf16 become `tert.copy`, constants of one value
    `tert.fill`; pieces and concatenations become slices. Tensor reshapes and
    linalg ops stay. Any other op on tensors that cannot be bufferized is an
    error; all such ops are listed at once.
  }];
  let dependentDialects = ["::mlir::te::tert::TERTDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEKernelsToLLVM : Pass<"te-kernels-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower generated kernels to LLVM functions";
  let description = [{
    The functions of `@tert_kernels`, as made by tert-outline-kernels, become
    functions of the LLVM dialect, in the form that the target requires:

    - tasks (`cpu`): a task computes some thousands of elements in a loop nest
      whose innermost loop walks memory, for LLVM to vectorise. The division
      into tasks depends on the shapes alone. `tert.tasks` is their number.
    - blocks (`sm_90`): a thread computes as many neighbouring elements as it
      can move in 16 bytes. `tert.blocks` and `tert.threads` are their numbers.

    Arithmetic on bf16 is done in float32 and rounded when it is stored.
    Mathematical functions expand into arithmetic, the same on every target, so
    that they vectorise and need no library. They are within 4 units in the last
    place for every argument, subnormal ones and results included, and have the
    special values of C99's annex F. Integer divisions, shifts and conversions
    from floats have the results of XLA where LLVM leaves them undefined: x / 0
    is -1, x % 0 is x, a shift by all bits or more fills with the sign bit or
    zero, floats outside the type become its nearest number, and NaN 0.

    Fast-math, overflow and exact flags are dropped: a result without them is
    one of those that they allow, and the same on every target. Ops with a
    rounding mode other than to_nearest_even are rejected.

    ```mlir
    module @tert_kernels {
      llvm.func @exp_0(%operands: !llvm.ptr, %task: i64) attributes {tert.tasks = 1 : i64, tert.alignments = array<i32: 4, 4>} {
        ...
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"",
           "A target of the context: TargetInfo.h">,
  ];
  let dependentDialects = [
    "::mlir::te::TEDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"];
}

def TEKernelsToImage : Pass<"te-kernels-to-image", "::mlir::ModuleOp"> {
  let summary = "Compile generated kernels to images for the target";
  let description = [{
    The functions of `@tert_kernels`, lowered by te-kernels-to-llvm for the same
    target, are optimized and compiled if the target's runtime loads kernels
    from an image (PTX for `sm_90`, which the driver assembles for the GPU at
    hand). The image becomes the module's `tert.image`; the functions'
    declarations stay, as they hold the launch configuration. Kernels of other
    targets stay as they are and become functions of the program.

    ```mlir
    module @tert_kernels {
      llvm.func @exp_0(%x: !llvm.ptr, %y: !llvm.ptr) attributes {nvvm.kernel, tert.blocks = 16 : i64, tert.threads = 256 : i64} {
        ...
    ```
    becomes
    ```mlir
    module @tert_kernels attributes {tert.image = ".version 6.3 .target sm_90 …"} {
      llvm.func @exp_0(!llvm.ptr, !llvm.ptr) attributes {nvvm.kernel, tert.blocks = 16 : i64, tert.threads = 256 : i64}
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"",
           "A target of the context: TargetInfo.h">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect"];
}

def TERTToLLVM : Pass<"tert-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower bufferized functions to LLVM entry points";
  let description = [{
    Every function becomes an entry point of the artifact, `tert_status
    tert_entry_<name>(tert_context *, void *const *buffers)`, whose `buffers`
    are the function's arguments in order. Everything is static: a memref is an
    argument and a byte offset, a layout is a constant shared by all tensors
    that have it, and a call site is a constant with the op's name, module path
    and source position. An op of the runtime becomes one call; a nonzero status
    returns at once.

    ```mlir
    func.func @train(%x: memref<64x128xf32>, %y: memref<64xf32>) attributes {te.entry = "train"} {
      tert.column_sum x(%x : memref<64x128xf32>) -> y(%y : memref<64xf32>)
      return
    }
    ```
    becomes
    ```mlir
    llvm.func @tert_entry_train(%context: !llvm.ptr, %buffers: !llvm.ptr) -> i32 {
      %tensors = llvm.alloca %c2 x !llvm.struct<"tert_tensor", (ptr, ptr)> : (i32) -> !llvm.ptr
      // data and layout of x and y
      %status = llvm.call @tert_column_sum(%context, %site, %tensors, %1)
      // return the status unless it is 0
    }
    ```

    The module also gets `tert_artifact_abi_version` and, if it has the string
    attribute `te.description`, `tert_artifact_description` and the empty
    `tert_artifact_seal`, in separate sections.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // TE_CONVERSION_PASSES_TD
