// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One attention problem as a cuDNN graph that can be run any number of times.
#ifndef TERT_CUDA_ATTENTIONPLAN_H
#define TERT_CUDA_ATTENTIONPLAN_H

#include "cuda/AttentionProblem.h"

#include <cstddef>
#include <memory>
#include <string>

#include <cuda_runtime.h>

namespace tert::cuda {

/// A cuDNN handle for one stream at a time.
class CudnnHandle {
public:
  explicit CudnnHandle(cudaStream_t stream);
  ~CudnnHandle();
  CudnnHandle(const CudnnHandle &) = delete;
  CudnnHandle &operator=(const CudnnHandle &) = delete;

  void useStream(cudaStream_t stream);
  void *get() const { return handle; }

private:
  void *handle = nullptr; // cudnnHandle_t
};

/// Operands of a run. The gradient reads the first five and dO.
struct AttentionOperands {
  void *q, *k, *v, *o, *lse;
  void *dO = nullptr, *dq = nullptr, *dk = nullptr, *dv = nullptr;
};

class AttentionPlan {
public:
  /// Null if cuDNN does not support the problem; `why` is then its reason.
  static std::unique_ptr<AttentionPlan> create(const CudnnHandle &handle,
                                               const AttentionProblem &problem,
                                               std::string &why);
  ~AttentionPlan();

  size_t workspaceBytes() const;
  void run(const CudnnHandle &handle, const AttentionOperands &operands,
           void *workspace) const;

private:
  // Keeps cudnn-frontend's large headers in one file.
  struct Impl;
  explicit AttentionPlan(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tert::cuda

#endif // TERT_CUDA_ATTENTIONPLAN_H
