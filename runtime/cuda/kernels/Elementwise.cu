// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/kernels/Elementwise.h"

#include "cuda/Ops.h"

#include "cuda/kernels/Loops.h"
#include "cuda/kernels/MultiCopy.h"
#include "cuda/kernels/Vector.cuh"

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int threads = 256;

AnyFloat anyFloatOf(const Matrix &matrix) {
  return {matrix.data, matrix.stride, matrix.isAlignedTo(16),
          matrix.dtype == TERT_BF16};
}

/// y = a + b in groups of eight; b is a broadcast scalar if `bIsScalar`.
__global__ void __launch_bounds__(threads)
    addKernel(AnyFloat a, AnyFloat b, bool bIsScalar, AnyFloat y, int64_t rows,
              int64_t cols) {
  const int64_t groups = ceilDiv(cols, 8);
#pragma unroll 2
  for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x;
       i < rows * groups; i += int64_t(gridDim.x) * threads) {
    const int64_t row = rows == 1 ? 0 : i / groups;
    const int64_t col = (i - row * groups) * 8;
    const int valid = int(min(int64_t(8), cols - col));
    float left[8], right[8];
    a.load(row, col, valid, left);
    if (bIsScalar) {
      right[0] = b.at(0);
#pragma unroll
      for (int k = 1; k < 8; ++k)
        right[k] = right[0];
    } else {
      b.load(row, col, valid, right);
    }
#pragma unroll
    for (int k = 0; k < 8; ++k)
      left[k] += right[k];
    y.store(row, col, valid, left);
  }
}

/// Conversion between the float types.
__global__ void __launch_bounds__(threads)
    convertKernel(AnyFloat x, AnyFloat y, int64_t rows, int64_t cols) {
  const int64_t groups = ceilDiv(cols, 8);
#pragma unroll 2
  for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x;
       i < rows * groups; i += int64_t(gridDim.x) * threads) {
    const int64_t row = rows == 1 ? 0 : i / groups;
    const int64_t col = (i - row * groups) * 8;
    const int valid = int(min(int64_t(8), cols - col));
    float v[8];
    x.load(row, col, valid, v);
    y.store(row, col, valid, v);
  }
}

template <typename X, typename Y> __device__ inline void convert(X x, Y &y) {
  y = x;
}
__device__ inline void convert(Bf16 x, float &y) { y = toF32(x); }
__device__ inline void convert(float x, Bf16 &y) { fromF32(x, y); }

constexpr int blockSide = 32;

/// Copies between any strides, through a square in shared memory if that is a
/// transposition: reads run along x's rows, writes along y's.
template <typename X, typename Y>
__global__ void __launch_bounds__(blockSide * 8)
    copyKernel(const X *x, int64_t xRow, int64_t xCol, Y *y, int64_t yRow,
               int64_t yCol, int64_t rows, int64_t cols, bool transposes) {
  __shared__ X square[blockSide][blockSide + 1];
  const int64_t colBlocks = ceilDiv(cols, blockSide);
  const int64_t items = ceilDiv(rows, blockSide) * colBlocks;
  for (int64_t item = blockIdx.x; item < items; item += gridDim.x) {
    const int64_t row0 = item / colBlocks * blockSide;
    const int64_t col0 = item % colBlocks * blockSide;
    for (int i = threadIdx.y; i < blockSide; i += 8) {
      // x is read along its rows if its columns are far apart.
      const int r = transposes ? threadIdx.x : i;
      const int c = transposes ? i : threadIdx.x;
      if (row0 + r < rows && col0 + c < cols)
        square[r][c] = x[(row0 + r) * xRow + (col0 + c) * xCol];
    }
    __syncthreads();
    for (int i = threadIdx.y; i < blockSide; i += 8)
      if (row0 + i < rows && col0 + threadIdx.x < cols)
        convert(square[i][threadIdx.x],
                y[(row0 + i) * yRow + (col0 + threadIdx.x) * yCol]);
    __syncthreads();
  }
}

template <typename X, typename Y>
void copyStrided(LaunchContext &launch, const Matrix &x, const Matrix &y) {
  const int64_t items = ceilDiv(x.rows, blockSide) * ceilDiv(x.cols, blockSide);
  copyKernel<<<launchBlocks(launch, items, 1), dim3(blockSide, 8), 0,
               launch.stream>>>(static_cast<const X *>(x.data), x.stride,
                                x.colStride, static_cast<Y *>(y.data), y.stride,
                                y.colStride, x.rows, x.cols,
                                x.colStride != 1 && x.stride == 1);
}

