// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// d = (op(a)·op(b)) * scales + bias (+ d), one path for all storage types.
// Where scales change along the summed dimension, each piece that has one of
// either factor is summed, scaled and added.
//
// op(b) is converted once to f32 panels of 64 columns, k by k, the order in
// which the register tiles read it. A task computes blocks of d: it converts
// its rows of op(a) block by block into the second-level cache, multiplies them
// with all panels, and finishes the block (scales, bias, rounding) while it is
// cached. Blocks and the order of every sum depend on the shapes alone. With
// few rows, as of tokens that are generated one by one, a task converts and
// multiplies one panel, which is then read once.
//
// On CPUs with instructions for bf16, factors in FP8 or bf16 become pairs of
// bf16 numbers instead (Bf16Dot.h).

#include "cpu/Ops.h"

#include "cpu/Bf16Dot.h"
#include "cpu/Loops.h"
#include "cpu/Scales.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <optional>
#include <utility>

// Shared by all instruction sets, so defined once.
#ifndef TERT_CPU_MATMUL_SHARED
#define TERT_CPU_MATMUL_SHARED
namespace tert::cpu {

/// result = op(a)·op(b), scaled, is stored as d or as dᵀ; bias belongs to the
/// columns of d.
struct Product {
  int64_t rows() const { return transposedD ? d.cols : d.rows; }
  int64_t cols() const { return transposedD ? d.rows : d.cols; }

  /// Elements along the depth of a block.
  int64_t depthOfBlock() const {
    return usesPairs ? 2 * blockDepth : blockDepth;
  }
  /// The place of element k of the depth in a packed factor, of 4 bytes each.
  int64_t placeOf(int64_t k) const { return usesPairs ? (k + 1) / 2 : k; }
  /// The place of element k of a panel that begins at column `col` of those
  /// packed.
  int64_t placeOf(int64_t col, int64_t k) const {
    return col * placeOf(depth) + placeOf(k) * panelCols;
  }

  Factor a, b;
  Matrix d;
  bool transposedD;
  const Matrix *bias;
  /// Of the rows of op(a) and the columns of op(b), applied one after the
  /// other.
  const float *aScales, *bScales;
  int64_t depth;
  /// Of pieces of the summed dimension, the last of which may be shorter:
  /// [pieces][rows of op(a)] and [pieces][columns of op(b)]; none if null.
  const float *aPieceScales = nullptr, *bPieceScales = nullptr;
  int64_t pieceDepth = 0;
  bool addToD = false;
  /// A few rows, computed panel by panel; not transposed.
  bool isThin = false;
  /// Factors in FP8 or bf16 are packed as pairs of bf16 numbers.
  bool usesPairs = false;
};

/// One task: rows [row, row + rows) and columns [col, col + cols) of the
/// result. col is a multiple of panelCols away from the first packed column.
struct Block {
  int64_t row, rows, col, cols;
};

/// Rows of d for which its panels are computed one by one.
constexpr int64_t maxThinRows = 8;

} // namespace tert::cpu
#endif // TERT_CPU_MATMUL_SHARED

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Matmul.cpp"
#include <hwy/foreach_target.h>

#include "cpu/MatmulFactors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Finishes sums[0, n) and stores them as elements of d, in d's type. (row,
/// col) is the place of the first in the result, `bias` that of its column of
/// d.
template <typename T>
HWY_INLINE void finishRow(const Product &product, const float *sums,
                          int64_t row, int64_t col, const float *bias,
                          int64_t n, T *d) {
  // A row of d is one of the result, or a column if that is transposed.
  auto one = hn::Set(F32(), product.transposedD ? product.bScales[col]
                                                : product.aScales[row]);
  const float *others =
      product.transposedD ? product.aScales + row : product.bScales + col;
  forVectors(n, [&](int64_t j, int64_t count) HWY_ATTR {
    VecF32 v = loadF32(sums + j, count), other = loadF32(others + j, count);
    v = product.transposedD || product.isThin ? hn::Mul(hn::Mul(v, other), one)
                                              : hn::Mul(hn::Mul(v, one), other);
    v = hn::Add(v, loadF32(bias + j, count));
    if (product.addToD)
      v = hn::Add(v, loadF32(d + j, count));
    storeF32(v, d + j, count);
  });
}

/// Finishes a block whose sums are rows of d. `bias` covers all columns of d.
HWY_INLINE void finishRows(const Product &product, const Block &block,
                           const float *sums, int64_t stride,
                           const float *bias) {
  withFloat(product.d.dtype, product.d.address(block.row, block.col),
            [&](auto *d) HWY_ATTR {
              for (int64_t i = 0; i < block.rows; ++i)
                finishRow(product, sums + i * stride, block.row + i, block.col,
                          bias + block.col, block.cols,
                          d + i * product.d.stride);
            });
}

