// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of the parameters that one launch updates.

#include "cuda/kernels/Update.cuh"

#include "cuda/kernels/Loops.h"

using namespace tert;
using namespace tert::cuda;

namespace {
class UpdateTables {
public:
  explicit UpdateTables(int numStates) : numStates(numStates) {}

  void add(const ParameterUpdate &parameter);
  std::vector<UpdateTable> take();

private:
  UpdateKind kindOf(const UpdateEntry &entry) const;
  void addEntry(UpdateEntry entry, const TileOutputs &outputs);
  void setStates(UpdateEntry &entry, const ParameterUpdate &parameter);
  void addMatrix(UpdateEntry entry, const Matrix &gradient, int64_t offset,
                 int64_t rows, int64_t cols);

  int numStates;
  std::vector<UpdateTable> tables[UpdateKind::count];
};
} // namespace

std::vector<UpdateTable> UpdateTables::take() {
  std::vector<UpdateTable> all;
  for (const std::vector<UpdateTable> &ofKind : tables)
    all.insert(all.end(), ofKind.begin(), ofKind.end());
  return all;
}

/// Bytes of a group of eight elements that one access reads or writes.
static int64_t accessBytes(tert_dtype dtype) {
  return std::min<int64_t>(16, 8 * bytesOf(dtype));
}

UpdateKind UpdateTables::kindOf(const UpdateEntry &entry) const {
  UpdateKind kind = {entry.paramIsBf16, StateKind::F32};
  if (numStates > 0 && entry.stateTypes[0] != TERT_F32)
    kind.states =
        entry.stateTypes[0] == TERT_BF16 ? StateKind::Bf16 : StateKind::Fp8;
  return kind;
}

void UpdateTables::addEntry(UpdateEntry entry, const TileOutputs &outputs) {
  const TileSchedule schedule = coverWithTiles(outputs);
  int64_t tiles = int64_t(schedule.rowTiles) * schedule.colTiles;
  // The amax of nothing is written as well.
  if (tiles == 0 && !entry.amax)
    return;
  tiles = std::max<int64_t>(tiles, 1);
  const UpdateKind kind = kindOf(entry);
  std::vector<UpdateTable> &list = tables[kind.index()];
  if (list.empty() || list.back().count == UpdateTable::capacity ||
      list.back().tiles + tiles > INT32_MAX) {
    list.emplace_back();
    list.back().tiles = 0;
    list.back().count = 0;
    list.back().kind = kind;
  }
  UpdateTable &table = list.back();
  entry.firstTile = table.tiles;
  entry.colTiles = std::max(1u, schedule.colTiles);
  table.tiles += uint32_t(tiles);
  table.entries[table.count++] = entry;
}

/// Elements [offset, offset + rows * cols) of a parameter without copies.
void UpdateTables::addMatrix(UpdateEntry entry, const Matrix &gradient,
                             int64_t offset, int64_t rows, int64_t cols) {
  entry.gradient = gradient.data;
  entry.gradientStride = gradient.stride;
  entry.gradientIsBf16 = gradient.dtype == TERT_BF16;
  const tert_dtype paramType = entry.paramIsBf16 ? TERT_BF16 : TERT_F32;
  entry.param = static_cast<char *>(entry.param) + offset * bytesOf(paramType);
  for (int i = 0; i < numStates; ++i)
    entry.states[i] =
        static_cast<char *>(entry.states[i]) +
        offset * bytesOf(static_cast<tert_dtype>(entry.stateTypes[i]));
  entry.rows = rows;
  entry.cols = cols;
  entry.stride = cols;
  auto aligned = [&](void *data, uint8_t type) {
    const auto dtype = static_cast<tert_dtype>(type);
    return Matrix{data, dtype, rows, cols, cols, 1}.isAlignedTo(
        accessBytes(dtype));
  };
  entry.aligned = gradient.isAlignedTo(16) && aligned(entry.param, paramType);
  for (int i = 0; i < numStates; ++i)
    entry.aligned &= aligned(entry.states[i], entry.stateTypes[i]);
  entry.fits = entry.aligned;
  TileOutputs outputs;
  outputs.rows = rows;
  outputs.cols = cols;
  addEntry(entry, outputs);
}

