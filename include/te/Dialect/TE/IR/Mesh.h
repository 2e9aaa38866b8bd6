// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mesh of ranks that a module is compiled for: a shard.grid whose axes have
// names.

#ifndef TE_DIALECT_TE_IR_MESH_H
#define TE_DIALECT_TE_IR_MESH_H

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace mlir::te {

/// Of a shard.grid: the names of its axes, strings.
inline constexpr llvm::StringLiteral kAxesAttr = "te.axes";

struct MeshAxis {
  std::string name;
  int64_t size;

  bool operator==(const MeshAxis &other) const {
    return name == other.name && size == other.size;
  }
};

/// The axis whose ranks have the same parameters and batches of their own.
inline constexpr llvm::StringLiteral kDataAxis = "dp";
/// The axis whose ranks have parts of the parameters, and the same batches.
inline constexpr llvm::StringLiteral kTensorAxis = "tp";
/// The axis whose ranks have the same parameters and parts of each sequence.
inline constexpr llvm::StringLiteral kContextAxis = "cp";

/// The axis whose ranks have parts of the experts, and batches of their own.
inline constexpr llvm::StringLiteral kExpertAxis = "ep";

/// Whether ranks along an axis have batches of their own.
inline bool hasOwnBatches(StringRef axis) {
  return axis == kDataAxis || axis == kExpertAxis;
}

/// Reads "dp=2", or several axes with commas between them, the last one the
/// fastest in the order of ranks. Fails with an error at `loc` that says what
/// can be written.
FailureOr<SmallVector<MeshAxis>> parseMesh(StringRef text, Location loc);

/// A module's mesh.
class Mesh {
public:
  /// The grid with `te.axes`; nothing where the module is for one rank. Fails,
  /// with an error, when there are several or one is malformed.
  static FailureOr<std::optional<Mesh>> get(ModuleOp module);
  /// Adds a grid with these axes in front of everything.
  static Mesh create(ModuleOp module, ArrayRef<MeshAxis> axes);

  StringRef getName() { return grid.getSymName(); }
  ArrayRef<MeshAxis> getAxes() const { return axes; }
  int64_t getNumRanks() const;
  /// The number of an axis; nothing where there is none of that name.
  std::optional<shard::GridAxis> findAxis(StringRef name) const;

private:
  Mesh(shard::GridOp grid, ArrayRef<MeshAxis> axes) : grid(grid), axes(axes) {}

  shard::GridOp grid;
  SmallVector<MeshAxis> axes;
};

/// True if an op names a grid: what it does depends on the rank, or on others.
bool refersToMesh(Operation *op);

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_MESH_H
