// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax attention and its gradient: cuDNN for bf16, own kernels for f32,
// which cuDNN does not have.
#ifndef TERT_CUDA_ATTENTION_H
#define TERT_CUDA_ATTENTION_H

#include "cuda/Launch.h"

#include <memory>

namespace tert::cuda {

class Attention {
public:
  Attention();
  ~Attention();

  void forward(LaunchContext &launch, const tert_site &site,
               const tert_tensor &q, const tert_tensor &k, const tert_tensor &v,
               const tert_tensor &o, const tert_tensor &lse, float scale,
               bool causal, tert_attention_layout layout);
  void backward(LaunchContext &launch, const tert_site &site,
                const tert_tensor &dO, const tert_tensor &q,
                const tert_tensor &k, const tert_tensor &v,
                const tert_tensor &o, const tert_tensor &lse,
                const tert_tensor &dq, const tert_tensor &dk,
                const tert_tensor &dv, float scale, bool causal,
                tert_attention_layout layout);
};

} // namespace tert::cuda

#endif // TERT_CUDA_ATTENTION_H
