// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Graph.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

static Value makeEmpty(GraphBuilder &graph, RankedTensorType type) {
  return tensor::EmptyOp::create(graph.builder, graph.loc(), type.getShape(),
                                 type.getElementType());
}

/// A constant of one value or of several. Sums of them are exact in bf16, so
/// that folding does not round.
static Value makeConstant(GraphBuilder &graph, RankedTensorType type) {
  static constexpr double kNumbers[] = {1, 0, 0.5, -1, 2, 3.25, -0.0, 0.125};
  SmallVector<Attribute> elements;
  bool isSplat = !graph.choices.once(3);
  for (int64_t i = 0; i < (isSplat ? 1 : type.getNumElements()); ++i)
    elements.push_back(graph.builder.getFloatAttr(
        type.getElementType(),
        i == 0 ? graph.choices.among<double>(kNumbers) : kNumbers[i % 8]));
  return arith::ConstantOp::create(graph.builder, graph.loc(),
                                   DenseElementsAttr::get(type, elements));
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

namespace {
/// A random part of a tensor, as extract_slice and insert_slice name it.
struct Part {
  Part(GraphBuilder &graph, RankedTensorType type);

  SmallVector<OpFoldResult> offsets, sizes, strides;
  /// Dimensions of one element may be left out.
  SmallVector<int64_t> shape;
};
} // namespace

Part::Part(GraphBuilder &graph, RankedTensorType type) {
  Choices &choices = graph.choices;
  SmallVector<int64_t> from, count, step;
  for (int64_t size : type.getShape()) {
    int64_t stride = choices.once(4) ? 2 : 1;
    int64_t offset = choices.once(2) ? choices.below(uint32_t(size)) : 0;
    int64_t most = (size - offset + stride - 1) / stride;
    int64_t taken = most;
    if (graph.isEmpty())
      taken = 0;
    else if (choices.once(3))
      taken = 1 + choices.below(uint32_t(most));
    from.push_back(offset);
    count.push_back(taken);
    step.push_back(stride);
  }
  MLIRContext *context = graph.builder.getContext();
  offsets = getAsIndexOpFoldResult(context, from);
  sizes = getAsIndexOpFoldResult(context, count);
  strides = getAsIndexOpFoldResult(context, step);
  for (int64_t size : count)
    if (size != 1 || !choices.once(3))
      shape.push_back(size);
}

/// Slices begin inside: there is none of a tensor without elements.
static bool hasElements(Value x) { return tensorType(x).getNumElements() > 0; }

static void makeSlice(GraphBuilder &graph) {
  Value x = graph.anyTensor();
  if (!hasElements(x))
    return;
  Part part(graph, tensorType(x));
  graph.add(tensor::ExtractSliceOp::create(
      graph.builder, graph.loc(), tensorType(x).clone(part.shape), x,
      part.offsets, part.sizes, part.strides));
}

/// One value in a part of another, which may be a constant.
static void makeInsert(GraphBuilder &graph) {
  Value into = graph.anyTensor();
  if (!hasElements(into))
    return;
  Part part(graph, tensorType(into));
  Value x = graph.get(tensorType(into).clone(part.shape));
  if (graph.choices.once(4))
    into = makeConstant(graph, tensorType(into));
  graph.add(tensor::InsertSliceOp::create(graph.builder, graph.loc(), x, into,
                                          part.offsets, part.sizes,
                                          part.strides));
}

static void makeConcat(GraphBuilder &graph) {
  Value first = graph.anyTensor();
  RankedTensorType type = tensorType(first);
  unsigned axis = graph.choices.below(type.getRank());
  SmallVector<Value> parts = {first};
  int64_t size = type.getDimSize(axis);
  for (unsigned i = 1 + graph.choices.below(2); i > 0; --i) {
    // The same value twice, too.
    Value part = graph.pick([&](RankedTensorType other) {
      if (other.getRank() != type.getRank() ||
          other.getElementType() != type.getElementType())
        return false;
      for (unsigned d = 0; d < type.getRank(); ++d)
        if (d != axis && other.getDimSize(d) != type.getDimSize(d))
          return false;
      return true;
    });
    if (!part)
      part = graph.argument(type);
    parts.push_back(part);
    size += tensorType(part).getDimSize(axis);
  }
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = size;
  if (GraphBuilder::isSmall(shape))
    graph.add(tensor::ConcatOp::create(graph.builder, graph.loc(),
                                       type.clone(shape), axis, parts));
}

static void makeTranspose(GraphBuilder &graph) {
  Value x = graph.anyTensor();
  RankedTensorType type = tensorType(x);
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  for (size_t i = permutation.size(); i > 1; --i)
    std::swap(permutation[i - 1],
              permutation[graph.choices.below(uint32_t(i - 1))]);
  SmallVector<int64_t> shape;
  for (int64_t from : permutation)
    shape.push_back(type.getDimSize(from));
  Value empty = makeEmpty(graph, type.clone(shape));
  graph.add(linalg::TransposeOp::create(graph.builder, graph.loc(), x, empty,
                                        permutation)
                ->getResult(0));
}

static void makeCollapse(GraphBuilder &graph) {
  Value x =
      graph.pick([](RankedTensorType type) { return type.getRank() > 1; });
  if (!x)
    return;
  RankedTensorType type = tensorType(x);
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (d == 0 || graph.choices.once(2)) {
      groups.push_back({});
      shape.push_back(1);
    }
    groups.back().push_back(d);
    shape.back() *= type.getDimSize(d);
  }
  if (int64_t(groups.size()) != type.getRank())
    graph.add(tensor::CollapseShapeOp::create(graph.builder, graph.loc(),
                                              type.clone(shape), x, groups));
}

