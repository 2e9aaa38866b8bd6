// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointwise ops, on matrices: leading dimensions are folded.

#include "GraphImporter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static bool isFloat(Value value) {
  return isa<FloatType>(tensorType(value).getElementType());
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

template <ActivationKind kind>
static LogicalResult importActivation(GraphImporter &importer,
                                      const Node &node) {
  Value x = importer.getValue(node, 0);
  if (!x)
    return failure();
  if (!isFloat(x))
    return importer.unsupported(node, "its input is not made of floats");
  Value folded = importer.toMatrix(node.getLoc(), x);
  Value y = ActivationOp::create(importer.builder, node.getLoc(), kind, folded)
                .getY();
  importer.define(node,
                  importer.reshape(node.getLoc(), y, tensorType(x).getShape()));
  return success();
}

static LogicalResult importGelu(GraphImporter &importer, const Node &node) {
  StringRef approximate = node.getString("approximate").value_or("none");
  if (approximate == "tanh")
    return importActivation<ActivationKind::GeluTanh>(importer, node);
  if (approximate == "none")
    return importActivation<ActivationKind::GeluErf>(importer, node);
  return importer.unsupported(node, "its approximation '" + approximate +
                                        "' is not known");
}

static LogicalResult importSwish(GraphImporter &importer, const Node &node) {
  float alpha = node.getFloat("alpha").value_or(1.0f);
  if (alpha == 1.0f)
    return importActivation<ActivationKind::Silu>(importer, node);
  if (alpha == 1.702f)
    return importActivation<ActivationKind::QuickGelu>(importer, node);
  return importer.unsupported(node, "its alpha is neither 1 nor 1.702");
}

template <typename OpTy>
static LogicalResult importUnary(GraphImporter &importer, const Node &node) {
  Value x = importer.getValue(node, 0);
  if (!x)
    return failure();
  if (!isFloat(x))
    return importer.unsupported(node, "its input is not made of floats");
  Value folded = importer.toMatrix(node.getLoc(), x);
  Value y = OpTy::create(importer.builder, node.getLoc(), folded);
  importer.define(node,
                  importer.reshape(node.getLoc(), y, tensorType(x).getShape()));
  return success();
}

