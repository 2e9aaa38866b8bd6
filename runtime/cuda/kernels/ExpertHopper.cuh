// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of experts on Hopper. Blocks of 128 rows have one expert each, which
// the kernel reads itself, so that one description of each operand (a tensor
// map with the expert as its last dimension) is enough, and a graph has no
// counts of rows in it.
//
// A cluster of two blocks computes two tiles of 128 x 256, one below the other,
// and then the next two. In each block a warp copies tiles of both operands
// into shared memory (TMA), half of the right one for both blocks if these have
// the same expert, and two warpgroups multiply 64 rows each (wgmma). Results go
// through shared memory and are written while the next tile is computed.
//
// Hopper sums products of FP8 in fewer bits than float32. With `split`, sums
// over 128 elements are added in float32.
#ifndef TERT_CUDA_KERNELS_EXPERTHOPPER_CUH
#define TERT_CUDA_KERNELS_EXPERTHOPPER_CUH

#include "cuda/kernels/Hopper.cuh"

#include <cuda_bf16.h>

namespace tert::cuda::experts {

using hopper::Element;

/// A tile of the result, and pieces of its operands: rows of 128 bytes of what
/// is summed, or, transposed, of what is not.
constexpr int tileRows = 128, tileCols = 256, rowBytes = 128;
constexpr int partRows = 64, numParts = tileRows / partRows;
constexpr int threads = 128 * (1 + numParts);
constexpr int clusterSize = 2;
constexpr int stages = 3;
/// Tiles of this many pairs of rows are computed before those of the next.
constexpr int groupPairs = 8;
/// Of wgrad: each expert's rows are in shared memory.
constexpr int maxExperts = 512;

/// Bytes of a piece of an operand with 128 rows or columns of the result, and
/// of one with 64 columns if it is transposed.
constexpr int pieceBytes = 128 * rowBytes, columnBytes = pieceBytes / 2;
/// A part's pieces of the result that are written at once: all of a tile in
/// bf16, so that writing it does not keep the next tile waiting.
constexpr int outPieces = 4, outBytes = partRows * rowBytes;

struct Arguments {
  const int32_t *groups; ///< [rows]
  const float *aScales, *bScales;
  bool aScaleEach, bScaleEach; ///< one for each expert
  /// rows: those of the groups. m, n: of a result, m of each expert with wgrad.
  int32_t rows, m, n, experts;
  int32_t depthBlocks;     ///< pieces of what is summed, without wgrad
  int32_t pairs, colTiles; ///< of a result, or of each expert's
  int32_t tiles;
};

template <Element aElement, Element bElement, class OutElement, bool isWgrad,
          bool isTransposedB, bool isSplit>
struct Variant {
  static constexpr Element a = aElement, b = bElement;
  using Out = OutElement;
  static constexpr bool wgrad = isWgrad, split = isSplit;
  static constexpr bool scaled = a != Element::Bf16;
  /// Whether rows of a tile in shared memory are not what is summed.
  static constexpr bool transposedA = isWgrad && !scaled,
                        transposedB = isTransposedB;
  /// Elements of what is summed in a piece.
  static constexpr int depth = scaled ? 128 : 64;
  /// Columns of a piece of the result.
  static constexpr int outCols = rowBytes / int(sizeof(Out));
};

struct alignas(1024) Shared {
  uint8_t a[stages][pieceBytes];
  uint8_t b[stages][2 * pieceBytes];
  uint8_t out[numParts][outPieces][outBytes];
  uint64_t full[stages], empty[stages];
  /// The rows of each expert, with wgrad.
  int32_t begin[maxExperts], end[maxExperts];
};

/// A block's tile of the result.
struct Tile {
  int32_t row, col, expert;
};

template <class V>
__device__ inline Tile tileAt(const Arguments &args, int32_t index,
                              int32_t rank) {
  int32_t expert = 0;
  if (V::wgrad) {
    const int32_t each = args.pairs * args.colTiles;
    expert = index / each;
    index -= expert * each;
  }
  const int32_t first = index / (groupPairs * args.colTiles) * groupPairs;
  const int32_t count = min(groupPairs, args.pairs - first);
  const int32_t inGroup = index - first * args.colTiles;
  return {((first + inGroup % count) * clusterSize + rank) * tileRows,
          inGroup / count * tileCols, expert};
}

/// The expert of a row; -1 beyond the last one.
__device__ inline int32_t groupAt(const Arguments &args, int32_t row) {
  // Without a branch.
  const int32_t group = __ldg(args.groups + min(row, args.rows - 1));
  return row < args.rows ? group : -1;
}

/// Finds the rows of each expert.
__device__ inline void findRows(const Arguments &args, Shared &shared) {
  for (int32_t e = threadIdx.x; e < args.experts; e += threads)
    shared.begin[e] = shared.end[e] = 0;
  __syncthreads();
  for (int32_t row = int32_t(threadIdx.x) * tileRows; row < args.rows;
       row += threads * tileRows) {
    const int32_t e = groupAt(args, row);
    if (e < 0 || e >= args.experts)
      continue;
    if (row == 0 || groupAt(args, row - tileRows) != e)
      shared.begin[e] = row;
    if (groupAt(args, row + tileRows) == e)
      continue;
    int32_t last = row;
    for (int32_t step = tileRows / 2; step; step /= 2)
      if (groupAt(args, last + step) == e)
        last += step;
    shared.end[e] = last + 1;
  }
}

/// The pieces that are summed for a tile: the first one's place, and how many.
struct Pieces {
  int32_t first, count;
};

/// The same in both blocks of a cluster.
template <class V>
__device__ inline Pieces piecesOf(const Arguments &args, const Shared &shared,
                                  const Tile &tile, int32_t rank) {
  if (V::wgrad) {
    const int32_t begin = shared.begin[tile.expert];
    return {begin, (shared.end[tile.expert] - begin + V::depth - 1) / V::depth};
  }
  const bool isUsed = groupAt(args, tile.row - rank * tileRows) >= 0;
  return {0, isUsed ? args.depthBlocks : 0};
}

/// Copies all pieces of a block's tiles. One thread.
template <class V>
__device__ inline void
copyPieces(const CUtensorMap &aMap, const CUtensorMap &bMap,
           const Arguments &args, Shared &shared, int32_t rank) {
  const uint32_t full = hopper::sharedAddress(shared.full),
                 empty = hopper::sharedAddress(shared.empty),
                 aPieces = hopper::sharedAddress(shared.a),
                 bPieces = hopper::sharedAddress(shared.b);
  hopper::Ring<stages> stage;
  for (int32_t index = blockIdx.x / clusterSize; index < args.tiles;
       index += gridDim.x / clusterSize) {
    const Tile tile = tileAt<V>(args, index, rank);
    const Pieces pieces = piecesOf<V>(args, shared, tile, rank);
    bool shares = true;
    int32_t expert = 0;
    if (!V::wgrad) {
      // Behind the last expert's rows there are none: any expert will do.
      const int32_t row = tile.row - rank * tileRows;
      const int32_t first = groupAt(args, row);
      int32_t second = groupAt(args, row + tileRows);
      second = second < 0 ? first : second;
      shares = first == second;
      expert = rank ? second : first;
    }
    for (int32_t piece = 0; piece < pieces.count; ++piece) {
      const int32_t k = pieces.first + piece * V::depth;
      const uint32_t barrier = full + 8 * stage.index;
      const uint32_t a = aPieces + stage.index * pieceBytes;
      const uint32_t b = bPieces + stage.index * 2 * pieceBytes;
      hopper::waitBarrier(empty + 8 * stage.index, stage.phase ^ 1);
      hopper::expectBytes(barrier, 3 * pieceBytes);
      if (V::transposedA) {
        for (int i = 0; i < 2; ++i)
          hopper::loadBox(a + i * columnBytes, aMap, barrier, tile.row + 64 * i,
                          k, 0);
      } else {
        hopper::loadBox(a, aMap, barrier, k, tile.row, 0);
      }
      auto loadHalf = [&](int32_t half, auto... mask) {
        const int32_t col = tile.col + half * 128;
        const uint32_t to = b + half * pieceBytes;
        if (V::transposedB) {
          for (int i = 0; i < 2; ++i)
            hopper::loadBox(to + i * columnBytes, bMap, barrier, col + 64 * i,
                            k, expert, mask...);
        } else {
          hopper::loadBox(to, bMap, barrier, k, col, expert, mask...);
        }
      };
      if (shares) {
        loadHalf(rank, uint16_t(0b11));
      } else {
        loadHalf(0);
        loadHalf(1);
      }
      stage.advance();
    }
  }
}

/// A warpgroup's part of the tiles.
template <class V> class Part {
public:
  __device__ Part(Shared &shared, const CUtensorMap &dMap,
                  const Arguments &args, int32_t rank, int part)
      : shared(shared), dMap(dMap), args(args), rank(rank), part(part),
        lane(threadIdx.x % 32), full(hopper::sharedAddress(shared.full)),
        empty(hopper::sharedAddress(shared.empty)),
        a(hopper::describeSwizzled(hopper::sharedAddress(shared.a) +
                                       part * columnBytes,
                                   V::transposedA ? columnBytes : 16)),
        b(hopper::describeSwizzled(hopper::sharedAddress(shared.b),
                                   V::transposedB ? columnBytes : 16)),
        out(hopper::sharedAddress(shared.out[part])) {}

  __device__ void run() {
    const int32_t step = gridDim.x / clusterSize;
    int32_t index = blockIdx.x / clusterSize;
    Work work = workAt(index);
    while (index < args.tiles) {
      index += step;
      // Read while the matrix units are busy.
      Work next;
      auto readNext = [&] { next = workAt(min(index, args.tiles - 1)); };
      if (work.firstGroup < 0 || work.pieces == 0)
        skip(work.pieces, readNext);
      else if (V::split)
        multiplySplit(work.pieces, readNext);
      else
        multiply(work.pieces, readNext);
      scale(work);
      store(work.tile);
      work = next;
    }
    if (isFirst())
      hopper::waitForStores();
  }

private:
  static constexpr int numSums = partRows * tileCols / 128;
  /// What a product advances the descriptions by.
  static constexpr uint64_t aStep = (V::transposedA ? 16 * rowBytes : 32) >> 4,
                            bStep = (V::transposedB ? 16 * rowBytes : 32) >> 4;

  struct Work {
    Tile tile;
    int32_t pieces;
    /// Of the first and the last of the part's rows; with wgrad, the expert or
    /// -1 for a part that is beyond the result.
    int32_t firstGroup, lastGroup;
  };

  __device__ bool isFirst() const { return threadIdx.x % 128 == 0; }

  __device__ Work workAt(int32_t index) const {
    Work work;
    work.tile = tileAt<V>(args, index, rank);
    work.pieces = piecesOf<V>(args, shared, work.tile, rank).count;
    const int32_t row = work.tile.row + part * partRows;
    if (V::wgrad) {
      work.firstGroup = work.lastGroup = row < args.m ? work.tile.expert : -1;
    } else {
      work.firstGroup = groupAt(args, row);
      work.lastGroup = groupAt(args, row + partRows - 1);
    }
    return work;
  }

  __device__ void wait() {
    hopper::waitBarrier(full + 8 * stage.index, stage.phase);
  }
  /// Lets both blocks' copies replace a piece.
  __device__ void release(int index) {
    if (lane < clusterSize)
      hopper::arriveAt(empty + 8 * index, lane);
  }

  /// Begins the products of a piece.
  template <int count>
  __device__ void begin(float (&to)[count], uint32_t bOffset, bool adds) {
    const uint64_t left = a + stage.index * (pieceBytes >> 4),
                   right =
                       b + stage.index * (2 * pieceBytes >> 4) + (bOffset >> 4);
    hopper::fenceSums(to);
    hopper::beginProducts();
#pragma unroll
    for (int i = 0; i < rowBytes / hopper::productBytes; ++i)
      hopper::multiply<V::a, V::b, V::transposedA, V::transposedB>(
          to, left + i * aStep, right + i * bStep, adds || i > 0);
    hopper::commitProducts();
  }

  /// Sums a tile in the matrix units, which still work on a piece while the
  /// next one is begun.
  template <typename Fn>
  __device__ void multiply(int32_t pieces, const Fn &readNext) {
    hopper::startSums(sums);
    int held = -1;
#pragma unroll 1
    for (int32_t piece = 0; piece < pieces; ++piece) {
      wait();
      begin(sums, 0, piece > 0);
      if (piece == 0)
        readNext();
      hopper::waitForProducts<1>();
      if (held >= 0)
        release(held);
      held = stage.index;
      stage.advance();
    }
    hopper::waitForProducts<0>();
    hopper::fenceSums(sums);
    release(held);
  }

  template <typename Fn>
  __device__ void multiplySplit(int32_t pieces, const Fn &readNext) {
    wait();
    begin(sums, 0, false);
    readNext();
    hopper::waitForProducts<0>();
    hopper::fenceSums(sums);
    release(stage.index);
    stage.advance();
    for (int32_t piece = 1; piece < pieces; ++piece) {
      wait();
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float products[numSums / 2];
        begin(products, half * pieceBytes, false);
        hopper::waitForProducts<0>();
        hopper::fenceSums(products);
        if (half == 1)
          release(stage.index);
#pragma unroll
        for (int i = 0; i < numSums / 2; ++i)
          sums[half * (numSums / 2) + i] += products[i];
      }
      stage.advance();
    }
  }

