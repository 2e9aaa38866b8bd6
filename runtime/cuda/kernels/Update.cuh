// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of the parameters that one launch updates. A table travels as the
// kernel's own parameter.
#ifndef TERT_CUDA_KERNELS_UPDATE_CUH
#define TERT_CUDA_KERNELS_UPDATE_CUH

#include "cuda/Ops.h"
#include "cuda/kernels/PieceTable.h"
#include "cuda/kernels/Tile.cuh"
#include "program/Update.h"

#include <vector>

namespace tert::cuda {

/// How a parameter's states are stored.
enum class StateKind : uint8_t { F32, Bf16, Fp8 };

/// There is a kernel for each kind; all entries of a table have one.
struct UpdateKind {
  bool paramIsBf16;
  StateKind states; ///< F32 without states

  static constexpr int count = 6;
  int index() const { return int(states) * 2 + paramIsBf16; }
};

/// One parameter as a matrix; its states have its layout.
struct UpdateEntry {
  void *gradient, *param;
  void *states[2];       ///< null where there is none
  float *stateScales[2]; ///< for 128 elements of a row; null if not FP8
  int64_t rows, cols;
  int64_t gradientStride, stride;
  Fp8Output rowwise, columnwise;
  const float *scale;
  float *amax;
  uint32_t firstTile, colTiles;
  bool gradientIsBf16, paramIsBf16, aligned, fits, isE5M2, decays;
  uint8_t stateTypes[2]; ///< tert_dtype

  __device__ AnyFloat gradientView() const {
    return {gradient, gradientStride, aligned, gradientIsBf16};
  }
  template <typename T> __device__ View<T> view(void *tensor) const {
    return {static_cast<T *>(tensor), stride, aligned};
  }
};

struct UpdateTable {
  static constexpr int capacity = 160;
  uint32_t tiles;
  int32_t count;
  UpdateKind kind;
  UpdateEntry entries[capacity];

  __device__ int find(uint32_t tile) const {
    return findEntry(count, tile,
                     [this](int i) { return entries[i].firstTile; });
  }
};
static_assert(sizeof(UpdateTable) <= 32000, "must fit a kernel's parameters");

/// The parameters of a step, split into tables on the host.
std::vector<UpdateTable> makeUpdateTables(const UpdateStep &step);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_UPDATE_CUH
