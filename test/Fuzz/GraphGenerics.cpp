// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Graph.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

namespace {

/// One op: loops, operands with their maps, and a body of random arithmetic.
class GenericMaker {
public:
  explicit GenericMaker(GraphBuilder &graph)
      : graph(graph), choices(graph.choices), builder(graph.builder) {}

  void make();

private:
  void addInput();
  Value makeNumber();
  Value buildBody(OpBuilder &inside, Location loc, ValueRange arguments);
  Value applyOp(OpBuilder &inside, Location loc, ArrayRef<Value> numbers);

  AffineExpr dim(unsigned loop) { return builder.getAffineDimExpr(loop); }

  GraphBuilder &graph;
  Choices &choices;
  OpBuilder &builder;
  SmallVector<int64_t> sizes;
  SmallVector<Value> inputs, captured;
  SmallVector<AffineMap> maps;
};

} // namespace

/// An operand that has some of the loops as its dimensions, in any order.
void GenericMaker::addInput() {
  SmallVector<unsigned> loops;
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (!choices.once(4))
      loops.push_back(loop);
  if (choices.once(5) && loops.size() > 1)
    std::swap(loops[0], loops[loops.size() - 1]);
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> position;
  for (unsigned loop : loops) {
    // At times it has one element there, and repeats it.
    bool repeats = choices.once(8);
    shape.push_back(repeats ? 1 : sizes[loop]);
    position.push_back(repeats ? builder.getAffineConstantExpr(0) : dim(loop));
  }
  Type element = choices.once(12) ? builder.getBF16Type() : graph.f32();
  inputs.push_back(graph.get(graph.tensor(shape, element)));
  maps.push_back(
      AffineMap::get(sizes.size(), 0, position, builder.getContext()));
}

/// A number that the body reads from outside.
Value GenericMaker::makeNumber() {
  if (!choices.once(3))
    return arith::ConstantOp::create(
        builder, graph.loc(),
        builder.getF32FloatAttr(choices.once(2) ? 0.75f : 2.0f));
  Value from = graph.pick([](RankedTensorType type) {
    return type.getElementType().isF32() && type.getNumElements() > 0;
  });
  if (!from)
    from = graph.argument(graph.tensor({2}, graph.f32()));
  SmallVector<Value> position;
  for (int64_t size : tensorType(from).getShape())
    position.push_back(arith::ConstantIndexOp::create(
        builder, graph.loc(), choices.below(uint32_t(size))));
  return tensor::ExtractOp::create(builder, graph.loc(), from, position);
}

Value GenericMaker::applyOp(OpBuilder &inside, Location loc,
                            ArrayRef<Value> numbers) {
  Value a = numbers.back(), b = choices.among<Value>(numbers), one, below;
  auto number = [&](float value) -> Value {
    return arith::ConstantOp::create(inside, loc,
                                     inside.getF32FloatAttr(value));
  };
  switch (choices.below(24)) {
  case 0:
    return arith::AddFOp::create(inside, loc, a, b);
  case 1:
    return arith::MulFOp::create(inside, loc, a, b);
  case 2:
    return arith::SubFOp::create(inside, loc, b, a);
  case 3:
    return math::TanhOp::create(inside, loc, a);
  case 4:
    return math::ExpOp::create(inside, loc, a);
  case 5:
    one = number(1), below = math::AbsFOp::create(inside, loc, b);
    return arith::DivFOp::create(
        inside, loc, a, arith::AddFOp::create(inside, loc, below, one));
  case 6:
    return arith::MaximumFOp::create(inside, loc, a, b);
  case 7:
    below = arith::CmpFOp::create(inside, loc, arith::CmpFPredicate::OLT, a, b);
    return arith::SelectOp::create(inside, loc, below, b, a);
  case 8:
    // A sigmoid as exporters write it.
    one = number(1);
    below =
        math::ExpOp::create(inside, loc, arith::NegFOp::create(inside, loc, a));
    return arith::DivFOp::create(
        inside, loc, one, arith::AddFOp::create(inside, loc, one, below));
  case 9:
    return math::Log1pOp::create(inside, loc,
                                 math::ExpOp::create(inside, loc, a));
  case 10:
    one = number(1), below = arith::MulFOp::create(inside, loc, a, a);
    return math::RsqrtOp::create(
        inside, loc, arith::AddFOp::create(inside, loc, below, one));
  case 11:
    return math::ErfOp::create(inside, loc, a);
  case 12:
    return math::FmaOp::create(inside, loc, a, b, b);
  case 13:
    return math::CosOp::create(inside, loc,
                               math::TanhOp::create(inside, loc, a));
  case 14:
    return math::ErfcOp::create(inside, loc, a);
  case 15:
    return math::AtanOp::create(inside, loc, a);
  case 16:
    return math::ClampFOp::create(inside, loc, a, number(-1), number(0.5));
  case 17:
    // Whole exponents that are not known.
    return math::PowFOp::create(
        inside, loc, a,
        math::RoundEvenOp::create(inside, loc,
                                  math::TanhOp::create(inside, loc, b)));
  case 18:
    one = number(1), below = math::AbsFOp::create(inside, loc, a);
    return math::Log10Op::create(
        inside, loc, arith::AddFOp::create(inside, loc, below, one));
  case 19:
    one = number(1), below = math::AbsFOp::create(inside, loc, b);
    return math::Atan2Op::create(
        inside, loc, a, arith::AddFOp::create(inside, loc, below, one));
  case 20: {
    // NaN and infinities are chosen away.
    Value isKnown = math::IsFiniteOp::create(inside, loc, a);
    return arith::SelectOp::create(inside, loc, isKnown, a, number(2));
  }
  case 21:
    return arith::AddFOp::create(
        inside, loc, a, b,
        arith::FastMathFlagsAttr::get(inside.getContext(),
                                      arith::FastMathFlags::reassoc |
                                          arith::FastMathFlags::contract));
  case 22:
    return math::CbrtOp::create(inside, loc,
                                math::ExpOp::create(inside, loc, a));
  default: {
    unsigned loop = choices.below(uint32_t(sizes.size()));
    Value index = linalg::IndexOp::create(inside, loc, loop);
    Value integer =
        arith::IndexCastOp::create(inside, loc, inside.getI64Type(), index);
    Value position =
        arith::SIToFPOp::create(inside, loc, inside.getF32Type(), integer);
    return arith::AddFOp::create(inside, loc, a, position);
  }
  }
}

