// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-one-shot-bufferize and the small steps around it; what tert-bufferize
// runs in which order, buildBufferizePipeline says.

#include "te/Dialect/TERT/Transforms/Passes.h"

#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Support/Signature.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Remarks.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTONESHOTBUFFERIZE
#define GEN_PASS_DEF_TERTLOWERTRANSPOSES
#define GEN_PASS_DEF_TERTREMOVESELFCOPIES
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::te;

/// A runtime copy; fails, with an error, for types that the runtime lacks.
static LogicalResult createCopy(OpBuilder &builder, Location loc, Value from,
                                Value to) {
  if (Type type = from.getType();
      !tert::getRuntimeDType(getElementTypeOrSelf(type)))
    return emitError(loc) << "a " << type
                          << " has to be copied, which the runtime has no "
                             "element type for; convert it to f32, bf16, i32 "
                             "or i64";
  tert::CopyOp::create(builder, loc, TypeRange(), from, to);
  return success();
}

/// A transpose is a copy from a view with permuted strides.
static LogicalResult lowerTransposes(func::FuncOp function) {
  auto transposes =
      llvm::to_vector(function.front().getOps<linalg::TransposeOp>());
  for (linalg::TransposeOp op : transposes) {
    if (!op.hasPureBufferSemantics())
      continue;
    OpBuilder builder(op);
    auto map =
        AffineMap::getPermutationMap(op.getPermutation(), op.getContext());
    Value view = memref::TransposeOp::create(
        builder, op.getLoc(), op.getInput(), AffineMapAttr::get(map));
    if (failed(createCopy(builder, op.getLoc(), view, op.getInit())))
      return failure();
    op.erase();
  }
  return success();
}

namespace {
struct TERTOneShotBufferize
    : te::impl::TERTOneShotBufferizeBase<TERTOneShotBufferize> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.setFunctionBoundaryTypeConversion(
        LayoutMapOption::IdentityLayoutMap);
    options.memCpyFn = createCopy;
    BufferizationState state;
    if (failed(runOneShotModuleBufferize(module, options, state)))
      return signalPassFailure();
    for (auto function : module.getOps<func::FuncOp>())
      changeArgumentAttrs(function, [](BlockArgument, NamedAttrList &attrs) {
        attrs.erase(BufferizationDialect::kWritableAttrName);
        attrs.erase(BufferizationDialect::kBufferLayoutAttrName);
      });
  }
};

struct TERTLowerTransposes
    : te::impl::TERTLowerTransposesBase<TERTLowerTransposes> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function.isDeclaration() && failed(lowerTransposes(function)))
      signalPassFailure();
  }
};

struct TERTRemoveSelfCopies
    : te::impl::TERTRemoveSelfCopiesBase<TERTRemoveSelfCopies> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    for (Block &block : function.getBody()) {
      for (auto copy : llvm::make_early_inc_range(block.getOps<tert::CopyOp>()))
        if (copy.getX() == copy.getY())
          copy.erase();
        else
          report(function, copy);
      numAllocations += llvm::range_size(block.getOps<memref::AllocOp>());
    }
  }

private:
  /// Conversions and transposes are copies that somebody asked for.
  void report(func::FuncOp function, tert::CopyOp copy) {
    auto type = dyn_cast<MemRefType>(copy.getX().getType());
    if (!type ||
        type.getElementType() != getElementTypeOrSelf(copy.getY().getType()) ||
        copy.getX().getDefiningOp<memref::TransposeOp>())
      return;
    ++numCopies;
    remark::missed(copy.getLoc(),
                   remark::RemarkOpts::name("Copy").category("memory").function(
                       function.getName()))
        << remark::reason("a value is needed in two buffers")
        << remark::metric("Elements", type.getNumElements());
  }
};
} // namespace
