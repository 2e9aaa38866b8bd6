// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of several tensors in one call (UpdateCallOpInterface): what they
// cost besides their bytes is paid once.

#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::te;

namespace {
struct AllReduceCall
    : tert::UpdateCallOpInterface::ExternalModel<AllReduceCall,
                                                 tert::AllReduceOp> {
  bool isAlike(Operation *op, Operation *other) const {
    auto call = dyn_cast<tert::AllReduceOp>(other);
    return call && call.getAxes() == cast<tert::AllReduceOp>(op).getAxes();
  }

  void join(Operation *op, OpBuilder &builder, Location loc,
            ArrayRef<Operation *> calls) const {
    SmallVector<Value> tensors;
    for (Operation *call : calls)
      llvm::append_range(tensors, cast<tert::AllReduceOp>(call).getTensors());
    tert::AllReduceOp::create(builder, loc, TypeRange(), tensors,
                              cast<tert::AllReduceOp>(op).getAxes());
  }
};
} // namespace

void tert::registerCollectiveCallExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TERTDialect *) {
    AllReduceOp::attachInterface<AllReduceCall>(*context);
  });
}
