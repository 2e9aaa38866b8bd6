// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluators of pointwise ops with broadcasting, by the functions of arith and
// math.

#include "GraphImporter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;
using ::onnx::TensorProto;
using Kind = ConstantTensor::Kind;
using Operands = ArrayRef<const ConstantTensor *>;

namespace {
/// An evaluator and its node.
struct Fold {
  GraphImporter &importer;
  const Node &node;

  LogicalResult fail(const Twine &reason) const {
    return importer.unsupported(node, reason);
  }
  const ConstantTensor &operator[](size_t input) const {
    return *importer.getConstant(node, input);
  }
  Builder &getBuilder() const { return importer.builder; }
};

/// The op of arith or math for floats, integers and truth values; empty where
/// there is none.
struct Names {
  StringRef floats, integers, truths;
};
} // namespace

static constexpr Names kAdd{"arith.addf", "arith.addi", {}},
    kSub{"arith.subf", "arith.subi", {}}, kMul{"arith.mulf", "arith.muli", {}},
    kDiv{"arith.divf", "arith.divsi", {}},
    kMax{"arith.maximumf", "arith.maxsi", {}},
    kMin{"arith.minimumf", "arith.minsi", {}}, kXor{{}, {}, "arith.xori"};

/// True if `value` fits the integer type.
static bool fits(int64_t value, int32_t type) {
  switch (type) {
  case TensorProto::INT64:
    return true;
  case TensorProto::INT32:
    return llvm::isInt<32>(value);
  case TensorProto::UINT32:
    return llvm::isUInt<32>(value);
  case TensorProto::INT16:
    return llvm::isInt<16>(value);
  case TensorProto::UINT16:
    return llvm::isUInt<16>(value);
  case TensorProto::INT8:
    return llvm::isInt<8>(value);
  case TensorProto::UINT8:
    return llvm::isUInt<8>(value);
  default:
    return false;
  }
}

/// The type that elements are computed in: integers in 64 bits, floats in
/// float32 or bfloat16.
static Type getType(const Fold &fold, Kind kind, int32_t type) {
  Builder &builder = fold.getBuilder();
  if (kind == Kind::Float)
    return type == TensorProto::BFLOAT16 ? Type(builder.getBF16Type())
                                         : Type(builder.getF32Type());
  return kind == Kind::Int ? builder.getI64Type() : builder.getI1Type();
}

static FailureOr<ConstantTensor>
compute(const Fold &fold, const ScalarFunction &function, Operands operands,
        Kind kind, int32_t type,
        StringRef problem = "it divides by zero or overflows") {
  SmallVector<ArrayRef<int64_t>> shapes;
  for (const ConstantTensor *operand : operands)
    shapes.push_back(operand->getShape());
  auto shape = broadcastShapes(shapes);
  if (!shape || !countElements(*shape))
    return fold.fail("the shapes of its inputs do not broadcast");
  if (failed(fold.importer.checkConstantSize(fold.node,
                                             storedShape(operands, *shape))))
    return failure();
  auto result = evaluate(function, operands, *shape, kind, type);
  if (!result)
    return fold.fail(problem);
  return *result;
}

/// Operands of one kind, for which there is an op.
static FailureOr<ConstantTensor> compute(const Fold &fold, Names names,
                                         Operands operands) {
  Kind kind = operands.front()->getKind();
  int32_t code = operands.front()->getElementType();
  StringRef name = kind == Kind::Float ? names.floats
                   : kind == Kind::Int ? names.integers
                                       : names.truths;
  for (const ConstantTensor *operand : operands)
    if (operand->getKind() != kind || name.empty())
      return fold.fail("its inputs do not have the same type, or not one that "
                       "it computes with");
  Type type = getType(fold, kind, code);
  ScalarFunction function = getScalarFunction(name, type, type);
  if (kind != Kind::Int)
    return compute(fold, function, operands, kind, code);
  // An integer that is as large in floating point did not wrap around.
  Type f64 = fold.getBuilder().getF64Type();
  return compute(
      fold,
      [=, real = getScalarFunction(names.floats, f64, f64)](const Number *x,
                                                            Number &y) {
        Number wide[2], rounded;
        for (int i : {0, 1})
          wide[i].real = double(x[i].integer);
        if (real && real(wide, rounded) && !(std::abs(rounded.real) <= 0x1p63))
          return false;
        return function(x, y) && fits(y.integer, code);
      },
      operands, kind, code);
}

