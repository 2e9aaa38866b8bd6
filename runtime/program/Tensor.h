// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries on tert_tensor shared by the checks and all backends.
#ifndef TERT_PROGRAM_TENSOR_H
#define TERT_PROGRAM_TENSOR_H

#include "tert/types.h"

#include <cstdint>
#include <string>

namespace tert {

inline bool requestsCopies(const tert_quantized &quantized) {
  return quantized.rowwise.data || quantized.columnwise.data;
}
/// True if any output is requested.
inline bool requestsOutput(const tert_quantized &quantized) {
  return requestsCopies(quantized) || quantized.amax;
}

inline tert_dtype dtypeOf(const tert_tensor &tensor) {
  return static_cast<tert_dtype>(tensor.layout->dtype);
}
inline int32_t rankOf(const tert_tensor &tensor) { return tensor.layout->rank; }
inline int64_t sizeOf(const tert_tensor &tensor, int32_t dim) {
  return tensor.layout->sizes[dim];
}
inline int64_t strideOf(const tert_tensor &tensor, int32_t dim) {
  return tensor.layout->strides[dim];
}

/// Number of elements; 1 for a scalar.
int64_t numElements(const tert_tensor &tensor);
/// Bytes of all elements, without gaps between them.
int64_t bytesIn(const tert_tensor &tensor);

/// True if the elements are in packed row-major order. Dimensions of size 1 may
/// have any stride, and so may all dimensions of an empty tensor.
bool isContiguous(const tert_tensor &tensor);

bool sameShape(const tert_tensor &a, const tert_tensor &b);

/// f32 or bf16, the storage types that ops call "float".
inline bool isFloat(tert_dtype dtype) {
  return dtype == TERT_F32 || dtype == TERT_BF16;
}
inline bool isFp8(tert_dtype dtype) {
  return dtype == TERT_F8E4M3 || dtype == TERT_F8E5M2;
}

/// Bytes of one element; 0 for a number that is not a tert_dtype.
int64_t bytesOf(int32_t dtype);

/// "f32", "bf16", ...; "dtype 17" for a number that is not a tert_dtype.
std::string dtypeName(int32_t dtype);

/// "[64, 128] f32", with strides if they are not row-major.
std::string describe(const tert_tensor &tensor);
/// "[64, 128]"
std::string describeShape(const tert_tensor &tensor);

} // namespace tert

#endif // TERT_PROGRAM_TENSOR_H
