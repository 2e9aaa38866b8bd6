// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDABLEOPINTERFACE_TD
#define TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def ShardableOpInterface : OpInterface<"ShardableOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that ranks can share: each computes a part of its results from parts of
    its operands. te-shard-model asks it how; what has no such interface is computed
    by all ranks from whole values. Upstream's ShardingInterface says less than is
    needed here: it has affine maps alone, which reshapes, splits and joined weights
    are not, and no partial sums.
  }];
  let methods = [
    InterfaceMethod<[{
        How all values of the op are cut when one is cut as `cut` says: the result of
        that number if `ofResult`, else the operand. What is said of that value
        itself may be finer than `cut`. Each block is cut into `pieces` of one size,
        of which a rank has one, or, of sequences, two that need not be neighbours.
        Values that are not cut are whole, and the same on all ranks. Fails, with the
        reason in `reason` (it completes "because "), where ranks cannot share the op
        so.
      }],
      "::mlir::FailureOr<::mlir::te::OpSharding>", "getSharding",
      (ins "bool":$ofResult, "unsigned":$number,
           "const ::mlir::te::DimCut &":$cut, "int64_t":$pieces,
           "::std::string &":$reason)>,
    InterfaceMethod<[{
        Builds what a rank along `axis` computes when the op is shared as
        `sharding`, one of getSharding, says: the op on its parts of the operands,
        with results of the given types. Of results that nobody reads the value
        may be null.
      }],
      "::mlir::SmallVector<::mlir::Value>", "buildPart",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
           "::mlir::TypeRange":$results,
           "const ::mlir::te::OpSharding &":$sharding,
           "const ::mlir::te::AxisRanks &":$axis),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        return ::mlir::te::cloneOnParts(builder, $_op, operands, results);
      }]>,
  ];
}

#endif // TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDABLEOPINTERFACE_TD