/// Rows of words that are contiguous on both sides.
template <typename T>
__global__ void __launch_bounds__(threads)
    copyRowsKernel(const T *x, int64_t xStride, T *y, int64_t yStride,
                   int64_t rows, int64_t cols) {
  constexpr int inFlight = 4;
  const int64_t step = int64_t(gridDim.x) * threads;
  const int64_t count = rows * cols;
  for (int64_t first = int64_t(blockIdx.x) * threads + threadIdx.x;
       first < count; first += inFlight * step) {
    T words[inFlight];
#pragma unroll
    for (int j = 0; j < inFlight; ++j) {
      const int64_t i = first + j * step;
      const int64_t row = rows == 1 ? 0 : i / cols;
      if (i < count)
        words[j] = x[row * xStride + (i - row * cols)];
    }
#pragma unroll
    for (int j = 0; j < inFlight; ++j) {
      const int64_t i = first + j * step;
      const int64_t row = rows == 1 ? 0 : i / cols;
      if (i < count)
        y[row * yStride + (i - row * cols)] = words[j];
    }
  }
}

/// Copies rows as elements of T's size if both sides allow it.
template <typename T>
bool copyRows(LaunchContext &launch, const Matrix &x, const Matrix &y) {
  const int64_t bytes = x.cols * bytesOf(x.dtype);
  if (x.colStride != 1 || y.colStride != 1 || bytes % sizeof(T) ||
      !x.isAlignedTo(sizeof(T)) || !y.isAlignedTo(sizeof(T)))
    return false;
  const int64_t words = bytes / int64_t(sizeof(T));
  copyRowsKernel<<<launchBlocks(launch, ceilDiv(x.rows * words, 4), threads),
                   threads, 0, launch.stream>>>(
      static_cast<const T *>(x.data),
      x.stride * bytesOf(x.dtype) / int64_t(sizeof(T)),
      static_cast<T *>(y.data),
      y.stride * bytesOf(y.dtype) / int64_t(sizeof(T)), x.rows, words);
  return true;
}

/// Rows of words that are contiguous on both sides, in any number of
/// dimensions.
struct RowNest {
  int32_t rank; ///< of the rows
  uint32_t words, count;
  uint32_t sizes[TERT_MAX_RANK];
  int64_t xStrides[TERT_MAX_RANK], yStrides[TERT_MAX_RANK]; ///< in words
};

template <typename T>
__global__ void __launch_bounds__(threads)
    copyNestKernel(const T *x, T *y, RowNest nest) {
  const uint32_t step = gridDim.x * threads;
  // Less than 2^32, since the count is less than 2^31.
  for (uint32_t i = blockIdx.x * threads + threadIdx.x; i < nest.count;
       i += step) {
    uint32_t row = i / nest.words;
    int64_t from = i - row * nest.words, to = from;
    for (int32_t dim = nest.rank - 1; dim >= 0; --dim) {
      const uint32_t outer = row / nest.sizes[dim];
      const uint32_t index = row - outer * nest.sizes[dim];
      from += index * nest.xStrides[dim];
      to += index * nest.yStrides[dim];
      row = outer;
    }
    y[to] = x[from];
  }
}

/// Copies rows in more than two dimensions by one launch, as elements of T's
/// size if both sides allow it.
template <typename T>
bool copyNest(LaunchContext &launch, const LoopNest<2> &loops,
              const tert_tensor &x, const tert_tensor &y) {
  const int32_t last = loops.getRank() - 1;
  const int64_t element = bytesOf(dtypeOf(x));
  const auto isWhole = [&](int64_t elements) {
    return elements * element % int64_t(sizeof(T)) == 0;
  };
  const auto address = [](const tert_tensor &tensor) {
    return reinterpret_cast<uintptr_t>(tensor.data);
  };
  if (loops.getStride(0, last) != 1 || loops.getStride(1, last) != 1 ||
      !isWhole(loops.getSize(last)) || (address(x) | address(y)) % sizeof(T))
    return false;
  const auto toWords = [&](int64_t elements) {
    return elements * element / int64_t(sizeof(T));
  };
  RowNest nest = {last};
  int64_t count = toWords(loops.getSize(last));
  nest.words = uint32_t(count);
  for (int32_t dim = 0; dim < last; ++dim) {
    if (!isWhole(loops.getStride(0, dim)) || !isWhole(loops.getStride(1, dim)))
      return false;
    nest.sizes[dim] = uint32_t(loops.getSize(dim));
    nest.xStrides[dim] = toWords(loops.getStride(0, dim));
    nest.yStrides[dim] = toWords(loops.getStride(1, dim));
    if (__builtin_mul_overflow(count, loops.getSize(dim), &count))
      return false;
  }
  if (count >= int64_t(1) << 31)
    return false;
  nest.count = uint32_t(count);
  copyNestKernel<<<launchBlocks(launch, count, threads), threads, 0,
                   launch.stream>>>(static_cast<const T *>(x.data),
                                    static_cast<T *>(y.data), nest);
  checkLaunch("copy kernel");
  return true;
}

