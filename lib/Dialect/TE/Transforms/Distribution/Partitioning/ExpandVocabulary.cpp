// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-expand-vocabulary: expands losses with sharded classes to other ops.

#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEEXPANDVOCABULARY
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

/// Pads in the target type of a conversion instead of in float32, if the
/// conversion is the only reader of the padded weight.
static void padConverted(arith::TruncFOp op) {
  auto padded = op.getIn().getDefiningOp<tensor::ConcatOp>();
  if (!padded || !padded->hasOneUse() ||
      !llvm::all_of(padded.getInputs().drop_front(), [](Value rest) {
        return matchPattern(rest, m_Constant());
      }))
    return;
  OpBuilder builder(op);
  Type element = getElementTypeOrSelf(op.getType());
  SmallVector<Value> converted;
  for (Value input : padded.getInputs())
    converted.push_back(builder.createOrFold<arith::TruncFOp>(
        op.getLoc(), cast<RankedTensorType>(input.getType()).clone(element),
        input));
  op.replaceAllUsesWith(tensor::ConcatOp::create(builder, padded.getLoc(),
                                                 padded.getDim(), converted)
                            .getResult());
  op.erase();
  padded.erase();
}

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
      return signalPassFailure();
    getOperation().walk(padConverted);
  }
};
} // namespace
