// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/GemmScales.h"

#include "cuda/kernels/Loops.h"
#include "cuda/kernels/Vector.cuh"

using namespace tert;
using namespace tert::cuda;

static constexpr int copyThreads = 256;

/// Copies the scales of a, followed by those of b.
static __global__ void __launch_bounds__(copyThreads)
    copyScales(const float *a, int64_t aCount, const float *b, int64_t bCount,
               float *aCopies, float *bCopies) {
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
       i < aCount + bCount; i += int64_t(gridDim.x) * blockDim.x)
    if (i < aCount)
      aCopies[i] = a[i];
    else
      bCopies[i - aCount] = b[i - aCount];
}

static bool isAligned(const float *scale) {
  return reinterpret_cast<uintptr_t>(scale) % 16 == 0;
}

/// Rows or columns of an element that have one scale, other than all.
static constexpr int64_t blockSize = 128;

static int64_t roundedUp(int64_t count) { return (count + 3) / 4 * 4; }

int64_t cuda::countScales(ScaleMode mode, int64_t rows, int64_t cols) {
  switch (mode) {
  case ScaleMode::Matrix:
    return 1;
  case ScaleMode::Row:
    return rows;
  case ScaleMode::Vector:
    return roundedUp(rows) * ceilDiv(cols, blockSize);
  case ScaleMode::Block:
    return ceilDiv(rows, blockSize) * roundedUp(ceilDiv(cols, blockSize));
  }
  return 1;
}

bool cuda::haveMode(const tert_tensor &scales, ScaleMode mode, int64_t rows,
                    int64_t cols) {
  auto is = [&](int64_t scaleRows, int64_t scaleCols, int64_t rowStride,
                int64_t colStride) {
    return sizeOf(scales, 0) == scaleRows && sizeOf(scales, 1) == scaleCols &&
           (scaleRows <= 1 || strideOf(scales, 0) == rowStride) &&
           (scaleCols <= 1 || strideOf(scales, 1) == colStride);
  };
  const int64_t rowBlocks = ceilDiv(rows, blockSize),
                colBlocks = ceilDiv(cols, blockSize);
  switch (mode) {
  case ScaleMode::Matrix:
    return false;
  case ScaleMode::Row:
    return is(rows, 1, 1, 1);
  case ScaleMode::Vector:
    return is(rows, colBlocks, 1, roundedUp(rows));
  case ScaleMode::Block:
    return is(rowBlocks, colBlocks, roundedUp(colBlocks), 1);
  }
  return false;
}

void cuda::alignScales(LaunchContext &launch, const GemmProblem &problem,
                       GemmOperands &operands) {
  if (isAligned(operands.aScale) && isAligned(operands.bScale))
    return;
  const int64_t aCount = countScales(problem.aScales, problem.m, problem.k);
  const int64_t bCount = countScales(problem.bScales, problem.n, problem.k);
  auto *aCopies = launch.scratch.take<float>(aCount);
  auto *bCopies = launch.scratch.take<float>(bCount);
  copyScales<<<launchBlocks(launch, aCount + bCount, copyThreads), copyThreads,
               0, launch.stream>>>(operands.aScale, aCount, operands.bScale,
                                   bCount, aCopies, bCopies);
  checkLaunch("scale factor kernel");
  operands.aScale = aCopies;
  operands.bScale = bCopies;
}