/// Finishes a block whose sums are columns of d.
HWY_INLINE void finishColumns(const Product &product, const Block &block,
                              const float *sums, int64_t stride,
                              const float *bias) {
  HWY_ALIGN float transposed[4 * maxBlockRows];
  withFloat(product.d.dtype, product.d.address(block.col, block.row),
            [&](auto *d) HWY_ATTR {
              for (int64_t j = 0; j < block.cols; j += 4) {
                for (int64_t i = 0; i < block.rows; i += 4)
                  transpose4x4(sums + i * stride + j, stride, transposed + i,
                               maxBlockRows);
                for (int64_t r = 0; r < 4 && j + r < block.cols; ++r)
                  finishRow(product, transposed + r * maxBlockRows, block.row,
                            block.col + j + r, bias + block.row, block.rows,
                            d + (j + r) * product.d.stride);
              }
            });
}

/// sums += piece * (scales of the rows * scales of the columns), for the
/// `piece` of the summed dimension with this number.
HWY_INLINE void addPiece(const Product &product, const Block &block,
                         int64_t number, const float *piece, float *sums,
                         int64_t stride) {
  const float *rowScales =
      product.aPieceScales + number * product.rows() + block.row;
  const float *colScales =
      product.bPieceScales + number * product.cols() + block.col;
  for (int64_t i = 0; i < block.rows; ++i) {
    auto rowScale = hn::Set(F32(), rowScales[i]);
    forVectors(block.cols, [&](int64_t j, int64_t count) HWY_ATTR {
      float *sum = sums + i * stride + j;
      VecF32 scale = hn::Mul(rowScale, loadF32(colScales + j, count));
      storeF32(hn::MulAdd(loadF32(piece + i * stride + j, count), scale,
                          loadF32(sum, count)),
               sum, count);
    });
  }
}

/// Calls multiply(k, depth, sums, accumulate) for all of the summed dimension,
/// in parts of at most a block's depth, and scales what it sums of each piece.
/// `piece` has the size of `sums`, rows `stride` apart, if scales change along
/// that dimension.
template <typename Multiply>
HWY_INLINE void sumPieces(const Product &product, const Block &block,
                          float *sums, float *piece, int64_t stride,
                          const Multiply &multiply) {
  if (product.depth == 0 || product.aPieceScales)
    std::memset(sums, 0, block.rows * stride * sizeof(float));
  const int64_t whole =
      product.aPieceScales ? product.pieceDepth : product.depth;
  for (int64_t first = 0; first < product.depth; first += whole) {
    const int64_t end = HWY_MIN(first + whole, product.depth);
    for (int64_t k = first; k < end; k += product.depthOfBlock())
      multiply(k, HWY_MIN(product.depthOfBlock(), end - k),
               product.aPieceScales ? piece : sums, /*accumulate=*/k > first);
    if (product.aPieceScales)
      addPiece(product, block, first / whole, piece, sums, stride);
  }
}

/// Packs a panel of op(b) as packPanel does, for this product.
void packFor(const Product &product, int64_t col, int64_t cols, int64_t k,
             int64_t depth, void *panel) {
  if (product.usesPairs)
    bf16dot::loadColumns(product.b, col, cols, k, depth,
                         static_cast<bf16dot::Pair *>(panel));
  else
    packPanel(product.b, col, cols, k, depth, static_cast<float *>(panel));
}

/// sums[rows, cols] (+)= rows [row, row + rows) of op(a) · op(b), over the
/// depth [k, k + depth). `panelAt(col)` is the panel of column col from k on.
template <typename PanelAt>
HWY_INLINE void
multiplyPanels(const Product &product, int64_t row, int64_t rows, int64_t cols,
               int64_t k, int64_t depth, void *aBuffer, const PanelAt &panelAt,
               float *sums, int64_t stride, bool accumulate) {
  TileOperand left = {};
  auto *pairs = static_cast<bf16dot::Pair *>(aBuffer);
  if (product.usesPairs)
    bf16dot::loadRows(product.a, row, rows, k, depth, pairs, blockStride);
  else
    left = loadBlock(product.a, row, rows, k, depth,
                     static_cast<float *>(aBuffer));
  for (int64_t col = 0; col < cols; col += panelCols) {
    const int64_t whole = (HWY_MIN(panelCols, cols - col) + 15) / 16 * 16;
    const void *panel = panelAt(col);
    if (product.usesPairs)
      bf16dot::multiplyTile(rows, whole, product.placeOf(depth), pairs,
                            blockStride,
                            static_cast<const bf16dot::Pair *>(panel),
                            sums + col, stride, accumulate);
    else
      multiplyTile(rows, whole, depth, left, static_cast<const float *>(panel),
                   panelCols, sums + col, stride, accumulate);
  }
}

