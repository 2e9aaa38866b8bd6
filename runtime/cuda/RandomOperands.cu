// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/RandomOperands.h"

#include "cuda/Error.h"

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include <algorithm>

using namespace tert;
using namespace tert::cuda;

/// A bijection of 32-bit words that maps neighbours to unrelated values.
static __device__ uint32_t scramble(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x21f0aaadu;
  x = (x ^ (x >> 15)) * 0x735a2d97u;
  return x ^ (x >> 15);
}

/// The centred sum of the four bytes of a random word, with variance one.
static __device__ float nearlyNormal(uint32_t word) {
  int sum = __vsadu4(word, 0);
  return (sum - 510.0f) * (1.0f / 147.8f);
}

static __device__ void store(float *to, float value) { *to = value; }
static __device__ void store(__nv_bfloat16 *to, float value) {
  *to = __float2bfloat16(value);
}
static __device__ void store(__nv_fp8_e4m3 *to, float value) {
  *to = __nv_fp8_e4m3(value);
}
static __device__ void store(__nv_fp8_e5m2 *to, float value) {
  *to = __nv_fp8_e5m2(value);
}

template <typename T>
static __global__ void fillKernel(T *data, int64_t count, uint32_t seed) {
  int64_t stride = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride)
    store(data + i,
          nearlyNormal(scramble(uint32_t(i) ^
                                scramble(uint32_t(i >> 32) ^ scramble(seed)))));
}

template <typename T>
static void fill(cudaStream_t stream, void *data, int64_t count,
                 uint32_t seed) {
  constexpr int threads = 256;
  int64_t blocks = std::min<int64_t>((count + threads - 1) / threads, 4096);
  if (blocks == 0)
    return;
  fillKernel<<<unsigned(blocks), threads, 0, stream>>>(static_cast<T *>(data),
                                                       count, seed);
  check(cudaGetLastError(), "filling with random values");
}

void cuda::fillRandom(cudaStream_t stream, tert_dtype dtype, void *data,
                      int64_t count, uint32_t seed) {
  switch (dtype) {
  case TERT_F32:
    return fill<float>(stream, data, count, seed);
  case TERT_BF16:
    return fill<__nv_bfloat16>(stream, data, count, seed);
  case TERT_F8E4M3:
    return fill<__nv_fp8_e4m3>(stream, data, count, seed);
  case TERT_F8E5M2:
    return fill<__nv_fp8_e5m2>(stream, data, count, seed);
  default:
    throw Error(TERT_UNSUPPORTED, "no random values of this type");
  }
}
