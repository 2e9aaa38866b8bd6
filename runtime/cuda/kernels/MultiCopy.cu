// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of many tensors in one launch.

#include "cuda/kernels/MultiCopy.h"

#include "cuda/Ops.h"

#include "cuda/kernels/Elementwise.h"
#include "cuda/kernels/PieceTable.h"
#include "cuda/kernels/Vector.cuh"

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int threads = 256;
/// Accesses in flight per thread.
constexpr int inFlight = 4;
/// A piece of rows: this many words, or groups of eight floats.
constexpr int64_t pieceItems = threads * inFlight;
/// Entries of a table that is a kernel's parameter.
constexpr int manyEntries = 448;
/// A square of a transposition: lines of 128 bytes on both sides.
constexpr int lineBytes = 128, lineVectors = lineBytes / 16;

enum class Movement : uint8_t { Rows, Conversion, Transposition };

/// Contiguous lines of x. Lines of y are the same lines, or the columns of x in
/// a transposition.
struct CopyEntry {
  const void *x;
  void *y;
  int64_t lines, width; ///< in words, or elements
  int64_t xPitch, yPitch;
  uint32_t firstPiece;
  Movement movement;
  uint8_t wordBytes; ///< of a word, or an element
  bool xIsBf16, yIsBf16, xIsAligned, yIsAligned;

  __host__ __device__ int64_t groupsPerLine() const {
    return movement == Movement::Conversion ? ceilDiv(width, 8) : width;
  }
  /// Elements of one side of a square.
  __host__ __device__ int64_t side() const { return lineBytes / wordBytes; }
  __host__ __device__ int64_t pieces() const {
    return movement == Movement::Transposition
               ? ceilDiv(lines, side()) * ceilDiv(width, side())
               : ceilDiv(lines * groupsPerLine(), pieceItems);
  }
};

/// Calls fn(line, column, i) for the items of a piece; columns are in groups.
template <int atOnce, typename Fn>
__device__ inline void forItems(const CopyEntry &entry, uint32_t piece,
                                const Fn &fn) {
  cuda::forItems<threads, inFlight, atOnce>(piece, entry.lines,
                                            entry.groupsPerLine(), fn);
}

template <typename Word>
__device__ inline void moveRows(const CopyEntry &entry, uint32_t piece) {
  const Word *x = static_cast<const Word *>(entry.x);
  Word *y = static_cast<Word *>(entry.y);
  Word words[inFlight];
  forItems<inFlight>(entry, piece, [&](int64_t line, int64_t col, int i) {
    words[i] = x[line * entry.xPitch + col];
  });
  forItems<inFlight>(entry, piece, [&](int64_t line, int64_t col, int i) {
    y[line * entry.yPitch + col] = words[i];
  });
}

__device__ inline void convertRows(const CopyEntry &entry, uint32_t piece) {
  const AnyFloat x = {const_cast<void *>(entry.x), entry.xPitch,
                      entry.xIsAligned, entry.xIsBf16};
  const AnyFloat y = {entry.y, entry.yPitch, entry.yIsAligned, entry.yIsBf16};
  forItems<1>(entry, piece, [&](int64_t line, int64_t group, int) {
    const int valid = int(min(int64_t(8), entry.width - group * 8));
    float v[8];
    x.load(line, group * 8, valid, v);
    y.store(line, group * 8, valid, v);
  });
}

/// Element `column` of each of the 4-byte words of 16 / size lines, packed.
template <int size>
__device__ inline uint4 gatherColumn(const uint32_t (&words)[16 / size],
                                     int column) {
  uint32_t result[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if constexpr (size == 4) {
      result[i] = words[i];
    } else if constexpr (size == 2) {
      result[i] = __byte_perm(words[2 * i], words[2 * i + 1],
                              column == 0 ? 0x5410 : 0x7632);
    } else {
      const uint32_t pair = uint32_t(column) | uint32_t(column + 4) << 4;
      result[i] = __byte_perm(
          __byte_perm(words[4 * i], words[4 * i + 1], pair),
          __byte_perm(words[4 * i + 2], words[4 * i + 3], pair), 0x5410);
    }
  }
  return make_uint4(result[0], result[1], result[2], result[3]);
}

