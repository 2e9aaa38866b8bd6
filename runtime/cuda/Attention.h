// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax attention and its gradient in bf16: cuDNN, and on Hopper kernels of
// our own for the gradient. Fallback kernels for everything else (f32, unusual
// head dimensions, softcaps, biases, sinks).
#ifndef TERT_CUDA_ATTENTION_H
#define TERT_CUDA_ATTENTION_H

#include "cuda/AttentionCalls.h"
#include "cuda/AttentionPlan.h"
#include "cuda/Launch.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tert::cuda {

/// The attention plans of one context, each built when its problem first
/// occurs.
class Attention {
public:
  explicit Attention(bool deterministic) : deterministic(deterministic) {}

  void forward(LaunchContext &launch, const tert_site &site,
               const tert_tensor &q, const tert_tensor &k, const tert_tensor &v,
               const tert_tensor &o, const tert_tensor &lse,
               const AttentionOptions &options);
  void backward(LaunchContext &launch, const tert_site &site,
                const tert_tensor &dO, const tert_tensor &q,
                const tert_tensor &k, const tert_tensor &v,
                const tert_tensor &o, const tert_tensor &lse,
                const tert_tensor &dq, const tert_tensor &dk,
                const tert_tensor &dv, const tert_tensor *dbias,
                const tert_tensor *dsinks, const AttentionOptions &options);

  /// The stream of cuDNN from now on.
  void useStream(cudaStream_t stream) {
    if (handle)
      handle->useStream(stream);
  }
  /// Problems that cuDNN refused or was not asked for.
  const std::vector<std::string> &notices() const { return refusals; }

private:
  /// Null if cuDNN does not support the problem.
  const AttentionPlan *planFor(LaunchContext &launch,
                               const AttentionProblem &problem);

  bool deterministic;
  std::optional<CudnnHandle> handle;
  std::map<AttentionProblem, std::unique_ptr<AttentionPlan>> plans;
  std::vector<std::string> refusals;
};

} // namespace tert::cuda

#endif // TERT_CUDA_ATTENTION_H