static LogicalResult define(const Fold &fold, FailureOr<ConstantTensor> y) {
  return failed(y) ? failure() : fold.importer.define(fold.node, std::move(*y));
}

static Handler onOne(Names names) {
  return [names](GraphImporter &importer, const Node &node) -> LogicalResult {
    Fold fold{importer, node};
    return define(fold, compute(fold, names, {&fold[0]}));
  };
}

/// Any number of operands, combined from the left.
static Handler onAll(Names names) {
  return [names](GraphImporter &importer, const Node &node) -> LogicalResult {
    Fold fold{importer, node};
    FailureOr<ConstantTensor> y = fold[0];
    for (size_t i = 1; i < node.getNumInputs() && succeeded(y); ++i)
      y = compute(fold, names, {&*y, &fold[i]});
    return define(fold, y);
  };
}

/// A function of floats without an op.
static Handler onFloats(double (*function)(double)) {
  return [function](GraphImporter &importer,
                    const Node &node) -> LogicalResult {
    Fold fold{importer, node};
    int32_t code = fold[0].getElementType();
    if (!fold[0].isFloat())
      return fold.fail("its input is not made of floats");
    Type type = getType(fold, Kind::Float, code);
    auto rounded = [=](const Number *x, Number &y) {
      y.real = roundTo(function(x[0].real), type);
      return true;
    };
    return define(fold, compute(fold, rounded, {&fold[0]}, Kind::Float, code));
  };
}

/// Truth values are compared as 0 and 1.
static Handler compare(arith::CmpFPredicate floats,
                       arith::CmpIPredicate integers) {
  return [=](GraphImporter &importer, const Node &node) -> LogicalResult {
    Fold fold{importer, node};
    if (fold[0].getKind() != fold[1].getKind())
      return fold.fail("its inputs do not have the same type");
    return define(
        fold,
        compute(fold,
                fold[0].isFloat()
                    ? getComparison(floats)
                    : getComparison(integers, importer.builder.getI64Type()),
                {&fold[0], &fold[1]}, Kind::Bool, TensorProto::BOOL));
  };
}

/// The remainder of integers, with the divisor's sign, or the dividend's with
/// `fmod`.
static LogicalResult foldMod(GraphImporter &importer, const Node &node) {
  Fold fold{importer, node};
  bool truncated = node.getInt("fmod").value_or(0) != 0;
  if (!fold[0].isInt() || !fold[1].isInt())
    return fold.fail("its inputs are not made of integers");
  auto remainder = [=](const Number *x, Number &y) {
    int64_t a = x[0].integer, b = x[1].integer;
    if (b == 0)
      return false;
    y.integer = b == -1 ? 0 : a % b;
    if (!truncated && y.integer != 0 && (y.integer < 0) != (b < 0))
      y.integer += b;
    return true;
  };
  return define(fold, compute(fold, remainder, {&fold[0], &fold[1]}, Kind::Int,
                              fold[0].getElementType(), "it divides by zero"));
}

static LogicalResult foldNot(GraphImporter &importer, const Node &node) {
  Fold fold{importer, node};
  ConstantTensor truth(std::vector<uint8_t>{1}, {}, TensorProto::BOOL);
  return define(fold, compute(fold, kXor, {&fold[0], &truth}));
}

static LogicalResult foldNeg(GraphImporter &importer, const Node &node) {
  Fold fold{importer, node};
  if (fold[0].isFloat())
    return define(fold, compute(fold, {"arith.negf", {}, {}}, {&fold[0]}));
  ConstantTensor zero(std::vector<int64_t>{0}, {}, fold[0].getElementType());
  return define(fold, compute(fold, kSub, {&zero, &fold[0]}));
}

