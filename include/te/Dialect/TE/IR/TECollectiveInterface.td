// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of collectives, of the dialects shard, te and tert. C++ has it in
// te/Dialect/TE/IR/CollectiveInterface.h.

#ifndef TE_DIALECT_TE_IR_TECOLLECTIVEINTERFACE_TD
#define TE_DIALECT_TE_IR_TECOLLECTIVEINTERFACE_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

// The first ones are collectives of tensors and have the numbers of
// tert_collective_kind (tert/types.h).
def TE_CollectiveKind : I32EnumAttr<"CollectiveKind", "Kind of collective", [
    // Every rank gets the sum over all ranks.
    I32EnumAttrCase<"AllReduce", 0, "all_reduce">,
    // Every rank gets a shard of the sum.
    I32EnumAttrCase<"ReduceScatter", 1, "reduce_scatter">,
    // Every rank gets the shards of all ranks.
    I32EnumAttrCase<"AllGather", 2, "all_gather">,
    // Every rank gets its shards of all ranks' tensors.
    I32EnumAttrCase<"AllToAll", 3, "all_to_all">,
    // Many scalars at once, gathered and reduced.
    I32EnumAttrCase<"ReduceScalars", 4, "reduce_scalars">]> {
  let cppNamespace = "::mlir::te";
}

def TE_CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    A collective of a group of ranks, on graphs or as a runtime call: for
    schedules, reports and plans, which count the traffic. An op that also
    computes implements CostOpInterface.
  }];
  let methods = [
    InterfaceMethod<"The kind of collective.",
      "::mlir::te::CollectiveKind", "getCollectiveKind">,
    InterfaceMethod<[{
      The axes of the mesh along which the ranks of a group differ, bit a for
      axis a.
      }],
      "int32_t", "getMeshAxes", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return static_cast<int32_t>($_op.getAxes());">,
    InterfaceMethod<[{
      The types of the communicated tensors at the full size that a rank holds:
      operands of an all-reduce or a reduce-scatter, results of the others. For
      scalars, the rank's own.
      }],
      "::llvm::SmallVector<::mlir::ShapedType>", "getWholes">,
    InterfaceMethod<[{
      True if the op only starts the collective, which overlaps computation
      until a tert.await of one of its tensors.
      }],
      "bool", "isAsync", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
  ];
}

#endif // TE_DIALECT_TE_IR_TECOLLECTIVEINTERFACE_TD
