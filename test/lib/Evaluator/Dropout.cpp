// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dropout, of the runtime's random words.

#include "Evaluator.h"

#include "support/Philox.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

/// Without a seed, which a model has not, as with 0.
void Evaluator::execute(DropoutOp op) {
  HostTensor &y = make(op.getY());
  const HostTensor &x = get(op.getX());
  const auto seed = static_cast<uint64_t>(
      op.getSeed() ? static_cast<int64_t>(scalar(op.getSeed())) : 0);
  const double ratio = op.getRatio().convertToDouble();
  for (int64_t i = 0, e = x.size(); i < e; ++i) {
    const uint32_t word =
        tert::philox(seed, uint64_t(i / 4), op.getStream()).words[i % 4];
    if (word >= tert::dropoutThreshold(float(ratio)))
      y[i] = x[i] / (1 - ratio);
  }
}
