// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions of sm_90a: barriers in shared memory, bulk copies of tiles
// (TMA), clusters, and products of a warpgroup (wgmma). Addresses of shared
// memory are 32-bit, as the instructions take them.
#ifndef TERT_CUDA_KERNELS_HOPPER_CUH
#define TERT_CUDA_KERNELS_HOPPER_CUH

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace tert::cuda::hopper {

__device__ inline uint32_t sharedAddress(const void *pointer) {
  return uint32_t(__cvta_generic_to_shared(pointer));
}

//===-- Barriers ----------------------------------------------------------===//

/// `arrivals` threads, and the bytes that they announce, complete a phase.
__device__ inline void initBarrier(uint32_t barrier, uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier),
               "r"(arrivals)
               : "memory");
}

/// Makes initialized barriers visible to bulk copies and to the cluster.
__device__ inline void fenceBarrierInit() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Arrives, and announces the bytes of copies that complete the phase.
__device__ inline void expectBytes(uint32_t barrier, uint32_t bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
      "r"(bytes)
      : "memory");
}

/// Arrives at a barrier of this block.
__device__ inline void arrive(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier)
               : "memory");
}

/// Arrives at the same barrier of block `rank` of the cluster.
__device__ inline void arriveAt(uint32_t barrier, uint32_t rank) {
  asm volatile("{\n"
               ".reg .b32 remote;\n"
               "mapa.shared::cluster.u32 remote, %0, %1;\n"
               "mbarrier.arrive.shared::cluster.b64 _, [remote];\n"
               "}" ::"r"(barrier),
               "r"(rank)
               : "memory");
}

/// Waits for the end of the phase of that parity.
__device__ inline void waitBarrier(uint32_t barrier, uint32_t parity) {
  asm volatile("{\n"
               ".reg .pred done;\n"
               "again:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@done bra end;\n"
               "bra again;\n"
               "end:\n"
               "}" ::"r"(barrier),
               "r"(parity)
               : "memory");
}

/// A place in a ring of `count` buffers, and the parity of its round.
template <int count> struct Ring {
  int index = 0;
  uint32_t phase = 0;

  __device__ void advance() {
    if (++index == count) {
      index = 0;
      phase ^= 1;
    }
  }
};

/// Waits for `count` threads, whole warps, at one of the block's barriers 1
/// to 15.
__device__ inline void syncThreads(int barrier, int count) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(count) : "memory");
}

__device__ inline uint32_t clusterRank() {
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

__device__ inline void syncCluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

//===-- Bulk copies -------------------------------------------------------===//

/// Copies a box of a tensor of rank 3, from (x, y, z) on.
__device__ inline void loadBox(uint32_t to, const CUtensorMap &map,
                               uint32_t barrier, int32_t x, int32_t y,
                               int32_t z) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" ::"r"(to),
               "l"(&map), "r"(barrier), "r"(x), "r"(y), "r"(z)
               : "memory");
}

/// The same, to all blocks of the cluster in `mask`, and for their barriers.
__device__ inline void loadBox(uint32_t to, const CUtensorMap &map,
                               uint32_t barrier, int32_t x, int32_t y,
                               int32_t z, uint16_t mask) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4, "
               "%5}], [%2], %6;" ::"r"(to),
               "l"(&map), "r"(barrier), "r"(x), "r"(y), "r"(z), "h"(mask)
               : "memory");
}

/// Copies a box of a tensor of rank 4.
__device__ inline void loadBox(uint32_t to, const CUtensorMap &map,
                               uint32_t barrier, int32_t x, int32_t y,
                               int32_t z, int32_t w) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::"
      "complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2];" ::"r"(to),
      "l"(&map), "r"(barrier), "r"(x), "r"(y), "r"(z), "r"(w)
      : "memory");
}

/// Copies bytes, a multiple of 16 at addresses that are, too.
__device__ inline void loadBytes(uint32_t to, const void *from, uint32_t bytes,
                                 uint32_t barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
}

/// Copies a box to a tensor, within its bounds.
__device__ inline void storeBox(const CUtensorMap &map, uint32_t from,
                                int32_t x, int32_t y, int32_t z) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group "
               "[%0, {%2, %3, %4}], [%1];" ::"l"(&map),
               "r"(from), "r"(x), "r"(y), "r"(z)
               : "memory");
}
/// The same of a tensor of rank 4.
__device__ inline void storeBox(const CUtensorMap &map, uint32_t from,
                                int32_t x, int32_t y, int32_t z, int32_t w) {
  asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.bulk_group "
               "[%0, {%2, %3, %4, %5}], [%1];" ::"l"(&map),
               "r"(from), "r"(x), "r"(y), "r"(z), "r"(w)
               : "memory");
}
__device__ inline void commitStores() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// Waits until stores have read shared memory.
__device__ inline void waitForReads() {
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
/// Waits until stores are done.
__device__ inline void waitForStores() {
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/// Makes this thread's writes to shared memory visible to bulk copies, once
/// they are synchronized with the thread that issues these.
__device__ inline void fenceShared() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ inline void prefetchMap(const CUtensorMap &map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

//===-- Registers and shared memory ---------------------------------------===//

template <int count> __device__ inline void takeRegisters() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(count));
}
template <int count> __device__ inline void giveRegisters() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(count));
}

