// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-to-tert: te ops become runtime calls on tensors.

#include "te/Conversion/Passes.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::te {
#define GEN_PASS_DEF_TETOTERT
#include "te/Conversion/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

/// Places of one kind of op that an error lists.
static constexpr unsigned kMaxListed = 8;

/// Reports every op on tensors that no later stage can give buffers.
static LogicalResult checkAllLowered(ModuleOp module) {
  llvm::MapVector<OperationName, SmallVector<Operation *>> leftOver;
  module.walk([&](Operation *op) {
    if (isa<bufferization::BufferizableOpInterface>(op))
      return;
    if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>))
      leftOver[op->getName()].push_back(op);
  });
  for (auto &[name, ops] : leftOver) {
    InFlightDiagnostic error = ops.front()->emitOpError()
                               << "has no lowering to the runtime";
    if (isa<RegionOp>(ops.front()))
      error << "; te-quantize dissolves regions before this pass";
    if (ops.size() > 1)
      error << " (" << ops.size() << " uses)";
    for (Operation *op : ArrayRef(ops).drop_front().take_front(kMaxListed))
      error.attachNote(op->getLoc()) << "also here";
  }
  return success(leftOver.empty());
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