  /// Lets pieces pass that only the block's other part needs.
  template <typename Fn>
  __device__ void skip(int32_t pieces, const Fn &readNext) {
#pragma unroll
    for (int i = 0; i < numSums; ++i)
      sums[i] = 0;
    readNext();
    for (int32_t piece = 0; piece < pieces; ++piece) {
      wait();
      release(stage.index);
      stage.advance();
    }
  }

  /// Applies scales, and clears rows without an expert.
  __device__ void scale(const Work &work) {
    if (V::scaled && work.firstGroup >= 0) {
      const float factor =
          __ldg(args.aScales + (args.aScaleEach ? work.firstGroup : 0)) *
          __ldg(args.bScales + (args.bScaleEach ? work.firstGroup : 0));
#pragma unroll
      for (int i = 0; i < numSums; ++i)
        sums[i] *= factor;
    }
    if (V::wgrad || work.lastGroup >= 0 || work.firstGroup < 0)
      return;
    const int32_t row = work.tile.row + part * partRows +
                        threadIdx.x % 128 / 32 * 16 + lane / 4;
#pragma unroll
    for (int upper = 0; upper < 2; ++upper)
      if (groupAt(args, row + 8 * upper) < 0) {
#pragma unroll
        for (int i = 0; i < numSums; i += 4)
          sums[i + 2 * upper] = sums[i + 2 * upper + 1] = 0;
      }
  }