void UpdateTables::setStates(UpdateEntry &entry,
                             const ParameterUpdate &parameter) {
  for (int i = 0; i < numStates; ++i) {
    entry.states[i] = parameter.states[i].data;
    entry.stateTypes[i] = dtypeOf(parameter.states[i]);
    if (parameter.stateScales)
      entry.stateScales[i] =
          static_cast<float *>(parameter.stateScales[i].data);
  }
}

void UpdateTables::add(const ParameterUpdate &parameter) {
  const tert_tensor &param = *parameter.param;
  UpdateEntry entry = {};
  entry.param = param.data;
  entry.paramIsBf16 = dtypeOf(param) == TERT_BF16;
  setStates(entry, parameter);
  entry.decays = parameter.decay;
  if (requestsOutput(parameter.quantized)) {
    const tert_tensor &gradient = *parameter.gradient;
    const TileOutputs outputs = tileOutputs(sizeOf(param, 0), sizeOf(param, 1),
                                            nullptr, parameter.quantized);
    entry.rowwise = outputs.rowwise;
    entry.columnwise = outputs.columnwise;
    entry.scale = outputs.scale;
    entry.isE5M2 = outputs.isE5M2;
    entry.amax = outputs.amax;
    entry.gradient = gradient.data;
    entry.gradientStride = strideOf(gradient, 0);
    entry.gradientIsBf16 = dtypeOf(gradient) == TERT_BF16;
    entry.rows = outputs.rows;
    entry.cols = outputs.cols;
    entry.stride = strideOf(param, 0);
    entry.aligned = rowsAlignedTo(gradient, 16) && rowsAlignedTo(param, 16);
    for (int i = 0; i < numStates; ++i)
      entry.aligned &= rowsAlignedTo(parameter.states[i],
                                     accessBytes(dtypeOf(parameter.states[i])));
    entry.fits = entry.aligned && fitsTiles(outputs);
    addEntry(entry, outputs);
    return;
  }
  // Rows with scales are not joined or cut.
  if (parameter.stateScales) {
    const tert_tensor &g = *parameter.gradient;
    const int64_t rows = sizeOf(param, 0), cols = sizeOf(param, 1);
    addMatrix(entry, Matrix{g.data, dtypeOf(g), rows, cols, strideOf(g, 0), 1},
              0, rows, cols);
    return;
  }
  forEachMatrixOf(
      [&](const Matrix &gradient, const Matrix &like) {
        const int64_t offset = (static_cast<const char *>(like.data) -
                                static_cast<const char *>(param.data)) /
                               bytesOf(dtypeOf(param));
        if (gradient.rows > 1) {
          addMatrix(entry, gradient, offset, gradient.rows, gradient.cols);
          return;
        }
        // One long row: rows as wide as a tile, and what is left.
        const int64_t rows = gradient.cols / tileCols;
        auto part = [&](int64_t first, int64_t numRows, int64_t cols) {
          Matrix piece = {static_cast<char *>(gradient.data) +
                              first * bytesOf(gradient.dtype),
                          gradient.dtype,
                          numRows,
                          cols,
                          cols,
                          1};
          addMatrix(entry, piece, offset + first, numRows, cols);
        };
        if (rows > 0)
          part(0, rows, tileCols);
        if (gradient.cols % tileCols)
          part(rows * tileCols, 1, gradient.cols % tileCols);
      },
      *param.layout,
      std::array<Strided, 2>{Strided(*parameter.gradient), Strided(param)});
}

std::vector<UpdateTable> cuda::makeUpdateTables(const UpdateStep &step) {
  UpdateTables tables(step.numStates);
  for (const ParameterUpdate &parameter : step.parameters)
    tables.add(parameter);
  return tables.take();
}
