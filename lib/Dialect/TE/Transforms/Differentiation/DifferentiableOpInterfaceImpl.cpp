// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/Transforms/Differentiation/DifferentiableOpInterfaceImpl.h"

#include "Differentiation/ContractionVjp.h"
#include "Differentiation/GenericVjp.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/MovementCotangent.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

using Cotangents = MutableArrayRef<Value>;
using Needed = llvm::BitVector;

static LogicalResult requireStatic(Operation *op) {
  for (Value value : op->getOperands())
    if (auto type = dyn_cast<RankedTensorType>(value.getType());
        type && !type.hasStaticShape())
      return op->emitOpError() << "has operands of dynamic shape; only static "
                                  "shapes are differentiated";
  return success();
}

namespace {

/// An op that moves elements of its first operand: `Model::build` makes that
/// operand's cotangent from the result's. Other operands, such as destinations
/// that are overwritten, have none.
template <typename Model, typename Op>
struct MovementVjp : DifferentiableOpInterface::ExternalModel<Model, Op> {
  static LogicalResult check(Op op) { return success(); }

  LogicalResult buildVjp(Operation *op, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    if (failed(requireStatic(op)) || failed(Model::check(cast<Op>(op))))
      return failure();
    if (needed[0])
      operands[0] = Model::build(
          builder, cast<Op>(op),
          typeOfCotangent(op->getOperand(0), cotangents[0]), cotangents[0]);
    return success();
  }
};

/// collapse_shape and expand_shape: each is the other's gradient.
template <typename Op, typename Inverse>
struct ReshapeVjp : MovementVjp<ReshapeVjp<Op, Inverse>, Op> {
  static Value build(OpBuilder &builder, Op op, RankedTensorType type,
                     Value cotangent) {
    return builder.createOrFold<Inverse>(op.getLoc(), type, cotangent,
                                         op.getReassociationIndices());
  }
};

/// Puts the cotangent between zeros: those of one dimension are joined with it,
/// and otherwise it is inserted.
struct ExtractSliceVjp : MovementVjp<ExtractSliceVjp, tensor::ExtractSliceOp> {
  static LogicalResult check(tensor::ExtractSliceOp op) {
    for (auto [size, stride] :
         llvm::zip_equal(op.getStaticSizes(), op.getStaticStrides()))
      if (stride == 0 && size != 1)
        return op->emitOpError() << "reads an element several times, with a "
                                    "stride of 0; repeat it with "
                                    "linalg.broadcast, which has a gradient";
    if (op.getOffsets().empty() && op.getSizes().empty() &&
        op.getStrides().empty())
      return success();
    return op->emitOpError() << "has offsets, sizes or strides known only at "
                                "run time; only static slices are "
                                "differentiated";
  }
  static Value build(OpBuilder &builder, tensor::ExtractSliceOp op,
                     RankedTensorType type, Value cotangent) {
    if (std::optional<int64_t> dim = getDividedDim(op)) {
      SmallVector<Value> parts;
      auto addZeros = [&](int64_t count) {
        SmallVector<int64_t> shape(type.getShape());
        shape[*dim] = count;
        if (count > 0)
          parts.push_back(createZeros(builder, op.getLoc(), type.clone(shape)));
      };
      int64_t before = op.getStaticOffsets()[*dim];
      addZeros(before);
      parts.push_back(cotangent);
      addZeros(type.getDimSize(*dim) - before - op.getStaticSizes()[*dim]);
      return tensor::ConcatOp::create(builder, op.getLoc(), type, *dim, parts);
    }
    Value zeros = createZeros(builder, op.getLoc(), type);
    return tensor::InsertSliceOp::create(
        builder, op.getLoc(), cotangent, zeros, op.getMixedOffsets(),
        op.getMixedSizes(), op.getMixedStrides());
  }
};

struct TransposeVjp : MovementVjp<TransposeVjp, linalg::TransposeOp> {
  static Value build(OpBuilder &builder, linalg::TransposeOp op,
                     RankedTensorType type, Value cotangent) {
    Value empty = tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                          type.getElementType());
    return linalg::TransposeOp::create(
               builder, op.getLoc(), cotangent, empty,
               invertPermutationVector(op.getPermutation()))
        ->getResult(0);
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

struct GenericVjp
    : DifferentiableOpInterface::ExternalModel<GenericVjp, linalg::GenericOp> {
  LogicalResult buildVjp(Operation *op, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    return buildGenericVjp(op, builder, cotangents, needed, operands);
  }
};

/// linalg.matmul and its variants.
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
