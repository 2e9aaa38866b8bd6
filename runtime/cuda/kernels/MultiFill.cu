// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One value for many tensors in one launch.

#include "cuda/Ops.h"

#include "cuda/kernels/Elementwise.h"
#include "cuda/kernels/PieceTable.h"
#include "cuda/kernels/Vector.cuh"

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int threads = 256;
/// Words of a piece that a thread writes.
constexpr int wordsPerThread = 4;
constexpr int64_t pieceWords = threads * wordsPerThread;
/// Entries of a table that is a kernel's parameter.
constexpr int manyEntries = 500;

/// Contiguous lines.
struct FillEntry {
  void *y;
  int64_t lines, width, pitch; ///< in words
  uint64_t bits;               ///< eight bytes of the value, repeated
  uint32_t firstPiece;
  uint32_t wordBytes;

  int64_t pieces() const { return ceilDiv(lines * width, pieceWords); }
};

template <typename Word>
__device__ inline void fillLines(const FillEntry &entry, uint32_t piece,
                                 Word word) {
  Word *y = static_cast<Word *>(entry.y);
  forItems<threads, wordsPerThread, wordsPerThread>(
      piece, entry.lines, entry.width, [&](int64_t line, int64_t col, int) {
        y[line * entry.pitch + col] = word;
      });
}

template <typename Table>
__global__ void __launch_bounds__(threads)
    multiFillKernel(const __grid_constant__ Table table) {
  for (uint32_t all = blockIdx.x; all < table.pieces; all += gridDim.x) {
    const FillEntry &entry = table.find(all);
    const uint32_t piece = all - entry.firstPiece;
    const auto low = uint32_t(entry.bits), high = uint32_t(entry.bits >> 32);
    switch (entry.wordBytes) {
    case 16:
      fillLines(entry, piece, make_uint4(low, high, low, high));
      break;
    case 8:
      fillLines(entry, piece, make_uint2(low, high));
      break;
    case 4:
      fillLines(entry, piece, low);
      break;
    case 2:
      fillLines(entry, piece, uint16_t(low));
      break;
    default:
      fillLines(entry, piece, uint8_t(low));
      break;
    }
  }
}

/// Repeats the bits of a number of `bytes` bytes.
uint64_t repeated(uint64_t bits, int64_t bytes) {
  for (int64_t filled = bytes; filled < int64_t(sizeof(bits)); filled *= 2)
    bits |= bits << (8 * filled);
  return bits;
}

/// False for elements that are not adjacent.
bool makeEntry(Matrix y, uint64_t bits, FillEntry &entry) {
  // A column is lines of one element.
  if (y.rows == 1 && y.colStride != 1) {
    std::swap(y.rows, y.cols);
    std::swap(y.stride, y.colStride);
  }
  if (y.cols != 1 && y.colStride != 1)
    return false;
  const int64_t size = bytesOf(y.dtype), word = widestWord(size, y);
  entry = {y.data,
           y.rows,
           y.cols * size / word,
           y.stride * size / word,
           repeated(bits, size),
           0,
           uint32_t(word)};
  return true;
}

} // namespace

void cuda::multiFill(LaunchContext &launch, const tert_site &site, int32_t n,
                     const tert_tensor *y, double value) {
  const auto entries = makeEntries<FillEntry>(
      n,
      [&](const Matrix &to, FillEntry &entry) {
        return makeEntry(to, bitsOf(value, to.dtype), entry);
      },
      [&](int32_t i) { fill(launch, site, y[i], value); }, y);
  launchEntries<manyEntries>(entries, [&](const auto &table) {
    multiFillKernel<<<launchBlocks(launch, table.pieces, 1), threads, 0,
                      launch.stream>>>(table);
    checkLaunch("multi fill kernel");
  });
}
