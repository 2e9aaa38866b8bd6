// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient of causal or full attention on Hopper, in bf16, with sums in
// one order. With scores S = scale Q K^T, probabilities P = exp(S - lse) and
// delta = rowsum(dO * O) (FlashAttention-2, arXiv:2307.08691, algorithm 2):
//
//   dV = P^T dO, dS = P * (dO V^T - delta), dQ = scale dS K,
//   dK = scale dS^T Q
//
// One kernel computes dK and dV, another one dQ. Both compute scores, seven
// products in all instead of five, but neither adds to another block's result:
// no order to wait for, no float32 sums in memory.
//
// Both are one template. A block holds 128 rows of X and Y in shared memory and
// streams tiles of X' and Y': keys and values against queries and dO, or the
// other way round. Scores X X'^T and dP = Y Y'^T have a row for each row held,
// and as registers they are what the products P Y' and dS X' read. A warp
// copies tiles (TMA), two warpgroups multiply 64 rows each (wgmma). A block has
// one piece of work after another, whose first tiles arrive while the last one
// is finished.
#ifndef TERT_CUDA_KERNELS_ATTENTIONGRAD_CUH
#define TERT_CUDA_KERNELS_ATTENTIONGRAD_CUH

#include "cuda/kernels/Exp2.cuh"
#include "cuda/kernels/Hopper.cuh"

#include <cuda_bf16.h>

#include <cmath>

