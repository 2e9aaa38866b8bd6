// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/kernels/ExpertMatmul.h"
#include "cuda/Ops.h"

using namespace tert;
using namespace tert::cuda;

static void multiply(LaunchContext &launch, const ExpertCall &call) {
  if (sizeOf(call.d, 0) == 0 || sizeOf(call.d, 1) == 0)
    return;
  if (!multiplyOnHopper(launch, call))
    multiplySimply(launch, call);
}

void cuda::expertMatmul(LaunchContext &launch, const tert_site &,
                        const tert_tensor &a, const tert_tensor &b,
                        const tert_tensor &groups, const tert_tensor &d,
                        bool transposeB, bool wgrad, int64_t alignment) {
  multiply(launch, {getExpertProduct(a, b, groups, d, transposeB, wgrad,
                                     /*scaled=*/false),
                    a, b, groups, d, nullptr, nullptr, alignment,
                    TERT_ACCUMULATE_SPLIT});
}

void cuda::scaledExpertMatmul(LaunchContext &launch, const tert_site &,
                              const tert_scaled &a, const tert_scaled &b,
                              const tert_tensor &groups, const tert_tensor &d,
                              bool transposeB, bool wgrad, int64_t alignment,
                              tert_accumulate accumulate) {
  multiply(launch, {getExpertProduct(*a.data, *b.data, groups, d, transposeB,
                                     wgrad, /*scaled=*/true),
                    *a.data, *b.data, groups, d, a.scale_inv, b.scale_inv,
                    alignment, accumulate});
}
