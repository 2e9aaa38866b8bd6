// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/ScanChain.h"

#include "Raise/Matchers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mlir::te;

/// One value, or constants that are equal.
static bool isSame(Value a, Value b) {
  if (a == b)
    return true;
  Attribute of, other;
  return matchPattern(a, m_Constant(&of)) &&
         matchPattern(b, m_Constant(&other)) && of == other;
}

/// Whether two ops compute the same of their operands, element by element.
static bool areAlike(Operation *a, Operation *b) {
  return a && b && a->getName() == b->getName() &&
         OpTrait::hasElementwiseMappableTraits(a) && a->getNumResults() == 1 &&
         a->getNumOperands() == b->getNumOperands() &&
         a->getAttrDictionary() == b->getAttrDictionary() &&
         llvm::equal(a->getOperandTypes(), b->getOperandTypes()) &&
         llvm::all_of(a->getOperandTypes(), llvm::IsaPred<RankedTensorType>);
}

/// Elementwise ops of a step, one in the other. Values that depend on states
/// are made by all steps before, and comparing these at every step would take
/// quadratic time; they are never alike.
static constexpr unsigned kDeepest = 64;

bool StepValue::continuesWith(StridedView view, size_t number, unsigned depth) {
  view.goToStart();
  if (view.groups != first.groups)
    return false;
  int64_t distance = view.offset - first.offset;
  if (operands.empty() && isSame(view.source, first.source)) {
    if (number == 1)
      stride = distance;
    return distance >= 0 && distance == stride * int64_t(number);
  }
  Operation *own = first.source.getDefiningOp(),
            *other = view.source.getDefiningOp();
  if (distance != 0 || depth == kDeepest || !areAlike(own, other))
    return false;
  if (operands.empty()) {
    if (number != 1)
      return false;
    for (Value operand : own->getOperands()) {
      StridedView before = first;
      before.source = operand;
      operands.emplace_back(std::move(before));
    }
  }
  for (auto [operand, value] :
       llvm::zip_equal(operands, other->getOperands())) {
    StridedView of = view;
    of.source = value;
    if (!operand.continuesWith(std::move(of), number, depth + 1))
      return false;
  }
  return true;
}

namespace {
/// One way to read a sum as a step: decay * state + input, or state + input.
struct Step {
  Value decay, state, input;
  bool isStateFirst;
  Operation *reader; ///< of the state: the product, or the sum
};
} // namespace

/// All ways to read `value` as one.
static SmallVector<Step, 4> getSteps(Value value) {
  SmallVector<Step, 4> steps;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto sum = getSum(value);
  if (!sum || !type || !type.hasStaticShape() ||
      !type.getElementType().isF32() || type.getNumElements() == 0)
    return steps;
  auto forBoth = [&](auto add) {
    add(sum->first, sum->second, true);
    add(sum->second, sum->first, false);
  };
  forBoth([&](Value product, Value input, bool isFirst) {
    if (auto mul = skipReshapes(product).getDefiningOp<arith::MulFOp>()) {
      steps.push_back(
          {mul.getLhs(), skipReshapes(mul.getRhs()), input, isFirst, mul});
      steps.push_back(
          {mul.getRhs(), skipReshapes(mul.getLhs()), input, isFirst, mul});
    }
  });
  forBoth([&](Value state, Value input, bool isFirst) {
    if (Operation *add = value.getDefiningOp())
      steps.push_back({Value(), skipReshapes(state), input, isFirst, add});
  });
  return steps;
}

SmallVector<ScanChain, 0> mlir::te::findScanChains(Block &block, size_t least) {
  using Chains = SmallVector<ScanChain, 0>;
  // By the last step: several ways to read it while there is but one.
  llvm::DenseMap<Value, Chains> open;
  // Adds the op to a chain that ends with the state that it reads.
  auto goOn = [&](Operation *op, const Step &step) {
    auto before = open.find(step.state);
    if (before == open.end())
      return false;
    for (ScanChain &chain : before->second) {
      size_t number = chain.steps.size();
      // A failed comparison of the second step leaves the chain half known.
      ScanChain longer = number == 1 ? chain : ScanChain(std::move(chain));
      const bool isAlike =
          longer.decay
              ? step.decay && longer.decay->continuesWith(step.decay, number)
              : !step.decay && longer.isStateFirst == step.isStateFirst;
      if (!isAlike || !longer.input.continuesWith(step.input, number)) {
        if (number > 1)
          chain = std::move(longer);
        continue;
      }
      longer.steps.push_back(op);
      longer.readers.push_back(step.reader);
      // Nothing else goes on with these steps.
      open.erase(before);
      open[op->getResult(0)].push_back(std::move(longer));
      return true;
    }
    return false;
  };
  for (Operation &op : block) {
    if (op.getNumResults() != 1)
      continue;
    SmallVector<Step, 4> steps = getSteps(op.getResult(0));
    if (steps.empty() ||
        llvm::any_of(steps, [&](const Step &step) { return goOn(&op, step); }))
      continue;
    Chains &chains = open[op.getResult(0)];
    for (const Step &step : steps)
      chains.push_back(
          {step.decay ? std::optional<StepValue>(step.decay) : std::nullopt,
           StepValue(step.input),
           step.state,
           step.isStateFirst,
           {&op},
           {step.reader}});
  }
  Chains found;
  for (Operation &op : block) {
    if (op.getNumResults() != 1)
      continue;
    auto chains = open.find(op.getResult(0));
    if (chains != open.end() && chains->second.front().steps.size() >= least)
      found.push_back(std::move(chains->second.front()));
  }
  return found;
}
