// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float tensors of any shape and number as one loop: tables of matrices that
// are passed to a kernel as parameters.
#ifndef TERT_CUDA_KERNELS_PIECES_H
#define TERT_CUDA_KERNELS_PIECES_H

#include "cuda/Launch.h"
#include "cuda/kernels/Loops.h"
#include "cuda/kernels/PieceTable.h"
#include "cuda/kernels/Vector.cuh"

#include <algorithm>
#include <vector>

namespace tert::cuda {

/// Groups of eight elements that a block processes at a time.
constexpr int64_t groupsPerChunk = 2048;

struct Piece {
  const void *data;
  int64_t cols, stride;
  int64_t groupsPerRow;
  int64_t groups;     ///< of all rows
  int64_t firstChunk; ///< number of chunks of the preceding pieces
  int32_t dtype;
  int32_t aligned;
};

/// A kernel's parameter, small enough to be one.
struct Pieces {
  static constexpr int capacity = 400;
  int64_t chunks = 0;
  int32_t count = 0;
  Piece pieces[capacity];

#ifdef __CUDACC__
  /// Calls fn(v[8]) for the groups of this block, padded with zeros at the end
  /// of a row. Blocks take chunks, and threads groups, round-robin, the first
  /// ones last if `fromEnd`: so that a kernel that reads the tensors next finds
  /// those in the cache.
  template <bool fromEnd = false, typename Fn>
  __device__ void forEachGroup(const Fn &fn) const {
    for (int64_t i = blockIdx.x; i < chunks; i += gridDim.x) {
      const int64_t chunk = fromEnd ? chunks - 1 - i : i;
      const Piece &piece = pieces[findEntry(
          count, chunk, [this](int i) { return pieces[i].firstChunk; })];
      int64_t first = (chunk - piece.firstChunk) * groupsPerChunk;
      int64_t last = min(first + groupsPerChunk, piece.groups);
      if (piece.dtype == TERT_BF16)
        walk<Bf16>(piece, first, last, fn);
      else
        walk<float>(piece, first, last, fn);
    }
  }

private:
  template <typename T, typename Fn>
  static __device__ void walk(const Piece &piece, int64_t first, int64_t last,
                              const Fn &fn) {
    const T *data = static_cast<const T *>(piece.data);
    const bool oneRow = piece.groups == piece.groupsPerRow;
#pragma unroll 4
    for (int64_t i = first + threadIdx.x; i < last; i += blockDim.x) {
      int64_t row = oneRow ? 0 : i / piece.groupsPerRow;
      int64_t col = (i - row * piece.groupsPerRow) * 8;
      float v[8];
      load8(data + row * piece.stride + col,
            int(min(int64_t(8), piece.cols - col)), piece.aligned, v);
      fn(v);
    }
  }
#endif
};

/// Splits tensors into tables on the host.
class PieceList {
public:
  PieceList(const tert_tensor *tensors, int32_t n) {
    for (int32_t i = 0; i < n; ++i)
      forEachMatrix([&](const Matrix &matrix) { add(matrix); }, tensors[i]);
    if (all.empty())
      all.emplace_back();
  }

  size_t tables() const { return all.size(); }
  const Pieces &table(size_t index) const { return all[index]; }
  unsigned blocks(const LaunchContext &launch, size_t index) const {
    return unsigned(std::clamp<int64_t>(all[index].chunks, 1,
                                        8 * launch.device.multiprocessors));
  }

private:
  void add(const Matrix &matrix) {
    if (all.empty() || all.back().count == Pieces::capacity)
      all.emplace_back();
    Pieces &table = all.back();
    Piece &piece = table.pieces[table.count++];
    piece = {};
    piece.data = matrix.data;
    piece.cols = matrix.cols;
    piece.stride = matrix.stride;
    piece.groupsPerRow = ceilDiv(matrix.cols, 8);
    piece.groups = matrix.rows * piece.groupsPerRow;
    piece.firstChunk = table.chunks;
    piece.dtype = matrix.dtype;
    piece.aligned = matrix.isAlignedTo(16);
    table.chunks += ceilDiv(piece.groups, groupsPerChunk);
  }

  std::vector<Pieces> all;
};

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_PIECES_H
