// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/Transforms/Raise/ListUnsupported.h"

#include "te/Analysis/GeneratedKernel.h"
#include "te/Dialect/TE/IR/HostDialect.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/ElementTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::te;

/// The reason that an op was not raised, if it is known.
static std::string explain(Operation *op) {
  if (!op->isRegistered())
    return "its dialect is not known here; load it with "
           "--load-dialect-plugin, or lower it first";
  if (auto reason = getElementTypesProblem(op))
    return *reason;
  if (isa<func::CallOp>(op))
    return "what it calls has no body here, calls itself, or has ops that are "
           "not known";
  if (isa<linalg::TransposeOp>(op))
    return "a transpose that neither a matmul nor attention takes in";
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return getKernelProblem(generic).value_or("");
  return "";
}

/// True if a kernel can be generated for the op.
static bool isForKernels(Operation *op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return !getKernelProblem(generic);
  return isElementwiseOnTensors(op) || isa<linalg::BroadcastOp>(op);
}

UnsupportedList mlir::te::listUnsupported(func::FuncOp function) {
  UnsupportedList list;
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool hasTypes = !getElementTypesProblem(op);
    // Runtime calls, or upstream ops that bufferize by themselves. A transpose
    // that no op absorbs is one as well, but a costly one.
    bool supported =
        isa_and_present<TEDialect>(op->getDialect()) ||
        isa<RuntimeOpInterface>(op) || isLoweredByHost(op) ||
        (isa<DataMovementOpInterface>(op) && !isa<linalg::LinalgOp>(op)) ||
        isa<tensor::EmptyOp>(op) || op->hasTrait<OpTrait::ConstantLike>() ||
        op->hasTrait<OpTrait::IsTerminator>() || isForKernels(op);
    if (!supported || !hasTypes)
      list.add(op->getName().getStringRef(), explain(op), getModulePath(op),
               op->getLoc());
    // The bodies of structured ops belong to them.
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip()
                                     : WalkResult::advance();
  });
  return list;
}

LogicalResult mlir::te::verifyRounding(ModuleOp module) {
  UnsupportedList list;
  module.walk([&](Operation *op) {
    if (auto reason = getRoundingProblem(op))
      list.add(op->getName().getStringRef(), *reason, getModulePath(op),
               op->getLoc());
  });
  return list.empty() ? success()
                      : list.emit(module.getLoc(),
                                  "some operations round as nothing here does");
}

LogicalResult mlir::te::verifySupported(ModuleOp module) {
  LogicalResult result = success();
  for (auto function : module.getOps<func::FuncOp>()) {
    UnsupportedList list = listUnsupported(function);
    if (!list.empty())
      result = list.emit(
          function.getLoc(),
          ("'" + function.getName() + "' computes with operations that are " +
           "not supported; write these parts of the model with those in "
           "docs/operators.md")
              .str());
  }
  return result;
}
