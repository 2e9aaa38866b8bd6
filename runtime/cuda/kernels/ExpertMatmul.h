// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two kernels of products of experts.
#ifndef TERT_CUDA_KERNELS_EXPERTMATMUL_H
#define TERT_CUDA_KERNELS_EXPERTMATMUL_H

#include "cuda/Launch.h"
#include "program/ExpertProduct.h"

namespace tert::cuda {

/// tert_expert_matmul, or, with scales, tert_scaled_expert_matmul.
struct ExpertCall {
  ExpertProduct product;
  const tert_tensor &a, &b, &groups, &d;
  /// Scalars or vectors [experts]; null without scales.
  const tert_tensor *aScale, *bScale;
  int64_t alignment;
  tert_accumulate accumulate;
};

/// Hopper's matrix units. False if the call is not for them: another GPU, other
/// types, or sizes, addresses or an alignment that they do not take.
bool multiplyOnHopper(LaunchContext &launch, const ExpertCall &call);

/// Any call, slowly.
void multiplySimply(LaunchContext &launch, const ExpertCall &call);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_EXPERTMATMUL_H
