// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointwise ops, on matrices: leading dimensions are folded.

#include "BroadcastOperand.h"
#include "TensorMath.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

template <ActivationKind kind>
static LogicalResult importActivation(GraphImporter &importer,
                                      const Node &node) {
  return importFormula(importer, node, [&](Formula &, Value x) -> Value {
    return ActivationOp::create(importer.builder, node.getLoc(), kind, x)
        .getY();
  });
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
  return importFormula(importer, node,
                       [](Formula &f, Value x) { return f.apply<OpTy>(x); });
}

/// The larger of x and -x, or only the latter; of floats or integers.
template <bool isAbs>
static LogicalResult importNegation(GraphImporter &importer, const Node &node,
                                    Value x) {
  if (isFloat(x))
    return isAbs ? importUnary<math::AbsFOp>(importer, node)
                 : importUnary<arith::NegFOp>(importer, node);
  if (tensorType(x).getElementType().isInteger(1))
    return importer.unsupported(node, "its input is made of truth values");
  Location loc = node.getLoc();
  Value y = arith::SubIOp::create(importer.builder, loc,
                                  importer.splat(loc, tensorType(x), 0), x);
  if (isAbs)
    y = arith::MaxSIOp::create(importer.builder, loc, x, y);
  return importer.define(node, y);
}

static LogicalResult importReciprocal(GraphImporter &importer,
                                      const Node &node) {
  return importFormula(importer, node, [](Formula &f, Value x) {
    return f.apply<arith::DivFOp>(f.number(1), x);
  });
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

/// The rows that te.add broadcasts, if `operand` is a suffix of the result: a
/// bias [N], position embeddings [1,S,H]. Null otherwise.
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

/// True if an operand is constant, and contains no number by which integers
/// cannot be divided.
static bool isDivisor(const ConstantTensor *constant) {
  return constant && constant->isInt() &&
         llvm::none_of(constant->toVector<int64_t>(),
                       [](int64_t value) { return value == 0 || value == -1; });
}

template <typename OpTy, typename IntOpTy = void>
static LogicalResult importBinary(GraphImporter &importer, const Node &node) {
  constexpr bool hasInts = !std::is_void_v<IntOpTy>;
  ElementKinds elements =
      hasInts ? ElementKinds::Numbers : ElementKinds::Floats;
  auto a = getOperand(importer, node, 0, elements),
       b = getOperand(importer, node, 1, elements);
  if (failed(a) || failed(b))
    return failure();
  if (!a->value && !b->value)
    return importer.unsupported(node, "both of its inputs are constants");
  auto shape = getResultShape(importer, node, {*a, *b});
  if (failed(shape))
    return failure();
  Type element = tensorType(a->value ? a->value : b->value).getElementType();
  if (a->value && b->value && tensorType(b->value).getElementType() != element)
    return importer.unsupported(node, "its inputs differ in type");
  Location loc = node.getLoc();
  OpBuilder &builder = importer.builder;
  RankedTensorType matrix = getMatrixType(*shape, element);
  Value y;
  if constexpr (hasInts)
    if (isa<IntegerType>(element)) {
      if (std::is_same_v<IntOpTy, arith::DivSIOp> &&
          !isDivisor(importer.getConstant(node, 1)))
        return importer.unsupported(
            node, "it divides integers by others than fixed numbers");
      y = IntOpTy::create(builder, loc,
                          expandOperand(importer, loc, *a, *shape, matrix),
                          expandOperand(importer, loc, *b, *shape, matrix));
    }
  if constexpr (std::is_same_v<OpTy, arith::AddFOp>)
    if (!y) {
      // te.add broadcasts the rows of its right operand.
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
  return importer.define(node, importer.reshape(loc, y, *shape));
}

void mlir::te::onnx_import::populateElementwiseHandlers(HandlerTable &table) {
  table["Relu"] = importActivation<ActivationKind::Relu>;
  table["Sigmoid"] = importActivation<ActivationKind::Sigmoid>;
  table["Tanh"] = importActivation<ActivationKind::Tanh>;
  table["Gelu"] = importGelu;
  table["Swish"] = importSwish;
  table["Abs"] = withValue(importNegation<true>);
  table["Ceil"] = importUnary<math::CeilOp>;
  table["Cos"] = importUnary<math::CosOp>;
  table["Cosh"] = importUnary<math::CoshOp>;
  table["Erf"] = importUnary<math::ErfOp>;
  table["Exp"] = importUnary<math::ExpOp>;
  table["Floor"] = importUnary<math::FloorOp>;
  table["Log"] = importUnary<math::LogOp>;
  table["Neg"] = withValue(importNegation<false>);
  table["Round"] = importUnary<math::RoundEvenOp>;
  table["Sin"] = importUnary<math::SinOp>;
  table["Sinh"] = importUnary<math::SinhOp>;
  table["Sqrt"] = importUnary<math::SqrtOp>;
  table["Reciprocal"] = importReciprocal;
  table["Add"] = importBinary<arith::AddFOp, arith::AddIOp>;
  table["Sub"] = importBinary<arith::SubFOp, arith::SubIOp>;
  table["Mul"] = importBinary<arith::MulFOp, arith::MulIOp>;
  table["Div"] = importBinary<arith::DivFOp, arith::DivSIOp>;
  table["Pow"] = importBinary<math::PowFOp>;
}
