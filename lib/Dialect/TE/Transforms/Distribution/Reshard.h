// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value as the op that reads it wants it: whole or a part, from what the
// ranks along one axis have of it.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_RESHARD_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_RESHARD_H

#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TE/Transforms/Distribution/Sharding.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::te {

/// `type` with another size of one dimension.
RankedTensorType withSize(RankedTensorType type, int64_t dim, int64_t size);

/// The ranks along the axis `name` of `mesh` (parseMesh), nothing if it has no
/// such axis. Gives the module a grid of the mesh. One that it has is an error,
/// unless a pass that shares the axis `madeFor` has made it.
FailureOr<std::optional<AxisRanks>> findAxisRanks(ModuleOp module,
                                                  StringRef mesh,
                                                  StringRef name,
                                                  StringRef madeFor = {});

/// The values of one function in their new forms. Every old value has a home:
/// all of it on every rank, or the rank's part.
class ShardedValues {
public:
  ShardedValues(OpBuilder &builder, AxisRanks mesh)
      : builder(builder), mesh(std::move(mesh)) {}

  /// `value` is the home of `of`: its part as `cut` says, or the whole.
  void setHome(Value of, Value value, std::optional<DimCut> cut);
  /// `terms` is what each rank has of the sum that is `of`, whose home is cut.
  void setHomeOfSum(Value of, Value terms, std::optional<DimCut> cut);

  /// Old values as they are wanted, built at the builder's place where they are
  /// not there yet. A value without a home is whole.
  Value getWhole(Value of);
  /// The whole, for an op that computes something else on each rank: te.vary.
  Value getVarying(Value of);
  Value getPart(Value of, const DimCut &cut);

private:
  struct Home {
    Value value;
    std::optional<DimCut> cut;
    Value whole, varying;
    SmallVector<std::pair<DimCut, Value>> parts;
  };

  Home &getHome(Value of);
  Value slice(Location loc, Value whole, const DimCut &cut);
  Value gather(Location loc, Value part, const DimCut &cut);
  Value exchange(Location loc, Value value, const DimCut &cut, bool gathers);
  /// Applies `fn` to every block of a cut dimension: `fn` gets a value of one
  /// block and the dimension that it is along.
  Value forEachBlock(Location loc, Value value, const DimCut &cut,
                     int64_t divisor,
                     llvm::function_ref<Value(Value, int64_t)> fn);

  OpBuilder &builder;
  AxisRanks mesh;
  llvm::DenseMap<Value, Home> homes;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_RESHARD_H