/// Computes one block of the result. `panels` is packed op(b) from the block's
/// first column on. `aBuffer` holds maxBlockRows * blockStride floats, `sums`
/// and `piece` rows * cols floats, rounded up to a multiple of 4 and to full
/// panels. `bias` is f32, for all columns of d.
void multiplyBlock(const Product &product, const Block &block,
                   const float *panels, const float *bias, float *aBuffer,
                   float *sums, float *piece) {
  int64_t stride = (block.cols + panelCols - 1) / panelCols * panelCols;
  sumPieces(product, block, sums, piece, stride,
            [&](int64_t k, int64_t depth, float *to, bool accumulate) HWY_ATTR {
              multiplyPanels(
                  product, block.row, block.rows, block.cols, k, depth, aBuffer,
                  [&](int64_t col) { return panels + product.placeOf(col, k); },
                  to, stride, accumulate);
            });
  if (product.transposedD)
    finishColumns(product, block, sums, stride, bias);
  else
    finishRows(product, block, sums, stride, bias);
}

/// Computes columns [col, col + cols) of a thin product, at most panelCols.
/// `panel` holds blockDepth * panelCols floats, `aBuffer` maxThinRows *
/// blockStride, `sums` and `piece` maxThinRows * panelCols.
void multiplyThinPanel(const Product &product, int64_t col, int64_t cols,
                       const float *bias, float *panel, float *aBuffer,
                       float *sums, float *piece) {
  const int64_t rows = product.rows();
  const Block block = {0, rows, col, cols};
  sumPieces(product, block, sums, piece, panelCols,
            [&](int64_t k, int64_t depth, float *to, bool accumulate) HWY_ATTR {
              packFor(product, col, cols, k, depth, panel);
              multiplyPanels(
                  product, 0, rows, cols, k, depth, aBuffer,
                  [&](int64_t) { return panel; }, to, panelCols, accumulate);
            });
  finishRows(product, block, sums, panelCols, bias);
}

