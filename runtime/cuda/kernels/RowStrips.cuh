// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices whose rows are read once: a few warps hold a row in registers, and a
// block takes a strip of 32 rows before it writes their column-wise copy. The
// rows that come next are on their way to shared memory meanwhile. For what
// needs a sum over a row before it knows the row's results, and for shapes of
// models: the tile loop (Tile.cuh) does everything else.
#ifndef TERT_CUDA_KERNELS_ROWSTRIPS_CUH
#define TERT_CUDA_KERNELS_ROWSTRIPS_CUH

#include "cuda/kernels/AsyncCopy.cuh"
#include "cuda/kernels/Tile.cuh"

namespace tert::cuda {

constexpr int stripRows = 32;
constexpr int longestStripRow = 4096;

/// How a block of `warpsPerBlock` warps holds rows: `warpsPerRow` of them have
/// one, each thread `groupsPerRow` times eight neighbouring columns of it.
template <int warpsPerRow, int groupsPerRow, int warpsPerBlock = 8>
struct RowShape {
  static constexpr int warps = warpsPerRow;
  static constexpr int groups = groupsPerRow;
  static constexpr int blockWarps = warpsPerBlock;
  static constexpr int threads = 32 * blockWarps;
  static constexpr int rowsAtOnce = blockWarps / warps;
  /// Blocks of a multiprocessor that registers must suffice for: 16 warps, or
  /// 24 where a thread has little.
  static constexpr int minBlocks = (groups == 1 ? 24 : 16) / blockWarps;
  static_assert(blockWarps % warps == 0 && stripRows % rowsAtOnce == 0);

  /// The first column of a group.
  static __device__ int column(int group) {
    const int warp = threadIdx.x / 32 % warps;
    return ((group * warps + warp) * 32 + int(threadIdx.x) % 32) * 8;
  }
  /// Whether a row of `cols` columns, a multiple of 256, has the group. Equal
  /// in a warp.
  static __device__ bool has(int group, int64_t cols) {
    return column(group) < cols;
  }
  /// Which of the rows that the block holds at once the thread has a part of.
  static __device__ int row() { return int(threadIdx.x) / 32 / warps; }
};

/// Shapes of norms, which keep little besides their input.
struct NormShapes {
  static constexpr int inputs = 1;
  /// Rows that are on their way to a thread.
  static constexpr int rowsAhead = 3;

  /// Calls fn with the shape for rows of `cols` columns.
  template <typename Fn> static void with(int64_t cols, const Fn &fn) {
    switch (ceilDiv(cols, 256)) {
    case 1:
      return fn(RowShape<1, 1>());
    case 2:
      return fn(RowShape<1, 2>());
    case 3:
      return fn(RowShape<1, 3>());
    case 4:
      return fn(RowShape<1, 4>());
    case 5:
    case 6:
      return fn(RowShape<2, 3>());
    case 7:
    case 8:
      return fn(RowShape<2, 4>());
    case 9:
    case 10:
    case 11:
    case 12:
      return fn(RowShape<4, 3, 16>());
    default:
      return fn(RowShape<4, 4, 16>());
    }
  }
};

/// Shapes of their gradients: sums over rows for every column that a thread has
/// leave registers for few of them.
struct GradShapes {
  static constexpr int inputs = 3;
  static constexpr int rowsAhead = 2;

  template <typename Fn> static void with(int64_t cols, const Fn &fn) {
    switch (ceilDiv(cols, 256)) {
    case 1:
      return fn(RowShape<1, 1>());
    case 2:
      return fn(RowShape<2, 1>());
    case 3:
      return fn(RowShape<3, 1, 12>());
    case 4:
      return fn(RowShape<4, 1>());
    case 5:
    case 6:
      return fn(RowShape<3, 2, 12>());
    case 7:
    case 8:
      return fn(RowShape<4, 2>());
    case 9:
    case 10:
    case 11:
    case 12:
      return fn(RowShape<6, 2, 12>());
    default:
      return fn(RowShape<8, 2, 16>());
    }
  }
};

/// Whether the outputs can be made strip by strip.
inline bool fitsStrips(const TileOutputs &outputs) {
  return fitsTiles(outputs) && outputs.rows > 0 && outputs.cols > 0 &&
         outputs.cols % 256 == 0 && outputs.cols <= longestStripRow;
}

/// The shared memory of a block: where its threads' inputs arrive, and behind
/// it a strip's codes.
template <typename Shapes, typename Shape> struct StripMemory {
  static constexpr int inputs = Shapes::inputs, rowsAhead = Shapes::rowsAhead;
  static constexpr size_t inputBytes = size_t(rowsAhead) * inputs *
                                       Shape::groups * Shape::threads *
                                       sizeof(uint4);

  /// `stages`: whether codes wait there.
  static size_t bytes(const TileOutputs &outputs, bool stages) {
    return inputBytes + (stages ? size_t(stripRows) * outputs.cols : 0);
  }

  /// Eight elements of the thread's own.
  __device__ uint4 &input(int rowAhead, int which, int group) const {
    return reinterpret_cast<uint4 *>(
        base)[((rowAhead * inputs + which) * Shape::groups + group) *
                  Shape::threads +
              int(threadIdx.x)];
  }
  __device__ uint8_t *staged() const { return base + inputBytes; }

  uint8_t *base;
};

/// Where a norm's gradient finds its inputs: dy, x and a residual, or none.
struct GradSources {
  View<Bf16> dy, x;
  AnyFloat residual;

