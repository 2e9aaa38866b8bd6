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
  std::vector<UpdateTable> take() { return std::move(tables); }

private:
  void addEntry(UpdateEntry entry, const TileOutputs &outputs);
  void addMatrix(UpdateEntry entry, const Matrix &gradient, int64_t offset,
                 int64_t rows, int64_t cols);

  int numStates;
  std::vector<UpdateTable> tables;
};
} // namespace

void UpdateTables::addEntry(UpdateEntry entry, const TileOutputs &outputs) {
  const TileSchedule schedule = coverWithTiles(outputs);
  int64_t tiles = int64_t(schedule.rowTiles) * schedule.colTiles;
  // The amax of nothing is written as well.
  if (tiles == 0 && !entry.amax)
    return;
  tiles = std::max<int64_t>(tiles, 1);
  if (tables.empty() || tables.back().count == UpdateTable::capacity ||
      tables.back().tiles + tiles > INT32_MAX) {
    tables.emplace_back();
    tables.back().tiles = 0;
    tables.back().count = 0;
  }
  UpdateTable &table = tables.back();
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
  entry.param += offset;
  for (float *&state : entry.states)
    if (state)
      state += offset;
  entry.rows = rows;
  entry.cols = cols;
  entry.stride = cols;
  auto aligned = [&](float *data) {
    return Matrix{data, TERT_F32, rows, cols, cols, 1}.isAlignedTo(16);
  };
  entry.aligned = gradient.isAlignedTo(16) && aligned(entry.param);
  for (float *state : entry.states)
    entry.aligned &= !state || aligned(state);
  entry.fits = entry.aligned;
  TileOutputs outputs;
  outputs.rows = rows;
  outputs.cols = cols;
  addEntry(entry, outputs);
}

void UpdateTables::add(const ParameterUpdate &parameter) {
  const tert_tensor &param = *parameter.param;
  UpdateEntry entry = {};
  entry.param = static_cast<float *>(param.data);
  for (int i = 0; i < numStates; ++i)
    entry.states[i] = static_cast<float *>(parameter.states[i].data);
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
      entry.aligned &= rowsAlignedTo(parameter.states[i], 16);
    entry.fits = entry.aligned && fitsTiles(outputs);
    addEntry(entry, outputs);
    return;
  }
  forEachMatrixOf(
      [&](const Matrix &gradient, const Matrix &like) {
        const int64_t offset = static_cast<const float *>(like.data) -
                               static_cast<const float *>(param.data);
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
