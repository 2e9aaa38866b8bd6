// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluators of pointwise ops with broadcasting.

#include "ConstantFolding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::te::onnx_import;
using ::onnx::TensorProto;

namespace {
/// The storage of a broadcast result: dimensions along which every operand
/// repeats are stored once.
struct BroadcastPlan {
  Shape shape;                   ///< of the result
  Shape storedShape;             ///< of its storage
  SmallVector<Shape, 3> strides; ///< of the operands, over storedShape
  int64_t count;                 ///< elements stored
};
} // namespace

static FailureOr<BroadcastPlan>
planBroadcast(FoldContext &fold, ArrayRef<const ConstantTensor *> operands,
              int64_t elementSize) {
  SmallVector<ArrayRef<int64_t>> shapes;
  for (const ConstantTensor *operand : operands)
    shapes.push_back(operand->getShape());
  auto shape = broadcastShapes(shapes);
  if (!shape || !countElements(*shape))
    return fold.fail("the shapes of its inputs do not broadcast");
  BroadcastPlan plan;
  plan.shape = plan.storedShape = *shape;
  for (const ConstantTensor *operand : operands)
    plan.strides.push_back(broadcastStrides(*operand, *shape));
  for (size_t dim = 0; dim < plan.shape.size(); ++dim)
    if (plan.shape[dim] != 0 &&
        llvm::all_of(plan.strides, [&](Shape &s) { return s[dim] == 0; }))
      plan.storedShape[dim] = 1;
  auto count = fold.checkSize(plan.storedShape, elementSize);
  if (failed(count))
    return failure();
  plan.count = *count;
  return plan;
}

/// The nearest bfloat16, ties to even.
static float roundToBF16(float value) {
  if (std::isnan(value))
    return value;
  auto bits = llvm::bit_cast<uint32_t>(value);
  bits += 0x7fff + ((bits >> 16) & 1);
  return llvm::bit_cast<float>(bits & 0xffff0000u);
}

/// Wraps the elements computed for a plan.
template <typename T>
static LogicalResult finish(FoldContext &fold, const BroadcastPlan &plan,
                            std::vector<T> values, int32_t type) {
  if constexpr (std::is_same_v<T, float>)
    if (type == TensorProto::BFLOAT16)
      for (float &value : values)
        value = roundToBF16(value);
  return fold.succeed(ConstantTensor(std::move(values), plan.shape,
                                     contiguousStrides(plan.storedShape),
                                     type));
}

template <typename In, typename Out, typename Fn>
static LogicalResult binary(FoldContext &fold, const ConstantTensor &a,
                            const ConstantTensor &b, int32_t type, Fn fn) {
  auto plan = planBroadcast(fold, {&a, &b}, sizeof(Out));
  if (failed(plan))
    return failure();
  std::vector<Out> values(plan->count);
  Out *out = values.data();
  const In *left = a.data<In>(), *right = b.data<In>();
  forEachOffset<2>(
      plan->storedShape,
      {ArrayRef<int64_t>(plan->strides[0]),
       ArrayRef<int64_t>(plan->strides[1])},
      [&](int64_t i, int64_t j) { *out++ = fn(left[i], right[j]); });
  return finish(fold, *plan, std::move(values), type);
}

template <typename In, typename Out, typename Fn>
static LogicalResult unary(FoldContext &fold, const ConstantTensor &a,
                           int32_t type, Fn fn) {
  auto plan = planBroadcast(fold, {&a}, sizeof(Out));
  if (failed(plan))
    return failure();
  std::vector<Out> values(plan->count);
  Out *out = values.data();
  const In *from = a.data<In>();
  forEachOffset<1>(plan->storedShape, {ArrayRef<int64_t>(plan->strides[0])},
                   [&](int64_t i) { *out++ = fn(from[i]); });
  return finish(fold, *plan, std::move(values), type);
}

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

