// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/Transforms/Differentiation/DifferentiableOpInterfaceImpl.h"

#include "Differentiation/ContractionVjp.h"
#include "Differentiation/GenericVjp.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

using Cotangents = MutableArrayRef<Value>;
using Needed = llvm::BitVector;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// `like`'s shape with `value`'s element type.
static RankedTensorType typeOfCotangent(Value like, Value value) {
  return tensorType(like).clone(getElementTypeOrSelf(value));
}

static LogicalResult requireStatic(Operation *op) {
  for (Value value : op->getOperands())
    if (auto type = dyn_cast<RankedTensorType>(value.getType());
        type && !type.hasStaticShape())
      return op->emitOpError() << "has operands of dynamic shape; only static "
                                  "shapes are differentiated";
  return success();
}

namespace {

/// collapse_shape and expand_shape: each is the other's gradient.
template <typename Op, typename Inverse>
struct ReshapeVjp
    : DifferentiableOpInterface::ExternalModel<ReshapeVjp<Op, Inverse>, Op> {
  LogicalResult buildVjp(Operation *op, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    auto reshape = cast<Op>(op);
    if (failed(requireStatic(op)))
      return failure();
    operands[0] = builder.createOrFold<Inverse>(
        op->getLoc(), typeOfCotangent(reshape.getSrc(), cotangents[0]),
        cotangents[0], reshape.getReassociationIndices());
    return success();
  }
};

/// The cotangent goes where the slice came from, among zeros.
struct ExtractSliceVjp
    : DifferentiableOpInterface::ExternalModel<ExtractSliceVjp,
                                               tensor::ExtractSliceOp> {
  LogicalResult buildVjp(Operation *op, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    if (failed(requireStatic(op)))
      return failure();
    if (!slice.getOffsets().empty() || !slice.getSizes().empty() ||
        !slice.getStrides().empty())
      return op->emitOpError() << "has offsets, sizes or strides known only at "
                                  "run time; only static slices are "
                                  "differentiated";
    if (!needed[0])
      return success();
    Value zeros =
        createZeros(builder, op->getLoc(),
                    typeOfCotangent(slice.getSource(), cotangents[0]));
    operands[0] = tensor::InsertSliceOp::create(
        builder, op->getLoc(), cotangents[0], zeros, slice.getMixedOffsets(),
        slice.getMixedSizes(), slice.getMixedStrides());
    return success();
  }
};

struct ConcatVjp
    : DifferentiableOpInterface::ExternalModel<ConcatVjp, tensor::ConcatOp> {
  LogicalResult buildVjp(Operation *op, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    auto concat = cast<tensor::ConcatOp>(op);
    if (failed(requireStatic(op)))
      return failure();
    SmallVector<Type> types =
        llvm::map_to_vector(concat.getInputs(), [&](Value input) -> Type {
          return typeOfCotangent(input, cotangents[0]);
        });
    auto split = SplitOp::create(builder, op->getLoc(), types, cotangents[0],
                                 builder.getI64IntegerAttr(concat.getDim()));
    for (auto [i, piece] : llvm::enumerate(split.getPieces()))
      if (needed[i])
        operands[i] = piece;
    return success();
  }
};

/// Conversions between floating-point types count as the identity: a cotangent
/// may have any element type.
template <typename Op>
struct ConversionVjp
    : DifferentiableOpInterface::ExternalModel<ConversionVjp<Op>, Op> {
  LogicalResult buildVjp(Operation *op, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    operands[0] = cotangents[0];
    return success();
  }
};

struct TransposeVjp
    : DifferentiableOpInterface::ExternalModel<TransposeVjp,
                                               linalg::TransposeOp> {
  LogicalResult buildVjp(Operation *op, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    auto transpose = cast<linalg::TransposeOp>(op);
    if (failed(requireStatic(op)))
      return failure();
    // The init is overwritten, so nothing depends on what it holds.
    if (!needed[0])
      return success();
    RankedTensorType type =
        typeOfCotangent(transpose.getInput(), cotangents[0]);
    Value empty = tensor::EmptyOp::create(
        builder, op->getLoc(), type.getShape(), type.getElementType());
    operands[0] = linalg::TransposeOp::create(
                      builder, op->getLoc(), cotangents[0], empty,
                      invertPermutationVector(transpose.getPermutation()))
                      ->getResult(0);
    return success();
  }
};

struct GenericVjp
    : DifferentiableOpInterface::ExternalModel<GenericVjp, linalg::GenericOp> {
  LogicalResult buildVjp(Operation *op, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    return buildGenericVjp(op, builder, cotangents, needed, operands);
  }
};

/// linalg.matmul and its kin.
template <typename Op>
struct ContractionVjp
    : DifferentiableOpInterface::ExternalModel<ContractionVjp<Op>, Op> {
  LogicalResult buildVjp(Operation *op, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    std::string reason;
    FailureOr<Contraction> contraction = Contraction::get(linalgOp, &reason);
    if (failed(contraction))
      return op->emitOpError()
             << "cannot be differentiated: "
             << (reason.empty() ? "it is not a sum of products of floats"
                                : reason);
    buildContractionVjp(linalgOp, *contraction, builder, cotangents[0], needed,
                        operands);
    return success();
  }
};

template <typename... Ops> void attachContractionVjps(MLIRContext *context) {
  (Ops::template attachInterface<ContractionVjp<Ops>>(*context), ...);
}

} // namespace

void mlir::te::registerDifferentiableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::CollapseShapeOp::attachInterface<
        ReshapeVjp<tensor::CollapseShapeOp, tensor::ExpandShapeOp>>(*context);
    tensor::ExpandShapeOp::attachInterface<
        ReshapeVjp<tensor::ExpandShapeOp, tensor::CollapseShapeOp>>(*context);
    tensor::ExtractSliceOp::attachInterface<ExtractSliceVjp>(*context);
    tensor::ConcatOp::attachInterface<ConcatVjp>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    arith::ExtFOp::attachInterface<ConversionVjp<arith::ExtFOp>>(*context);
    arith::TruncFOp::attachInterface<ConversionVjp<arith::TruncFOp>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    linalg::TransposeOp::attachInterface<TransposeVjp>(*context);
    linalg::GenericOp::attachInterface<GenericVjp>(*context);
    attachContractionVjps<
        linalg::MatmulOp, linalg::BatchMatmulOp, linalg::BatchReduceMatmulOp,
        linalg::ContractOp, linalg::MatvecOp, linalg::VecmatOp,
        linalg::BatchMatvecOp, linalg::BatchVecmatOp, linalg::DotOp>(context);
  });
}