namespace tert::cuda::attention {

constexpr int heldRows = 128, partRows = 64, numParts = heldRows / partRows;
constexpr int threads = 128 * (1 + numParts);
/// A row of a piece in shared memory: 64 columns.
constexpr int rowBytes = 128;

/// Strides of [batch, heads, sequence, head dimension], in elements; the last
/// one is 1.
struct Strides {
  int64_t batch, head, row;
};

struct Arguments {
  /// lse in powers of two, and delta, of each query:
  /// [batch, heads, paddedQueries]
  const float2 *statistics;
  int32_t paddedQueries;
  int32_t batch, heads, kvHeads, queries, keys;
  /// Query i reads keys from i + offset - window + 1 to i + offset.
  int32_t offset, window;
  float scale, scoreScale; ///< the latter to powers of two
};

template <int headDimension, bool holdsKeys> struct Variant {
  static constexpr int dimension = headDimension;
  static constexpr bool keys = holdsKeys;
  /// Rows of a streamed tile. Scores, dP and results fill the registers.
  static constexpr int streamedRows = dimension == 64 ? 128 : 64;
  /// Pieces of 64 columns of a tile.
  static constexpr int pieces = dimension / 64;
  static constexpr int heldBytes = heldRows * rowBytes * pieces,
                       streamedBytes = streamedRows * rowBytes * pieces;
  /// As many as shared memory has.
  static constexpr int stages = dimension == 64 ? 4 : 3;
  static constexpr int statisticsBytes = streamedRows * int(sizeof(float2));
};

template <class V> struct alignas(1024) Shared {
  /// Of a block's rows and of the next ones.
  uint8_t x[2][V::heldBytes], y[2][V::heldBytes];
  uint8_t streamedX[V::stages][V::streamedBytes],
      streamedY[V::stages][V::streamedBytes];
  float2 statistics[V::stages][V::keys ? V::streamedRows : 1];
  uint64_t heldFull[2], heldEmpty[2], full[V::stages], empty[V::stages];
};

/// What a block computes: the rows that it holds, and the tiles that it
/// streams for each of `groupHeads` heads.
struct Work {
  bool isValid;
  int32_t batch, head, row;
  int32_t firstTile, tiles;
  int32_t firstHead, groupHeads;
};

template <class V> __device__ inline int32_t countWork(const Arguments &args) {
  const int32_t rows = V::keys ? args.keys : args.queries;
  return (rows + heldRows - 1) / heldRows * args.batch *
         (V::keys ? args.kvHeads : args.heads);
}

/// The work of a block's turn: from most to least, in turn from the first block
/// to the last and back.
template <class V>
__device__ inline Work workAt(const Arguments &args, int32_t turn) {
  const int32_t heads = V::keys ? args.kvHeads : args.heads;
  const int32_t rows = V::keys ? args.keys : args.queries;
  const int32_t streamed = V::keys ? args.queries : args.keys;
  const int32_t group = args.heads / args.kvHeads;
  const int32_t index =
      turn * gridDim.x + (turn % 2 ? gridDim.x - 1 - blockIdx.x : blockIdx.x);
  Work work;
  work.isValid = index < countWork<V>(args);
  const int32_t pairs = args.batch * heads,
                blocks = (rows + heldRows - 1) / heldRows;
  // Under a causal mask the last queries and the first keys take longest.
  int32_t block = index / pairs;
  if (!V::keys)
    block = blocks - 1 - block;
  const int32_t pair = index % pairs;
  work.batch = pair / heads;
  work.head = pair % heads;
  work.row = block * heldRows;
  work.firstHead = V::keys ? work.head * group : work.head / group;
  work.groupHeads = V::keys ? group : 1;
  const int32_t last = min(work.row + heldRows, rows) - 1;
  // In 64 bits: offset and window may be as large as there are.
  const int64_t begin = V::keys
                            ? int64_t(work.row) - args.offset
                            : int64_t(work.row) + args.offset - args.window + 1;
  const int64_t end = V::keys ? int64_t(last) - args.offset + args.window
                              : int64_t(last) + args.offset + 1;
  const int32_t first = int32_t(max(begin, int64_t(0)));
  const int32_t stop = int32_t(max(min(end, int64_t(streamed)), int64_t(0)));
  work.firstTile = first / V::streamedRows;
  work.tiles = first < stop ? (stop + V::streamedRows - 1) / V::streamedRows -
                                  work.firstTile
                            : 0;
  return work;
}

/// Copies all tiles of a block. One thread.
template <class V>
__device__ inline void
copyTiles(const CUtensorMap &xMap, const CUtensorMap &yMap,
          const CUtensorMap &streamedXMap, const CUtensorMap &streamedYMap,
          const Arguments &args, Shared<V> &shared) {
  hopper::Ring<2> held;
  hopper::Ring<V::stages> stage;
  for (int32_t turn = 0;; ++turn) {
    const Work work = workAt<V>(args, turn);
    if (!work.isValid)
      return;
    auto load = [&](uint32_t to, const CUtensorMap &map, uint32_t barrier,
                    int32_t row, int32_t head, int32_t bytes) {
      for (int i = 0; i < V::pieces; ++i)
        hopper::loadBox(to + i * (bytes / V::pieces), map, barrier, 64 * i, row,
                        head, work.batch);
    };
    const uint32_t heldFull =
        hopper::sharedAddress(&shared.heldFull[held.index]);
    hopper::waitBarrier(hopper::sharedAddress(&shared.heldEmpty[held.index]),
                        held.phase ^ 1);
    hopper::expectBytes(heldFull, 2 * V::heldBytes);
    load(hopper::sharedAddress(shared.x[held.index]), xMap, heldFull, work.row,
         work.head, V::heldBytes);
    load(hopper::sharedAddress(shared.y[held.index]), yMap, heldFull, work.row,
         work.head, V::heldBytes);
    held.advance();
    for (int32_t head = work.firstHead; head < work.firstHead + work.groupHeads;
         ++head)
      for (int32_t tile = 0; tile < work.tiles; ++tile) {
        const int32_t row = (work.firstTile + tile) * V::streamedRows;
        const uint32_t full = hopper::sharedAddress(&shared.full[stage.index]);
        hopper::waitBarrier(hopper::sharedAddress(&shared.empty[stage.index]),
                            stage.phase ^ 1);
        hopper::expectBytes(full, 2 * V::streamedBytes +
                                      (V::keys ? V::statisticsBytes : 0));
        load(hopper::sharedAddress(shared.streamedX[stage.index]), streamedXMap,
             full, row, head, V::streamedBytes);
        load(hopper::sharedAddress(shared.streamedY[stage.index]), streamedYMap,
             full, row, head, V::streamedBytes);
        if (V::keys)
          hopper::loadBytes(
              hopper::sharedAddress(shared.statistics[stage.index]),
              args.statistics +
                  int64_t(work.batch * args.heads + head) * args.paddedQueries +
                  row,
              V::statisticsBytes, full);
        stage.advance();
      }
  }
}

/// A warpgroup's rows of the results.
template <class V> class Part {
public:
  __device__ Part(Shared<V> &shared, const CUtensorMap &dxMap,
                  const CUtensorMap &dyMap, const Arguments &args, int part)
      : shared(shared), dxMap(dxMap), dyMap(dyMap), args(args), part(part),
        lane(threadIdx.x % 32),
        x(hopper::describeSwizzled(hopper::sharedAddress(shared.x) +
                                   part * partRows * rowBytes)),
        y(hopper::describeSwizzled(hopper::sharedAddress(shared.y) +
                                   part * partRows * rowBytes)),
        streamedX(hopper::sharedAddress(shared.streamedX)),
        streamedY(hopper::sharedAddress(shared.streamedY)) {}

  __device__ void run() {
    for (int32_t turn = 0;; ++turn) {
      work = workAt<V>(args, turn);
      if (!work.isValid)
        break;
      row = work.row + part * partRows;
      threadRow = row + threadIdx.x % 128 / 32 * 16 + lane / 4;
      computeRows();
    }
    hopper::waitForStores();
  }

private:
  static constexpr int numScores = V::streamedRows / 2;
  static constexpr int numSums = V::dimension / 2;
  static constexpr int packedCount = numScores / 2;

  __device__ void computeRows() {
#pragma unroll
    for (int i = 0; i < numSums; ++i)
      dx[i] = dy[V::keys ? i : 0] = 0;
    readStatistics();
    hopper::waitBarrier(hopper::sharedAddress(&shared.heldFull[held.index]),
                        held.phase);
    for (int32_t head = 0; head < work.groupHeads; ++head)
#pragma unroll 1
      for (int32_t tile = 0; tile < work.tiles; ++tile) {
        addTile((work.firstTile + tile) * V::streamedRows);
        stage.advance();
      }
#pragma unroll
    for (int i = 0; i < numSums; ++i)
      dx[i] *= args.scale;
    store();
    held.advance();
  }

  /// Adds a tile's share of the results.
  __device__ void addTile(int32_t streamedRow) {
    hopper::waitBarrier(hopper::sharedAddress(&shared.full[stage.index]),
                        stage.phase);
    if (isHidden(streamedRow)) {
      release();
      return;
    }
    float scores[numScores], dP[numScores];
    uint32_t packed[packedCount], packedGrad[packedCount];
    hopper::startSums(scores);
    hopper::startSums(dP);
    hopper::beginProducts();
    beginScores(scores, x + (held.index * V::heldBytes >> 4), streamedX);
    beginScores(dP, y + (held.index * V::heldBytes >> 4), streamedY);
    hopper::waitForProducts<1>();
    hopper::fenceSums(scores);
    if (isMasked(streamedRow))
      setProbabilities<true>(scores, streamedRow);
    else
      setProbabilities<false>(scores, streamedRow);
    if constexpr (V::keys) {
      pack(packed, scores);
      addProduct(dy, packed, streamedY);
    }
    hopper::waitForProducts<V::keys ? 1 : 0>();
    hopper::fenceSums(dP);
    setScoreGradients(dP, scores);
    pack(packedGrad, dP);
    addProduct(dx, packedGrad, streamedX);
    hopper::waitForProducts<0>();
    hopper::fenceSums(dx);
    if constexpr (V::keys)
      hopper::fenceSums(dy);
    release();
  }

  /// Lets copies replace a tile.
  __device__ void release() {
    if (lane == 0)
      hopper::arrive(hopper::sharedAddress(&shared.empty[stage.index]));
  }

  /// sums = rows held · streamed tile^T
  __device__ void beginScores(float (&sums)[numScores], uint64_t left,
                              uint32_t tile) {
    const uint64_t right =
        hopper::describeSwizzled(tile + stage.index * V::streamedBytes);
#pragma unroll
    for (int piece = 0; piece < V::pieces; ++piece)
#pragma unroll
      for (int i = 0; i < rowBytes / hopper::productBytes; ++i) {
        const int step = i * hopper::productBytes;
        hopper::multiply<hopper::Element::Bf16, hopper::Element::Bf16>(
            sums, left + ((piece * heldRows * rowBytes + step) >> 4),
            right + ((piece * V::streamedRows * rowBytes + step) >> 4),
            piece + i > 0);
      }
    hopper::commitProducts();
  }
  /// sums += packed [64, streamedRows] · streamed tile
  __device__ void addProduct(float (&sums)[numSums],
                             uint32_t (&packed)[packedCount], uint32_t tile) {
    const uint64_t right = hopper::describeSwizzled(
        tile + stage.index * V::streamedBytes, V::streamedRows * rowBytes);
    hopper::fenceSums(sums);
    hopper::fenceRegisters(packed);
    hopper::beginProducts();
#pragma unroll
    for (int i = 0; i < packedCount / 4; ++i)
      hopper::multiplyRegisters(sums, &packed[4 * i],
                                right + (i * 16 * rowBytes >> 4));
    hopper::commitProducts();
  }

  __device__ void pack(uint32_t (&packed)[packedCount],
                       const float (&from)[numScores]) {
#pragma unroll
    for (int i = 0; i < packedCount; ++i) {
      const __nv_bfloat162 pair =
          __floats2bfloat162_rn(from[2 * i], from[2 * i + 1]);
      packed[i] = reinterpret_cast<const uint32_t &>(pair);
    }
  }

  /// Of the thread's two rows of queries.
  __device__ void readStatistics() {
    if (V::keys)
      return;
    const float2 *all =
        args.statistics +
        int64_t(work.batch * args.heads + work.head) * args.paddedQueries;
#pragma unroll
    for (int upper = 0; upper < 2; ++upper)
      rowStatistics[upper] = __ldg(all + threadRow + 8 * upper);
  }
  /// Of the queries of scores 4 * i to 4 * i + 3: two rows or two columns.
  __device__ float4 statisticsAt(int i) const {
    if constexpr (V::keys)
      return reinterpret_cast<const float4 *>(
          shared.statistics[stage.index])[4 * i + lane % 4];
    return {rowStatistics[0].x, rowStatistics[0].y, rowStatistics[1].x,
            rowStatistics[1].y};
  }

  /// Whether a tile has none of the scores that the warpgroup uses.
  __device__ bool isHidden(int32_t streamedRow) const {
    const int32_t last = streamedRow + V::streamedRows - 1;
    const int32_t lastRow = row + partRows - 1;
    if (V::keys)
      return row - args.offset > last ||
             lastRow <= streamedRow + args.offset - args.window;
    return streamedRow - args.offset > lastRow ||
           last <= row + args.offset - args.window;
  }

  /// Whether a tile has scores that the warpgroup must not use.
  __device__ bool isMasked(int32_t streamedRow) const {
    const int32_t last = streamedRow + V::streamedRows - 1;
    const int32_t lastRow = row + partRows - 1;
    if (V::keys)
      return lastRow - args.offset > streamedRow ||
             row <= last + args.offset - args.window;
    return last - args.offset > row ||
           streamedRow <= lastRow + args.offset - args.window ||
           last >= args.keys;
  }

  /// scores = exp(scale * scores - lse)
  template <bool masked>
  __device__ void setProbabilities(float (&scores)[numScores],
                                   int32_t streamedRow) {
#pragma unroll
    for (int i = 0; i < numScores / 4; ++i) {
      const float4 statistics = statisticsAt(i);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const bool isUpper = j / 2, second = V::keys ? j % 2 : isUpper;
        float power = fmaf(scores[4 * i + j], args.scoreScale,
                           second ? -statistics.z : -statistics.x);
        if (masked) {
          const int32_t held = threadRow + 8 * isUpper,
                        streamed = streamedRow + 8 * i + lane % 4 * 2 + j % 2;
          const int32_t query = V::keys ? streamed : held,
                        key = V::keys ? held : streamed;
          const int32_t last = query + args.offset;
          if (key > last || key <= last - args.window || key >= args.keys)
            power = -INFINITY;
        }
        scores[4 * i + j] = exp2Flushed(power);
      }
    }
  }