namespace {
// Arithmetic on int64, which detects undefined results, and on float32.
struct Add {
  static bool apply(int64_t a, int64_t b, int64_t &out) {
    return !llvm::AddOverflow(a, b, out);
  }
  static float apply(float a, float b) { return a + b; }
};
struct Sub {
  static bool apply(int64_t a, int64_t b, int64_t &out) {
    return !llvm::SubOverflow(a, b, out);
  }
  static float apply(float a, float b) { return a - b; }
};
struct Mul {
  static bool apply(int64_t a, int64_t b, int64_t &out) {
    return !llvm::MulOverflow(a, b, out);
  }
  static float apply(float a, float b) { return a * b; }
};
struct Div {
  static bool apply(int64_t a, int64_t b, int64_t &out) {
    if (b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min()))
      return false;
    out = a / b;
    return true;
  }
  static float apply(float a, float b) { return a / b; }
};
struct Pow {
  static bool apply(int64_t a, int64_t b, int64_t &out) {
    out = 1;
    if (b < 0)
      return false;
    for (; b > 0 && a != 1 && a != 0; --b)
      if (llvm::MulOverflow(out, a, out) ||
          (a == -1 && b > std::numeric_limits<int16_t>::max()))
        return false;
    if (b > 0)
      out = a;
    return true;
  }
  static float apply(float a, float b) { return std::pow(a, b); }
};
struct Max {
  static bool apply(int64_t a, int64_t b, int64_t &out) {
    out = std::max(a, b);
    return true;
  }
  static float apply(float a, float b) { return std::max(a, b); }
};
struct Min {
  static bool apply(int64_t a, int64_t b, int64_t &out) {
    out = std::min(a, b);
    return true;
  }
  static float apply(float a, float b) { return std::min(a, b); }
};
} // namespace

template <typename Op>
static LogicalResult arithmetic(FoldContext &fold, const ConstantTensor &a,
                                const ConstantTensor &b) {
  int32_t type = a.getElementType();
  if (a.isFloat() && b.isFloat())
    return binary<float, float>(
        fold, a, b, type, [](float x, float y) { return Op::apply(x, y); });
  if (!a.isInt() || !b.isInt())
    return fold.fail("its inputs do not have the same numeric type");
  bool valid = true;
  if (failed(
          binary<int64_t, int64_t>(fold, a, b, type, [&](int64_t x, int64_t y) {
            int64_t out = 0;
            valid &= Op::apply(x, y, out) && fits(out, type);
            return out;
          })))
    return failure();
  if (valid)
    return success();
  fold.results.clear();
  return fold.fail("it divides by zero or overflows");
}

template <typename Op> static LogicalResult foldBinary(FoldContext &fold) {
  auto a = fold.getInput(0), b = fold.getInput(1);
  if (failed(a) || failed(b))
    return failure();
  return arithmetic<Op>(fold, **a, **b);
}

/// Max and Min take any number of inputs.
template <typename Op> static LogicalResult foldVariadic(FoldContext &fold) {
  auto first = fold.getInput(0);
  if (failed(first))
    return failure();
  ConstantTensor result = **first;
  for (size_t i = 1; i < fold.getNumInputs(); ++i) {
    auto next = fold.getInput(i);
    if (failed(next) || failed(arithmetic<Op>(fold, result, **next)))
      return failure();
    result = fold.results.pop_back_val();
  }
  return fold.succeed(std::move(result));
}

static LogicalResult foldMod(FoldContext &fold) {
  auto a = fold.getInts(0), b = fold.getInts(1);
  if (failed(a) || failed(b))
    return failure();
  bool truncated = fold.node.getInt("fmod").value_or(0) != 0;
  const ConstantTensor &left = **fold.getInput(0), &right = **fold.getInput(1);
  bool valid = true;
  if (failed(binary<int64_t, int64_t>(
          fold, left, right, left.getElementType(), [&](int64_t x, int64_t y) {
            if (y == 0 || y == -1) {
              valid &= y != 0;
              return int64_t(0);
            }
            int64_t remainder = x % y;
            bool adjust =
                !truncated && remainder != 0 && (remainder < 0) != (y < 0);
            return adjust ? remainder + y : remainder;
          })))
    return failure();
  return valid ? success() : fold.fail("it divides by zero");
}

