// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/ScalarOperands.h"

#include "te/Support/Captures.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::te;

/// Floats, and integers supported in kernels.
static bool isNumberType(Type type) {
  return isa<FloatType, IntegerType>(type);
}

/// The position of the element that an op extracts, if it is known and in
/// bounds.
static std::optional<SmallVector<OpFoldResult>>
getPosition(tensor::ExtractOp extract) {
  RankedTensorType type = extract.getTensor().getType();
  SmallVector<OpFoldResult> position;
  for (auto [index, size] : llvm::zip(extract.getIndices(), type.getShape())) {
    auto number = getConstantIntValue(index);
    if (!number || ShapedType::isDynamic(size) || *number < 0 ||
        *number >= size)
      return std::nullopt;
    position.push_back(
        IntegerAttr::get(IndexType::get(extract.getContext()), *number));
  }
  return position;
}

/// True if arithmetic on numbers has an equivalent on tensors.
static bool isArithmetic(Operation *op) {
  return op->getNumResults() == 1 && op->getNumOperands() > 0 &&
         OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::all_of(op->getOperandTypes(), isNumberType);
}

/// True if a number is computed from constants and elements of tensors alone.
static bool isFromTensors(Value scalar) {
  Operation *op = scalar.getDefiningOp();
  if (!op)
    return false;
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return getPosition(extract).has_value();
  return matchPattern(scalar, m_Constant()) ||
         (isArithmetic(op) && llvm::all_of(op->getOperands(), isFromTensors));
}

Value mlir::te::getAsTensor(OpBuilder &builder, Value scalar) {
  Location loc = scalar.getLoc();
  auto type = RankedTensorType::get({}, scalar.getType());
  Attribute constant;
  if (matchPattern(scalar, m_Constant(&constant)))
    return arith::ConstantOp::create(builder, loc, type,
                                     DenseElementsAttr::get(type, constant));
  Operation *op = scalar.getDefiningOp();
  if (auto extract = dyn_cast_or_null<tensor::ExtractOp>(op))
    if (auto position = getPosition(extract)) {
      SmallVector<OpFoldResult> ones(position->size(), builder.getIndexAttr(1));
      return tensor::ExtractSliceOp::create(
          builder, loc, type, extract.getTensor(), *position, ones, ones);
    }
  if (op && isArithmetic(op)) {
    OperationState state(loc, op->getName());
    for (Value operand : op->getOperands())
      state.addOperands(getAsTensor(builder, operand));
    state.addTypes(type);
    state.addAttributes(op->getDiscardableAttrDictionary().getValue());
    state.propertiesAttr = op->getPropertiesAsAttribute();
    return builder.create(state)->getResult(0);
  }
  return tensor::FromElementsOp::create(builder, loc, type, scalar);
}

bool mlir::te::makeScalarsOperands(OpBuilder &builder, linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics())
    return false;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  bool changed = false;
  for (OpOperand *input : op.getDpsInputOperands())
    if (isNumberType(input->get().getType())) {
      input->set(getAsTensor(builder, input->get()));
      changed = true;
    }
  for (Value captured : getCapturedValues(op)) {
    if (!isNumberType(captured.getType()) ||
        matchPattern(captured, m_Constant()))
      continue;
    unsigned number = op.getNumDpsInputs();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps.insert(maps.begin() + number,
                AffineMap::get(op.getNumLoops(), 0, op.getContext()));
    op.getInputsMutable().append(getAsTensor(builder, captured));
    op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
    BlockArgument argument = op.getBody()->insertArgument(
        number, captured.getType(), captured.getLoc());
    captured.replaceUsesWithIf(argument, [&](OpOperand &use) {
      return op.getRegion().isAncestor(use.getOwner()->getParentRegion());
    });
    changed = true;
  }
  return changed;
}

namespace {
static LogicalResult scalarsToOperands(linalg::GenericOp op,
                                       PatternRewriter &rewriter) {
  rewriter.startOpModification(op);
  if (!makeScalarsOperands(rewriter, op)) {
    rewriter.cancelOpModification(op);
    return rewriter.notifyMatchFailure(op, "reads no numbers");
  }
  rewriter.finalizeOpModification(op);
  return success();
}

/// tensor.splat and linalg.fill of a computed number.
struct RepeatAsTensor : RewritePattern {
  RepeatAsTensor(StringRef name, MLIRContext *context)
      : RewritePattern(name, 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    Value scalar = op->getOperand(0);
    auto type = op->getNumResults() == 1
                    ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                    : RankedTensorType();
    if (!type || !type.hasStaticShape() ||
        scalar.getType() != type.getElementType() ||
        !isNumberType(scalar.getType()) || matchPattern(scalar, m_Constant()))
      return rewriter.notifyMatchFailure(op, "repeats no computed number");
    SmallVector<int64_t> dimensions =
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    Value init = tensor::EmptyOp::create(
        rewriter, op->getLoc(), type.getShape(), type.getElementType());
    rewriter.replaceOp(op, linalg::BroadcastOp::create(
                               rewriter, op->getLoc(),
                               getAsTensor(rewriter, scalar), init, dimensions)
                               ->getResults());
    return success();
  }
};

/// A tensor of rank 0 made from one computed number.
static LogicalResult fromElementAsTensor(tensor::FromElementsOp op,
                                         PatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op.getType());
  if (type.getNumElements() != 1 || !isNumberType(type.getElementType()) ||
      !isFromTensors(op.getElements().front()))
    return rewriter.notifyMatchFailure(op, "not one number from tensors");
  Value tensor = getAsTensor(rewriter, op.getElements().front());
  if (type.getRank() > 0)
    tensor = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), type, tensor,
                                           ArrayRef<ReassociationIndices>{});
  rewriter.replaceOp(op, tensor);
  return success();
}
} // namespace

void mlir::te::populateScalarOperandPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add(scalarsToOperands).add(fromElementAsTensor);
  patterns.add<RepeatAsTensor>(tensor::SplatOp::getOperationName(), context);
  patterns.add<RepeatAsTensor>(linalg::FillOp::getOperationName(), context);
}
