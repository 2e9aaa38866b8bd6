// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dropout. C++ has it in te/Dialect/TE/IR/DropoutOps.h.

#ifndef TE_DIALECT_TE_IR_TEDROPOUTOPS_TD
#define TE_DIALECT_TE_IR_TEDROPOUTOPS_TD

include "te/Dialect/TE/IR/TEBase.td"

def TE_DropoutOp : TE_Op<"dropout", [
    DeclareOpInterfaceMethods<TE_DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<TE_MixedPrecisionOpInterface,
        ["getComputeResults", "getComputeOperands", "getConvertibleResults"]>,
    DeclareOpInterfaceMethods<TE_CostOpInterface>]> {
  let summary = "Random elements become zero, the others grow";
  let description = [{
    `y[i] = x[i] / (1 - ratio)`, or 0 with probability `ratio`, in [0, 1)
    (Srivastava et al.). Which elements stay is a function of `seed`, `stream`
    and the element's number i in row-major order alone: word i mod 4 of
    Philox-4x32-10 (Salmon et al.) for the key `seed` and the counter
    (i div 4, `stream`) is at least `ratio * 2^32`, rounded down. The gradient is
    the same op on dy.

    `stream`, not negative, is the number of the dropout within its model;
    those of one number and one seed have the same mask. A model does not say
    where seeds come from and has none; te-build-entries gives the entries that
    have gradients the scalar `dropout_seed`, and takes the op out of the others.

    ```mlir
    %y = te.dropout %x {ratio = 0.1 : f32, stream = 3 : i64} : tensor<64x128xf32> -> tensor<64x128xf32>
    %z = te.dropout %x seed(%s) {ratio = 0.1 : f32, stream = 3 : i64} : tensor<64x128xbf16> -> tensor<64x128xbf16>
    ```

    With a ratio of 0 it is its operand.
  }];
  let arguments = (ins TE_FloatTensor:$x, Optional<TE_I64Scalar>:$seed,
    F32Attr:$ratio, I64Attr:$stream);
  let results = (outs TE_FloatTensor:$y);
  let assemblyFormat = [{
    $x (`seed` `(` $seed^ `)`)? attr-dict `:` type($x) `->` type($y)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// What an element's word must be at least for it to stay.
    uint32_t getThreshold();
    /// 1 / (1 - ratio), in float32.
    float getFactor();
  }];
}

#endif // TE_DIALECT_TE_IR_TEDROPOUTOPS_TD
