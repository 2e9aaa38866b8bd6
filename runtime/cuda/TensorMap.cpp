// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/TensorMap.h"

#include "cuda/Driver.h"
#include "cuda/Error.h"

using namespace tert;
using namespace tert::cuda;

static CUtensorMapDataType typeOfBytes(int64_t bytes) {
  return bytes == 4   ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
         : bytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                      : CU_TENSOR_MAP_DATA_TYPE_UINT8;
}

CUtensorMap cuda::mapTensor(const void *data, tert_dtype dtype,
                            const TensorBox &box) {
  static const auto encode =
      findDriverFunction<decltype(&cuTensorMapEncodeTiled)>(
          "cuTensorMapEncodeTiled", 12000);
  const int64_t bytes = bytesOf(dtype);
  const std::vector<cuuint64_t> sizes(box.sizes.begin(), box.sizes.end());
  std::vector<cuuint64_t> strides;
  for (size_t i = 0; i < box.strides.size(); ++i)
    // The stride of a single element is not used, but checked.
    strides.push_back(
        box.sizes[i + 1] == 1 ? 16 : cuuint64_t(box.strides[i] * bytes));
  std::vector<cuuint32_t> part(sizes.size(), 1), steps(sizes.size(), 1);
  part[0] = cuuint32_t(box.columns);
  part[1] = cuuint32_t(box.rows);
  CUtensorMap map;
  const CUresult status =
      encode ? encode(&map, typeOfBytes(bytes), cuuint32_t(sizes.size()),
                      const_cast<void *>(data), sizes.data(), strides.data(),
                      part.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE,
                      CU_TENSOR_MAP_SWIZZLE_128B,
                      CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
             : CUDA_ERROR_NOT_FOUND;
  if (status != CUDA_SUCCESS)
    throw Error(TERT_DEVICE_ERROR,
                "cuTensorMapEncodeTiled failed with status " +
                    std::to_string(int(status)));
  return map;
}
