// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mesh of ranks that a program is compiled for.

#ifndef TERT_ARTIFACT_MESH_H
#define TERT_ARTIFACT_MESH_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tert::session {

struct MeshAxis {
  std::string name; ///< "dp"
  int32_t size = 1;
};

/// Maximum number of ranks of a mesh.
constexpr int32_t maxRanks = 1 << 20;

/// Ranks in row-major order: the last axis is the fastest. Without axes there
/// is one rank.
struct Mesh {
  std::vector<MeshAxis> axes;

  int32_t ranks() const;
  /// "dp=2, tp=4"; empty without axes.
  std::string text() const;
  /// Null if there is no such axis.
  const MeshAxis *find(std::string_view name) const;
  /// Number of ranks along an axis; 1 if it does not exist.
  int32_t sizeOf(std::string_view name) const;
  /// Coordinate of `rank` along an axis; 0 if it does not exist.
  int32_t coordinate(int32_t rank, std::string_view name) const;
  /// Index of `rank` along several axes, of which the last one in the mesh is
  /// the fastest; 0 for no axes.
  int32_t indexAlong(int32_t rank, const std::vector<std::string> &names) const;
  /// The rank with coordinate 0 along an axis, and `rank`'s coordinates along
  /// the others: identifies the ranks that differ along that axis alone.
  int32_t groupAlong(int32_t rank, std::string_view name) const;
  /// Number of batches that all ranks together have at a time, and which of
  /// them is that of `rank`.
  int32_t shares() const;
  int32_t shareOf(int32_t rank) const;

private:
  /// Difference between the numbers of neighbours along an axis.
  int32_t strideOf(std::string_view name) const;
};

/// Ranks along these axes have batches of their own.
constexpr char dataAxis[] = "dp", expertAxis[] = "ep";

} // namespace tert::session

#endif // TERT_ARTIFACT_MESH_H
