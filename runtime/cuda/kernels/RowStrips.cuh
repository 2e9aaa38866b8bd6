// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices whose rows are read once: a few warps hold a row in registers, and a
// block processes a strip of 32 rows before it writes their column-wise copy,
// while the next rows are being copied to shared memory. For results that
// depend on a sum over their row, and for shapes common in models; the tile
// loop (Tile.cuh) does everything else.
#ifndef TERT_CUDA_KERNELS_ROWSTRIPS_CUH
#define TERT_CUDA_KERNELS_ROWSTRIPS_CUH

#include "cuda/kernels/AsyncCopy.cuh"
#include "cuda/kernels/Tile.cuh"

namespace tert::cuda {

constexpr int stripRows = 32;
constexpr int longestStripRow = 4096;

/// Distribution of rows in a block of `warpsPerBlock` warps: `warpsPerRow` of
/// them share a row, each thread `groupsPerRow` times eight adjacent columns of
/// it. `blocksAtOnce` is the number of blocks of a multiprocessor that
/// registers must suffice for: 16 warps, or 24 if a thread holds little.
template <int warpsPerRow, int groupsPerRow, int warpsPerBlock = 8,
          int blocksAtOnce = (groupsPerRow == 1 ? 24 : 16) / warpsPerBlock>
struct RowShape {
  static constexpr int warps = warpsPerRow;
  static constexpr int groups = groupsPerRow;
  static constexpr int blockWarps = warpsPerBlock;
  static constexpr int threads = 32 * blockWarps;
  static constexpr int rowsAtOnce = blockWarps / warps;
  static constexpr int minBlocks = blocksAtOnce;
  static_assert(blockWarps % warps == 0 && stripRows % rowsAtOnce == 0);

  /// The first column of a group.
  static __device__ int column(int group) {
    const int warp = threadIdx.x / 32 % warps;
    return ((group * warps + warp) * 32 + int(threadIdx.x) % 32) * 8;
  }
  /// True if a row of `cols` columns, a multiple of 256, has the group. Uniform
  /// in a warp.
  static __device__ bool has(int group, int64_t cols) {
    return column(group) < cols;
  }
  /// Index, among the rows that the block holds at once, of the thread's row.
  static __device__ int row() { return int(threadIdx.x) / 32 / warps; }
};

/// Shapes of norms, which hold little besides their input.
struct NormShapes {
  static constexpr int inputs = 1;
  /// Rows in flight per thread.
  static constexpr int rowsAhead = 2;

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

/// Shapes of norms' gradients. Sums over rows for every column of a thread
/// leave registers for few columns. Short rows still take a single warp: warps
/// that share a row wait for each other twice per row.
struct GradShapes {
  static constexpr int inputs = 3;
  static constexpr int rowsAhead = 1;

  template <typename Fn> static void with(int64_t cols, const Fn &fn) {
    switch (ceilDiv(cols, 256)) {
    case 1:
      return fn(RowShape<1, 1>());
    case 2:
      return fn(RowShape<1, 2, 8, 1>());
    case 3:
      return fn(RowShape<1, 3, 8, 1>());
    case 4:
      return fn(RowShape<1, 4, 8, 1>());
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

/// True if the outputs can be computed strip by strip. Strips are as large as
/// the shared memory of a Hopper's multiprocessor allows.
inline bool fitsStrips(const LaunchContext &launch,
                       const TileOutputs &outputs) {
  return launch.device.maxSharedBytes >= 227 * 1024 && fitsTiles(outputs) &&
         outputs.rows > 0 && outputs.cols > 0 && outputs.cols % 256 == 0 &&
         outputs.cols <= longestStripRow;
}

/// The shared memory of a block: the threads' inputs, followed by a strip's
/// codes.
template <typename Shapes, typename Shape> struct StripMemory {
  static constexpr int inputs = Shapes::inputs, rowsAhead = Shapes::rowsAhead;
  static constexpr size_t inputBytes = size_t(rowsAhead) * inputs *
                                       Shape::groups * Shape::threads *
                                       sizeof(uint4);

  /// `stages` includes memory for codes.
  static size_t bytes(const TileOutputs &outputs, bool stages) {
    return inputBytes + (stages ? size_t(stripRows) * outputs.cols : 0);
  }

  /// Eight elements that only this thread uses.
  __device__ uint4 &input(int rowAhead, int which, int group) const {
    return reinterpret_cast<uint4 *>(
        base)[((rowAhead * inputs + which) * Shape::groups + group) *
                  Shape::threads +
              int(threadIdx.x)];
  }
  __device__ uint8_t *staged() const { return base + inputBytes; }

  uint8_t *base;
};

/// Inputs of a norm's gradient: dy, x and an optional residual.
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
  /// The residual's elements; if they are bf16, `raw` contains them.
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

/// Sums over the threads that share a row, returned to all of them. `shared`
/// must differ from that of the previous call, whose values other threads may
/// still read.
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

/// Sums each column over the block's threads and writes the `cols` sums. Uses
/// the memory of inputs, none of which may be in flight. All threads call it.
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

/// Address of the staged codes of eight columns of a strip's row. Halves of 128
/// bytes are swapped in every other group of 16 rows, so that reading the same
/// words of two groups causes no bank conflict.
__device__ inline uint8_t *stagedAt(uint8_t *staged, int row, int col,
                                    int cols) {
  return staged + row * cols + (col ^ (row / 16 * 64));
}

/// Writes the staged strip at `row0` to the column-wise copy: two threads write
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

/// Writes eight results of a strip's row to every output.
__device__ inline void storeRow(const TileOutputs &outputs, float scale,
                                uint8_t *staged, int64_t row0, int row, int col,
                                const float (&v)[8], float &amax) {
  storeGroup(outputs, scale, row0 + row, col, v,
             stagedAt(staged, row, col, int(outputs.cols)), amax);
}

/// No further work on a strip.
struct NoStripWork {
  __device__ void operator()(int64_t) const {}
};

/// Processes the block's strips, one row of each thread at a time. begin(row)
/// reads the row's scalars, source(which, row, col) returns the address of an
/// input's eight elements, or null, and compute(inputs, begun, row0, row)
/// processes the row, of the strip at row0. Writes column-wise copies and, at
/// the end, the amax that compute has accumulated. After each strip, more(row0)
/// may use the memory of staged codes; it must synchronize all threads before
/// it returns.
template <typename Shapes, typename Shape, typename Begin, typename Source,
          typename Compute, typename More = NoStripWork>
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
  const auto placeOf = [&](int64_t row0) {
    return outputs.goBackwards() ? outputs.rows - stripRows - row0 : row0;
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
                    source(which, placeOf(aheadRow0) + aheadRow + own,
                           Shape::column(j)))
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
  auto next = begin(placeOf(row0) + own);
  int slot = 0;
  while (row0 < outputs.rows) {
    const int64_t turn = row0, strip = placeOf(row0);
#pragma unroll 1
    for (int row = 0; row0 == turn;) {
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
        next = begin(placeOf(row0) + row + own);
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

/// Prepares `kernel` for `bytes` of shared memory. Returns the number of blocks
/// to launch: as many as are resident at once.
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

/// Selects the kernel for the outputs' rows, kernelOf(shape), and calls
/// run(kernel, blocks, threads, bytes of shared memory) to launch it. `stages`:
/// the kernel stages codes. Returns the number of blocks.
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
