// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of eight adjacent elements, which one thread reads, computes and
// writes at a time. In bf16, a group is one 16-byte access.
#ifndef TERT_CUDA_KERNELS_VECTOR_CUH
#define TERT_CUDA_KERNELS_VECTOR_CUH

#include "program/Tensor.h"

#include <cuda_bf16.h>

#include <cstdint>

namespace tert::cuda {

using Bf16 = __nv_bfloat16;

__device__ inline float toF32(float value) { return value; }
__device__ inline float toF32(Bf16 value) { return __bfloat162float(value); }
__device__ inline void fromF32(float value, float &result) { result = value; }
__device__ inline void fromF32(float value, Bf16 &result) {
  result = __float2bfloat16_rn(value);
}

/// [rows, cols] with innermost stride 1; a vector is one row.
template <typename T> struct View {
  T *data = nullptr;
  int64_t stride = 0;
  /// True if groups of eight at multiples of eight allow vector accesses.
  bool aligned = false;

  __host__ __device__ explicit operator bool() const { return data; }
  __device__ T *at(int64_t row, int64_t col) const {
    return data + row * stride + col;
  }
};

/// True if rows of `tensor` start at multiples of `bytes`.
inline bool rowsAlignedTo(const tert_tensor &tensor, int64_t bytes) {
  int64_t stride = rankOf(tensor) == 2 ? strideOf(tensor, 0) : 0;
  if (rankOf(tensor) == 2 && sizeOf(tensor, 0) <= 1)
    stride = 0;
  return reinterpret_cast<uintptr_t>(tensor.data) % bytes == 0 &&
         stride * bytesOf(tensor.layout->dtype) % bytes == 0;
}

template <typename T> View<T> viewOf(const tert_tensor &tensor) {
  int64_t access = 8 * sizeof(T) < 16 ? 8 * sizeof(T) : 16;
  return {static_cast<T *>(tensor.data),
          rankOf(tensor) == 2 ? strideOf(tensor, 0) : 0,
          rowsAlignedTo(tensor, access)};
}
template <typename T> View<T> viewOf(const tert_tensor *tensor) {
  return tensor ? viewOf<T>(*tensor) : View<T>();
}

/// Calls fn with a value of the type that stores `dtype`, f32 or bf16.
template <typename Fn> void withFloat(tert_dtype dtype, const Fn &fn) {
  if (dtype == TERT_BF16)
    fn(Bf16());
  else
    fn(float());
}

/// Eight elements as they are stored.
template <typename T> struct Raw8 {
  union {
    uint4 words[sizeof(T) / 2];
    uint16_t halves[8 * sizeof(T) / 2];
  };

  __device__ void loadVector(const T *p) {
#pragma unroll
    for (int i = 0; i < int(sizeof(T) / 2); ++i)
      words[i] = reinterpret_cast<const uint4 *>(p)[i];
  }
  /// Loads the first `valid` elements, followed by zeros.
  __device__ void loadPartial(const T *p, int valid) {
    T elements[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      fromF32(0.0f, elements[i]);
      if (i < valid)
        elements[i] = p[i];
    }
    memcpy(words, elements, sizeof(words));
  }
  __device__ void load(const T *p, int valid, bool aligned) {
    if (aligned && valid >= 8)
      loadVector(p);
    else
      loadPartial(p, valid);
  }
  __device__ void get(float (&v)[8]) const {
    T elements[8];
    memcpy(elements, words, sizeof(words));
#pragma unroll
    for (int i = 0; i < 8; ++i)
      v[i] = toF32(elements[i]);
  }
};

template <typename T>
__device__ inline void load8(const T *p, int valid, bool aligned,
                             float (&v)[8]) {
  Raw8<T> raw;
  raw.load(p, valid, aligned);
  raw.get(v);
}

/// One 16-byte access; the compiler might split it into four.
__device__ inline void storeWords(void *p, uint4 words) {
  asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};"
               :
               : "l"(p), "r"(words.x), "r"(words.y), "r"(words.z), "r"(words.w)
               : "memory");
}

