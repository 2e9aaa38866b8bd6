// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatchFailureLog.h"
#include "Raise/Raise.h"
#include "Raise/ScalarOperands.h"

#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Dialect/TE/Transforms/Raise/ListUnsupported.h"
#include "te/Support/ElementTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERAISE
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
struct TERaise : te::impl::TERaiseBase<TERaise> {
  using TERaiseBase::TERaiseBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    // Encodings before types are rebuilt without them; rounding before patterns
    // look through conversions.
    if (failed(refuseEncodings(getOperation())) ||
        failed(verifyRounding(getOperation())))
      return signalPassFailure();
    raiseScans(getOperation());
    raiseCausalConvs(getOperation());
    raiseExpertProducts(getOperation());
    raiseRaggedProducts(getOperation());
    raiseOneHotExperts(getOperation());
    cancelSorts(getOperation());
    raiseContractions(getOperation());
    RewritePatternSet patterns(context);
    populateRaiseLinearPatterns(patterns);
    populateRaiseActivationPatterns(patterns);
    populateRaiseAttentionPatterns(patterns);
    populateRaiseReshapePatterns(patterns);
    populateScalarOperandPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    MatchFailureLog log("te-raise");
    GreedyRewriteConfig config;
    config.setListener(&log);
    if (failed(applyPatternsGreedily(getOperation(), frozen, config)))
      return signalPassFailure();
    raiseDecomposedAttention(getOperation());
    raiseCrossEntropy(getOperation());
    // Composed layers are matched once their components are normalized.
    RewritePatternSet composed(context);
    populateRaiseNormPatterns(composed);
    populateRaiseGatedActivationPatterns(composed);
    populateRaiseRopePatterns(composed);
    populateRaiseCausalConvPatterns(composed);
    populateRaiseAttentionPatterns(composed);
    populateRaiseReshapePatterns(composed);
    FrozenRewritePatternSet frozenComposed(std::move(composed));
    if (failed(applyPatternsGreedily(getOperation(), frozenComposed, config)))
      return signalPassFailure();
    // Several layers that read one value have each folded it.
    IRRewriter rewriter(context);
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
    raiseSplits(getOperation());
    if (check && failed(verifySupported(getOperation())))
      signalPassFailure();
  }
};
} // namespace
