// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-materialize-results: results go into arguments.

#include "te/Dialect/TERT/Transforms/Passes.h"

#include "te/Analysis/EntryInterface.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Support/Callers.h"
#include "te/Support/Signature.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTMATERIALIZERESULTS
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-materialize-results"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::te;

/// The stride of a dimension of size 1 has no meaning, but upstream's layouts
/// of rank-reduced slices carry it into other dimensions.
template <typename SliceOp> static void dropUnitStrides(SliceOp op) {
  SmallVector<int64_t> strides(op.getStaticStrides());
  for (auto [stride, size] : llvm::zip_equal(strides, op.getStaticSizes()))
    if (size == 1 && ShapedType::isStatic(stride))
      stride = 1;
  op.setStaticStrides(strides);
}

/// Removes the insertions from the end of the chain that makes a state from
/// slices, last one first, and returns the tensor that they insert into.
static Value
peelInsertions(Value value,
               SmallVectorImpl<tensor::InsertSliceOp> &insertions) {
  auto isStatic = [](tensor::InsertSliceOp op) {
    return op.getOffsets().empty() && op.getSizes().empty() &&
           op.getStrides().empty();
  };
  while (auto op = value.getDefiningOp<tensor::InsertSliceOp>()) {
    if (!op->hasOneUse() || !isStatic(op))
      break;
    insertions.push_back(op);
    value = op.getDest();
  }
  return value;
}

/// Writes slices into a state's buffer at the end of the function. On tensors
/// the equivalent is a chain of values, on which One-Shot Analysis takes cubic
/// time.
static void writeSlices(OpBuilder &builder, Value state,
                        ArrayRef<tensor::InsertSliceOp> insertions) {
  auto type = cast<RankedTensorType>(state.getType());
  auto bufferType = MemRefType::get(type.getShape(), type.getElementType());
  Value buffer = ToBufferOp::create(builder, state.getLoc(), bufferType, state);
  for (tensor::InsertSliceOp op : llvm::reverse(insertions)) {
    auto sliceType =
        cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
            op.getSourceType().getShape(), bufferType, op.getStaticOffsets(),
            op.getStaticSizes(), op.getStaticStrides()));
    Value slice = memref::SubViewOp::create(
        builder, op.getLoc(), sliceType, buffer, op.getMixedOffsets(),
        op.getMixedSizes(), op.getMixedStrides());
    MaterializeInDestinationOp::create(builder, op.getLoc(), Type(),
                                       op.getSource(), slice,
                                       /*restrict=*/true, /*writable=*/true);
  }
}

/// Gives every result of `function` a tensor argument that it materializes in,
/// the tied one or a new one, and marks the writable arguments.
static LogicalResult materializeResults(func::FuncOp function) {
  if (function.isDeclaration())
    return function.emitOpError()
           << "has no body; only complete programs are compiled";
  if (!function.getBody().hasOneBlock())
    return function.emitOpError()
           << "has control flow; tert-bufferize takes straight-line functions";
  for (Type type : function.getResultTypes())
    if (isa<BaseMemRefType>(type))
      return function.emitOpError()
             << "returns a buffer of type " << type
             << "; tert-bufferize takes functions on tensors, and once";
    else if (!tert::getRuntimeDType(getElementTypeOrSelf(type)))
      return function.emitOpError()
             << "returns a " << type
             << ", which the runtime has no element type for; convert it to "
                "f32, bf16, i32 or i64";
  FailureOr<EntryInterface> interface = EntryInterface::get(function);
  if (failed(interface))
    return failure();
  Operation *returnOp = function.front().getTerminator();
  // New outputs come before new states: an output may be an old state.
  SmallVector<std::pair<OpOperand *, BlockArgument>> states, destinations;
  SignatureExtension outputs(function);
  for (const BoundaryValue &value : interface->values) {
    if (!value.result)
      continue;
    OpOperand &result = returnOp->getOpOperand(*value.result);
    if (value.argument) {
      states.emplace_back(&result, function.getArgument(*value.argument));
      continue;
    }
    Value output =
        outputs.addArgument(result.get().getLoc(), result.get().getType(),
                            function.getResultAttrDict(*value.result));
    destinations.emplace_back(&result, cast<BlockArgument>(output));
  }
  outputs.commit();

  OpBuilder builder(returnOp);
  // A state that becomes another's old value is saved before either is written.
  for (auto &[result, destination] : states) {
    Value value = result->get();
    if (value == destination || !isa<BlockArgument>(value))
      continue;
    LDBG() << "saved, the new value of a state is the old one of another: "
           << value;
    auto type = cast<RankedTensorType>(value.getType());
    Value saved = tensor::EmptyOp::create(
        builder, value.getLoc(), type.getShape(), type.getElementType());
    result->set(
        tert::CopyOp::create(builder, value.getLoc(), type, value, saved)
            ->getResult(0));
  }
  const size_t numOutputs = destinations.size();
  llvm::append_range(destinations, states);
  llvm::SmallPtrSet<Value, 16> written;
  SmallVector<std::pair<Value, SmallVector<tensor::InsertSliceOp>>> slices;
  for (auto [i, value] : llvm::enumerate(destinations)) {
    auto &[result, destination] = value;
    written.insert(destination);
    // A state that is reset to a constant after it was read is filled in place.
    if (auto fill = result->get().getDefiningOp<tert::FillOp>();
        fill && i >= numOutputs && !destination.use_empty() &&
        fill.getY().getDefiningOp<tensor::EmptyOp>()) {
      result->set(tert::FillOp::create(builder, fill.getLoc(),
                                       destination.getType(), destination,
                                       fill.getValueAttr())
                      ->getResult(0));
      if (fill->use_empty())
        fill->erase();
    }
    SmallVector<tensor::InsertSliceOp> insertions;
    result->set(peelInsertions(result->get(), insertions));
    if (result->get() != destination)
      result->set(MaterializeInDestinationOp::create(builder,
                                                     result->get().getLoc(),
                                                     result->get(), destination)
                      .getResult());
    if (!insertions.empty())
      slices.emplace_back(result->get(), insertions);
  }
  for (auto &[state, insertions] : slices) {
    writeSlices(builder, state, insertions);
    for (tensor::InsertSliceOp op : insertions)
      op.erase();
  }
  // Every result is in its argument's buffer when the function ends: nothing
  // is returned.
  returnOp->setOperands({});
  if (failed(function.eraseResults(
          llvm::BitVector(function.getNumResults(), true))))
    return failure();
  changeArgumentAttrs(
      function, [&](BlockArgument argument, NamedAttrList &attrs) {
        attrs.set(BufferizationDialect::kWritableAttrName,
                  builder.getBoolAttr(written.contains(argument)));
      });
  return success();
}

namespace {
struct TERTMaterializeResults
    : te::impl::TERTMaterializeResultsBase<TERTMaterializeResults> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(refuseCallers(module, "calls a function that tert-bufferize "
                                     "gives buffers for its results; run the "
                                     "pass 'inline' before tert-bufferize")))
      return signalPassFailure();
    module.walk([](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp>(
              [](auto slice) { dropUnitStrides(slice); });
    });
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(materializeResults(function)))
        return signalPassFailure();
  }
};
} // namespace
