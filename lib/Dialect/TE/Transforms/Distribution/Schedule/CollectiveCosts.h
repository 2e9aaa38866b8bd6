// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of the collectives of a graph, for passes that weigh them against work.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SCHEDULE_COLLECTIVECOSTS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SCHEDULE_COLLECTIVECOSTS_H

#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Planning/Cluster.h"

namespace mlir::te {

class CollectiveCosts {
public:
  /// The times of collectives along the axes of these names, over the links of
  /// a predefined cluster (the reference if `cluster` is empty). Returns
  /// nullopt if the module is for one rank, has no such axis, or no times are
  /// known; fails, with an error, if there is no such cluster or the mesh is
  /// malformed.
  static FailureOr<std::optional<CollectiveCosts>>
  get(ModuleOp module, ArrayRef<StringRef> names, StringRef cluster);

  /// True if one of the axes `of` is such an axis.
  bool isAlong(ArrayRef<shard::GridAxis> of) const {
    return llvm::any_of(of, [&](shard::GridAxis axis) {
      return llvm::is_contained(axes, axis);
    });
  }
  /// True if `op` gathers or scatters along such an axis.
  bool isCollective(Operation *op) const;
  /// Seconds that such a collective takes, or the fraction `share` of it.
  double getSeconds(Operation *collective, double share = 1) const;

private:
  CollectiveCosts(const Mesh &mesh, ArrayRef<shard::GridAxis> axes,
                  const Cluster &cluster)
      : mesh(mesh), axes(axes), cluster(&cluster) {}

  Mesh mesh;
  SmallVector<shard::GridAxis> axes;
  const Cluster *cluster; ///< predefined
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SCHEDULE_COLLECTIVECOSTS_H