template <template <typename> class Compare>
static LogicalResult foldCompare(FoldContext &fold) {
  auto left = fold.getInput(0), right = fold.getInput(1);
  if (failed(left) || failed(right))
    return failure();
  const ConstantTensor &a = **left, &b = **right;
  if (a.isInt() && b.isInt())
    return binary<int64_t, uint8_t>(fold, a, b, TensorProto::BOOL,
                                    Compare<int64_t>());
  if (a.isFloat() && b.isFloat())
    return binary<float, uint8_t>(fold, a, b, TensorProto::BOOL,
                                  Compare<float>());
  if (a.isBool() && b.isBool())
    return binary<uint8_t, uint8_t>(fold, a, b, TensorProto::BOOL,
                                    Compare<uint8_t>());
  return fold.fail("its inputs do not have the same type");
}

template <typename Fn> static LogicalResult logical(FoldContext &fold, Fn fn) {
  auto a = fold.getInput(0), b = fold.getInput(1);
  if (failed(a) || failed(b))
    return failure();
  if (!(*a)->isBool() || !(*b)->isBool())
    return fold.fail("its inputs are not boolean");
  return binary<uint8_t, uint8_t>(fold, **a, **b, TensorProto::BOOL, fn);
}

static LogicalResult foldAnd(FoldContext &fold) {
  return logical(fold, [](uint8_t a, uint8_t b) -> uint8_t { return a & b; });
}
static LogicalResult foldOr(FoldContext &fold) {
  return logical(fold, [](uint8_t a, uint8_t b) -> uint8_t { return a | b; });
}
static LogicalResult foldXor(FoldContext &fold) {
  return logical(fold, [](uint8_t a, uint8_t b) -> uint8_t { return a ^ b; });
}

static LogicalResult foldNot(FoldContext &fold) {
  auto a = fold.getInput(0);
  if (failed(a))
    return failure();
  if (!(*a)->isBool())
    return fold.fail("its input is not boolean");
  return unary<uint8_t, uint8_t>(fold, **a, TensorProto::BOOL,
                                 [](uint8_t x) -> uint8_t { return !x; });
}

static LogicalResult foldNeg(FoldContext &fold) {
  auto a = fold.getInput(0);
  if (failed(a))
    return failure();
  int32_t type = (*a)->getElementType();
  if ((*a)->isFloat())
    return unary<float, float>(fold, **a, type, [](float x) { return -x; });
  return arithmetic<Sub>(
      fold, ConstantTensor(std::vector<int64_t>{0}, {}, type), **a);
}

static LogicalResult foldAbs(FoldContext &fold) {
  auto a = fold.getInput(0);
  if (failed(a))
    return failure();
  int32_t type = (*a)->getElementType();
  if ((*a)->isFloat())
    return unary<float, float>(fold, **a, type,
                               [](float x) { return std::abs(x); });
  if (!(*a)->isInt() || failed(foldNeg(fold)))
    return fold.fail("its input is not made of numbers");
  ConstantTensor negated = fold.results.pop_back_val();
  return arithmetic<Max>(fold, **a, negated);
}

static LogicalResult foldSign(FoldContext &fold) {
  auto a = fold.getInput(0);
  if (failed(a))
    return failure();
  int32_t type = (*a)->getElementType();
  auto sign = [](auto x) { return decltype(x)((x > 0) - (x < 0)); };
  if ((*a)->isFloat())
    return unary<float, float>(fold, **a, type, sign);
  if ((*a)->isInt())
    return unary<int64_t, int64_t>(fold, **a, type, sign);
  return fold.fail("its input is not made of numbers");
}