/// Transposes one square through shared memory: all accesses of either side
/// have 16 bytes, and cover full lines of 128.
template <int size>
__device__ inline void transposeSquare(const CopyEntry &entry, uint32_t piece,
                                       uint4 *square) {
  constexpr int side = lineBytes / size; // lines, and elements of each
  constexpr int perVector = 16 / size;   // elements
  constexpr int perWord = 4 / size;      // elements
  constexpr int vectors = side * lineVectors;
  // Vectors of 16 lines use other banks than those of the next 16.
  auto place = [](int line, int vector) {
    return line * lineVectors + (vector ^ (line / perVector % lineVectors));
  };
  const int64_t colSquares = ceilDiv(entry.width, side);
  const int64_t line0 = piece / colSquares * side;
  const int64_t col0 = piece % colSquares * side;
  const char *x = static_cast<const char *>(entry.x);
  char *y = static_cast<char *>(entry.y);
  __syncthreads();
#pragma unroll
  for (int first = 0; first < vectors; first += threads) {
    const int i = first + int(threadIdx.x);
    const int line = i / lineVectors, vector = i % lineVectors;
    if (line0 + line < entry.lines && col0 + vector * perVector < entry.width)
      square[place(line, vector)] = *reinterpret_cast<const uint4 *>(
          x + ((line0 + line) * entry.xPitch + col0) * size + vector * 16);
  }
  __syncthreads();
  // A thread transposes a word of perVector lines; eight neighbours write a
  // line.
  const int lines = int(threadIdx.x) % lineVectors * perVector;
  const int word = int(threadIdx.x) / lineVectors;
  if (line0 + lines >= entry.lines)
    return;
  const uint32_t *column =
      reinterpret_cast<const uint32_t *>(square + place(lines, word / 4)) +
      word % 4;
  uint32_t words[perVector];
#pragma unroll
  for (int i = 0; i < perVector; ++i)
    words[i] = column[i * (lineBytes / 4)];
#pragma unroll
  for (int i = 0; i < perWord; ++i) {
    const int64_t col = col0 + word * perWord + i;
    if (col < entry.width)
      storeWords(y + (col * entry.yPitch + line0 + lines) * size,
                 gatherColumn<size>(words, i));
  }
}

template <typename Table>
__global__ void __launch_bounds__(threads, 3)
    multiCopyKernel(const __grid_constant__ Table table) {
  __shared__ __align__(16) uint4 square[lineBytes * lineVectors];
  for (uint32_t all = blockIdx.x; all < table.pieces; all += gridDim.x) {
    const CopyEntry &entry = table.find(all);
    const uint32_t piece = all - entry.firstPiece;
    if (entry.movement == Movement::Transposition) {
      if (entry.wordBytes == 1)
        transposeSquare<1>(entry, piece, square);
      else if (entry.wordBytes == 2)
        transposeSquare<2>(entry, piece, square);
      else
        transposeSquare<4>(entry, piece, square);
    } else if (entry.movement == Movement::Conversion) {
      convertRows(entry, piece);
    } else {
      switch (entry.wordBytes) {
      case 16:
        moveRows<uint4>(entry, piece);
        break;
      case 8:
        moveRows<uint2>(entry, piece);
        break;
      case 4:
        moveRows<uint32_t>(entry, piece);
        break;
      case 2:
        moveRows<uint16_t>(entry, piece);
        break;
      default:
        moveRows<uint8_t>(entry, piece);
        break;
      }
    }
  }
}

/// For tables of transpositions only, of elements of `size` bytes: fewer
/// registers, so more squares are in flight.
template <typename Table, int size>
__global__ void __launch_bounds__(threads, 5)
    transposeKernel(const __grid_constant__ Table table) {
  __shared__ __align__(16) uint4 square[lineBytes * lineVectors];
  for (uint32_t all = blockIdx.x; all < table.pieces; all += gridDim.x) {
    const CopyEntry &entry = table.find(all);
    transposeSquare<size>(entry, all - entry.firstPiece, square);
  }
}

/// The transpose of `x`.
Matrix transposed(const Matrix &x) {
  return {x.data, x.dtype, x.cols, x.rows, x.colStride, x.stride};
}

