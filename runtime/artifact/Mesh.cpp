// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "artifact/Mesh.h"

#include <algorithm>

using namespace tert::session;

int32_t Mesh::ranks() const {
  int32_t count = 1;
  for (const MeshAxis &axis : axes)
    count *= axis.size;
  return count;
}

std::string Mesh::text() const {
  std::string text;
  for (const MeshAxis &axis : axes)
    text += (text.empty() ? "" : ", ") + axis.name + "=" +
            std::to_string(axis.size);
  return text;
}

const MeshAxis *Mesh::find(std::string_view name) const {
  for (const MeshAxis &axis : axes)
    if (axis.name == name)
      return &axis;
  return nullptr;
}

int32_t Mesh::sizeOf(std::string_view name) const {
  const MeshAxis *axis = find(name);
  return axis ? axis->size : 1;
}

int32_t Mesh::strideOf(std::string_view name) const {
  int32_t stride = 1;
  for (size_t i = axes.size(); i-- > 0 && axes[i].name != name;)
    stride *= axes[i].size;
  return stride;
}

int32_t Mesh::coordinate(int32_t rank, std::string_view name) const {
  return find(name) ? rank / strideOf(name) % sizeOf(name) : 0;
}

int32_t Mesh::indexAlong(int32_t rank,
                         const std::vector<std::string> &names) const {
  int32_t place = 0;
  for (const MeshAxis &axis : axes)
    if (std::find(names.begin(), names.end(), axis.name) != names.end())
      place = place * axis.size + coordinate(rank, axis.name);
  return place;
}

int32_t Mesh::shares() const { return sizeOf(dataAxis) * sizeOf(expertAxis); }

int32_t Mesh::shareOf(int32_t rank) const {
  return indexAlong(rank, {dataAxis, expertAxis});
}

int32_t Mesh::groupAlong(int32_t rank, std::string_view name) const {
  return find(name) ? rank - coordinate(rank, name) * strideOf(name) : rank;
}