static void makeExpand(GraphBuilder &graph) {
  Value x = graph.pick([](RankedTensorType type) {
    return type.getRank() > 0 && type.getRank() < 4;
  });
  if (!x)
    return;
  RankedTensorType type = tensorType(x);
  int64_t axis = graph.choices.below(type.getRank());
  int64_t size = type.getDimSize(axis);
  SmallVector<int64_t> divisors;
  // Of nothing, any number of parts.
  for (int64_t divisor = 1; divisor <= std::max<int64_t>(size, 3); ++divisor)
    if (size % divisor == 0)
      divisors.push_back(divisor);
  int64_t outer = graph.choices.among<int64_t>(divisors);
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    groups.push_back({int64_t(shape.size())});
    if (d == axis) {
      shape.push_back(outer);
      groups.back().push_back(int64_t(shape.size()));
      shape.push_back(size / outer);
    } else {
      shape.push_back(type.getDimSize(d));
    }
  }
  graph.add(tensor::ExpandShapeOp::create(graph.builder, graph.loc(),
                                          type.clone(shape), x, groups));
}

//===----------------------------------------------------------------------===//
// Arithmetic on whole tensors
//===----------------------------------------------------------------------===//

static Value applyBinary(GraphBuilder &graph, unsigned which, Value a,
                         Value b) {
  OpBuilder &builder = graph.builder;
  Location loc = graph.loc();
  switch (which) {
  case 0:
    return arith::AddFOp::create(builder, loc, a, b);
  case 1:
    return arith::MulFOp::create(builder, loc, a, b);
  case 2:
    return arith::SubFOp::create(builder, loc, a, b);
  case 3:
    return arith::MaximumFOp::create(builder, loc, a, b);
  case 4:
    return arith::MinimumFOp::create(builder, loc, a, b);
  default: {
    // a / (|b| + 1)
    Attribute number =
        builder.getFloatAttr(tensorType(b).getElementType(), 1.0);
    Value one = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(tensorType(b), number));
    Value below = arith::AddFOp::create(
        builder, loc, math::AbsFOp::create(builder, loc, b), one);
    return arith::DivFOp::create(builder, loc, a, below);
  }
  }
}

static void makeBinary(GraphBuilder &graph) {
  Value a = graph.anyTensor();
  Value b = graph.choices.once(5) ? makeConstant(graph, tensorType(a))
                                  : graph.get(tensorType(a));
  unsigned which = graph.choices.below(6);
  graph.add(applyBinary(graph, which, a, b));
}

/// Flags that allow what is computed without them.
static void addFlags(GraphBuilder &graph, Operation *op) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!fast || !graph.choices.once(6))
    return;
  static constexpr arith::FastMathFlags kFlags[] = {
      arith::FastMathFlags::contract, arith::FastMathFlags::reassoc,
      arith::FastMathFlags::nsz,
      arith::FastMathFlags::arcp | arith::FastMathFlags::afn};
  op->setAttr(
      fast.getFastMathAttrName(),
      arith::FastMathFlagsAttr::get(
          op->getContext(), graph.choices.among<arith::FastMathFlags>(kFlags)));
}