  /// dP = probabilities * (dP - delta)
  __device__ void setScoreGradients(float (&dP)[numScores],
                                    const float (&probabilities)[numScores]) {
#pragma unroll
    for (int i = 0; i < numScores / 4; ++i) {
      const float4 statistics = statisticsAt(i);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const bool second = V::keys ? j % 2 : j / 2;
        dP[4 * i + j] =
            probabilities[4 * i + j] *
            (dP[4 * i + j] - (second ? statistics.w : statistics.y));
      }
    }
  }

  /// Copies results to memory, by way of the rows that they belong to in shared
  /// memory: no product reads these any more. Then copies may replace them.
  __device__ void store() {
    stageSums(shared.x[held.index], dx);
    if constexpr (V::keys)
      stageSums(shared.y[held.index], dy);
    hopper::fenceShared();
    hopper::syncThreads(1 + part, 128);
    if (threadIdx.x % 128 == 0) {
      copyOut(dxMap, shared.x[held.index]);
      if (V::keys)
        copyOut(dyMap, shared.y[held.index]);
      hopper::commitStores();
      hopper::waitForReads();
      hopper::arrive(hopper::sharedAddress(&shared.heldEmpty[held.index]));
    }
    __syncwarp();
  }
  __device__ uint32_t piece(const uint8_t *rows, int index) const {
    return hopper::sharedAddress(rows) +
           (index * heldRows + part * partRows) * rowBytes;
  }
  __device__ void stageSums(const uint8_t *rows, const float (&sums)[numSums]) {
#pragma unroll
    for (int i = 0; i < V::pieces; ++i)
      hopper::storeSums(piece(rows, i), threadIdx.x % 128 / 32, sums + 32 * i);
  }
  __device__ void copyOut(const CUtensorMap &map, const uint8_t *rows) {
    for (int i = 0; i < V::pieces; ++i)
      hopper::storeBox(map, piece(rows, i), 64 * i, row, work.head, work.batch);
  }

  const Shared<V> &shared;
  const CUtensorMap &dxMap, &dyMap;
  const Arguments &args;
  const int part, lane;
  Work work;
  int32_t row, threadRow;
  const uint64_t x, y;
  const uint32_t streamedX, streamedY;
  hopper::Ring<2> held;
  hopper::Ring<V::stages> stage;
  float2 rowStatistics[2];
  float dx[numSums], dy[V::keys ? numSums : 1];
};