/// Four matrices of 8 x 8 elements of 16 bits: lane i gives the address of row
/// i % 8 of matrix i / 8, and has elements 2 * (i % 4) of row i / 4 of each.
__device__ inline void storeMatrices(uint32_t address,
                                     const uint32_t (&parts)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, "
               "%4};" ::"r"(address),
               "r"(parts[0]), "r"(parts[1]), "r"(parts[2]), "r"(parts[3])
               : "memory");
}

/// Writes a warp's 16 rows of 64 columns in bf16, rows of 128 bytes that are
/// swizzled, from the sums of a product (those of the piece's first 8 columns
/// first). `warp` is the warp's number in its warpgroup.
__device__ inline void storeSums(uint32_t piece, int warp, const float *sums) {
  const int lane = threadIdx.x % 32, row = warp * 16 + lane % 16;
#pragma unroll
  for (int i = 0; i < 4; ++i) { // of 16 columns
    uint32_t parts[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const __nv_bfloat162 pair =
          __floats2bfloat162_rn(sums[8 * i + 2 * j], sums[8 * i + 2 * j + 1]);
      parts[j] = reinterpret_cast<const uint32_t &>(pair);
    }
    const int unit = 2 * i + lane / 16;
    storeMatrices(piece + row * 128 + ((unit ^ row) & 7) * 16, parts);
  }
}
__device__ inline void storeShared(uint32_t address, float x, float y) {
  asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(address), "f"(x), "f"(y)
               : "memory");
}

//===-- Products ----------------------------------------------------------===//

/// A matrix in shared memory whose rows are 128 bytes, swizzled over 128 bytes;
/// eight of them start at a multiple of 1024 bytes. A row is either what is
/// summed, or, of a transposed matrix, what is not, and then `columnBytes` are
/// between pieces of 64 columns.
__device__ inline uint64_t describeSwizzled(uint32_t address,
                                            uint32_t columnBytes = 16) {
  return uint64_t(address & 0x3ffff) >> 4 | uint64_t(columnBytes >> 4) << 16 |
         uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}

__device__ inline void beginProducts() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ inline void commitProducts() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int pending> __device__ inline void waitForProducts() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

/// Begins to use registers for sums, whatever they hold.
template <int count> __device__ inline void startSums(float (&sums)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i)
    asm volatile("" : "=f"(sums[i]));
}

/// Keeps the compiler from moving uses of sums across a wait.
template <int count> __device__ inline void fenceSums(float (&sums)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i)
    asm volatile("" : "+f"(sums[i])::"memory");
}

/// The same of operands in registers.
template <int count>
__device__ inline void fenceRegisters(uint32_t (&registers)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i)
    asm volatile("" : "+r"(registers[i])::"memory");
}

enum class Element { E4M3, E5M2, Bf16 };

#define TERT_SUMS_32                                                           \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "    \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "     \
  "%30, %31}"
#define TERT_SUM_OPERANDS_32(d)                                                \
  "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),      \
      "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]),             \
      "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),         \
      "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),         \
      "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),         \
      "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]),         \
      "+f"(d[31])
#define TERT_SUMS_64                                                           \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, "         \
  "%15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "          \
  "%28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, "          \
  "%41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, "          \
  "%54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"
#define TERT_SUM_OPERANDS_64(d)                                                \
  "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),      \
      "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]),             \
      "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),         \
      "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),         \
      "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),         \
      "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]),         \
      "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),         \
      "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]),         \
      "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]),         \
      "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]),         \
      "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),         \
      "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]),         \
      "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
#define TERT_SUMS_128                                                          \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, "         \
  "%15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "          \
  "%28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, "          \
  "%41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, "          \
  "%54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, "          \
  "%67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "          \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, "          \
  "%93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "          \
  "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, "         \
  "%116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, "         \
  "%127}"
#define TERT_SUM_OPERANDS_128(d)                                               \
  "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),      \
      "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]),             \
      "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),         \
      "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),         \
      "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),         \
      "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]),         \
      "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),         \
      "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]),         \
      "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]),         \
      "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]),         \
      "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),         \
      "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]),         \
      "+f"(d[61]), "+f"(d[62]), "+f"(d[63]), "+f"(d[64]), "+f"(d[65]),         \
      "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]),         \
      "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]),         \
      "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]),         \
      "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]),         \
      "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]),         \
      "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]),         \
      "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]),        \
      "+f"(d[101]), "+f"(d[102]), "+f"(d[103]), "+f"(d[104]), "+f"(d[105]),    \
      "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]),    \
      "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),    \
      "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]),    \
      "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]),    \
      "+f"(d[126]), "+f"(d[127])
