// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of collectives. C++ has it in te/Dialect/TERT/IR/Collectives.h.

#ifndef TE_DIALECT_TERT_IR_TERTCOLLECTIVEINTERFACE_TD
#define TE_DIALECT_TERT_IR_TERTCOLLECTIVEINTERFACE_TD

include "mlir/IR/OpBase.td"

def TERT_CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::mlir::te::tert";
  let description = [{
    A runtime call that is a collective of a group of ranks: for reports and
    plans, which count the traffic. A call that also computes implements te's
    CostOpInterface.
  }];
  let methods = [
    InterfaceMethod<"The kind of collective.",
      "::mlir::te::tert::CollectiveKind", "getCollectiveKind">,
    InterfaceMethod<[{
      The axes of the mesh along which the ranks of a group differ, bit a for
      axis a.
      }],
      "int32_t", "getMeshAxes">,
    InterfaceMethod<[{
      The types of the communicated tensors at the full size that a rank holds:
      operands of an all-reduce or a reduce-scatter, results of an all-gather.
      For scalars, the rank's own.
      }],
      "::llvm::SmallVector<::mlir::ShapedType>", "getWholes">,
    InterfaceMethod<[{
      True if the call only starts the collective, which overlaps computation
      until a tert.await of one of its tensors.
      }],
      "bool", "isAsync">,
  ];
}

#endif // TE_DIALECT_TERT_IR_TERTCOLLECTIVEINTERFACE_TD
