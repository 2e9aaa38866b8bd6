// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the passes that save memory ask of runtime calls. C++ has the interfaces
// in te/Dialect/TERT/IR/MemoryInterfaces.h.

#ifndef TE_DIALECT_TERT_IR_TERTMEMORYINTERFACES_TD
#define TE_DIALECT_TERT_IR_TERTMEMORYINTERFACES_TD

include "mlir/IR/OpBase.td"

def TERT_InPlaceCallOpInterface : OpInterface<"InPlaceCallOpInterface"> {
  let cppNamespace = "::mlir::te::tert";
  let description = [{
    A call whose result may lie where one of its inputs lies: it has read all
    that it needs of an element's neighbourhood before it writes there.
  }];
  let methods = [
    InterfaceMethod<[{
      The input over which the call may write `init`, of the same type but for
      its strides; null where there is none.
      }],
      "::mlir::OpOperand *", "getOverwritableInput",
      (ins "::mlir::OpOperand &":$init)>,
  ];
}

def TERT_RowwiseCallOpInterface : OpInterface<"RowwiseCallOpInterface"> {
  let cppNamespace = "::mlir::te::tert";
  let description = [{
    A call that computes rows of its results from the same rows of its inputs:
    several calls of some rows each do what it does.
  }];
  let methods = [
    InterfaceMethod<"What the rows are to an operand.",
      "::mlir::te::tert::RowUse", "getRowUse",
      (ins "::mlir::OpOperand &":$operand)>,
  ];
}

def TERT_RecomputableCallOpInterface
    : OpInterface<"RecomputableCallOpInterface"> {
  let cppNamespace = "::mlir::te::tert";
  let description = [{
    A call that writes a column-wise FP8 copy beside other results, and could
    write it later, by itself, with the same bits.
  }];
  let methods = [
    InterfaceMethod<[{
      The column-wise copy; null where the call writes none or nothing else.
      }],
      "::mlir::Value", "getLaterCopy">,
    InterfaceMethod<[{
      Builds, at the builder's place, a call that writes the copy alone, and
      takes it out of this one.
      }],
      "::mlir::Operation *", "recompute", (ins "::mlir::OpBuilder &":$builder)>,
    InterfaceMethod<[{
      Whether `other`, a call that reads the same input later, has a form that
      writes the copy in passing.
      }],
      "bool", "canRecomputeIn", (ins "::mlir::Operation *":$other),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
      Makes `other` write the copy, which this call no longer writes. Returns
      what is in the place of `other`.
      }],
      "::mlir::Operation *", "recomputeIn",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Operation *":$other),
      /*methodBody=*/"", /*defaultImplementation=*/"return nullptr;">,
  ];
}

#endif // TE_DIALECT_TERT_IR_TERTMEMORYINTERFACES_TD
