// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/Transforms/DataMovementOpInterfaceImpl.h"

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

namespace {

/// The first operand is moved, the others are sizes and offsets.
template <typename Op>
struct SliceMovement
    : DataMovementOpInterface::ExternalModel<SliceMovement<Op>, Op> {};

template <typename Op>
struct ReshapeMovement
    : DataMovementOpInterface::ExternalModel<ReshapeMovement<Op>, Op> {
  bool keepsOrder(Operation *) const { return true; }
};

/// Moves the inserted tensor and the destination.
struct InsertSliceMovement
    : DataMovementOpInterface::ExternalModel<InsertSliceMovement,
                                             tensor::InsertSliceOp> {
  SmallVector<unsigned> getMovedOperands(Operation *) const { return {0, 1}; }
};

struct ConcatMovement
    : DataMovementOpInterface::ExternalModel<ConcatMovement, tensor::ConcatOp> {
  SmallVector<unsigned> getMovedOperands(Operation *op) const {
    return llvm::to_vector(llvm::seq<unsigned>(op->getNumOperands()));
  }
};

/// Its body and its destination depend on the element type.
struct TransposeMovement
    : DataMovementOpInterface::ExternalModel<TransposeMovement,
                                             linalg::TransposeOp> {
  Operation *moveOthers(Operation *op, OpBuilder &builder,
                        ValueRange values) const {
    auto transpose = cast<linalg::TransposeOp>(op);
    auto type = cast<RankedTensorType>(transpose.getInit().getType());
    Value init = tensor::EmptyOp::create(builder, op->getLoc(), type.getShape(),
                                         getElementTypeOrSelf(values.front()));
    return linalg::TransposeOp::create(builder, op->getLoc(), values.front(),
                                       init, transpose.getPermutation());
  }
};

} // namespace

void mlir::te::registerDataMovementOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::CastOp::attachInterface<ReshapeMovement<tensor::CastOp>>(*context);
    tensor::CollapseShapeOp::attachInterface<
        ReshapeMovement<tensor::CollapseShapeOp>>(*context);
    tensor::ExpandShapeOp::attachInterface<
        ReshapeMovement<tensor::ExpandShapeOp>>(*context);
    tensor::ReshapeOp::attachInterface<ReshapeMovement<tensor::ReshapeOp>>(
        *context);
    tensor::ExtractSliceOp::attachInterface<
        SliceMovement<tensor::ExtractSliceOp>>(*context);
    tensor::InsertSliceOp::attachInterface<InsertSliceMovement>(*context);
    tensor::ConcatOp::attachInterface<ConcatMovement>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    linalg::TransposeOp::attachInterface<TransposeMovement>(*context);
  });
}
