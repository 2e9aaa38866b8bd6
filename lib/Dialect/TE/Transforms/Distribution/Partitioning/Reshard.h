// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts values between replicated and sharded forms along one axis, as their
// readers require.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PARTITIONING_RESHARD_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PARTITIONING_RESHARD_H

#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TE/Transforms/Distribution/Sharding.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::te {

/// `type` with dimension `dim` resized.
RankedTensorType withSize(RankedTensorType type, int64_t dim, int64_t size);

/// `value` with dimensions in another order: dimension i is `order[i]` of it.
Value transposeTo(OpBuilder &builder, Location loc, Value value,
                  ArrayRef<int64_t> order);

/// The ranks along the axis `name` of `mesh` (parseMesh); nullopt if there is
/// no such axis. Gives the module a grid of the mesh. An existing grid is an
/// error unless a pass that shards along one of the axes `madeFor` made it.
FailureOr<std::optional<AxisRanks>>
findAxisRanks(ModuleOp module, StringRef mesh, StringRef name,
              ArrayRef<StringRef> madeFor = {});

/// The values of one function in their sharded forms. Every old value has a
/// home form: replicated, or the rank's shard.
class ShardedValues {
public:
  ShardedValues(OpBuilder &builder, AxisRanks mesh)
      : builder(builder), mesh(std::move(mesh)) {}
  virtual ~ShardedValues() = default;

  /// Sets the home form of `of` to `value`: sharded along the split `cut`, or
  /// replicated without one.
  void setHome(Value of, Value value, std::optional<DimSplit> cut);
  /// Sets the home form of `of`, the sum of the ranks' `terms`, to a shard; of
  /// sequences, to all of it.
  void setHomeOfSum(Value of, Value terms, std::optional<DimSplit> cut);

  /// Forms of old values as readers need them, built at the builder's insertion
  /// point on demand. A value without a home form is replicated.
  Value getWhole(Value of);
  /// The full value for an op that computes something different on each rank:
  /// te.vary.
  virtual Value getVarying(Value of);
  Value getPart(Value of, const DimSplit &cut);

protected:
  /// The rank's shard of a replicated value. The cotangent of `whole` is
  /// gathered from those of all shards.
  Value slice(Location loc, Value whole, const DimSplit &cut);
  /// The rank's shard of a value that is not made in such shards.
  virtual Value takePart(Value of, const DimSplit &cut) {
    return slice(of.getLoc(), getWhole(of), cut);
  }

  OpBuilder &builder;
  AxisRanks mesh;

private:
  struct Home {
    Value value;
    std::optional<DimSplit> cut;
    Value whole, varying;
    SmallVector<std::pair<DimSplit, Value>> parts;
  };

  Home &getHome(Value of);
  Value gather(Location loc, Value part, const DimSplit &cut);
  Value collective(Location loc, Value value, const DimSplit &cut,
                   bool gathers);
  /// Applies `fn` to every block of a sharded dimension. `fn` gets the value of
  /// one block and the sharded dimension in it.
  Value forEachBlock(Location loc, Value value, const DimSplit &cut,
                     int64_t divisor,
                     llvm::function_ref<Value(Value, int64_t)> fn);

  llvm::DenseMap<Value, Home> homes;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PARTITIONING_RESHARD_H
