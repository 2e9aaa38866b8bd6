// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/peer/PeerScalars.h"

#include "collectives/peer/AbortFlag.h"
#include "collectives/peer/ScalarTable.cuh"
#include "collectives/peer/ZeroedMemory.h"
#include "cuda/Error.h"

using namespace tert;
using namespace tert::peer;

/// A kernel's parameter, beside the members, whose memory is slots [2, ranks,
/// count].
struct PeerScalars::Slots {
  int32_t count;       ///< for each member
  uint32_t *exchanges; ///< [blocks]
};

namespace {

using Slots = PeerScalars::Slots;

__device__ void send(uint64_t *slot, uint32_t value, uint32_t exchange) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(slot),
               "l"(uint64_t(exchange) << 32 | value)
               : "memory");
}

/// Returns zero after an abort.
__device__ uint32_t receive(const uint64_t *slot, uint32_t exchange,
                            const volatile uint32_t *isOver) {
  for (int look = 1;; ++look) {
    uint64_t word;
    asm volatile("ld.relaxed.sys.global.u64 %0, [%1];"
                 : "=l"(word)
                 : "l"(slot)
                 : "memory");
    if (uint32_t(word >> 32) == exchange)
      return uint32_t(word);
    if (look % pollsPerAbortCheck == 0 && *isOver)
      return 0;
  }
}

/// One block's share of a collective.
class Exchange {
public:
  __device__ Exchange(const Members &members, const Slots &slots, int32_t block)
      : members(members), slots(slots), number(slots.exchanges[block] + 1) {}

  /// Sends to all others, into their slot i of this member.
  __device__ void sendAll(int32_t i, uint32_t value) const {
    for (int32_t member = 0; member < members.ranks; ++member)
      if (member != members.rank)
        send(slotOf(member, members.rank, i), value, number);
  }
  /// The value that `member` sent in slot i, or `own`.
  __device__ uint32_t valueOf(int32_t member, int32_t i, uint32_t own) const {
    return member == members.rank ? own
                                  : receive(slotOf(members.rank, member, i),
                                            number, members.isOver);
  }
  /// Called by all threads of the block at its end.
  __device__ void end(int32_t block) const {
    __syncthreads();
    if (threadIdx.x == 0)
      slots.exchanges[block] = number;
  }

private:
  __device__ uint64_t *slotOf(int32_t at, int32_t of, int32_t i) const {
    return reinterpret_cast<uint64_t *>(members.memory[at]) +
           (int64_t(number % 2) * members.ranks + of) * slots.count + i;
  }

  const Members &members;
  const Slots &slots;
  const uint32_t number;
};

__global__ void __launch_bounds__(scalarThreads)
    scalarReductionKernel(const __grid_constant__ ScalarTable table,
                          const __grid_constant__ Members members,
                          const __grid_constant__ Slots slots, Mark mark,
                          int32_t first, int32_t numMaxima, float *max,
                          float *sum) {
  const int32_t block = first / scalarThreads + int32_t(blockIdx.x);
  const Exchange exchange(members, slots, block);
  const int32_t inTable = int32_t(blockIdx.x) * scalarThreads + threadIdx.x;
  const int32_t i = first + inTable;
  const bool isScalar = inTable < table.count;
  const float own = isScalar ? *table.scalars[inTable] : 0;
  if (isScalar)
    exchange.sendAll(i, __float_as_uint(own));
  if (i == 0)
    reportBegin(mark);
  if (isScalar) {
    auto valueOf = [&](int32_t member) {
      return __uint_as_float(exchange.valueOf(member, i, __float_as_uint(own)));
    };
    if (i < numMaxima)
      max[i] = largestOf(members.ranks, valueOf);
    else
      sum[i - numMaxima] = sumOf(members.ranks, valueOf);
  }
  exchange.end(block);
}

__global__ void normReductionKernel(const __grid_constant__ Members members,
                                    const __grid_constant__ Slots slots,
                                    Mark mark, const double *own, float *norm) {
  const Exchange exchange(members, slots, 0);
  const double value = *own;
  const uint32_t low = __double2loint(value), high = __double2hiint(value);
  exchange.sendAll(0, low);
  exchange.sendAll(1, high);
  reportBegin(mark);
  *norm = normOf(members.ranks, [&](int32_t member) {
    return __hiloint2double(exchange.valueOf(member, 1, high),
                            exchange.valueOf(member, 0, low));
  });
  exchange.end(0);
}

} // namespace

PeerScalars::PeerScalars(const Members &members, size_t bytes)
    : members(members),
      count(int32_t(bytes / sizeof(uint64_t) / (2 * members.ranks) /
                    scalarThreads * scalarThreads)),
      exchanges(static_cast<uint32_t *>(allocateZeroedMemory(
          size_t(count) / scalarThreads * sizeof(*exchanges), "counters"))) {}

PeerScalars::~PeerScalars() { cudaFree(exchanges); }

void PeerScalars::reduce(cudaStream_t stream, const Mark &mark,
                         const TensorList &maxima, const TensorList &sums,
                         float *max, float *sum) {
  forEachTable(maxima, sums, [&](const ScalarTable &table, int32_t first) {
    scalarReductionKernel<<<scalarBlocksFor(table.count), scalarThreads, 0,
                            stream>>>(table, members, Slots{count, exchanges},
                                      mark, first, maxima.size(), max, sum);
    cuda::check(cudaGetLastError(), "scalar reduction kernel");
  });
}

void PeerScalars::reduceNorm(cudaStream_t stream, const Mark &mark,
                             const double *own, float *norm) {
  normReductionKernel<<<1, 1, 0, stream>>>(members, Slots{count, exchanges},
                                           mark, own, norm);
  cuda::check(cudaGetLastError(), "kernel that adds up a norm");
}
