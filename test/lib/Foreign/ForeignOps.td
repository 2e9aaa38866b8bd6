// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dialect that nothing in lib/ knows, as an embedder would bring one.

#ifndef TE_TEST_LIB_FOREIGN_FOREIGNOPS_TD
#define TE_TEST_LIB_FOREIGN_FOREIGNOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Foreign_Dialect : Dialect {
  let name = "foreign";
  let cppNamespace = "::mlir::te::test::foreign";
  let dependentDialects = ["::mlir::te::TEDialect",
                           "::mlir::te::tert::TERTDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect"];
}

class Foreign_Op<string mnemonic> : Op<Foreign_Dialect, mnemonic, [Pure]>;
def Foreign_Matrix : RankedTensorOf<[F32, BF16]>;

def Foreign_LinearOp : Foreign_Op<"linear"> {
  let summary = "y = gain * x · wᵀ";
  let arguments = (ins Foreign_Matrix:$x, Foreign_Matrix:$w, F32Attr:$gain);
  let results = (outs Foreign_Matrix:$y);
  let assemblyFormat = [{
    $x `,` $w attr-dict `:` type($x) `,` type($w) `->` type($y)
  }];
}

def Foreign_ScaleOp : Foreign_Op<"scale"> {
  let summary = "y = factor * x";
  let arguments = (ins Foreign_Matrix:$x, F32Attr:$factor);
  let results = (outs Foreign_Matrix:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

def Foreign_SoftsignOp : Foreign_Op<"softsign"> {
  let summary = "y = x / (1 + |x|)";
  let arguments = (ins Foreign_Matrix:$x);
  let results = (outs Foreign_Matrix:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

def Foreign_SoftsignGradOp : Foreign_Op<"softsign_grad"> {
  let summary = "dx = dy / (1 + |x|)²";
  let arguments = (ins Foreign_Matrix:$dy, Foreign_Matrix:$x);
  let results = (outs Foreign_Matrix:$dx);
  let assemblyFormat = [{
    $dy `,` $x attr-dict `:` type($dy) `,` type($x) `->` type($dx)
  }];
}

#endif // TE_TEST_LIB_FOREIGN_FOREIGNOPS_TD