/// Omitted limits do not limit.
static LogicalResult foldClip(GraphImporter &importer, const Node &node) {
  Fold fold{importer, node};
  FailureOr<ConstantTensor> y = fold[0];
  for (size_t i : {1, 2})
    if (node.hasInput(i) && succeeded(y))
      y = compute(fold, i == 1 ? kMax : kMin, {&*y, &fold[i]});
  return define(fold, y);
}

/// A power of integers, if it is one that int64 holds.
static bool power(const Number *x, Number &y) {
  int64_t base = x[0].integer, exponent = x[1].integer;
  double size = std::pow(std::abs(double(base)), double(exponent));
  if (exponent < 0 || size >= 0x1p63)
    return false;
  // Of -1, 0 and 1, large exponents count by their parity.
  y.integer = 1;
  for (int64_t i = std::min(exponent, 64 + exponent % 2); i > 0; --i)
    y.integer *= base;
  return true;
}

/// The exponent may have another type than the base.
static LogicalResult foldPow(GraphImporter &importer, const Node &node) {
  Fold fold{importer, node};
  const ConstantTensor &base = fold[0], &exponent = fold[1];
  int32_t code = base.getElementType();
  if (base.isInt() && exponent.isInt())
    return define(fold, compute(
                            fold,
                            [=](const Number *x, Number &y) {
                              return power(x, y) && fits(y.integer, code);
                            },
                            {&base, &exponent}, Kind::Int, code));
  FailureOr<ConstantTensor> real = exponent;
  if (exponent.isInt())
    real =
        compute(fold,
                getScalarFunction("arith.sitofp", importer.builder.getI64Type(),
                                  getType(fold, Kind::Float, code)),
                {&exponent}, Kind::Float, code);
  if (failed(real))
    return failure();
  return define(fold, compute(fold, {"math.powf", {}, {}}, {&base, &*real}));
}

/// -1, 0 or 1.
static LogicalResult foldSign(GraphImporter &importer, const Node &node) {
  Fold fold{importer, node};
  bool isFloat = fold[0].isFloat();
  if (fold[0].isBool())
    return fold.fail("its input is not made of numbers");
  auto sign = [isFloat](const Number *x, Number &y) {
    if (isFloat)
      y.real = (x->real > 0) - (x->real < 0);
    else
      y.integer = (x->integer > 0) - (x->integer < 0);
    return true;
  };
  return define(fold, compute(fold, sign, {&fold[0]}, fold[0].getKind(),
                              fold[0].getElementType()));
}

static LogicalResult foldWhere(GraphImporter &importer, const Node &node) {
  Fold fold{importer, node};
  if (fold[1].getKind() != fold[2].getKind())
    return fold.fail("its inputs do not have the same type");
  auto select = [](const Number *x, Number &y) {
    y = x[0].integer ? x[1] : x[2];
    return true;
  };
  return define(fold, compute(fold, select, {&fold[0], &fold[1], &fold[2]},
                              fold[1].getKind(), fold[1].getElementType()));
}

