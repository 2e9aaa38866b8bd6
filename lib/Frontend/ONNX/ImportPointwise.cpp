// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointwise ops without a te op: comparisons, selections, limits, and
// activations by their formulas. They become generated kernels.

#include "BroadcastOperand.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static LogicalResult importSoftplus(GraphImporter &importer, const Node &node) {
  return importFormula(importer, node,
                       [](Formula &f, Value x) { return f.softplus(x); });
}

static LogicalResult importMish(GraphImporter &importer, const Node &node) {
  return importFormula(importer, node, [](Formula &f, Value x) {
    return f.mul(x, f.apply<math::TanhOp>(f.softplus(x)));
  });
}

static LogicalResult importSoftsign(GraphImporter &importer, const Node &node) {
  return importFormula(importer, node, [](Formula &f, Value x) {
    return f.apply<arith::DivFOp>(x,
                                  f.add(f.number(1), f.apply<math::AbsFOp>(x)));
  });
}

static LogicalResult importLeakyRelu(GraphImporter &importer,
                                     const Node &node) {
  float alpha = node.getFloat("alpha").value_or(0.01f);
  return importFormula(importer, node, [&](Formula &f, Value x) {
    return f.select(f.isPositive(x), x, f.mul(x, f.number(alpha)));
  });
}

/// scale * (x, or alpha (exp(x) - 1) below zero)
static LogicalResult importExponential(GraphImporter &importer,
                                       const Node &node, float alpha,
                                       float scale) {
  return importFormula(importer, node, [&](Formula &f, Value x) {
    // The unselected branch must not overflow.
    Value below = f.apply<math::ExpM1Op>(f.min(x, f.number(0)));
    Value y = f.select(f.isPositive(x), x, f.mul(below, f.number(alpha)));
    return scale == 1.0f ? y : f.mul(y, f.number(scale));
  });
}

static LogicalResult importElu(GraphImporter &importer, const Node &node) {
  return importExponential(importer, node,
                           node.getFloat("alpha").value_or(1.0f), 1.0f);
}

static LogicalResult importSelu(GraphImporter &importer, const Node &node) {
  return importExponential(importer, node,
                           node.getFloat("alpha").value_or(1.67326319f),
                           node.getFloat("gamma").value_or(1.05070102f));
}

/// max(0, min(1, alpha x + beta))
static Value hardSigmoid(Formula &f, Value x, double alpha, double beta) {
  Value line = f.add(f.mul(x, f.number(alpha)), f.number(beta));
  return f.max(f.number(0), f.min(f.number(1), line));
}

static LogicalResult importHardSigmoid(GraphImporter &importer,
                                       const Node &node) {
  float alpha = node.getFloat("alpha").value_or(0.2f);
  float beta = node.getFloat("beta").value_or(0.5f);
  return importFormula(importer, node, [&](Formula &f, Value x) {
    return hardSigmoid(f, x, alpha, beta);
  });
}

static LogicalResult importHardSwish(GraphImporter &importer,
                                     const Node &node) {
  return importFormula(importer, node, [](Formula &f, Value x) {
    return f.mul(x, hardSigmoid(f, x, 1.0 / 6.0, 0.5));
  });
}

//===----------------------------------------------------------------------===//
// Several operands
//===----------------------------------------------------------------------===//

namespace {
/// The operands of a node, broadcast to matrices of the folded result.
struct Repeated {
  Shape shape;
  RankedTensorType type; ///< of all but conditions
  SmallVector<Value> values;
};
} // namespace

/// The first `numConditions` operands are booleans, whatever the others are.
static FailureOr<Repeated> repeatOperands(GraphImporter &importer,
                                          const Node &node,
                                          ArrayRef<Operand> operands,
                                          size_t numConditions = 0) {
  auto shape = getResultShape(importer, node, operands);
  if (failed(shape))
    return failure();
  Type element;
  for (const Operand &operand : operands.drop_front(numConditions)) {
    if (!operand.value)
      continue;
    Type type = tensorType(operand.value).getElementType();
    if (element && element != type)
      return importer.unsupported(node, "its inputs differ in type");
    element = type;
  }
  // With only scalars, ONNX determines the type.
  if (!element)
    element = importer.builder.getF32Type();
  Repeated repeated{*shape, getMatrixType(*shape, element), {}};
  for (auto [i, operand] : llvm::enumerate(operands)) {
    RankedTensorType type = repeated.type;
    repeated.values.push_back(expandOperand(
        importer, node.getLoc(), operand, *shape,
        i < numConditions ? type.clone(importer.builder.getI1Type()) : type));
  }
  return repeated;
}

/// All inputs of a node, broadcast to one shape.
static FailureOr<Repeated>
repeatInputs(GraphImporter &importer, const Node &node,
             ElementKinds elements = ElementKinds::Floats) {
  SmallVector<Operand> operands;
  for (size_t i = 0; i < node.getNumInputs(); ++i) {
    auto operand = getOperand(importer, node, i, elements);
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
  }
  return repeatOperands(importer, node, operands);
}

/// Max, Min and Sum of any number of inputs.
template <typename OpTy, typename IntOpTy>
static LogicalResult importVariadic(GraphImporter &importer, const Node &node) {
  auto repeated = repeatInputs(importer, node, ElementKinds::Numbers);
  if (failed(repeated))
    return failure();
  Formula formula(importer, node.getLoc(), repeated->type);
  bool isFloat = isa<FloatType>(repeated->type.getElementType());
  Value y = repeated->values.front();
  for (Value next : llvm::drop_begin(repeated->values))
    y = isFloat ? formula.apply<OpTy>(y, next)
                : formula.apply<IntOpTy>(y, next);
  return importer.define(node,
                         importer.reshape(node.getLoc(), y, repeated->shape));
}