CopyEntry entryOf(const Matrix &x, const Matrix &y, Movement movement) {
  CopyEntry entry = {};
  entry.x = x.data;
  entry.y = y.data;
  entry.lines = x.rows;
  entry.width = x.cols;
  entry.xPitch = x.stride;
  entry.yPitch = y.stride;
  entry.movement = movement;
  entry.wordBytes = uint8_t(bytesOf(x.dtype));
  entry.xIsBf16 = x.dtype == TERT_BF16;
  entry.yIsBf16 = y.dtype == TERT_BF16;
  entry.xIsAligned = x.isAlignedTo(16);
  entry.yIsAligned = y.isAlignedTo(16);
  return entry;
}

/// Lines contiguous on both sides, in the widest possible words.
CopyEntry rowsOf(const Matrix &x, const Matrix &y) {
  CopyEntry entry = entryOf(x, y, Movement::Rows);
  const int64_t size = bytesOf(x.dtype);
  const int64_t word = widestWord(size, x, y);
  entry.wordBytes = uint8_t(word);
  entry.width = x.cols * size / word;
  entry.xPitch = x.stride * size / word;
  entry.yPitch = y.stride * size / word;
  return entry;
}

/// True if x's columns and y's rows are contiguous and can be read and written
/// in vectors. Then x is transposed, so that its rows are contiguous.
bool isTransposition(const Matrix &x, const Matrix &y) {
  const int64_t size = bytesOf(x.dtype), perVector = 16 / size;
  return size <= 4 && x.stride == 1 && y.colStride == 1 &&
         x.rows % perVector == 0 && x.cols % perVector == 0 &&
         transposed(x).isAlignedTo(16) && y.isAlignedTo(16);
}

bool makeTransposition(const Matrix &x, const Matrix &y, CopyEntry &entry) {
  if (isTransposition(x, y))
    entry = entryOf(transposed(x), y, Movement::Transposition);
  else if (isTransposition(transposed(x), transposed(y)))
    entry = entryOf(x, transposed(y), Movement::Transposition);
  else
    return false;
  return entry.pieces() <= INT32_MAX;
}

/// The part of a pair of matrices that one launch can copy; false for pairs
/// that it cannot.
bool makeEntry(Matrix x, Matrix y, CopyEntry &entry) {
  // Elements that are not adjacent are lines of one element.
  if (x.rows == 1 && (x.colStride != 1 || y.colStride != 1)) {
    x = transposed(x);
    y = transposed(y);
  }
  if (x.cols == 1)
    x.colStride = y.colStride = 1;
  if (x.colStride != 1 || y.colStride != 1)
    return x.dtype == y.dtype && makeTransposition(x, y, entry);
  entry =
      x.dtype == y.dtype ? rowsOf(x, y) : entryOf(x, y, Movement::Conversion);
  return true;
}

void launchCopies(LaunchContext &launch,
                  const std::vector<CopyEntry> &entries) {
  auto areTranspositions = [&](int size) {
    return std::all_of(entries.begin(), entries.end(),
                       [&](const CopyEntry &entry) {
                         return entry.movement == Movement::Transposition &&
                                entry.wordBytes == size;
                       });
  };
  launchEntries<manyEntries>(entries, [&](const auto &table) {
    using Table = std::decay_t<decltype(table)>;
    auto kernel = areTranspositions(1)   ? transposeKernel<Table, 1>
                  : areTranspositions(2) ? transposeKernel<Table, 2>
                                         : multiCopyKernel<Table>;
    kernel<<<launchBlocks(launch, table.pieces, 1), threads, 0,
             launch.stream>>>(table);
    checkLaunch("multi copy kernel");
  });
}

} // namespace

void cuda::multiCopy(LaunchContext &launch, const tert_site &site, int32_t n,
                     const tert_tensor *x, int32_t, const tert_tensor *y) {
  launchCopies(launch,
               makeEntries<CopyEntry>(
                   n, makeEntry,
                   [&](int32_t i) { copy(launch, site, x[i], y[i]); }, x, y));
}

bool cuda::copyTransposed(LaunchContext &launch, const Matrix &x,
                          const Matrix &y) {
  CopyEntry entry;
  if (!makeTransposition(x, y, entry))
    return false;
  launchCopies(launch, {entry});
  return true;
}