Value GenericMaker::buildBody(OpBuilder &inside, Location loc,
                              ValueRange arguments) {
  SmallVector<Value> numbers(captured);
  for (Value argument : arguments)
    numbers.push_back(
        argument.getType().isF32()
            ? argument
            : arith::ExtFOp::create(inside, loc, graph.f32(), argument)
                  .getResult());
  if (numbers.empty())
    numbers.push_back(
        arith::ConstantOp::create(inside, loc, inside.getF32FloatAttr(1.0f)));
  for (unsigned ops = choices.below(5); ops > 0; --ops)
    numbers.push_back(applyOp(inside, loc, numbers));
  return numbers.back();
}

void GenericMaker::make() {
  // The loops: like an existing value's dimensions, or new ones.
  Value like = graph.anyTensor();
  if (tensorType(like).getRank() > 3)
    return;
  sizes.assign(tensorType(like).getShape().begin(),
               tensorType(like).getShape().end());
  SmallVector<utils::IteratorType> loops(sizes.size(),
                                         utils::IteratorType::parallel);
  bool isSum = choices.once(3);
  if (isSum)
    loops[choices.below(uint32_t(loops.size()))] =
        utils::IteratorType::reduction;
  inputs.push_back(like);
  maps.push_back(builder.getMultiDimIdentityMap(sizes.size()));
  for (unsigned more = choices.below(3); more > 0; --more)
    addInput();
  for (unsigned numbers = choices.below(3); numbers > 1; --numbers)
    captured.push_back(makeNumber());

  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> position;
  for (auto [loop, kind] : llvm::enumerate(loops))
    if (kind == utils::IteratorType::parallel) {
      shape.push_back(sizes[loop]);
      position.push_back(dim(loop));
    }
  RankedTensorType type = graph.tensor(shape, graph.f32());
  // What a sum starts from may be a value.
  Value init;
  if (isSum && choices.once(4))
    init = graph.get(type);
  else if (isSum)
    init = arith::ConstantOp::create(
        builder, graph.loc(),
        DenseElementsAttr::get(type, Attribute(builder.getF32FloatAttr(0))));
  else
    init = tensor::EmptyOp::create(builder, graph.loc(), shape, graph.f32());
  bool hasTwo = !isSum && choices.once(6);
  SmallVector<Type> types(hasTwo ? 2 : 1, type);
  SmallVector<Value> inits(hasTwo ? 2 : 1, init);
  for (unsigned i = 0; i < types.size(); ++i)
    maps.push_back(
        AffineMap::get(sizes.size(), 0, position, builder.getContext()));
  auto op = linalg::GenericOp::create(
      builder, graph.loc(), types, inputs, inits, maps, loops,
      [&](OpBuilder &inside, Location loc, ValueRange arguments) {
        ValueRange read = arguments.take_front(inputs.size());
        SmallVector<Value> results;
        for (unsigned i = 0; i < types.size(); ++i)
          results.push_back(buildBody(inside, loc, read));
        if (isSum)
          results[0] =
              arith::AddFOp::create(inside, loc, arguments.back(), results[0]);
        linalg::YieldOp::create(inside, loc, results);
      });
  for (Value result : op.getResults())
    graph.add(result);
}

void fuzz::makeGeneric(GraphBuilder &graph) { GenericMaker(graph).make(); }