/// Functions of x where they and their slopes are moderate: of sin(tanh(x)),
/// within 0.7, of |x| + 1 or of x itself.
static void makeFunction(GraphBuilder &graph) {
  Value x = graph.anyTensor();
  OpBuilder &builder = graph.builder;
  Location loc = graph.loc();
  auto add = [&](auto op) {
    addFlags(graph, op);
    graph.add(op->getResult(0));
  };
  auto number = [&](double value) -> Value {
    Attribute attr =
        builder.getFloatAttr(tensorType(x).getElementType(), value);
    return arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(tensorType(x), attr));
  };
  auto small = [&] {
    return math::SinOp::create(builder, loc,
                               math::TanhOp::create(builder, loc, x));
  };
  auto above = [&] {
    return arith::AddFOp::create(
        builder, loc, math::AbsFOp::create(builder, loc, x), number(1));
  };
  // Rounding huge numbers to whole ones changes nothing, and has their slope.
  auto bounded = [&] {
    return arith::MulFOp::create(
        builder, loc, math::TanhOp::create(builder, loc, x), number(4));
  };
  switch (graph.choices.below(27)) {
  case 0:
    return add(math::AtanOp::create(builder, loc, x));
  case 1:
    return add(math::AsinhOp::create(builder, loc, x));
  case 2:
    return add(math::ErfcOp::create(builder, loc, x));
  case 3:
    return add(math::CosOp::create(builder, loc, x));
  case 4:
    return add(math::TanOp::create(builder, loc, small()));
  case 5:
    return add(math::AcosOp::create(builder, loc, small()));
  case 6:
    return add(math::AsinOp::create(builder, loc, small()));
  case 7:
    return add(math::AtanhOp::create(builder, loc, small()));
  case 8:
    return add(math::SinhOp::create(builder, loc, small()));
  case 9:
    return add(math::CoshOp::create(builder, loc, small()));
  case 10:
    return add(math::Exp2Op::create(builder, loc, x));
  case 11:
    return add(math::ExpM1Op::create(builder, loc, x));
  case 12:
    return add(math::LogOp::create(builder, loc, above()));
  case 13:
    return add(math::Log2Op::create(builder, loc, above()));
  case 14:
    return add(math::Log10Op::create(builder, loc, above()));
  case 15:
    return add(math::AcoshOp::create(
        builder, loc, arith::AddFOp::create(builder, loc, above(), number(1))));
  case 16:
    return add(math::CbrtOp::create(builder, loc, above()));
  case 17:
    return add(math::RsqrtOp::create(builder, loc, above()));
  case 18:
    return add(math::Atan2Op::create(builder, loc, x, above()));
  case 19:
    return add(math::PowFOp::create(builder, loc, above(), small()));
  case 20: {
    static constexpr double kExponents[] = {2, 3, 0, 1, -1, 0.5, -2, 5};
    double exponent = graph.choices.among<double>(kExponents);
    bool isWhole = exponent >= 0 && exponent == std::floor(exponent);
    return add(math::PowFOp::create(builder, loc, isWhole ? x : Value(above()),
                                    number(exponent)));
  }
  case 21:
    return add(
        math::ClampFOp::create(builder, loc, x, number(-0.5), number(0.75)));
  case 22:
    return add(
        math::CopySignOp::create(builder, loc, x, graph.get(tensorType(x))));
  case 23:
    return add(math::RoundOp::create(builder, loc, bounded()));
  case 24:
    return add(math::RoundEvenOp::create(builder, loc, bounded()));
  case 25:
    return add(math::TruncOp::create(builder, loc, bounded()));
  default:
    return add(math::CeilOp::create(builder, loc, bounded()));
  }
}

static void makeUnary(GraphBuilder &graph) {
  Value x = graph.anyTensor();
  OpBuilder &builder = graph.builder;
  Location loc = graph.loc();
  auto add = [&](auto op) {
    addFlags(graph, op);
    graph.add(op->getResult(0));
  };
  switch (graph.choices.below(9)) {
  case 0:
    return add(arith::NegFOp::create(builder, loc, x));
  case 1:
    return add(math::TanhOp::create(builder, loc, x));
  case 2:
    return add(math::ExpOp::create(builder, loc, x));
  case 3:
    return add(math::AbsFOp::create(builder, loc, x));
  case 4:
    return add(math::ErfOp::create(builder, loc, x));
  case 5:
    return add(math::Log1pOp::create(builder, loc,
                                     math::AbsFOp::create(builder, loc, x)));
  case 6:
    return add(math::SqrtOp::create(builder, loc,
                                    math::ExpOp::create(builder, loc, x)));
  case 7:
    return add(math::SinOp::create(builder, loc,
                                   math::TanhOp::create(builder, loc, x)));
  default:
    return add(math::FloorOp::create(builder, loc, x));
  }
}

