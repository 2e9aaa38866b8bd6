// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-to-tert: lowers te ops to runtime calls on tensors.

#include "te/Conversion/Passes.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Support/ElementTypes.h"
#include "te/Support/UnsupportedList.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

namespace mlir::te {
#define GEN_PASS_DEF_TETOTERT
#include "te/Conversion/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

/// Reports every op on tensors that no later stage can bufferize.
static LogicalResult checkAllLowered(ModuleOp module) {
  UnsupportedList leftOver;
  module.walk([&](Operation *op) {
    if (isa<bufferization::BufferizableOpInterface>(op) ||
        (llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>)))
      return;
    std::string reason = getElementTypesProblem(op).value_or("");
    if (auto rounding = getRoundingProblem(op))
      reason = std::move(*rounding);
    if (isa<RegionOp, YieldOp>(op))
      reason = "te-quantize dissolves regions before this pass";
    leftOver.add(op->getName().getStringRef(), reason, getModulePath(op),
                 op->getLoc());
  });
  if (leftOver.empty())
    return success();
  return leftOver.emit(module.getLoc(),
                       "no lowering to the runtime for some operations");
}

namespace {
struct TEToTERT : te::impl::TEToTERTBase<TEToTERT> {
  void runOnOperation() override {
    SmallVector<RuntimeOpInterface> ops;
    getOperation().walk([&](RuntimeOpInterface op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    bool failedAny = false;
    for (RuntimeOpInterface op : ops) {
      rewriter.setInsertionPoint(op);
      failedAny |= failed(op.lowerToRuntime(rewriter));
    }
    if (failedAny || failed(checkAllLowered(getOperation())))
      signalPassFailure();
  }
};
} // namespace
