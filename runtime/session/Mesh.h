// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mesh of ranks that a program is compiled for.

#ifndef TERT_SESSION_MESH_H
#define TERT_SESSION_MESH_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tert::session {

struct MeshAxis {
  std::string name; ///< "dp"
  int32_t size = 1;
};

/// The most ranks of a mesh.
constexpr int32_t mostRanks = 1 << 20;

/// Ranks in row-major order: the last axis is the fastest. Without axes there
/// is one rank.
struct Mesh {
  std::vector<MeshAxis> axes;

  int32_t ranks() const;
  /// "dp=2, tp=4"; empty without axes.
  std::string text() const;
  /// Null if there is no such axis.
  const MeshAxis *find(std::string_view name) const;
  /// Ranks along an axis; 1 for one that is not there.
  int32_t sizeOf(std::string_view name) const;
  /// Where `rank` stands along an axis; 0 for one that is not there.
  int32_t coordinate(int32_t rank, std::string_view name) const;
  /// Where `rank` stands along several axes, counted with the last of them in
  /// the mesh the fastest; 0 along none.
  int32_t placeAlong(int32_t rank, const std::vector<std::string> &names) const;
  /// The rank that stands at 0 along an axis, and else where `rank` does: the
  /// same for all that differ in that axis alone.
  int32_t groupAlong(int32_t rank, std::string_view name) const;

private:
  /// How far apart neighbours along an axis are.
  int32_t strideOf(std::string_view name) const;
};

/// Along it each rank has data of its own.
constexpr char dataAxis[] = "dp";

} // namespace tert::session

#endif // TERT_SESSION_MESH_H
