// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/ShardPlan.h"

#include "Distribution/SpmdAnalysis.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::te;

/// Vectors up to this size stay whole on every rank: what they would save is
/// less than what a gather costs before its first byte.
static constexpr int64_t kLargestWholeVector = 1 << 16;
/// So does anything up to this size.
static constexpr int64_t kLargestWhole = 1 << 9;

static bool isSmall(ArrayRef<int64_t> shape) {
  const int64_t count = ShapedType::getNumElements(shape);
  const bool isVector =
      llvm::count_if(shape, [](int64_t size) { return size != 1; }) <= 1;
  return count < (isVector ? kLargestWholeVector : kLargestWhole);
}

const FlatParts *ShardPlan::find(func::FuncOp function,
                                 unsigned argument) const {
  auto name = function.getArgAttrOfType<StringAttr>(argument, kParamAttr);
  if (auto state = function.getArgAttrOfType<StringAttr>(argument, kStateAttr))
    name = states.lookup(state);
  auto found = name ? parameters.find(name) : parameters.end();
  return found == parameters.end() ? nullptr : &found->second.parts;
}

shard::AllReduceOp mlir::te::findSum(Value gradient, const PartAxis &axis) {
  while (auto *reshape = gradient.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(reshape))
      break;
    gradient = reshape->getOperand(0);
  }
  auto sum = gradient.getDefiningOp<shard::AllReduceOp>();
  if (!sum || sum.getReduction() != shard::ReductionKind::Sum ||
      !llvm::is_contained(sum.getGridAxes(), axis.axis) ||
      sum.getGrid() != axis.grid)
    return {};
  return sum;
}

/// Whether ranks can do an update each for its part.
static bool isElementwiseUpdate(Operation *op) {
  return isa<AdamWOp, SgdOp>(op) || isElementwise(op);
}

/// The result of `function` that is the new value of the state.
static std::optional<unsigned> findResult(func::FuncOp function, StringRef role,
                                          StringAttr name) {
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (function.getResultAttr(i, role) == name)
      return i;
  return std::nullopt;
}

/// The number of the op's result that `function` returns as result `index`.
static std::optional<unsigned> findReturned(func::FuncOp function, Operation *op,
                                            unsigned index) {
  auto value = dyn_cast<OpResult>(
      function.getBody().front().getTerminator()->getOperand(index));
  if (!value || value.getOwner() != op || !value.hasOneUse())
    return std::nullopt;
  return value.getResultNumber();
}

std::optional<ShardedUpdate> mlir::te::findUpdate(func::FuncOp entry,
                                                  StringAttr name,
                                                  const PartAxis &axis,
                                                  std::string &reason) {
  auto refuse = [&](const char *why) {
    reason = why;
    return std::nullopt;
  };
  Operation *terminator = entry.getBody().front().getTerminator();
  std::optional<unsigned> result = findResult(entry, kParamAttr, name);
  Value updated = terminator->getOperand(*result);
  ShardedUpdate update;
  update.op = updated.getDefiningOp();
  if (!update.op || !isElementwiseUpdate(update.op))
    return refuse("its new value is not that of an optimizer's op");
  Type type = updated.getType();
  bool hasGradient = false, hasParam = false;
  update.results.push_back(cast<OpResult>(updated).getResultNumber());
  for (OpOperand &operand : update.op->getOpOperands()) {
    auto tensor = cast<RankedTensorType>(operand.get().getType());
    if (tensor.getRank() == 0)
      continue;
    unsigned number = operand.getOperandNumber();
    auto argument = dyn_cast<BlockArgument>(operand.get());
    if (!argument) {
      if (hasGradient)
        return refuse("its update reads two tensors that are computed");
      update.gradient = number;
      hasGradient = true;
      continue;
    }
    unsigned index = argument.getArgNumber();
    if (entry.getArgAttr(index, kParamAttr) == name) {
      update.param = number;
      hasParam = true;
      continue;
    }
    auto state = entry.getArgAttrOfType<StringAttr>(index, kStateAttr);
    std::optional<unsigned> after =
        state ? findResult(entry, kStateAttr, state) : std::nullopt;
    std::optional<unsigned> returned =
        after ? findReturned(entry, update.op, *after) : std::nullopt;
    if (!returned || argument.getType() != type || !argument.hasOneUse())
      return refuse("its update reads a state that is not its own");
    update.states.push_back(number);
    update.results.push_back(*returned);
  }
  if (!hasParam || !hasGradient)
    return refuse("its update does not read it and a gradient");
  Value gradient = update.op->getOperand(update.gradient);
  shard::AllReduceOp sum = findSum(gradient, axis);
  if (!sum && !matchPattern(gradient, m_AnyZeroFloat()))
    return refuse("its gradient is not a sum over the ranks");
  return update;
}

/// Whether an entry has FP8 copies made of the parameter.
static bool isQuantized(func::FuncOp function, StringAttr name) {
  auto isSource = [&](Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return function.getArgAttr(argument.getArgNumber(), kParamAttr) == name;
    std::optional<unsigned> result = findResult(function, kParamAttr, name);
    return result &&
           function.getBody().front().getTerminator()->getOperand(*result) ==
               value;
  };
  return llvm::any_of(
      function.getBody().front().getOps<QuantizingOpInterface>(),
      [&](QuantizingOpInterface op) {
        Quantization quantization = op.getQuantization();
        return quantization.scale && quantization.source &&
               isSource(quantization.source);
      });
}

ShardPlan mlir::te::makeShardPlan(ModuleOp module, const PartAxis &axis) {
  ShardPlan plan;
  llvm::MapVector<StringAttr, SmallVector<func::FuncOp>> updaters;
  SmallVector<func::FuncOp> entries;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(kEntryAttr) || function.isExternal() ||
        !function.getBody().hasOneBlock())
      continue;
    entries.push_back(function);
    for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
      if (auto name = function.getResultAttrOfType<StringAttr>(i, kParamAttr))
        updaters[name].push_back(function);
  }
  for (auto &[name, functions] : updaters) {
    std::string reason;
    SmallVector<StringAttr> states;
    RankedTensorType type;
    for (func::FuncOp function : functions) {
      std::optional<ShardedUpdate> update =
          findUpdate(function, name, axis, reason);
      if (!update)
        break;
      type = cast<RankedTensorType>(
          update->op->getOperand(update->param).getType());
      for (unsigned operand : update->states) {
        auto state = function.getArgAttrOfType<StringAttr>(
            cast<BlockArgument>(update->op->getOperand(operand)).getArgNumber(),
            kStateAttr);
        if (!llvm::is_contained(states, state))
          states.push_back(state);
      }
    }
    if (reason.empty() && isSmall(type.getShape()))
      reason = "it is small";
    if (!reason.empty()) {
      remark::missed(functions.front().getLoc(),
                     remark::RemarkOpts::name("Whole")
                         .category("te-shard-states")
                         .function(functions.front().getName()))
          << remark::add("parameter '{0}' stays whole", name.getValue())
          << remark::reason("{0}", reason);
      continue;
    }
    bool hasCopies = llvm::any_of(entries, [&, name = name](func::FuncOp entry) {
      return isQuantized(entry, name);
    });
    for (StringAttr state : states)
      plan.states[state] = name;
    plan.parameters.insert(
        {name, {FlatParts(type.getShape(), axis, hasCopies), states}});
  }
  return plan;
}