/// Conversion to the element type `to`, which must be able to represent the
/// values.
static LogicalResult cast(const Fold &fold, int32_t to) {
  const ConstantTensor &from = fold[0];
  if (to == from.getElementType())
    return fold.importer.define(fold.node, from);
  // Only conversions to FP8 saturate.
  fold.node.getInt("saturate");
  fold.node.getString("round_mode");
  bool toFloat = to == TensorProto::FLOAT || to == TensorProto::BFLOAT16;
  bool toBool = to == TensorProto::BOOL, isFloat = from.isFloat();
  if (!toFloat && !toBool && !fits(0, to))
    return fold.fail("it converts a constant to a type that is not supported");
  Kind kind = toFloat ? Kind::Float : toBool ? Kind::Bool : Kind::Int;
  ScalarFunction convert = [=](const Number *x, Number &y) {
    if (toBool) {
      y.integer = isFloat ? x->real != 0 : x->integer != 0;
      return true;
    }
    // Floats outside int64, or int32, become the smallest one, as on the
    // machines that frameworks run on: models select such values away (the
    // logarithm of a distance of 0).
    bool inRange = !isFloat || std::abs(x->real) <= 9.2e18;
    y.integer = !inRange  ? std::numeric_limits<int64_t>::min()
                : isFloat ? int64_t(x->real)
                          : x->integer;
    if (isFloat && to == TensorProto::INT32 && !fits(y.integer, to))
      y.integer = std::numeric_limits<int32_t>::min();
    return fits(y.integer, to);
  };
  Type type = getType(fold, kind, to);
  if (toFloat && isFloat)
    convert = getScalarFunction("arith.truncf", type, type);
  else if (toFloat)
    convert =
        getScalarFunction("arith.sitofp", fold.getBuilder().getI64Type(), type);
  return define(fold,
                compute(fold, convert, {&from}, kind, to,
                        "a value does not fit the type it is converted to"));
}

static LogicalResult foldCast(GraphImporter &importer, const Node &node) {
  auto to = node.getInt("to");
  if (!to)
    return importer.unsupported(node, "its target type is missing");
  return cast({importer, node}, int32_t(*to));
}

static LogicalResult foldCastLike(GraphImporter &importer, const Node &node) {
  return cast({importer, node},
              importer.getConstant(node, 1)->getElementType());
}

void mlir::te::onnx_import::populateElementwiseFolds(HandlerTable &table) {
  using Floats = arith::CmpFPredicate;
  using Integers = arith::CmpIPredicate;
  table["Add"] = onAll(kAdd);
  table["Sub"] = onAll(kSub);
  table["Mul"] = onAll(kMul);
  table["Div"] = onAll(kDiv);
  table["Pow"] = foldPow;
  table["Abs"] = onOne({"math.absf", "math.absi", {}});
  table["Sign"] = foldSign;
  table["Clip"] = foldClip;
  table["Max"] = onAll(kMax);
  table["Min"] = onAll(kMin);
  table["Mod"] = foldMod;
  table["Equal"] = compare(Floats::OEQ, Integers::eq);
  table["Less"] = compare(Floats::OLT, Integers::slt);
  table["LessOrEqual"] = compare(Floats::OLE, Integers::sle);
  table["Greater"] = compare(Floats::OGT, Integers::sgt);
  table["GreaterOrEqual"] = compare(Floats::OGE, Integers::sge);
  table["And"] = onAll({{}, {}, "arith.andi"});
  table["Or"] = onAll({{}, {}, "arith.ori"});
  table["Xor"] = onAll(kXor);
  table["Not"] = foldNot;
  table["Neg"] = foldNeg;
  table["Sqrt"] = onOne({"math.sqrt", {}, {}});
  table["Ceil"] = onOne({"math.ceil", {}, {}});
  table["Erf"] = onOne({"math.erf", {}, {}});
  table["Exp"] = onOne({"math.exp", {}, {}});
  table["Floor"] = onOne({"math.floor", {}, {}});
  table["Log"] = onOne({"math.log", {}, {}});
  table["Round"] = onOne({"math.roundeven", {}, {}});
  table["Tanh"] = onOne({"math.tanh", {}, {}});
  table["Cos"] = onOne({"math.cos", {}, {}});
  table["Sin"] = onOne({"math.sin", {}, {}});
  table["Reciprocal"] = onFloats([](double x) { return 1 / x; });
  table["Relu"] = onFloats([](double x) { return x > 0 ? x : 0; });
  table["Sigmoid"] = onFloats([](double x) { return 1 / (1 + std::exp(-x)); });
  table["Where"] = foldWhere;
  table["Cast"] = foldCast;
  table["CastLike"] = foldCastLike;
}