  __device__ void store(const Tile &tile) {
    constexpr int pieces = tileCols / V::outCols;
#pragma unroll
    for (int begin = 0; begin < pieces; begin += outPieces) {
      if (isFirst())
        hopper::waitForReads();
      hopper::syncThreads(1 + part, 128);
#pragma unroll
      for (int i = 0; i < outPieces; ++i)
        stage16Rows(out + i * outBytes, (begin + i) * (numSums / pieces),
                    typename V::Out());
      hopper::fenceShared();
      hopper::syncThreads(1 + part, 128);
      if (!isFirst())
        continue;
      for (int i = 0; i < outPieces; ++i) {
        const int32_t col = tile.col + (begin + i) * V::outCols;
        if (col < args.n)
          hopper::storeBox(dMap, out + i * outBytes, col,
                           tile.row + part * partRows, tile.expert);
      }
      hopper::commitStores();
    }
  }

  /// Writes a warp's 16 rows of a piece of the result, swizzled.
  __device__ void stage16Rows(uint32_t buffer, int first, __nv_bfloat16) {
    hopper::storeSums(buffer, threadIdx.x % 128 / 32, sums + first);
  }
  __device__ void stage16Rows(uint32_t buffer, int first, float) {
#pragma unroll
    for (int upper = 0; upper < 2; ++upper) {
      const int row = threadIdx.x % 128 / 32 * 16 + lane / 4 + 8 * upper;
#pragma unroll
      for (int i = 0; i < 4; ++i) { // of 8 columns
        const int unit = 2 * i + lane % 4 / 2;
        hopper::storeShared(buffer + row * rowBytes + ((unit ^ row) & 7) * 16 +
                                lane % 2 * 8,
                            sums[first + 4 * i + 2 * upper],
                            sums[first + 4 * i + 2 * upper + 1]);
      }
    }
  }