/// Omitted limits do not limit.
static LogicalResult foldClip(FoldContext &fold) {
  auto x = fold.getInput(0);
  if (failed(x))
    return failure();
  ConstantTensor result = **x;
  for (size_t i : {1, 2}) {
    if (!fold.hasInput(i))
      continue;
    auto limit = fold.getInput(i);
    if (failed(limit) ||
        failed(i == 1 ? arithmetic<Max>(fold, result, **limit)
                      : arithmetic<Min>(fold, result, **limit)))
      return failure();
    result = fold.results.pop_back_val();
  }
  return fold.succeed(std::move(result));
}

/// The exponent may have another type than the base.
static LogicalResult foldPow(FoldContext &fold) {
  auto a = fold.getInput(0), b = fold.getInput(1);
  if (failed(a) || failed(b))
    return failure();
  if (!(*a)->isFloat() || !(*b)->isInt())
    return arithmetic<Pow>(fold, **a, **b);
  if (failed(unary<int64_t, float>(fold, **b, (*a)->getElementType(),
                                   [](int64_t x) { return float(x); })))
    return failure();
  ConstantTensor exponent = fold.results.pop_back_val();
  return arithmetic<Pow>(fold, **a, exponent);
}

template <float (*Fn)(float)>
static LogicalResult foldFloat(FoldContext &fold) {
  auto a = fold.getInput(0);
  if (failed(a))
    return failure();
  if (!(*a)->isFloat())
    return fold.fail("its input is not made of floats");
  return unary<float, float>(fold, **a, (*a)->getElementType(), Fn);
}

static float reciprocal(float x) { return 1.0f / x; }
static float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }
static float relu(float x) { return x > 0 ? x : 0; }

static LogicalResult foldWhere(FoldContext &fold) {
  auto condition = fold.getInput(0), a = fold.getInput(1), b = fold.getInput(2);
  if (failed(condition) || failed(a) || failed(b))
    return failure();
  if (!(*condition)->isBool())
    return fold.fail("its condition is not boolean");
  auto plan = planBroadcast(fold, {*condition, *a, *b},
                            (*a)->isBool() ? 1 : sizeof(int64_t));
  if (failed(plan))
    return failure();
  auto select = [&](auto tag) -> LogicalResult {
    using T = decltype(tag);
    std::vector<T> values(plan->count);
    T *out = values.data();
    const uint8_t *chosen = (*condition)->data<uint8_t>();
    const T *left = (*a)->data<T>(), *right = (*b)->data<T>();
    forEachOffset<3>(plan->storedShape,
                     {ArrayRef<int64_t>(plan->strides[0]),
                      ArrayRef<int64_t>(plan->strides[1]),
                      ArrayRef<int64_t>(plan->strides[2])},
                     [&](int64_t c, int64_t i, int64_t j) {
                       *out++ = chosen[c] ? left[i] : right[j];
                     });
    return finish(fold, *plan, std::move(values), (*a)->getElementType());
  };
  if ((*a)->isInt() && (*b)->isInt())
    return select(int64_t());
  if ((*a)->isFloat() && (*b)->isFloat())
    return select(float());
  if ((*a)->isBool() && (*b)->isBool())
    return select(uint8_t());
  return fold.fail("its inputs do not have the same type");
}

