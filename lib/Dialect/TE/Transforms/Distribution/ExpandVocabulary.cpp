// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-expand-vocabulary: losses whose classes ranks share become existing ops.

#include "te/Dialect/TE/IR/VocabularyOps.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEEXPANDVOCABULARY
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
class TEExpandVocabulary
    : public te::impl::TEExpandVocabularyBase<TEExpandVocabulary> {
public:
  using TEExpandVocabularyBase::TEExpandVocabularyBase;

  void runOnOperation() override {
    WalkResult result = getOperation().walk([&](Operation *op) {
      if (auto loss = dyn_cast<VocabularyCrossEntropyOp>(op)) {
        ++numLosses;
        return WalkResult(expandVocabularyCrossEntropy(loss));
      }
      if (auto gradient = dyn_cast<VocabularyCrossEntropyGradOp>(op))
        return WalkResult(expandVocabularyCrossEntropyGrad(gradient));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
