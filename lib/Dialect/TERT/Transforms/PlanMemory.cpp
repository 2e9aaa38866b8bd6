// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-plan-memory: one arena per function.

#include "ArenaPlacement.h"
#include "ArgumentMemory.h"

#include "te/Analysis/BufferLiveness.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"
#include "te/Support/Callers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTPLANMEMORY
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-plan-memory"

using namespace mlir;
using namespace mlir::te;

namespace {
struct TERTPlanMemory : te::impl::TERTPlanMemoryBase<TERTPlanMemory> {
  using Base::Base;

  void runOnOperation() override {
    if (alignment <= 0 || !llvm::isPowerOf2_64(alignment)) {
      getOperation().emitError()
          << "tert-plan-memory: the alignment must be a power of two, got "
          << alignment;
      return signalPassFailure();
    }
    if (failed(refuseCallers(getOperation(),
                             "calls a function that tert-plan-memory gives an "
                             "arena; run the pass 'inline' before "
                             "tert-bufferize")))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration() && failed(planFunction(function)))
        return signalPassFailure();
  }

private:
  LogicalResult planFunction(func::FuncOp function) {
    if (!function.getBody().hasOneBlock())
      return function.emitOpError()
             << "has control flow; tert-plan-memory takes "
                "straight-line functions";
    Block &block = function.front();
    auto hasPlace = [&](BlockArgument output) {
      bool isGradient(
          function.getArgAttr(output.getArgNumber(), kGradientAttr));
      return (isGradient ? placesGradients : placesOutputs).getValue();
    };
    if (failed(reuseArguments(function, hasPlace, alignment)))
      return failure();
    FailureOr<BufferLiveness> liveness =
        BufferLiveness::computeFor(function, hasPlace);
    if (failed(liveness))
      return failure();
    ArrayRef<BufferInterval> intervals = liveness->getIntervals();
    SmallVector<unsigned> workspaces;
    for (auto call : block.getOps<tert::RuntimeCallOpInterface>())
      if (call.wantsWorkspace())
        workspaces.push_back(liveness->getPosition(call));
    ArenaPlacement placement =
        ArenaPlacement::compute(intervals, workspaces, alignment);
    if (!placement.isValid(intervals))
      return function.emitOpError()
             << "got a memory plan in which buffers overlap";

    OpBuilder builder = OpBuilder::atBlockBegin(&block);
    auto arenaType =
        MemRefType::get({placement.getBytes()}, builder.getI8Type());
    auto arenaAttrs = builder.getDictionaryAttr(
        builder.getNamedAttr(kArenaAttr, builder.getUnitAttr()));
    unsigned index = function.getNumArguments();
    if (failed(function.insertArgument(index, arenaType, arenaAttrs,
                                       function.getLoc())))
      return failure();
    function->setAttr(kArenaBytesAttr,
                      builder.getI64IntegerAttr(placement.getBytes()));

    DenseMap<int64_t, Value> constants;
    for (auto [interval, offset] : llvm::zip(intervals, placement.getOffsets()))
      if (Value &constant = constants[offset];
          !constant && interval.buffer.getDefiningOp())
        constant =
            arith::ConstantIndexOp::create(builder, function.getLoc(), offset);
    for (auto [interval, offset] :
         llvm::zip(intervals, placement.getOffsets())) {
      LDBG() << interval.bytes << " bytes at " << offset << ", live from op "
             << interval.firstUse << " to " << interval.lastUse << ": "
             << interval.buffer;
      auto alloc = interval.buffer.getDefiningOp<memref::AllocOp>();
      if (!alloc) {
        function.setArgAttr(cast<BlockArgument>(interval.buffer).getArgNumber(),
                            kArenaOffsetAttr,
                            builder.getI64IntegerAttr(offset));
        continue;
      }
      OpBuilder here(alloc);
      Value view = memref::ViewOp::create(here, alloc.getLoc(), alloc.getType(),
                                          function.getArgument(index),
                                          constants[offset], ValueRange());
      alloc.replaceAllUsesWith(view);
    }
    for (auto alloc :
         llvm::make_early_inc_range(block.getOps<memref::AllocOp>()))
      alloc.erase();
    SmallVector<Operation *> calls;
    for (auto call : block.getOps<tert::RuntimeCallOpInterface>())
      calls.push_back(call);
    SmallVector<unsigned> positions = llvm::map_to_vector(
        calls, [&](Operation *call) { return liveness->getPosition(call); });
    for (auto [call, spare] :
         llvm::zip_equal(calls, placement.findSpares(intervals, positions)))
      if (auto [offset, bytes] = spare; bytes)
        call->setAttr(kSpareAttr,
                      builder.getDenseI64ArrayAttr({offset, bytes}));
    report(function, *liveness, placement.getBytes());
    return success();
  }

  void report(func::FuncOp function, const BufferLiveness &liveness,
              int64_t bytes) {
    int64_t peak = liveness.getPeakBytes(alignment), sum = 0;
    for (const BufferInterval &interval : liveness.getIntervals())
      sum += interval.bytes;
    size_t count = liveness.getIntervals().size();
    remark::analysis(
        function.getLoc(),
        remark::RemarkOpts::name("Arena").category("memory").function(
            function.getName()))
        << remark::metric("ArenaBytes", bytes)
        << remark::metric("LiveBytes", peak)
        << remark::metric("BufferBytes", sum)
        << remark::metric("Buffers", count);
    if (bytes >= static_cast<int64_t>(arenaBytes.getValue())) {
      arenaBytes = bytes;
      liveBytes = peak;
      bufferBytes = sum;
      numBuffers = count;
    }
  }
};
} // namespace