static LogicalResult importWhere(GraphImporter &importer, const Node &node) {
  auto condition = getCondition(importer, node, 0);
  auto a = getOperand(importer, node, 1, ElementKinds::Any),
       b = getOperand(importer, node, 2, ElementKinds::Any);
  if (failed(condition) || failed(a) || failed(b))
    return failure();
  auto repeated = repeatOperands(importer, node, {*condition, *a, *b}, 1);
  if (failed(repeated))
    return failure();
  Formula formula(importer, node.getLoc(), repeated->type);
  ArrayRef<Value> values = repeated->values;
  return importer.define(
      node, importer.reshape(node.getLoc(),
                             formula.select(values[0], values[1], values[2]),
                             repeated->shape));
}

/// Omitted limits do not limit; the gradient passes where x is at a limit.
static LogicalResult importClip(GraphImporter &importer, const Node &node) {
  auto x = getOperand(importer, node, 0, ElementKinds::Numbers);
  if (failed(x))
    return failure();
  Location loc = node.getLoc();
  Value y;
  for (size_t index : {1, 2}) {
    if (index >= node.getNumInputs() || !node.hasInput(index))
      continue;
    auto limit = getOperand(importer, node, index, ElementKinds::Numbers);
    if (failed(limit))
      return failure();
    if (ShapedType::getNumElements(limit->shape) != 1)
      return importer.unsupported(node, "its limits are not one number each");
    auto repeated = repeatOperands(importer, node, {*x, *limit});
    if (failed(repeated))
      return failure();
    Formula formula(importer, loc, repeated->type);
    if (!y)
      y = repeated->values[0];
    Value bound = repeated->values[1];
    // NaN is preserved.
    Value outside =
        isa<FloatType>(repeated->type.getElementType())
            ? formula.compare(index == 1 ? arith::CmpFPredicate::OLT
                                         : arith::CmpFPredicate::OGT,
                              y, bound)
            : formula.compare(index == 1 ? arith::CmpIPredicate::slt
                                         : arith::CmpIPredicate::sgt,
                              y, bound);
    y = formula.select(outside, bound, y);
  }
  return importer.define(node,
                         y ? importer.reshape(loc, y, x->shape) : x->value);
}

template <arith::CmpFPredicate predicate, arith::CmpIPredicate intPredicate>
static LogicalResult importCompare(GraphImporter &importer, const Node &node) {
  auto repeated = repeatInputs(importer, node,
                               intPredicate == arith::CmpIPredicate::eq
                                   ? ElementKinds::Any
                                   : ElementKinds::Numbers);
  if (failed(repeated))
    return failure();
  Formula formula(importer, node.getLoc(), repeated->type);
  Value a = repeated->values[0], b = repeated->values[1];
  Value y = isa<FloatType>(repeated->type.getElementType())
                ? formula.compare(predicate, a, b)
                : formula.compare(intPredicate, a, b);
  return importer.define(node,
                         importer.reshape(node.getLoc(), y, repeated->shape));
}

template <typename OpTy>
static LogicalResult importLogic(GraphImporter &importer, const Node &node) {
  auto a = getCondition(importer, node, 0), b = getCondition(importer, node, 1);
  if (failed(a) || failed(b))
    return failure();
  auto repeated = repeatOperands(importer, node, {*a, *b}, 2);
  if (failed(repeated))
    return failure();
  Value y = OpTy::create(importer.builder, node.getLoc(), repeated->values[0],
                         repeated->values[1]);
  return importer.define(node,
                         importer.reshape(node.getLoc(), y, repeated->shape));
}

static LogicalResult importPRelu(GraphImporter &importer, const Node &node) {
  auto repeated = repeatInputs(importer, node);
  if (failed(repeated))
    return failure();
  Formula formula(importer, node.getLoc(), repeated->type);
  Value x = repeated->values[0];
  Value y = formula.select(formula.isPositive(x), x,
                           formula.mul(x, repeated->values[1]));
  return importer.define(node,
                         importer.reshape(node.getLoc(), y, repeated->shape));
}

void mlir::te::onnx_import::populatePointwiseHandlers(HandlerTable &table) {
  table["Softplus"] = importSoftplus;
  table["Mish"] = importMish;
  table["Softsign"] = importSoftsign;
  table["LeakyRelu"] = importLeakyRelu;
  table["PRelu"] = importPRelu;
  table["Elu"] = importElu;
  table["Selu"] = importSelu;
  table["HardSigmoid"] = importHardSigmoid;
  table["HardSwish"] = importHardSwish;
  table["Max"] = importVariadic<arith::MaximumFOp, arith::MaxSIOp>;
  table["Min"] = importVariadic<arith::MinimumFOp, arith::MinSIOp>;
  table["Sum"] = importVariadic<arith::AddFOp, arith::AddIOp>;
  table["Where"] = importWhere;
  table["Clip"] = importClip;
  table["Equal"] =
      importCompare<arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq>;
  table["Less"] =
      importCompare<arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt>;
  table["LessOrEqual"] =
      importCompare<arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle>;
  table["Greater"] =
      importCompare<arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt>;
  table["GreaterOrEqual"] =
      importCompare<arith::CmpFPredicate::OGE, arith::CmpIPredicate::sge>;
  table["And"] = importLogic<arith::AndIOp>;
  table["Or"] = importLogic<arith::OrIOp>;
  table["Xor"] = importLogic<arith::XOrIOp>;
}