/// Conversion to the element type `to`, which must be able to represent the
/// values.
static LogicalResult cast(FoldContext &fold, const ConstantTensor &from,
                          int32_t to) {
  if (to == from.getElementType())
    return fold.succeed(from);
  bool toFloat = to == TensorProto::FLOAT || to == TensorProto::BFLOAT16;
  bool toBool = to == TensorProto::BOOL;
  if (!toFloat && !toBool && !fits(0, to))
    return fold.fail("it converts a constant to a type that is not supported");
  bool valid = true;
  auto toInt = [&](auto value) -> int64_t {
    // In double, so that the bounds of int64 are exact or safely inside. Floats
    // outside int64, or int32, become the smallest one, as on the machines that
    // frameworks run on: models select such values away (the logarithm of a
    // distance of 0).
    double wide = double(value);
    bool inRange = wide >= -9.2e18 && wide <= 9.2e18;
    int64_t result =
        inRange ? int64_t(value) : std::numeric_limits<int64_t>::min();
    if (std::is_floating_point_v<decltype(value)> && to == TensorProto::INT32 &&
        !fits(result, to))
      result = std::numeric_limits<int32_t>::min();
    valid &= fits(result, to);
    return result;
  };
  auto convert = [&](auto tag) -> LogicalResult {
    using T = decltype(tag);
    if (toFloat)
      return unary<T, float>(fold, from, to, [](T x) { return float(x); });
    if (toBool)
      return unary<T, uint8_t>(fold, from, to,
                               [](T x) -> uint8_t { return x != T(0); });
    return unary<T, int64_t>(fold, from, to, toInt);
  };
  LogicalResult result = from.isInt()     ? convert(int64_t())
                         : from.isFloat() ? convert(float())
                                          : convert(uint8_t());
  if (failed(result) || valid)
    return result;
  fold.results.clear();
  return fold.fail("a value does not fit the type it is converted to");
}

static LogicalResult foldCast(FoldContext &fold) {
  auto from = fold.getInput(0);
  if (failed(from))
    return failure();
  // Only conversions to FP8 saturate.
  fold.node.getInt("saturate");
  fold.node.getString("round_mode");
  auto to = fold.node.getInt("to");
  if (!to)
    return fold.fail("its target type is missing");
  return cast(fold, **from, int32_t(*to));
}

static LogicalResult foldCastLike(FoldContext &fold) {
  auto from = fold.getInput(0), like = fold.getInput(1);
  if (failed(from) || failed(like))
    return failure();
  fold.node.getInt("saturate");
  fold.node.getString("round_mode");
  return cast(fold, **from, (*like)->getElementType());
}

void mlir::te::onnx_import::populateElementwiseFolds(FoldTable &table) {
  table["Add"] = foldBinary<Add>;
  table["Sub"] = foldBinary<Sub>;
  table["Mul"] = foldBinary<Mul>;
  table["Div"] = foldBinary<Div>;
  table["Pow"] = foldPow;
  table["Abs"] = foldAbs;
  table["Sign"] = foldSign;
  table["Clip"] = foldClip;
  table["Max"] = foldVariadic<Max>;
  table["Min"] = foldVariadic<Min>;
  table["Mod"] = foldMod;
  table["Equal"] = foldCompare<std::equal_to>;
  table["Less"] = foldCompare<std::less>;
  table["LessOrEqual"] = foldCompare<std::less_equal>;
  table["Greater"] = foldCompare<std::greater>;
  table["GreaterOrEqual"] = foldCompare<std::greater_equal>;
  table["And"] = foldAnd;
  table["Or"] = foldOr;
  table["Xor"] = foldXor;
  table["Not"] = foldNot;
  table["Neg"] = foldNeg;
  table["Sqrt"] = foldFloat<std::sqrt>;
  table["Reciprocal"] = foldFloat<reciprocal>;
  table["Ceil"] = foldFloat<std::ceil>;
  table["Erf"] = foldFloat<std::erf>;
  table["Exp"] = foldFloat<std::exp>;
  table["Floor"] = foldFloat<std::floor>;
  table["Log"] = foldFloat<std::log>;
  table["Relu"] = foldFloat<relu>;
  table["Round"] = foldFloat<std::nearbyint>;
  table["Sigmoid"] = foldFloat<sigmoid>;
  table["Tanh"] = foldFloat<std::tanh>;
  table["Cos"] = foldFloat<std::cos>;
  table["Sin"] = foldFloat<std::sin>;
  table["Where"] = foldWhere;
  table["Cast"] = foldCast;
  table["CastLike"] = foldCastLike;
}