template <class V>
__global__ void __launch_bounds__(threads, 1)
    gradientKernel(const __grid_constant__ CUtensorMap x,
                   const __grid_constant__ CUtensorMap y,
                   const __grid_constant__ CUtensorMap streamedX,
                   const __grid_constant__ CUtensorMap streamedY,
                   const __grid_constant__ CUtensorMap dx,
                   const __grid_constant__ CUtensorMap dy,
                   const __grid_constant__ Arguments args) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  extern __shared__ __align__(1024) uint8_t bytes[];
  auto &shared = *reinterpret_cast<Shared<V> *>(bytes);
  const int warpgroup = __shfl_sync(~0u, threadIdx.x / 128, 0);
  if (threadIdx.x == 0) {
    for (const CUtensorMap *map : {&x, &y, &streamedX, &streamedY, &dx, &dy})
      hopper::prefetchMap(*map);
    auto init = [](uint64_t &full, uint64_t &empty, int readers) {
      hopper::initBarrier(hopper::sharedAddress(&full), 1);
      hopper::initBarrier(hopper::sharedAddress(&empty), readers);
    };
    for (int i = 0; i < 2; ++i)
      init(shared.heldFull[i], shared.heldEmpty[i], numParts);
    for (int i = 0; i < V::stages; ++i)
      init(shared.full[i], shared.empty[i], numParts * 4);
    hopper::fenceBarrierInit();
  }
  __syncthreads();
  if (warpgroup == 0) {
    hopper::giveRegisters<40>();
    if (threadIdx.x == 0)
      copyTiles<V>(x, y, streamedX, streamedY, args, shared);
  } else {
    hopper::takeRegisters<232>();
    Part<V>(shared, dx, dy, args, warpgroup - 1).run();
  }