static LogicalResult importReciprocal(GraphImporter &importer,
                                      const Node &node) {
  Value x = importer.getValue(node, 0);
  if (!x)
    return failure();
  if (!isFloat(x))
    return importer.unsupported(node, "its input is not made of floats");
  Location loc = node.getLoc();
  Value folded = importer.toMatrix(loc, x);
  Value one = importer.splat(loc, tensorType(folded), 1.0);
  Value y = arith::DivFOp::create(importer.builder, loc, one, folded);
  importer.define(node, importer.reshape(loc, y, tensorType(x).getShape()));
  return success();
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

namespace {
/// An operand of a binary op: a value, or the one number a constant repeats.
struct Operand {
  Value value;
  std::optional<double> number;
  Shape shape;
};
} // namespace

static FailureOr<Operand> getOperand(GraphImporter &importer, const Node &node,
                                     size_t index) {
  Operand operand;
  if (const ConstantTensor *constant = importer.getConstant(node, index)) {
    operand.shape = Shape(constant->getShape());
    if (constant->isFloat())
      operand.number = constant->getSplat();
    if (operand.number)
      return operand;
  }
  operand.value = importer.getValue(node, index);
  if (!operand.value)
    return failure();
  if (!isFloat(operand.value))
    return importer.unsupported(
        node, "it computes with integers or booleans that depend on the "
              "model's inputs");
  operand.shape = Shape(tensorType(operand.value).getShape());
  return operand;
}

/// The operand repeated to a matrix of the folded result.
static Value expandOperand(GraphImporter &importer, Location loc,
                           const Operand &operand, ArrayRef<int64_t> shape,
                           RankedTensorType matrix) {
  if (operand.number)
    return importer.splat(loc, matrix, *operand.number);
  if (ArrayRef<int64_t>(operand.shape) == shape)
    return importer.toMatrix(loc, operand.value);
  // linalg.broadcast adds dimensions; those of size 1 that repeat go first.
  SmallVector<int64_t> kept, added;
  int64_t shift = shape.size() - operand.shape.size();
  for (auto [dim, size] : llvm::enumerate(shape)) {
    int64_t from = int64_t(dim) < shift ? 1 : operand.shape[dim - shift];
    if (int64_t(dim) < shift || from != size)
      added.push_back(dim);
    else
      kept.push_back(size);
  }
  Value squeezed = importer.reshape(loc, operand.value, kept);
  Value init = tensor::EmptyOp::create(importer.builder, loc, shape,
                                       matrix.getElementType());
  Value repeated =
      linalg::BroadcastOp::create(importer.builder, loc, squeezed, init, added)
          ->getResult(0);
  return importer.toMatrix(loc, repeated);
}

/// The rows that te.add repeats, when `operand` is a suffix of the result:
/// a bias [N], position embeddings [1,S,H]. Null otherwise.
static Value getRepeatedRows(GraphImporter &importer, Location loc,
                             const Operand &operand, ArrayRef<int64_t> shape) {
  if (!operand.value)
    return {};
  ArrayRef<int64_t> suffix = operand.shape;
  while (!suffix.empty() && suffix.front() == 1)
    suffix = suffix.drop_front();
  if (suffix.empty() || suffix.size() > shape.size() ||
      suffix != shape.take_back(suffix.size()))
    return {};
  return importer.toMatrix(loc, importer.reshape(loc, operand.value, suffix));
}

template <typename OpTy>
static LogicalResult importBinary(GraphImporter &importer, const Node &node) {
  auto a = getOperand(importer, node, 0), b = getOperand(importer, node, 1);
  if (failed(a) || failed(b))
    return failure();
  if (!a->value && !b->value)
    return importer.unsupported(node, "both of its inputs are constants");
  auto shape = broadcastShapes({a->shape, b->shape});
  if (!shape || !countElements(*shape))
    return importer.unsupported(node,
                                "the shapes of its inputs do not broadcast");
  Type element = tensorType(a->value ? a->value : b->value).getElementType();
  if (a->value && b->value && tensorType(b->value).getElementType() != element)
    return importer.unsupported(node, "its inputs differ in type");
  Location loc = node.getLoc();
  OpBuilder &builder = importer.builder;
  int64_t columns = shape->empty() ? 1 : shape->back();
  auto matrix = RankedTensorType::get(
      {ShapedType::getNumElements(*shape) / columns, columns}, element);
  Value y;
  if constexpr (std::is_same_v<OpTy, arith::AddFOp>) {
    // te.add repeats the rows of its right operand.
    if (*shape != a->shape)
      std::swap(*a, *b);
    if (*shape == a->shape && a->value)
      if (Value rows = getRepeatedRows(importer, loc, *b, *shape))
        y = AddOp::create(builder, loc, matrix,
                          importer.toMatrix(loc, a->value), rows);
  }
  if (!y)
    y = OpTy::create(builder, loc,
                     expandOperand(importer, loc, *a, *shape, matrix),
                     expandOperand(importer, loc, *b, *shape, matrix));
  importer.define(node, importer.reshape(loc, y, *shape));
  return success();
}

void mlir::te::onnx_import::populateElementwiseHandlers(HandlerTable &table) {
  table["Relu"] = importActivation<ActivationKind::Relu>;
  table["Sigmoid"] = importActivation<ActivationKind::Sigmoid>;
  table["Tanh"] = importActivation<ActivationKind::Tanh>;
  table["Gelu"] = importGelu;
  table["Swish"] = importSwish;
  table["Erf"] = importUnary<math::ErfOp>;
  table["Exp"] = importUnary<math::ExpOp>;
  table["Sqrt"] = importUnary<math::SqrtOp>;
  table["Neg"] = importUnary<arith::NegFOp>;
  table["Reciprocal"] = importReciprocal;
  table["Add"] = importBinary<arith::AddFOp>;
  table["Sub"] = importBinary<arith::SubFOp>;
  table["Mul"] = importBinary<arith::MulFOp>;
  table["Div"] = importBinary<arith::DivFOp>;
  table["Pow"] = importBinary<math::PowFOp>;
}
