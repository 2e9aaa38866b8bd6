// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorBuilder.h"
#include "TensorMath.h"

#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/SkipOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::frontend;

Value TensorBuilder::reshape(Location loc, Value value,
                             ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  ArrayRef<int64_t> from = type.getShape();
  if (from == shape)
    return value;
  // The finest common refinement from the left: groups of dimensions on either
  // side with equal products. Each group is collapsed to one dimension, then
  // expanded.
  SmallVector<ReassociationIndices> collapse, expand;
  SmallVector<int64_t> middle;
  size_t i = 0, j = 0;
  while (i < from.size() && j < shape.size()) {
    ReassociationIndices left{int64_t(i)}, right{int64_t(j)};
    int64_t a = from[i++], b = shape[j++];
    while (a != b) {
      if (a < b) {
        left.push_back(i);
        a *= from[i++];
      } else {
        right.push_back(j);
        b *= shape[j++];
      }
    }
    collapse.push_back(left);
    expand.push_back(right);
    middle.push_back(a);
  }
  // The remaining dimensions have size 1.
  for (; i < from.size() && !collapse.empty(); ++i)
    collapse.back().push_back(i);
  for (; j < shape.size() && !expand.empty(); ++j)
    expand.back().push_back(j);
  if (middle.size() != from.size())
    value = tensor::CollapseShapeOp::create(
        builder, loc, RankedTensorType::get(middle, type.getElementType()),
        value, collapse);
  if (middle.size() != shape.size())
    value = tensor::ExpandShapeOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        value, expand);
  return value;
}

Value TensorBuilder::toMatrix(Location loc, Value value) {
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  int64_t columns = shape.empty() ? 1 : shape.back();
  return reshape(loc, value,
                 {ShapedType::getNumElements(shape) / columns, columns});
}

Value TensorBuilder::transpose(Location loc, Value value,
                               ArrayRef<int64_t> permutation) {
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  Value init =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, value, init, permutation)
      ->getResult(0);
}

Value TensorBuilder::materialize(Location loc, const ConstantTensor &constant,
                                 Type element) {
  if (!element)
    return {};
  // Empty tensors are not supported in computation.
  int64_t count = constant.getNumElements();
  if (count == 0)
    return {};
  auto type = RankedTensorType::get(constant.getShape(), element);
  if (auto value = constant.getSplat(); value && isa<FloatType>(element))
    return splat(loc, type, *value);
  // Elements repeated along a dimension are stored once, if that saves much.
  constexpr int64_t kLarge = 4096;
  Shape stored = constant.storedShape();
  if (count >= kLarge && ArrayRef<int64_t>(stored) != constant.getShape()) {
    ConstantTensor once =
        constant.withShape(stored, constant.getStrides(), constant.getOffset());
    Value value = materialize(loc, once, element);
    return value ? TensorMath(*this, loc).broadcast(value, type.getShape())
                 : Value();
  }
  if (count > maxConstantBytes / int64_t(sizeof(int64_t)))
    return {};
  return arith::ConstantOp::create(
      builder, loc, toAttribute(Elements{type, constant.toNumbers()}));
}

Value TensorBuilder::splat(Location loc, RankedTensorType type, double value) {
  Type element = type.getElementType();
  TypedAttr number =
      isa<FloatType>(element)
          ? TypedAttr(builder.getFloatAttr(element, value))
          : TypedAttr(builder.getIntegerAttr(element, int64_t(value)));
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, number));
}

BlockArgument mlir::te::frontend::getViewedArgument(Value value, Block *body) {
  auto argument = dyn_cast<BlockArgument>(
      skipOps<linalg::TransposeOp, tensor::ExpandShapeOp,
              tensor::CollapseShapeOp, tensor::ExtractSliceOp>(value));
  return argument && argument.getOwner() == body ? argument : BlockArgument();
}

StringRef mlir::te::frontend::getParameterName(Value value,
                                               func::FuncOp function) {
  return getArgumentText(getViewedArgument(value, &function.getBody().front()),
                         kParamAttr);
}

void mlir::te::frontend::dropUnusedParameters(
    func::FuncOp function, std::vector<ParameterData> &parameters) {
  llvm::BitVector unused(function.getNumArguments());
  std::vector<ParameterData> kept;
  size_t parameter = 0;
  for (BlockArgument argument : function.getArguments()) {
    if (!function.getArgAttr(argument.getArgNumber(), kParamAttr))
      continue;
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
    else
      kept.push_back(std::move(parameters[parameter]));
    ++parameter;
  }
  (void)function.eraseArguments(unused);
  parameters = std::move(kept);
}
