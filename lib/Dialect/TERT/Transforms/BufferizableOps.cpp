// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BufferizableOpInterface of the tert ops.

#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::te;
using namespace mlir::te::tert;

namespace {

/// A runtime call writes its destinations without reading them, unless it
/// updates them: the old contents of a buffer that is only written are dead.
template <typename Op>
struct RuntimeCallModel
    : DstBufferizableOpInterfaceExternalModel<RuntimeCallModel<Op>, Op> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand) ||
           cast<RuntimeCallOpInterface>(op).readsInit(operand);
  }

  /// An operand that is also the destination is read and written element by
  /// element: te-to-tert makes only such calls so.
  bool bufferizesToElementwiseAccess(Operation *op, const AnalysisState &,
                                     ArrayRef<OpOperand *> operands) const {
    return llvm::all_of(operands, [&](OpOperand *operand) {
      return operand->get() == operands.front()->get();
    });
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      if (!isa<TensorType>(operand.getType())) {
        buffers.push_back(operand);
        continue;
      }
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    OperationState call(op->getLoc(), op->getName(), buffers, TypeRange(),
                        op->getAttrs());
    rewriter.create(call);
    replaceOpWithBufferizedValues(
        rewriter, op,
        ValueRange(buffers).take_back(
            cast<DestinationStyleOpInterface>(op).getNumDpsInits()));
    return success();
  }
};

template <typename... Ops> void attachTo(MLIRContext &context) {
  (Ops::template attachInterface<RuntimeCallModel<Ops>>(context), ...);
}

} // namespace

void tert::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TERTDialect *) {
    attachTo<
#define GET_OP_LIST
#include "te/Dialect/TERT/IR/TERTOps.cpp.inc"
        >(*context);
  });
}
