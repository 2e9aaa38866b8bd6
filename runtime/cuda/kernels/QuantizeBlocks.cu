// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ops.h"
#include "program/Error.h"

using namespace tert;

/// Not called before CudaBackend::takesScaleBlocks().
void cuda::quantizeBlocks(LaunchContext &, const tert_site &,
                          const tert_tensor &, const tert_quantized &,
                          const tert_tensor *, float, bool) {
  throw Error(TERT_UNSUPPORTED, "no kernels for scales of blocks");
}
