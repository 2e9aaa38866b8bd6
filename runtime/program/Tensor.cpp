// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Tensor.h"

using namespace tert;

int64_t tert::numElements(const tert_tensor &tensor) {
  int64_t count = 1;
  for (int32_t dim = 0; dim < rankOf(tensor); ++dim)
    count *= sizeOf(tensor, dim);
  return count;
}

int64_t tert::bytesIn(const tert_tensor &tensor) {
  return numElements(tensor) * bytesOf(dtypeOf(tensor));
}

bool tert::isContiguous(const tert_tensor &tensor) {
  // Unsigned: messages describe tensors whose sizes overflow, too.
  uint64_t expected = 1;
  bool contiguous = true;
  for (int32_t dim = rankOf(tensor) - 1; dim >= 0; --dim) {
    int64_t size = sizeOf(tensor, dim);
    if (size == 0)
      return true;
    contiguous &=
        size == 1 || static_cast<uint64_t>(strideOf(tensor, dim)) == expected;
    expected *= static_cast<uint64_t>(size);
  }
  return contiguous;
}

bool tert::sameShape(const tert_tensor &a, const tert_tensor &b) {
  if (rankOf(a) != rankOf(b))
    return false;
  for (int32_t dim = 0; dim < rankOf(a); ++dim)
    if (sizeOf(a, dim) != sizeOf(b, dim))
      return false;
  return true;
}

int64_t tert::bytesOf(int32_t dtype) {
  switch (dtype) {
  case TERT_F32:
  case TERT_I32:
    return 4;
  case TERT_BF16:
    return 2;
  case TERT_F8E4M3:
  case TERT_F8E5M2:
  case TERT_U8:
  case TERT_F8E8M0:
    return 1;
  case TERT_I64:
    return 8;
  }
  return 0;
}

std::string tert::dtypeName(int32_t dtype) {
  switch (dtype) {
  case TERT_F32:
    return "f32";
  case TERT_BF16:
    return "bf16";
  case TERT_F8E4M3:
    return "f8E4M3";
  case TERT_F8E5M2:
    return "f8E5M2";
  case TERT_I64:
    return "i64";
  case TERT_I32:
    return "i32";
  case TERT_U8:
    return "u8";
  case TERT_F8E8M0:
    return "f8E8M0";
  }
  return "dtype " + std::to_string(dtype);
}

static std::string describeNumbers(const int64_t *numbers, int32_t count) {
  std::string text = "[";
  for (int32_t i = 0; i < count; ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  return text + "]";
}

std::string tert::describeShape(const tert_tensor &tensor) {
  return describeNumbers(tensor.layout->sizes, rankOf(tensor));
}

std::string tert::describe(const tert_tensor &tensor) {
  std::string text =
      describeShape(tensor) + " " + dtypeName(tensor.layout->dtype);
  if (!isContiguous(tensor))
    text += " with strides " +
            describeNumbers(tensor.layout->strides, rankOf(tensor));
  return text;
}