#endif
}

/// Statistics of the gradient's kernels, in which a query beyond the last one
/// or without keys has probabilities of zero.
struct StatisticsArguments {
  const __nv_bfloat16 *o, *dO;
  const float *lse;
  Strides oStrides, dOStrides, lseStrides;
  float2 *statistics;
  int32_t heads, dimension, queries, paddedQueries;
  int32_t rows; ///< in all, with padding
};

/// A row of up to maxDimension elements for every maxDimension / 8 threads.
template <int maxDimension>
__global__ void __launch_bounds__(256)
    statisticsKernel(const __grid_constant__ StatisticsArguments args) {
  constexpr int rowThreads = maxDimension / 8;
  const int32_t index =
      (int32_t(blockIdx.x) * 256 + int32_t(threadIdx.x)) / rowThreads;
  const int part = threadIdx.x % rowThreads;
  // Heads first, which are neighbours in memory as a rule.
  const int32_t head = index % args.heads, at = index / args.heads;
  const int32_t query = at % args.paddedQueries,
                batch = at / args.paddedQueries;
  float delta = 0;
  const bool isRow = index < args.rows && query < args.queries;
  if (isRow && 8 * part < args.dimension) {
    auto load = [&](const __nv_bfloat16 *from, const Strides &strides) {
      return __ldg(reinterpret_cast<const uint4 *>(
          from + batch * strides.batch + head * strides.head +
          query * strides.row + 8 * part));
    };
    const uint4 o = load(args.o, args.oStrides),
                dO = load(args.dO, args.dOStrides);
    const auto *oPairs = reinterpret_cast<const __nv_bfloat162 *>(&o),
               *dOPairs = reinterpret_cast<const __nv_bfloat162 *>(&dO);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float2 a = __bfloat1622float2(oPairs[i]),
                   b = __bfloat1622float2(dOPairs[i]);
      delta += a.x * b.x + a.y * b.y;
    }
  }
#pragma unroll
  for (int distance = rowThreads / 2; distance; distance /= 2)
    delta += __shfl_xor_sync(~0u, delta, distance);
  if (part != 0 || index >= args.rows)
    return;
  float lse = INFINITY;
  if (isRow) {
    const Strides &strides = args.lseStrides;
    lse = __ldg(args.lse + batch * strides.batch + head * strides.head +
                query * strides.row);
    lse = lse == -INFINITY ? INFINITY : lse * log2OfE;
  }
  args.statistics[int64_t(batch * args.heads + head) * args.paddedQueries +
                  query] = {lse, delta};
}

} // namespace tert::cuda::attention

#endif // TERT_CUDA_KERNELS_ATTENTIONGRAD_CUH
