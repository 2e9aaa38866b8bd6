// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls, branches and loops.

#include "Graph.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

/// A few ops on `values`, whose last is the result; all have one type.
static Value makeChain(GraphBuilder &graph, OpBuilder &inside,
                       SmallVector<Value> values) {
  Location loc = graph.loc();
  for (unsigned ops = 1 + graph.choices.below(3); ops > 0; --ops) {
    Value a = values.back(), b = graph.choices.among<Value>(values);
    switch (graph.choices.below(5)) {
    case 0:
      values.push_back(arith::AddFOp::create(inside, loc, a, b));
      break;
    case 1:
      values.push_back(arith::MulFOp::create(inside, loc, a, b));
      break;
    case 2:
      values.push_back(arith::SubFOp::create(inside, loc, b, a));
      break;
    case 3:
      values.push_back(math::TanhOp::create(inside, loc, a));
      break;
    default:
      values.push_back(arith::MaximumFOp::create(inside, loc, a, b));
      break;
    }
  }
  return values.back();
}

/// A function of its own, called once or twice.
static void makeCall(GraphBuilder &graph) {
  Value first = graph.anyTensor();
  Value second = graph.get(tensorType(first));
  Type type = first.getType();
  OpBuilder outside = OpBuilder::atBlockEnd(
      graph.function->getParentOfType<ModuleOp>().getBody());
  auto callee = func::FuncOp::create(
      outside, graph.loc(), "part" + std::to_string(graph.numFunctions++),
      outside.getFunctionType({type, type}, {type}));
  callee.setPrivate();
  OpBuilder inside = OpBuilder::atBlockBegin(callee.addEntryBlock());
  Value result =
      makeChain(graph, inside, {callee.getArgument(0), callee.getArgument(1)});
  func::ReturnOp::create(inside, graph.loc(), result);
  auto call = [&](Value a, Value b) {
    graph.add(func::CallOp::create(graph.builder, graph.loc(), callee,
                                   ValueRange{a, b})
                  .getResult(0));
  };
  call(first, second);
  if (graph.choices.once(2))
    call(graph.values.back(), first);
}

/// Which of two values it is depends on an element of a third; both branches
/// read what is outside.
static void makeBranch(GraphBuilder &graph) {
  Value a = graph.anyTensor();
  Value b = graph.get(tensorType(a));
  Value of = graph.pick([](RankedTensorType type) {
    return type.getElementType().isF32() && type.getNumElements() > 0;
  });
  if (!of)
    of = graph.argument(graph.tensor({2}, graph.f32()));
  OpBuilder &builder = graph.builder;
  Location loc = graph.loc();
  SmallVector<Value> position(tensorType(of).getRank());
  for (Value &index : position)
    index = arith::ConstantIndexOp::create(builder, loc, 0);
  Value element = tensor::ExtractOp::create(builder, loc, of, position);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0));
  Value condition = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OGT, element, zero);
  auto yield = [&](OpBuilder &inside, Location loc) {
    scf::YieldOp::create(inside, loc, makeChain(graph, inside, {a, b}));
  };
  graph.add(
      scf::IfOp::create(builder, loc, condition, yield, yield).getResult(0));
}

/// A value that a loop changes a few times, with one from outside.
static void makeLoop(GraphBuilder &graph) {
  Value a = graph.anyTensor();
  Value b = graph.get(tensorType(a));
  OpBuilder &builder = graph.builder;
  Location loc = graph.loc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value count = arith::ConstantIndexOp::create(builder, loc,
                                               int64_t(graph.choices.below(4)));
  graph.add(scf::ForOp::create(
                builder, loc, zero, count, one, ValueRange{a},
                [&](OpBuilder &inside, Location loc, Value, ValueRange values) {
                  scf::YieldOp::create(
                      inside, loc, makeChain(graph, inside, {b, values[0]}));
                })
                .getResult(0));
}

ArrayRef<WeightedMaker> fuzz::getStructureMakers() {
  static constexpr WeightedMaker kMakers[] = {
      {makeCall, 20}, {makeBranch, 5}, {makeLoop, 5}};
  return kMakers;
}
