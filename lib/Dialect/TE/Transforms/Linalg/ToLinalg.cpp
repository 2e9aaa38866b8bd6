// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-to-linalg: lowers a program to upstream dialects.

#include "te/Dialect/TE/IR/Formula.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Support/UnsupportedList.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

namespace mlir::te {
#define GEN_PASS_DEF_TETOLINALG
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

/// True if an op is attention of queries that depend on the rank.
static bool isPartOfQueries(Operation *op) {
  if (auto attention = dyn_cast<AttentionOp>(op))
    return attention.getQueryAxes() != 0;
  auto grad = dyn_cast<AttentionGradOp>(op);
  return grad && grad.getQueryAxes() != 0;
}

/// The reason that an op of te cannot be lowered.
static StringRef getUnsupportedReason(Operation *op) {
  if (isa<RegionOp, YieldOp>(op))
    return "te-quantize dissolves it; run that first";
  if (refersToMesh(op))
    return "it belongs to one rank of a mesh; write the program of one rank";
  return "it has no form in upstream dialects";
}

/// True for a sum of products of elements, at most widened to the sum's type,
/// whose result has dimensions of either operand.
static bool isProduct(linalg::GenericOp generic) {
  if (!generic.hasPureTensorSemantics() ||
      !linalg::isaContractionOpInterface(generic))
    return false;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(generic);
  return succeeded(dims) && !dims->m.empty() && !dims->n.empty() &&
         llvm::all_of(*generic.getBody(), [](Operation &op) {
           return isa<arith::ExtFOp, arith::MulFOp, arith::AddFOp,
                      linalg::YieldOp>(op);
         });
}

static bool keepsNarrowStates(Operation *op) {
  auto update = dyn_cast<UpdateOp>(op);
  return update && llvm::any_of(update.getStates(), [](Value state) {
           return !getElementTypeOrSelf(state).isF32();
         });
}

/// Emits products as linalg.contract, whose operands may be FP8.
static void nameProducts(RewriterBase &rewriter, ModuleOp module) {
  module.walk([&](linalg::GenericOp generic) {
    if (!isProduct(generic))
      return;
    rewriter.setInsertionPoint(generic);
    rewriter.replaceOpWithNewOp<linalg::ContractOp>(
        generic, generic.getResultTypes(), generic.getInputs(),
        generic.getOutputs(), generic.getIndexingMaps());
  });
}

namespace {
struct TEToLinalg : te::impl::TEToLinalgBase<TEToLinalg> {
  using TEToLinalgBase::TEToLinalgBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<LinalgFormOpInterface> ops;
    UnsupportedList problems;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isPartOfQueries(op))
        problems.add(op->getName().getStringRef(),
                     "its queries are those of one rank of a mesh, which "
                     "upstream dialects know nothing of",
                     getModulePath(op), op->getLoc());
      else if (keepsNarrowStates(op))
        problems.add(op->getName().getStringRef(),
                     "it keeps states in bf16 or FP8, whose stochastic "
                     "rounding has no form there; use an optimizer with "
                     "float32 states",
                     getModulePath(op), op->getLoc());
      else if (auto formed = dyn_cast<LinalgFormOpInterface>(op))
        ops.push_back(formed);
      else if (isa_and_present<TEDialect>(op->getDialect()))
        problems.add(op->getName().getStringRef(), getUnsupportedReason(op),
                     getModulePath(op), op->getLoc());
    });
    if (!problems.empty()) {
      (void)problems.emit(module.getLoc(),
                          "these ops cannot be lowered to linalg");
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    // From the last to the first, so that unused results are not computed.
    for (LinalgFormOpInterface op : llvm::reverse(ops)) {
      rewriter.setInsertionPoint(op);
      LinalgForm form(rewriter, op);
      op.buildLinalgForm(form);
      SmallVector<Value> values = form.take();
      for (OpResult result : op->getResults()) {
        Value value = values[result.getResultNumber()];
        if (!value && !result.use_empty()) {
          op->emitOpError() << "does not say in linalg what its result #"
                            << result.getResultNumber() << " is";
          return signalPassFailure();
        }
        if (value)
          rewriter.replaceAllUsesWith(result, value);
      }
      rewriter.eraseOp(op);
      ++numLowered;
    }
    DominanceInfo dominance(module);
    eliminateCommonSubExpressions(rewriter, dominance, module);
    if (namedProducts)
      nameProducts(rewriter, module);
    if (!keepAttributes)
      dropAttributes(module);
  }

private:
  /// te's attributes are for its own passes and its runtime.
  static void dropAttributes(ModuleOp module) {
    auto drop = [](Operation *op) {
      for (NamedAttribute attribute :
           llvm::to_vector(op->getDiscardableAttrs()))
        if (attribute.getName().getValue().starts_with("te."))
          op->removeDiscardableAttr(attribute.getName());
    };
    module->walk(drop);
  }
};
} // namespace