// Operands: the sums, then the descriptions a and b, and whether to add.
#define TERT_WGMMA(sums, operands, cols, depth, types, a, b, add, more)        \
  asm volatile("{\n"                                                           \
               ".reg .pred add;\n"                                             \
               "setp.ne.b32 add, " add ", 0;\n"                                \
               "wgmma.mma_async.sync.aligned.m64n" cols "k" depth              \
               ".f32." types " " sums ", " a ", " b ", add, 1, 1" more ";\n"   \
               "}"                                                             \
               : operands(d)                                                   \
               : "l"(left), "l"(right), "r"(int(adds)))
#define TERT_WGMMA_32(depth, types, more)                                      \
  TERT_WGMMA(TERT_SUMS_32, TERT_SUM_OPERANDS_32, "64", depth, types, "%32",    \
             "%33", "%34", more)
#define TERT_WGMMA_64(depth, types, more)                                      \
  TERT_WGMMA(TERT_SUMS_64, TERT_SUM_OPERANDS_64, "128", depth, types, "%64",   \
             "%65", "%66", more)
#define TERT_WGMMA_128(depth, types, more)                                     \
  TERT_WGMMA(TERT_SUMS_128, TERT_SUM_OPERANDS_128, "256", depth, types,        \
             "%128", "%129", "%130", more)

/// The bytes of a row of what is summed that one product takes.
constexpr int productBytes = 32;

/// sums (+)= a [64, 32 bytes] · b [2 * count, 32 bytes]^T for 32 (bf16 alone),
/// 64 or 128 sums;
/// bf16 matrices may be transposed.
#define TERT_WGMMA_COUNT(depth, types, more)                                   \
  if constexpr (count == 64)                                                   \
    TERT_WGMMA_64(depth, types, more);                                         \
  else                                                                         \
    TERT_WGMMA_128(depth, types, more)
template <Element aType, Element bType, bool transposeA = false,
          bool transposeB = false, int count>
__device__ inline void multiply(float (&d)[count], uint64_t left,
                                uint64_t right, bool adds) {
  static_assert(count == 32 || count == 64 || count == 128);
  if constexpr (count == 32) {
    static_assert(aType == Element::Bf16 && !transposeA && !transposeB);
    TERT_WGMMA_32("16", "bf16.bf16", ", 0, 0");
  } else if constexpr (aType == Element::Bf16) {
    if constexpr (transposeA && transposeB) {
      TERT_WGMMA_COUNT("16", "bf16.bf16", ", 1, 1");
    } else if constexpr (transposeB) {
      TERT_WGMMA_COUNT("16", "bf16.bf16", ", 0, 1");
    } else {
      TERT_WGMMA_COUNT("16", "bf16.bf16", ", 0, 0");
    }
  } else if constexpr (aType == Element::E5M2) {
    TERT_WGMMA_COUNT("32", "e5m2.e4m3", "");
  } else if constexpr (bType == Element::E5M2) {
    TERT_WGMMA_COUNT("32", "e4m3.e5m2", "");
  } else {
    TERT_WGMMA_COUNT("32", "e4m3.e4m3", "");
  }
}

/// sums += a [64, 16] · b [16, 2 * count] in bf16, for 32 or 64 sums. Each
/// thread has a's elements at (r, c), (r + 8, c), (r, c + 8) and (r + 8, c + 8)
/// and their right neighbours, r = lane / 4 and c = 2 * (lane % 4): the places
/// of four pairs of sums. Rows of b are its rows in shared memory.
#define TERT_WGMMA_REGISTERS(sums, operands, cols, a, b)                       \
  asm volatile("wgmma.mma_async.sync.aligned.m64n" cols                        \
               "k16.f32.bf16.bf16 " sums ", {" a "}, " b ", 1, 1, 1, 1;"       \
               : operands(d)                                                   \
               : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]),       \
                 "l"(right))
template <int count>
__device__ inline void multiplyRegisters(float (&d)[count],
                                         const uint32_t *left, uint64_t right) {
  static_assert(count == 32 || count == 64);
  if constexpr (count == 32)
    TERT_WGMMA_REGISTERS(TERT_SUMS_32, TERT_SUM_OPERANDS_32, "64",
                         "%32, %33, %34, %35", "%36");
  else
    TERT_WGMMA_REGISTERS(TERT_SUMS_64, TERT_SUM_OPERANDS_64, "128",
                         "%64, %65, %66, %67", "%68");
}

#undef TERT_WGMMA_REGISTERS
#undef TERT_WGMMA_COUNT
#undef TERT_WGMMA
#undef TERT_WGMMA_32
#undef TERT_WGMMA_64
#undef TERT_WGMMA_128
#undef TERT_SUMS_32
#undef TERT_SUMS_64
#undef TERT_SUMS_128
#undef TERT_SUM_OPERANDS_32
#undef TERT_SUM_OPERANDS_64
#undef TERT_SUM_OPERANDS_128

} // namespace tert::cuda::hopper

#endif // TERT_CUDA_KERNELS_HOPPER_CUH
