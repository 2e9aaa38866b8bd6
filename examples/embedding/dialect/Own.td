// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dialect of one op.

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Own_Dialect : Dialect {
  let name = "own";
  let cppNamespace = "::own";
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def Own_ScaleOp : Op<Own_Dialect, "scale", [Pure]> {
  let summary = "y = factor * x";
  let arguments = (ins RankedTensorOf<[F32, BF16]>:$x, F32Attr:$factor);
  let results = (outs RankedTensorOf<[F32, BF16]>:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}