  const Shared &shared;
  const CUtensorMap &dMap;
  const Arguments &args;
  const int32_t rank;
  const int part, lane;
  const uint32_t full, empty;
  const uint64_t a, b;
  const uint32_t out;
  hopper::Ring<stages> stage;
  float sums[numSums];
};

/// For clusters of clusterSize blocks.
template <class V>
__global__ void __launch_bounds__(threads, 1)
    expertKernel(const __grid_constant__ CUtensorMap aMap,
                 const __grid_constant__ CUtensorMap bMap,
                 const __grid_constant__ CUtensorMap dMap,
                 const __grid_constant__ Arguments args) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  extern __shared__ __align__(1024) uint8_t bytes[];
  auto &shared = *reinterpret_cast<Shared *>(bytes);
  const int warpgroup = __shfl_sync(~0u, threadIdx.x / 128, 0);
  const int32_t rank = int32_t(hopper::clusterRank());
  if (threadIdx.x == 0) {
    for (const CUtensorMap *map : {&aMap, &bMap, &dMap})
      hopper::prefetchMap(*map);
    for (int i = 0; i < stages; ++i) {
      hopper::initBarrier(hopper::sharedAddress(&shared.full[i]), 1);
      hopper::initBarrier(hopper::sharedAddress(&shared.empty[i]),
                          clusterSize * numParts * 4);
    }
    hopper::fenceBarrierInit();
  }
  if (V::wgrad)
    findRows(args, shared);
  hopper::syncCluster();

  if (warpgroup == 0) {
    hopper::giveRegisters<40>();
    if (threadIdx.x == 0)
      copyPieces<V>(aMap, bMap, args, shared, rank);
    __syncwarp();
  } else {
    hopper::takeRegisters<232>();
    Part<V>(shared, dMap, args, rank, warpgroup - 1).run();
    __syncwarp();
  }
  // The other block may still write here and arrive at barriers.
  hopper::syncCluster();
#endif
}

} // namespace tert::cuda::experts

#endif // TERT_CUDA_KERNELS_EXPERTHOPPER_CUH
