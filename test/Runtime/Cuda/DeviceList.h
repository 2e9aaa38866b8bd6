// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TERT_TEST_RUNTIME_CUDA_DEVICELIST_H
#define TERT_TEST_RUNTIME_CUDA_DEVICELIST_H

#include "Gpu.h"

#include <list>
#include <vector>

namespace tert_test {

/// Tensors in a GPU's memory, as the list that a C function takes.
class DeviceList {
public:
  DeviceList(tert_context *gpu, std::vector<Tensor> tensors)
      : hosts(std::move(tensors)) {
    for (const Tensor &tensor : hosts) {
      copies.emplace_back(gpu, tensor);
      const tert_tensor *handle = copies.back();
      handles.push_back(*handle);
    }
  }
  int32_t count() const { return int32_t(handles.size()); }
  const tert_tensor *data() const { return handles.data(); }
  tert_tensor &operator[](size_t k) { return handles[k]; }
  std::vector<Tensor> read() const {
    std::vector<Tensor> tensors;
    for (const OnGpu &copy : copies)
      tensors.push_back(copy.read());
    return tensors;
  }

private:
  const std::vector<Tensor> hosts; ///< whose layouts the handles have
  std::list<OnGpu> copies;
  std::vector<tert_tensor> handles;
};

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_CUDA_DEVICELIST_H