/// Eight floats as they are stored.
__device__ inline void pack8(const float (&v)[8], uint4 (&words)[2], float) {
  words[0] = make_uint4(__float_as_uint(v[0]), __float_as_uint(v[1]),
                        __float_as_uint(v[2]), __float_as_uint(v[3]));
  words[1] = make_uint4(__float_as_uint(v[4]), __float_as_uint(v[5]),
                        __float_as_uint(v[6]), __float_as_uint(v[7]));
}
__device__ inline void pack8(const float (&v)[8], uint4 (&words)[1], Bf16) {
  auto pair = [](float low, float high) {
    uint32_t result;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
    return result;
  };
  words[0] = make_uint4(pair(v[0], v[1]), pair(v[2], v[3]), pair(v[4], v[5]),
                        pair(v[6], v[7]));
}

/// Writes the first `valid` of eight.
template <typename T>
__device__ inline void store8(const float (&v)[8], T *p, int valid,
                              bool aligned) {
  if (aligned && valid >= 8) {
    uint4 words[sizeof(T) / 2];
    pack8(v, words, T());
#pragma unroll
    for (int i = 0; i < int(sizeof(T) / 2); ++i)
      storeWords(reinterpret_cast<uint4 *>(p) + i, words[i]);
    return;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
    if (i < valid)
      fromF32(v[i], p[i]);
}

/// A float matrix or vector whose type is known only at run time: for accesses
/// once per group, for which separate kernels are not worthwhile.
struct AnyFloat {
  void *data = nullptr;
  int64_t stride = 0;
  bool aligned = false;
  bool isBf16 = false;

  __host__ __device__ explicit operator bool() const { return data; }
  __device__ void load(int64_t row, int64_t col, int valid,
                       float (&v)[8]) const {
    if (isBf16)
      load8(static_cast<const Bf16 *>(data) + row * stride + col, valid,
            aligned, v);
    else
      load8(static_cast<const float *>(data) + row * stride + col, valid,
            aligned, v);
  }
  __device__ void store(int64_t row, int64_t col, int valid,
                        const float (&v)[8]) const {
    if (isBf16)
      store8(v, static_cast<Bf16 *>(data) + row * stride + col, valid, aligned);
    else
      store8(v, static_cast<float *>(data) + row * stride + col, valid,
             aligned);
  }
  __device__ float at(int64_t index) const {
    return isBf16 ? toF32(static_cast<const Bf16 *>(data)[index])
                  : static_cast<const float *>(data)[index];
  }
  __device__ void set(int64_t index, float value) const {
    if (isBf16)
      fromF32(value, static_cast<Bf16 *>(data)[index]);
    else
      static_cast<float *>(data)[index] = value;
  }
};

/// Eight elements of an AnyFloat as they are stored.
struct RawAny8 {
  Raw8<float> raw; ///< the first half if it is bf16

  __device__ void load(const AnyFloat &x, int64_t row, int64_t col, int valid,
                       bool whole) {
    if (x.isBf16) {
      Raw8<Bf16> narrow;
      narrow.load(static_cast<const Bf16 *>(x.data) + row * x.stride + col,
                  valid, whole);
      raw.words[0] = narrow.words[0];
    } else {
      raw.load(static_cast<const float *>(x.data) + row * x.stride + col, valid,
               whole);
    }
  }
  __device__ void get(bool isBf16, float (&v)[8]) const {
    if (isBf16) {
      Raw8<Bf16> narrow;
      narrow.words[0] = raw.words[0];
      narrow.get(v);
    } else {
      raw.get(v);
    }
  }
};

inline AnyFloat anyFloat(const tert_tensor &tensor) {
  return {tensor.data, rankOf(tensor) == 2 ? strideOf(tensor, 0) : 0,
          rowsAlignedTo(tensor, 16), dtypeOf(tensor) == TERT_BF16};
}
inline AnyFloat anyFloat(const tert_tensor *tensor) {
  return tensor ? anyFloat(*tensor) : AnyFloat();
}

__host__ __device__ inline int64_t ceilDiv(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_VECTOR_CUH
