// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FP8 copies with a scale for each of their rows (tert_scaled). A row of a
// column-wise copy is a column of the matrix.
#ifndef TERT_CUDA_KERNELS_ROWSCALES_H
#define TERT_CUDA_KERNELS_ROWSCALES_H

#include "cuda/Launch.h"

namespace tert::cuda {

/// Throws TERT_UNSUPPORTED unless scales or amaxes [r, c] are [r, 1], one for
/// each of at least `rows` rows.
void checkRowScales(const char *name, const tert_tensor &scales, int64_t rows);

/// tert_amax for amaxes [r, 1] of the rows of x, or of its columns if
/// `transposed`.
void rowAmaxes(LaunchContext &launch, const tert_tensor &x,
               const tert_tensor &amax, bool transposed);

/// tert_quantize with scales [r, 1] of the only copy's rows.
void quantizeRows(LaunchContext &launch, const tert_site &site,
                  const tert_tensor &x, const tert_quantized &quantized,
                  const tert_tensor *dbias);

/// tert_quantize_blocks with scales [r, 1] of the copies' rows; copies of one
/// format.
void quantizeOwnRows(LaunchContext &launch, const tert_tensor &x,
                     const tert_quantized &quantized, const tert_tensor *dbias,
                     float epsilon, bool powerOfTwo);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_ROWSCALES_H
