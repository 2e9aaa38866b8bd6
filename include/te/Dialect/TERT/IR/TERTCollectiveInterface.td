// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all exchanges among ranks have in common. C++ has it in
// te/Dialect/TERT/IR/Collectives.h.

#ifndef TE_DIALECT_TERT_IR_TERTCOLLECTIVEINTERFACE_TD
#define TE_DIALECT_TERT_IR_TERTCOLLECTIVEINTERFACE_TD

include "mlir/IR/OpBase.td"

def TERT_CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::mlir::te::tert";
  let description = [{
    A runtime call in which the ranks of a group exchange tensors: for reports
    and plans, which count what moves. One that computes besides says so by te's
    CostOpInterface.
  }];
  let methods = [
    InterfaceMethod<"What the ranks get.",
      "::mlir::te::tert::CollectiveKind", "getCollectiveKind">,
    InterfaceMethod<[{
      The axes of the mesh along which the ranks of a group differ, bit a for
      axis a.
      }],
      "int32_t", "getMeshAxes">,
    InterfaceMethod<[{
      The types of the tensors that are exchanged, as large as a rank has them
      when all of them are in one place: what a sum is of, what a reduce_scatter
      reads, what an all_gather writes. Of scalars, the rank's own.
      }],
      "::llvm::SmallVector<::mlir::ShapedType>", "getWholes">,
    InterfaceMethod<[{
      Whether the call only begins the exchange, and computation runs beside it
      until a tert.await of one of its tensors.
      }],
      "bool", "isBegun">,
  ];
}

#endif // TE_DIALECT_TERT_IR_TERTCOLLECTIVEINTERFACE_TD