/// Calls fn with an unsigned integer of the width of `dtype`.
template <typename Fn> void withBits(tert_dtype dtype, const Fn &fn) {
  switch (bytesOf(dtype)) {
  case 1:
    return fn(uint8_t());
  case 2:
    return fn(uint16_t());
  case 4:
    return fn(uint32_t());
  default:
    return fn(uint64_t());
  }
}

template <typename T>
__global__ void __launch_bounds__(threads)
    fillKernel(T *y, int64_t rowStride, int64_t colStride, int64_t rows,
               int64_t cols, T value) {
  for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x; i < rows * cols;
       i += int64_t(gridDim.x) * threads) {
    const int64_t row = rows == 1 ? 0 : i / cols;
    y[row * rowStride + (i - row * cols) * colStride] = value;
  }
}

} // namespace

uint64_t cuda::bitsOf(double value, tert_dtype dtype) {
  uint64_t bits = 0;
  auto store = [&](auto stored) { memcpy(&bits, &stored, sizeof(stored)); };
  switch (dtype) {
  case TERT_F32:
    store(float(value));
    break;
  case TERT_BF16:
    store(__float2bfloat16_rn(float(value)));
    break;
  case TERT_I64:
    store(int64_t(value));
    break;
  case TERT_I32:
    store(int32_t(value));
    break;
  default:
    store(uint8_t(value));
    break;
  }
  return bits;
}

void cuda::add(LaunchContext &launch, const tert_site &, const tert_tensor &a,
               const tert_tensor &b, const tert_tensor &y) {
  // b as a tensor of a's rank, broadcast along the dimensions it lacks.
  Strided repeated(b);
  const int32_t missing = rankOf(a) - rankOf(b);
  for (int32_t dim = rankOf(a) - 1; dim >= 0; --dim)
    repeated.strides[dim] = dim >= missing ? strideOf(b, dim - missing) : 0;
  forEachMatrixOf(
      [&](const Matrix &left, const Matrix &right, const Matrix &result) {
        const int64_t items = left.rows * ceilDiv(left.cols, 8);
        const bool isScalar = rankOf(b) == 0 && rankOf(a) > 0;
        addKernel<<<launchBlocks(launch, items, threads), threads, 0,
                    launch.stream>>>(anyFloatOf(left), anyFloatOf(right),
                                     isScalar, anyFloatOf(result), left.rows,
                                     left.cols);
        checkLaunch("add kernel");
      },
      *a.layout, std::array<Strided, 3>{Strided(a), repeated, Strided(y)});
}

void cuda::copy(LaunchContext &launch, const tert_site &, const tert_tensor &x,
                const tert_tensor &y) {
  const LoopNest<2> loops(*x.layout, {Strided(x), Strided(y)});
  bool isCopied = false;
  if (loops.getRank() > 2 && dtypeOf(x) == dtypeOf(y))
    withBits(dtypeOf(x), [&](auto element) {
      isCopied = copyNest<uint4>(launch, loops, x, y) ||
                 copyNest<decltype(element)>(launch, loops, x, y);
    });
  if (isCopied)
    return;
  forEachMatrix(
      [&](const Matrix &from, const Matrix &to) {
        const bool sameRows = from.colStride == 1 && to.colStride == 1;
        if (from.dtype == to.dtype) {
          withBits(from.dtype, [&](auto element) {
            using T = decltype(element);
            if (!copyRows<uint4>(launch, from, to) &&
                !copyTransposed(launch, from, to) &&
                !copyRows<T>(launch, from, to))
              copyStrided<T, T>(launch, from, to);
          });
        } else if (sameRows) {
          convertKernel<<<
              launchBlocks(launch, from.rows * ceilDiv(from.cols, 8), threads),
              threads, 0, launch.stream>>>(anyFloatOf(from), anyFloatOf(to),
                                           from.rows, from.cols);
        } else if (from.dtype == TERT_BF16) {
          copyStrided<Bf16, float>(launch, from, to);
        } else {
          copyStrided<float, Bf16>(launch, from, to);
        }
        checkLaunch("copy kernel");
      },
      x, y);
}

void cuda::fill(LaunchContext &launch, const tert_site &, const tert_tensor &y,
                double value) {
  const uint64_t bits = bitsOf(value, dtypeOf(y));
  forEachMatrix(
      [&](const Matrix &to) {
        withBits(to.dtype, [&](auto element) {
          using T = decltype(element);
          fillKernel<<<launchBlocks(launch, to.rows * to.cols, threads),
                       threads, 0, launch.stream>>>(static_cast<T *>(to.data),
                                                    to.stride, to.colStride,
                                                    to.rows, to.cols, T(bits));
        });
        checkLaunch("fill kernel");
      },
      y);
}
