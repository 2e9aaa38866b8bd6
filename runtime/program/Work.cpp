// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Work.h"

#include "program/Tensor.h"

#include <algorithm>

using namespace tert;

double tert::floorSeconds(const Work &work, const Ceilings &ceilings) {
  double rate = isFp8(work.math)         ? ceilings.fp8Flops
                : work.math == TERT_BF16 ? ceilings.bf16Flops
                                         : ceilings.f32Flops;
  if (ceilings.bytes == 0 || (work.flops > 0 && rate == 0))
    return 0;
  double moving = work.bytes / ceilings.bytes;
  return work.flops > 0 ? std::max(moving, work.flops / rate) : moving;
}

Work tert::moves(std::initializer_list<const tert_tensor *> tensors) {
  Work work;
  for (const tert_tensor *tensor : tensors)
    if (tensor)
      work.bytes +=
          double(numElements(*tensor)) * double(bytesOf(dtypeOf(*tensor)));
  return work;
}

Work tert::writes(const tert_quantized *quantized) {
  if (!quantized)
    return {};
  return moves({quantized->rowwise.data, quantized->columnwise.data});
}

Work tert::multiplies(double flops, tert_dtype math,
                      std::initializer_list<const tert_tensor *> tensors) {
  Work work = moves(tensors);
  work.flops = flops;
  work.math = math;
  return work;
}

double tert::attentionFlops(const tert_tensor &q, const tert_tensor &k,
                            int32_t layout, bool causal, int64_t window,
                            int products) {
  int32_t sequence = layout == TERT_BHSD ? 2 : layout == TERT_SBHD ? 0 : 1;
  double keys = double(sizeOf(k, sequence));
  // Query i, counted from the first, attends to all keys except those after it.
  double seen = keys;
  if (causal) {
    double queries = double(sizeOf(q, sequence));
    seen = queries <= keys ? keys - (queries - 1) / 2
                           : keys * (keys + 1) / 2 / queries;
  }
  if (window > 0)
    seen = std::min(seen, double(window));
  return 2.0 * products * double(numElements(q)) * seen;
}
