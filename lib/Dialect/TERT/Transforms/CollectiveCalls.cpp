// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of several tensors in one call (UpdateCallOpInterface): what they
// cost besides their bytes is paid once.

#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::te;

/// Large enough for an exchange to be limited by the link's bandwidth, small
/// enough for most of them to begin long before the backward pass ends.
static constexpr int64_t kBucketBytes = 32 << 20;

static int64_t bytesOf(tert::AllReduceOp op) {
  int64_t bytes = 0;
  for (Value tensor : op.getTensors()) {
    auto type = cast<ShapedType>(tensor.getType());
    bytes += type.getNumElements() * type.getElementTypeBitWidth() / 8;
  }
  return bytes;
}

namespace {
struct AllReduceCall
    : tert::UpdateCallOpInterface::ExternalModel<AllReduceCall,
                                                 tert::AllReduceOp> {
  /// Not farther from each other than a bucket is large: an exchange begins
  /// when the last of its tensors is there.
  bool isAlike(Operation *op, Operation *other) const {
    auto last = dyn_cast<tert::AllReduceOp>(other);
    if (!last || last.getAxes() != cast<tert::AllReduceOp>(op).getAxes())
      return false;
    int64_t bytes = 0;
    for (Operation *next = op; next; next = next->getNextNode()) {
      if (auto call = dyn_cast<tert::AllReduceOp>(next))
        bytes += bytesOf(call);
      if (next == other)
        return bytes <= kBucketBytes;
    }
    return false;
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
