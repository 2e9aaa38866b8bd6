// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces of runtime calls for passes that save memory. C++ has them in
// te/Dialect/TERT/IR/MemoryInterfaces.h.

#ifndef TE_DIALECT_TERT_IR_TERTMEMORYINTERFACES_TD
#define TE_DIALECT_TERT_IR_TERTMEMORYINTERFACES_TD

include "mlir/IR/OpBase.td"

def TERT_InPlaceCallOpInterface : OpInterface<"InPlaceCallOpInterface"> {
  let cppNamespace = "::mlir::te::tert";
  let description = [{
    A call whose result may be stored over one of its inputs: it reads
    everything that it needs of an element's neighbourhood before it writes
    there.
  }];
  let methods = [
    InterfaceMethod<[{
      The input that the call may overwrite with `init`, of the same type except
      for its strides; null if there is none.
      }],
      "::mlir::OpOperand *", "getOverwritableInput",
      (ins "::mlir::OpOperand &":$init)>,
  ];
}

def TERT_RowwiseCallOpInterface : OpInterface<"RowwiseCallOpInterface"> {
  let cppNamespace = "::mlir::te::tert";
  let description = [{
    A call that computes rows of its results from the same rows of its inputs,
    and so can be split into several calls of some rows each.
  }];
  let methods = [
    InterfaceMethod<"How an operand depends on the rows.",
      "::mlir::te::tert::RowUse", "getRowUse",
      (ins "::mlir::OpOperand &":$operand)>,
  ];
}

def TERT_RecomputableCallOpInterface
    : OpInterface<"RecomputableCallOpInterface"> {
  let cppNamespace = "::mlir::te::tert";
  let description = [{
    A call that writes a column-wise FP8 copy besides other results, and could
    write it later, in a separate call, with the same bits.
  }];
  let methods = [
    InterfaceMethod<[{
      The column-wise copy; null if the call writes none or nothing else.
      }],
      "::mlir::Value", "getLaterCopy">,
    InterfaceMethod<[{
      Builds, at the builder's insertion point, a call that writes only the
      copy, and removes it from this one.
      }],
      "::mlir::Operation *", "recompute", (ins "::mlir::OpBuilder &":$builder)>,
    InterfaceMethod<[{
      True if `other`, a later call that reads the same input, has a form that
      also writes the copy.
      }],
      "bool", "canRecomputeIn", (ins "::mlir::Operation *":$other),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
      Makes `other` write the copy instead of this call. Returns the op that
      replaces `other`.
      }],
      "::mlir::Operation *", "recomputeIn",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Operation *":$other),
      /*methodBody=*/"", /*defaultImplementation=*/"return nullptr;">,
  ];
}

#endif // TE_DIALECT_TERT_IR_TERTMEMORYINTERFACES_TD
