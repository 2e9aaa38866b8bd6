// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDABLEOPINTERFACE_TD
#define TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def ShardableOpInterface : OpInterface<"ShardableOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that ranks can share: each computes a shard of its results from shards
    of its operands. te-shard-model queries it; ops without the interface are
    computed by all ranks from replicated values. Upstream's ShardingInterface
    does not suffice: it is limited to affine maps, which reshapes, splits and
    joined weights are not, and has no partial sums.
  }];
  let methods = [
    InterfaceMethod<[{
        The sharding of all values of the op when one is sharded by `cut`: the
        result of that number if `ofResult`, else the operand. The returned cut
        of that value may be finer than `cut`. Each block is split into `pieces`
        of one size, of which a rank has one, or, of sequences, two that need
        not be adjacent. Other values are replicated. Fails, with the reason in
        `reason` (it completes "because "), if ranks cannot share the op so.
      }],
      "::mlir::FailureOr<::mlir::te::OpSharding>", "getSharding",
      (ins "bool":$ofResult, "unsigned":$number,
           "const ::mlir::te::DimSplit &":$cut, "int64_t":$pieces,
           "::std::string &":$reason)>,
    InterfaceMethod<[{
        Builds the computation of a rank along `axis` when the op is sharded by
        `sharding`, a result of getSharding: the op on its shards of the
        operands, with results of the given types. Values of unused results may
        be null.
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