/// The bias as f32, or zeros if there is none.
void loadBias(const Matrix *bias, int64_t cols, float *y) {
  if (bias)
    readRow(bias->dtype, bias->data, y, cols);
  else
    std::memset(y, 0, cols * sizeof(float));
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(packFor);
HWY_EXPORT(multiplyBlock);
HWY_EXPORT(multiplyThinPanel);
HWY_EXPORT(loadBias);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

namespace {

/// Partition of a result into chunks of columns, for which op(b) is packed one
/// after the other, and of chunks into blocks.
struct Grid {
  Grid(int64_t rows, int64_t cols) {
    chunkCols = std::min(cols, maxChunkCols);
    blockCols = chunkCols;
    // Small products get smaller blocks, so that all threads have work: first
    // fewer columns, because the rows of a block share the loads of op(b).
    while (numBlocks(rows, chunkCols) < minBlocks) {
      if (blockCols > minBlockCols)
        blockCols = ceilDiv(blockCols, 2 * panelCols) * panelCols;
      else if (blockRows > minBlockRows)
        blockRows /= 2;
      else
        break;
    }
  }

  int64_t numBlocks(int64_t rows, int64_t cols) const {
    return ceilDiv(rows, blockRows) * ceilDiv(cols, blockCols);
  }

  static constexpr int64_t maxChunkCols = 1024;
  static constexpr int64_t minBlocks = 16;
  static constexpr int64_t minBlockCols = 2 * panelCols;
  static constexpr int64_t minBlockRows = 48;
  int64_t blockRows = maxBlockRows;
  int64_t chunkCols, blockCols;
};

} // namespace

static void multiplyThin(Execution &execution, const Product &product) {
  const Matrix &d = product.d;
  Scratch::Frame frame(execution.scratch);
  constexpr int64_t panelSize = blockDepth * panelCols;
  // Blocks of a transposed op(a) are written in rows of four.
  constexpr int64_t aSize = maxThinRows * blockStride;
  constexpr int64_t sumsSize = maxThinRows * panelCols;
  constexpr int64_t perWorker = panelSize + aSize + 2 * sumsSize;
  float *bias = frame.take<float>(d.cols);
  float *buffers =
      frame.take<float>(execution.pool.getNumThreads() * perWorker);
  HWY_DYNAMIC_DISPATCH(loadBias)(product.bias, d.cols, bias);
  auto multiplyOne = HWY_DYNAMIC_DISPATCH(multiplyThinPanel);
  execution.pool.parallelFor(
      ceilDiv(d.cols, panelCols), [&](int64_t task, int worker) {
        float *panel = buffers + worker * perWorker;
        float *a = panel + panelSize, *sums = a + aSize;
        multiplyOne(product, task * panelCols,
                    std::min(panelCols, d.cols - task * panelCols), bias, panel,
                    a, sums, sums + sumsSize);
      });
}

static void multiply(Execution &execution, Product product) {
  const Matrix &d = product.d;
  if (d.rows == 0 || d.cols == 0)
    return;
  product.isThin = d.rows <= maxThinRows && d.cols > d.rows;
  if (product.isThin)
    return multiplyThin(execution, product);
  // Packing costs more than loading blocks, and its result soon exceeds a
  // cache, so the smaller factor is packed: dᵀ = op(b)ᵀ·op(a)ᵀ.
  product.transposedD = d.cols > d.rows;
  if (product.transposedD) {
    std::swap(product.a, product.b);
    std::swap(product.aScales, product.bScales);
    std::swap(product.aPieceScales, product.bPieceScales);
    product.a.transposed = !product.a.transposed;
    product.b.transposed = !product.b.transposed;
  }
  auto pack = HWY_DYNAMIC_DISPATCH(packFor);
  auto multiplyOne = HWY_DYNAMIC_DISPATCH(multiplyBlock);
  Grid grid(product.rows(), product.cols());
  int64_t paddedChunk = ceilDiv(grid.chunkCols, panelCols) * panelCols;
  int64_t sumsPerWorker =
      grid.blockRows * ceilDiv(grid.blockCols, panelCols) * panelCols;
  constexpr int64_t aPerWorker = maxBlockRows * blockStride;

  Scratch::Frame frame(execution.scratch);
  int64_t numWorkers = execution.pool.getNumThreads();
  float *panels =
      frame.take<float>(paddedChunk * product.placeOf(product.depth));
  float *bias = frame.take<float>(d.cols);
  float *sums = frame.take<float>(numWorkers * sumsPerWorker);
  float *pieces = product.aPieceScales
                      ? frame.take<float>(numWorkers * sumsPerWorker)
                      : sums;
  float *aBuffers = frame.take<float>(numWorkers * aPerWorker);
  HWY_DYNAMIC_DISPATCH(loadBias)(product.bias, d.cols, bias);

  for (int64_t chunk = 0; chunk < product.cols(); chunk += grid.chunkCols) {
    int64_t cols = std::min(grid.chunkCols, product.cols() - chunk);
    const int64_t depthOfBlock = product.depthOfBlock();
    const int64_t numDepths = ceilDiv(product.depth, depthOfBlock);
    execution.pool.parallelFor(
        ceilDiv(cols, panelCols) * numDepths, [&](int64_t task, int) {
          int64_t col = task / numDepths * panelCols;
          int64_t k = task % numDepths * depthOfBlock;
          pack(product, chunk + col, std::min(panelCols, cols - col), k,
               std::min(depthOfBlock, product.depth - k),
               panels + product.placeOf(col, k));
        });

    int64_t blocksPerRow = ceilDiv(cols, grid.blockCols);
    execution.pool.parallelFor(
        grid.numBlocks(product.rows(), cols), [&](int64_t task, int worker) {
          int64_t row = task / blocksPerRow * grid.blockRows;
          int64_t col = task % blocksPerRow * grid.blockCols;
          Block block = {row, std::min(grid.blockRows, product.rows() - row),
                         chunk + col, std::min(grid.blockCols, cols - col)};
          multiplyOne(product, block, panels + product.placeOf(col, 0), bias,
                      aBuffers + worker * aPerWorker,
                      sums + worker * sumsPerWorker,
                      pieces + worker * sumsPerWorker);
        });
  }
}

static float *repeat(Scratch::Frame &frame, int64_t count, float value) {
  float *values = frame.take<float>(count);
  std::fill_n(values, count, value);
  return values;
}

/// The scales of a matrix's rows in each piece of its columns,
/// [pieces][rows].
static float *readScales(Scratch::Frame &frame, const tert_scaled &matrix,
                         int64_t pieceDepth) {
  const int64_t rows = sizeOf(*matrix.data, 0), cols = sizeOf(*matrix.data, 1);
  const Scales scales(*matrix.scale_inv, rows, cols);
  float *values = frame.take<float>(rows * ceilDiv(cols, pieceDepth));
  float *next = values;
  for (int64_t col = 0; col < cols; col += pieceDepth)
    for (int64_t row = 0; row < rows; ++row)
      *next++ = scales.at(row, col);
  return values;
}

/// How many neighbours in a row of a matrix share a scale.
static int64_t depthOfScales(const tert_scaled &matrix) {
  const int64_t cols = sizeOf(*matrix.data, 1);
  return Scales(*matrix.scale_inv, sizeOf(*matrix.data, 0), cols)
      .colsOfBlock(cols);
}

void cpu::matmul(Execution &execution, const tert_tensor &a,
                 const tert_tensor &b, const tert_tensor *bias,
                 const tert_tensor &d, bool transposeA, bool transposeB,
                 bool addToD) {
  std::optional<Matrix> biasRow;
  if (bias)
    biasRow.emplace(*bias);
  Matrix left(a), result(d);
  Scratch::Frame frame(execution.scratch);
  const float *ones = repeat(frame, std::max(result.rows, result.cols), 1.0f);
  Product product{{left, transposeA},
                  {Matrix(b), transposeB},
                  result,
                  /*transposedD=*/false,
                  biasRow ? &*biasRow : nullptr,
                  ones,
                  ones,
                  transposeA ? left.rows : left.cols};
  product.addToD = addToD;
  product.usesPairs = bf16dot::isSupported() && dtypeOf(a) == TERT_BF16 &&
                      dtypeOf(b) == TERT_BF16;
  multiply(execution, product);
}

/// The exponents of the smallest and the largest of some scales, if they can be
/// moved by powers of two without becoming others.
static std::optional<std::pair<int, int>> exponentsOf(const float *scales,
                                                      int64_t count) {
  int smallest = INT_MAX, largest = INT_MIN;
  for (int64_t i = 0; i < count; ++i) {
    if (!std::isfinite(scales[i]) || scales[i] == 0)
      return std::nullopt;
    smallest = std::min(smallest, std::ilogb(scales[i]));
    largest = std::max(largest, std::ilogb(scales[i]));
  }
  return count ? std::optional(std::pair(smallest, largest)) : std::nullopt;
}

/// Makes the magnitudes of both factors' scales similar, so that applying those
/// of one alone does not overflow float32 unless both together do. Only powers
/// of two move between them, and none of them becomes subnormal, so all other
/// results keep their bits.
static void balance(float *a, int64_t numA, float *b, int64_t numB) {
  auto first = exponentsOf(a, numA), second = exponentsOf(b, numB);
  if (!first || !second)
    return;
  constexpr int leastNormal = -126;
  const int shift = std::clamp((second->second - first->second) / 2,
                               std::min(leastNormal - first->first, 0),
                               std::max(second->first - leastNormal, 0));
  for (int64_t i = 0; i < numA; ++i)
    a[i] = std::ldexp(a[i], shift);
  for (int64_t i = 0; i < numB; ++i)
    b[i] = std::ldexp(b[i], -shift);
}

void cpu::scaledMatmul(Execution &execution, const tert_scaled &a,
                       const tert_scaled &b, const tert_tensor *bias,
                       const tert_tensor *addend, const tert_tensor &d,
                       tert_accumulate) {
  if (addend && addend->data != d.data)
    copy(execution, *addend, d);
  std::optional<Matrix> biasRow;
  if (bias)
    biasRow.emplace(*bias);
  Matrix left(*a.data);
  Scratch::Frame frame(execution.scratch);
  const int64_t rows = sizeOf(*a.data, 0), cols = sizeOf(*b.data, 0);
  const int64_t pieceDepth =
      std::max<int64_t>(std::min(depthOfScales(a), depthOfScales(b)), 1);
  const int64_t pieces = ceilDiv(left.cols, pieceDepth);
  float *aScales = readScales(frame, a, pieceDepth),
        *bScales = readScales(frame, b, pieceDepth);
  balance(aScales, rows * pieces, bScales, cols * pieces);
  Product product{{left, /*transposed=*/false},
                  {Matrix(*b.data), /*transposed=*/true},
                  Matrix(d),
                  /*transposedD=*/false,
                  biasRow ? &*biasRow : nullptr,
                  aScales,
                  bScales,
                  left.cols};
  product.addToD = addend != nullptr;
  // Pairs do not lie in two pieces.
  product.usesPairs =
      bf16dot::isSupported() && (pieces == 1 || pieceDepth % 2 == 0);
  if (pieces != 1) {
    product.aScales = product.bScales =
        repeat(frame, std::max(rows, cols), 1.0f);
    product.aPieceScales = aScales;
    product.bPieceScales = bScales;
    product.pieceDepth = pieceDepth;
  }
  multiply(execution, product);
}

#endif // HWY_ONCE