/// The larger of two where a third is positive.
static void makeSelect(GraphBuilder &graph) {
  Value a = graph.anyTensor(), b = graph.get(tensorType(a)),
        c = graph.get(tensorType(a));
  static constexpr arith::CmpFPredicate kPredicates[] = {
      arith::CmpFPredicate::OGT, arith::CmpFPredicate::OLE,
      arith::CmpFPredicate::UGE, arith::CmpFPredicate::OLT,
      arith::CmpFPredicate::UNE};
  auto predicate = graph.choices.among<arith::CmpFPredicate>(kPredicates);
  Value condition =
      arith::CmpFOp::create(graph.builder, graph.loc(), predicate, a, b);
  Value first = graph.choices.once(2) ? c : a;
  Value second = graph.choices.once(2) ? a : b;
  graph.add(arith::SelectOp::create(graph.builder, graph.loc(), condition,
                                    first, second));
}

static void makeConversion(GraphBuilder &graph) {
  Value x = graph.anyTensor();
  bool isWide = tensorType(x).getElementType().isF32();
  RankedTensorType type =
      tensorType(x).clone(isWide ? graph.builder.getBF16Type() : graph.f32());
  if (isWide)
    graph.add(arith::TruncFOp::create(graph.builder, graph.loc(), type, x));
  else
    graph.add(arith::ExtFOp::create(graph.builder, graph.loc(), type, x));
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

static Value makeFilled(GraphBuilder &graph, RankedTensorType type) {
  if (graph.choices.once(2))
    return makeConstant(graph, type);
  Value zero = arith::ConstantOp::create(
      graph.builder, graph.loc(),
      graph.builder.getFloatAttr(type.getElementType(), 0.0));
  return linalg::FillOp::create(graph.builder, graph.loc(), zero,
                                makeEmpty(graph, type))
      .getResult(0);
}

static void makeNamedMatmul(GraphBuilder &graph) {
  bool isBatch = graph.choices.once(2);
  int64_t batch = graph.size(3);
  auto shape = [&](int64_t m, int64_t n) {
    return isBatch ? SmallVector<int64_t>{batch, m, n}
                   : SmallVector<int64_t>{m, n};
  };
  Value a = graph.pick([&](RankedTensorType type) {
    return type.getRank() == (isBatch ? 3 : 2) && type.getElementType().isF32();
  });
  if (!a) {
    int64_t m = graph.dim();
    int64_t k = graph.dim();
    a = graph.argument(graph.tensor(shape(m, k), graph.f32()));
  }
  if (isBatch)
    batch = tensorType(a).getDimSize(0);
  int64_t rank = tensorType(a).getRank();
  int64_t m = tensorType(a).getDimSize(rank - 2),
          k = tensorType(a).getDimSize(rank - 1);
  int64_t n = graph.dim();
  if (!GraphBuilder::isSmall(shape(m, n)) ||
      !GraphBuilder::isSmall(shape(k, n)))
    return;
  Value b = graph.get(graph.tensor(shape(k, n), graph.f32()));
  Value init = makeFilled(graph, graph.tensor(shape(m, n), graph.f32()));
  if (isBatch)
    graph.add(linalg::BatchMatmulOp::create(graph.builder, graph.loc(),
                                            ValueRange{a, b}, ValueRange{init})
                  .getResult(0));
  else
    graph.add(linalg::MatmulOp::create(graph.builder, graph.loc(),
                                       ValueRange{a, b}, ValueRange{init})
                  .getResult(0));
}

static void makeBroadcast(GraphBuilder &graph) {
  Value x = graph.pick([](RankedTensorType type) {
    return type.getRank() < 3 && type.getNumElements() <= 256;
  });
  if (!x)
    return;
  int64_t at = graph.choices.below(uint32_t(tensorType(x).getRank() + 1));
  SmallVector<int64_t> shape(tensorType(x).getShape());
  shape.insert(shape.begin() + at, graph.size(4));
  graph.add(
      linalg::BroadcastOp::create(graph.builder, graph.loc(), x,
                                  makeEmpty(graph, tensorType(x).clone(shape)),
                                  ArrayRef<int64_t>{at})
          ->getResult(0));
}

ArrayRef<WeightedMaker> fuzz::getTensorMakers() {
  static constexpr WeightedMaker kMakers[] = {
      {makeBinary, 6},     {makeUnary, 5},       {makeFunction, 4},
      {makeSelect, 2},     {makeSlice, 4},       {makeConcat, 3},
      {makeTranspose, 3},  {makeCollapse, 2},    {makeExpand, 2},
      {makeConversion, 2}, {makeNamedMatmul, 2}, {makeBroadcast, 1},
      {makeGeneric, 8},    {makeInsert, 2},
  };
  return kMakers;
}