  __device__ const Bf16 *operator()(int which, int64_t row, int col) const {
    if (which == 0)
      return dy.at(row, col);
    if (which == 1)
      return x.at(row, col);
    return residual && residual.isBf16
               ? static_cast<const Bf16 *>(residual.data) +
                     row * residual.stride + col
               : nullptr;
  }
  /// The residual's elements, of which `raw` has come where they are bf16.
  __device__ void residualOf(const Raw8<Bf16> &raw, int64_t row, int col,
                             float (&v)[8]) const {
    if (residual && !residual.isBf16) {
      residual.load(row, col, 8, v);
      return;
    }
    raw.get(v);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      v[k] = residual ? v[k] : 0.0f;
  }
};

/// Sums over the threads that hold a row; each of them gets them. `shared` must
/// not be that of the call before, whose values others may still read.
template <typename Shape, int count>
__device__ inline void rowSums(float (&values)[count],
                               float (&shared)[Shape::blockWarps][count]) {
#pragma unroll
  for (int i = 0; i < count; ++i)
    values[i] = warpReduce(values[i], Sum());
  if constexpr (Shape::warps > 1) {
    const int warp = threadIdx.x / 32,
              first = warp / Shape::warps * Shape::warps;
    if (threadIdx.x % 32 == 0)
#pragma unroll
      for (int i = 0; i < count; ++i)
        shared[warp][i] = values[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < count; ++i) {
      values[i] = 0;
#pragma unroll
      for (int w = 0; w < Shape::warps; ++w)
        values[i] += shared[first + w][i];
    }
  }
}

/// Adds up what the block's threads have summed of each column and writes the
/// sums, `cols` of them, through the memory of inputs, none of which is on its
/// way. All threads call it.
template <typename Memory, typename Shape>
__device__ inline void storeColumnSums(const Memory &memory, Shape,
                                       const float (&sums)[Shape::groups][8],
                                       int64_t cols, float *result) {
  static_assert(Memory::inputBytes >=
                size_t(Shape::threads) * Shape::groups * 8 * sizeof(float));
  float *partial = reinterpret_cast<float *>(memory.base);
  __syncthreads();
#pragma unroll
  for (int g = 0; g < Shape::groups; ++g)
    if (Shape::has(g, cols))
#pragma unroll
      for (int k = 0; k < 8; ++k)
        partial[Shape::row() * cols + Shape::column(g) + k] = sums[g][k];
  __syncthreads();
  for (int64_t col = threadIdx.x; col < cols; col += Shape::threads) {
    float total = 0;
#pragma unroll
    for (int row = 0; row < Shape::rowsAtOnce; ++row)
      total += partial[row * cols + col];
    result[col] = total;
  }
}

/// Where the codes of eight columns of a strip's row wait. Halves of 128 bytes
/// are exchanged in every other group of 16 rows, so that reading the same
/// words of two groups meets no bank twice.
__device__ inline uint8_t *stagedAt(uint8_t *staged, int row, int col,
                                    int cols) {
  return staged + row * cols + (col ^ (row / 16 * 64));
}

/// Writes the staged strip at `row0` to the column-wise copy: two threads make
/// 32 bytes of a column. All threads call it, after a __syncthreads().
__device__ inline void storeStrip(uint8_t *staged, const Fp8Output &output,
                                  int64_t row0, int cols) {
  for (int item = threadIdx.x; item < cols / 2; item += blockDim.x) {
    const int group = item % 2, col = item / 2 * 4;
    uint32_t columns[4][4];
#pragma unroll
    for (int quad = 0; quad < 4; ++quad) {
      uint32_t rows[4], transposed[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        rows[i] = *reinterpret_cast<const uint32_t *>(
            stagedAt(staged, group * 16 + quad * 4 + i, col, cols));
      transpose4(rows[0], rows[1], rows[2], rows[3], transposed);
#pragma unroll
      for (int i = 0; i < 4; ++i)
        columns[i][quad] = transposed[i];
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
      storeColumn<true>(output, row0 + group * 16, col + i, columns[i]);
  }
}

/// Hands eight results of a strip's row to every output.
__device__ inline void storeRow(const TileOutputs &outputs, float scale,
                                uint8_t *staged, int64_t row0, int row, int col,
                                const float (&v)[8], float &amax) {
  storeGroup(outputs, scale, row0 + row, col, v,
             stagedAt(staged, row, col, int(outputs.cols)), amax);
}

/// Does nothing more with a strip.
struct NoMore {
  __device__ void operator()(int64_t) const {}
};

/// For the block's strips, a row of each thread at a time: begin(row) reads
/// what there is once for a row, source(which, row, col) says where an input's
/// eight elements are, or null, and compute(inputs, begun, row0, row) works on
/// the strip at row0's row. Finishes column-wise copies and, behind all, the
/// amax that compute has taken along. Behind a strip more(row0) may use the
/// memory of staged codes, and leaves it to all threads again.
template <typename Shapes, typename Shape, typename Begin, typename Source,
          typename Compute, typename More = NoMore>
__device__ inline void forStrips(const StripMemory<Shapes, Shape> &memory,
                                 const TileOutputs &outputs, float &amax,
                                 uint32_t *counters, const Begin &begin,
                                 const Source &source, const Compute &compute,
                                 const More &more = More()) {
  constexpr int inputs = Shapes::inputs, rowsAhead = Shapes::rowsAhead;
  const int own = Shape::row();
  const int64_t cols = outputs.cols, stride = int64_t(gridDim.x) * stripRows;
  const auto advance = [&](int64_t &row0, int &row) {
    row += Shape::rowsAtOnce;
    if (row == stripRows) {
      row = 0;
      row0 += stride;
    }
  };
  int64_t aheadRow0 = int64_t(blockIdx.x) * stripRows;
  int aheadRow = 0;
  auto copyNext = [&](int slot) {
    if (aheadRow0 < outputs.rows) {
#pragma unroll
      for (int which = 0; which < inputs; ++which)
#pragma unroll
        for (int j = 0; j < Shape::groups; ++j)
          if (Shape::has(j, cols))
            if (const Bf16 *from =
                    source(which, aheadRow0 + aheadRow + own, Shape::column(j)))
              copyAsync(&memory.input(slot, which, j), from);
      advance(aheadRow0, aheadRow);
    }
    commitCopies();
  };
#pragma unroll
  for (int slot = 0; slot < rowsAhead; ++slot)
    copyNext(slot);
  int64_t row0 = int64_t(blockIdx.x) * stripRows;
  // There are no more blocks than strips.
  auto next = begin(row0 + own);
  int slot = 0;
  while (row0 < outputs.rows) {
    const int64_t strip = row0;
#pragma unroll 1
    for (int row = 0; row0 == strip;) {
      waitForCopies<rowsAhead - 1>();
      Raw8<Bf16> raw[inputs][Shape::groups];
#pragma unroll
      for (int which = 0; which < inputs; ++which)
#pragma unroll
        for (int j = 0; j < Shape::groups; ++j)
          raw[which][j].words[0] = memory.input(slot, which, j);
      copyNext(slot);
      slot = slot + 1 < rowsAhead ? slot + 1 : 0;
      const auto begun = next;
      const int current = row + own;
      advance(row0, row);
      if (row0 < outputs.rows)
        next = begin(row0 + row + own);
      compute(raw, begun, strip, current);
    }
    if (outputs.columnwise.data) {
      __syncthreads();
      storeStrip(memory.staged(), outputs.columnwise, strip, int(cols));
      __syncthreads();
    }
    more(strip);
  }
  if (!outputs.amax)
    return;
  __shared__ uint32_t warpAmaxes[Shape::blockWarps];
  const uint32_t bits = blockReduce(magnitudeBits(amax), Max(), warpAmaxes);
  if (threadIdx.x == 0)
    finishAmax(bits, outputs.amax, counters, gridDim.x);
}

/// Prepares `kernel` for `bytes` of shared memory. Returns how many blocks to
/// launch: as many as a device holds at once.
template <typename Kernel>
unsigned stripBlocks(LaunchContext &launch, const char *name, Kernel *kernel,
                     const TileOutputs &outputs, int threads, size_t bytes) {
  check(cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(bytes)),
        name);
  int perMultiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor,
                                                      kernel, threads, bytes),
        name);
  return unsigned(std::clamp<int64_t>(
      outputs.rows / stripRows, 1,
      std::max<int64_t>(1, int64_t(perMultiprocessor) *
                               launch.device.multiprocessors)));
}

/// Picks the kernel for the outputs' rows, kernelOf(shape), and lets
/// run(kernel, blocks, threads, bytes of shared memory) launch it. `stages`:
/// whether the kernel stages codes. Returns how many blocks it has.
template <typename Shapes, typename KernelOf, typename Run>
unsigned launchStrips(LaunchContext &launch, const char *name,
                      const TileOutputs &outputs, bool stages,
                      const KernelOf &kernelOf, const Run &run) {
  unsigned blocks = 0;
  Shapes::with(outputs.cols, [&](auto shape) {
    using Shape = decltype(shape);
    const size_t bytes = StripMemory<Shapes, Shape>::bytes(outputs, stages);
    auto *kernel = kernelOf(shape);
    blocks = stripBlocks(launch, name, kernel, outputs, Shape::threads, bytes);
    run(kernel, blocks, Shape::threads, bytes);
    checkLaunch(name);
  });
  return blocks;
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_ROWSTRIPS_CUH
