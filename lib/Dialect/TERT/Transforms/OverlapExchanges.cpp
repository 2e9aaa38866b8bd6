// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-overlap-exchanges: sums over ranks run beside the computation.

#include "Footprint.h"
#include "te/Dialect/TERT/IR/ExchangeOps.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTOVERLAPEXCHANGES
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

/// The first op behind `exchange` that must not come before its end; null where
/// the block ends without a terminator.
static Operation *findReader(tert::AllReduceOp exchange) {
  Footprint tensors;
  tensors.add(exchange);
  Operation *op = exchange->getNextNode();
  for (; op && !op->hasTrait<OpTrait::IsTerminator>(); op = op->getNextNode()) {
    Footprint footprint;
    if (!footprint.add(op) || tensors.conflictsWith(footprint))
      break;
  }
  return op;
}

namespace {
struct TERTOverlapExchanges
    : te::impl::TERTOverlapExchangesBase<TERTOverlapExchanges> {
  void runOnOperation() override {
    SmallVector<tert::AllReduceOp> exchanges;
    getOperation().walk([&](tert::AllReduceOp op) {
      if (llvm::all_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>))
        exchanges.push_back(op);
    });
    // The last first: its reader is an op, not the await of another.
    for (tert::AllReduceOp exchange : llvm::reverse(exchanges))
      overlap(exchange);
  }

private:
  void overlap(tert::AllReduceOp exchange) {
    Operation *reader = findReader(exchange);
    if (reader == exchange->getNextNode())
      return;
    OpBuilder builder(exchange);
    if (reader)
      builder.setInsertionPoint(reader);
    else
      builder.setInsertionPointToEnd(exchange->getBlock());
    tert::AwaitOp::create(builder, exchange.getLoc(), TypeRange(),
                          exchange.getTensors());
    builder.setInsertionPoint(exchange);
    tert::StartAllReduceOp::create(builder, exchange.getLoc(), TypeRange(),
                                   exchange.getTensors(), exchange.getAxes());
    exchange.erase();
    ++numOverlapped;
  }
};
} // namespace
