// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-bufferize: one-shot bufferization between boundary attributes.

#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEBUFFERIZE
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::te;

/// The name that ties a new state to its old one, or nothing.
static StringAttr getStateName(DictionaryAttr attrs) {
  if (!attrs)
    return {};
  for (StringRef name : {kParamAttr, kStateAttr})
    if (auto state = attrs.getAs<StringAttr>(name))
      return state;
  return {};
}

/// The argument that holds the state of this name, or null.
static BlockArgument findState(func::FuncOp function, StringAttr name) {
  for (BlockArgument argument : function.getArguments())
    if (getStateName(function.getArgAttrDict(argument.getArgNumber())) == name)
      return argument;
  return {};
}

/// Gives every result of `function` a tensor argument that it materializes in,
/// the tied one or a new one, and says which arguments may be written.
static LogicalResult materializeResults(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError()
           << "has control flow; te-bufferize takes straight-line functions";
  Operation *returnOp = function.front().getTerminator();
  // New outputs come before new states: an output may be an old state.
  SmallVector<std::pair<OpOperand *, BlockArgument>> states;
  SmallVector<std::pair<OpOperand *, BlockArgument>> destinations;
  llvm::SmallPtrSet<Value, 16> written;
  for (OpOperand &result : returnOp->getOpOperands()) {
    if (!isa<RankedTensorType>(result.get().getType()))
      return function.emitOpError()
             << "returns " << result.get().getType()
             << "; only ranked tensors can leave an entry point";
    DictionaryAttr attrs = function.getResultAttrDict(result.getOperandNumber());
    BlockArgument destination;
    if (StringAttr name = getStateName(attrs)) {
      destination = findState(function, name);
      if (!destination)
        return function.emitOpError() << "returns state " << name
                                      << ", but has no argument of that name";
      if (destination.getType() != result.get().getType())
        return function.emitOpError()
               << "returns state " << name << " as " << result.get().getType()
               << ", but takes it as " << destination.getType();
      if (!written.insert(destination).second)
        return function.emitOpError() << "returns state " << name << " twice";
      states.emplace_back(&result, destination);
      continue;
    }
    unsigned index = function.getNumArguments();
    if (failed(function.insertArgument(index, result.get().getType(), attrs,
                                       result.get().getLoc())))
      return failure();
    destination = function.getArgument(index);
    written.insert(destination);
    destinations.emplace_back(&result, destination);
  }

  OpBuilder builder(returnOp);
  // A state that becomes another's old value is saved before either is written.
  for (auto &[result, destination] : states) {
    Value value = result->get();
    if (value == destination || !isa<BlockArgument>(value))
      continue;
    auto type = cast<RankedTensorType>(value.getType());
    Value saved = tensor::EmptyOp::create(
        builder, value.getLoc(), type.getShape(), type.getElementType());
    result->set(tert::CopyOp::create(builder, value.getLoc(), type, value, saved)
                    ->getResult(0));
  }
  llvm::append_range(destinations, states);
  for (auto &[result, destination] : destinations)
    if (result->get() != destination)
      result->set(MaterializeInDestinationOp::create(
                      builder, result->get().getLoc(), result->get(),
                      destination)
                      .getResult());
  for (BlockArgument argument : function.getArguments())
    function.setArgAttr(argument.getArgNumber(),
                        BufferizationDialect::kWritableAttrName,
                        builder.getBoolAttr(written.contains(argument)));
  return success();
}

/// Every result is in its argument's buffer by now: nothing is returned.
static void dropResults(func::FuncOp function) {
  Operation *returnOp = function.front().getTerminator();
  returnOp->setOperands({});
  (void)function.eraseResults(llvm::BitVector(function.getNumResults(), true));
}

static LogicalResult createCopy(OpBuilder &builder, Location loc, Value from,
                                Value to) {
  tert::CopyOp::create(builder, loc, TypeRange(), from, to);
  return success();
}

namespace {
struct TEBufferize : te::impl::TEBufferizeBase<TEBufferize> {
  LogicalResult initialize(MLIRContext *) override {
    cleanUp.addPass(createCanonicalizerPass());
    cleanUp.addPass(createCSEPass());
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      if (function.isDeclaration() || failed(materializeResults(function)))
        return signalPassFailure();

    IRRewriter rewriter(&getContext());
    if (failed(eliminateEmptyTensors(rewriter, module)))
      return signalPassFailure();

    OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.setFunctionBoundaryTypeConversion(
        LayoutMapOption::IdentityLayoutMap);
    options.memCpyFn = createCopy;
    BufferizationState state;
    if (failed(runOneShotModuleBufferize(module, options, state)))
      return signalPassFailure();
    removeBufferizationAttributesInModule(module);

    for (func::FuncOp function : functions) {
      dropResults(function);
      function.walk([](tert::CopyOp copy) {
        if (copy.getX() == copy.getY())
          copy.erase();
      });
    }
    if (failed(runPipeline(cleanUp, module)))
      return signalPassFailure();
  }

private:
  OpPassManager cleanUp{"builtin.module"};
};
} // namespace
