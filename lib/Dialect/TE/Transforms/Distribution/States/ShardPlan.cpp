// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/States/ShardPlan.h"

#include "Distribution/Sharding/SpmdAnalysis.h"
#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Support/MatrixView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::te;

/// Smaller vectors stay replicated: their shards would save less time than a
/// gather takes before its first byte. In elements.
static constexpr int64_t kLargestWholeVector = 1 << 16;
/// As does any smaller parameter.
static constexpr int64_t kLargestWhole = 1 << 9;
/// And any smaller one that is only added, such as a table of positions: a step
/// would begin with its gather, with nothing to overlap.
static constexpr int64_t kLargestWholeAddend = 1 << 20;

static bool isSmall(ArrayRef<int64_t> shape) {
  const int64_t count = ShapedType::getNumElements(shape);
  const bool isVector =
      llvm::count_if(shape, [](int64_t size) { return size != 1; }) <= 1;
  return count < (isVector ? kLargestWholeVector : kLargestWhole);
}

const FlatShards *ShardPlan::find(func::FuncOp function,
                                  unsigned argument) const {
  auto name = function.getArgAttrOfType<StringAttr>(argument, kParamAttr);
  if (auto state =
          function.getArgAttrOfType<StringAttr>(argument, kStateAttr)) {
    if (auto scale = scales.find(state.getValue()); scale != scales.end())
      return &scale->second;
    name = states.lookup(state);
  }
  auto found = name ? parameters.find(name) : parameters.end();
  return found == parameters.end() ? nullptr : &found->second.parts;
}

BlockArgument mlir::te::findArgument(func::FuncOp function, StringRef role,
                                     StringAttr name) {
  for (BlockArgument argument : function.getArguments())
    if (name && function.getArgAttr(argument.getArgNumber(), role) == name)
      return argument;
  return {};
}

std::optional<unsigned> mlir::te::findResult(func::FuncOp function,
                                             StringRef role, StringAttr name) {
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (function.getResultAttr(i, role) == name)
      return i;
  return std::nullopt;
}

Value mlir::te::findReturned(func::FuncOp function, StringRef role,
                             StringAttr name) {
  std::optional<unsigned> result = findResult(function, role, name);
  return result
             ? function.getBody().front().getTerminator()->getOperand(*result)
             : Value();
}

/// Whether each rank can update its shard by itself.
static bool isElementwiseUpdate(Operation *op) {
  return isa<UpdateOp>(op) || isElementwise(op);
}

/// The update of parameter `name` in an entry; nullopt, with the reason, if
/// ranks cannot do it shard by shard.
static std::optional<ShardedUpdate> findUpdate(func::FuncOp entry,
                                               StringAttr name,
                                               const ShardAxis &axis,
                                               std::string &reason) {
  auto refuse = [&](const char *why) {
    reason = why;
    return std::nullopt;
  };
  Value updated = findReturned(entry, kParamAttr, name);
  ShardedUpdate update;
  update.op = updated.getDefiningOp();
  if (!update.op || !isElementwiseUpdate(update.op))
    return refuse("its new value is not that of an optimizer's op");
  auto type = cast<RankedTensorType>(updated.getType());
  // Operands that are scales.
  OperandRange scales(nullptr, 0);
  if (auto op = dyn_cast<UpdateOp>(update.op))
    scales = op.getStateScales();
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
    auto after = dyn_cast_or_null<OpResult>(
        state ? findReturned(entry, kStateAttr, state) : Value());
    const bool isScale = llvm::is_contained(scales, argument);
    if (!after || after.getOwner() != update.op || !after.hasOneUse() ||
        !argument.hasOneUse() ||
        (!isScale && tensor.getShape() != type.getShape()))
      return refuse("its update reads a state that is not its own");
    (isScale ? update.scales : update.states).push_back(number);
    update.results.push_back(after.getResultNumber());
  }
  if (!hasParam || !hasGradient)
    return refuse("its update does not read it and a gradient");
  Value gradient = update.op->getOperand(update.gradient);
  update.sum = GradientSum::find(gradient, axis);
  if (!update.sum && !matchPattern(gradient, m_AnyZeroFloat()))
    return refuse("its gradient is not a sum over the ranks");
  return update;
}

/// Whether an entry has FP8 copies made of the parameter.
static bool isQuantized(func::FuncOp function, StringAttr name) {
  auto isSource = [&](Value value) {
    return value == findArgument(function, kParamAttr, name) ||
           value == findReturned(function, kParamAttr, name);
  };
  return llvm::any_of(
      function.getBody().front().getOps<QuantizingOpInterface>(),
      [&](QuantizingOpInterface op) {
        Quantization quantization = op.getQuantization();
        return quantization.scale && quantization.source &&
               isSource(getTensorOfMatrix(quantization.source));
      });
}

/// The ops that read `value`, or shapes and slices of it.
static void findReaders(Value value, SmallVectorImpl<Operation *> &readers) {
  for (Operation *user : value.getUsers()) {
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
            tensor::ExtractSliceOp, arith::TruncFOp>(user))
      findReaders(user->getResult(0), readers);
    else
      readers.push_back(user);
  }
}

/// Whether entries add the parameter to something and do nothing else with it
/// than to update it.
static bool isAddend(ArrayRef<func::FuncOp> entries, StringAttr name) {
  SmallVector<Operation *> readers;
  for (func::FuncOp entry : entries)
    if (BlockArgument argument = findArgument(entry, kParamAttr, name))
      findReaders(argument, readers);
  return llvm::any_of(readers, llvm::IsaPred<AddOp>) &&
         llvm::all_of(readers, llvm::IsaPred<AddOp, UpdateOp, func::ReturnOp>);
}

/// The addition of a microbatch's gradient to the accumulated sum, the state
/// `name`, if it is the sum's only reader; null otherwise.
static AddOp findAddition(func::FuncOp entry, StringAttr name) {
  BlockArgument before = findArgument(entry, kStateAttr, name);
  auto add = before && before.hasOneUse()
                 ? dyn_cast<AddOp>(*before.user_begin())
                 : AddOp();
  if (!add || !add.getY().hasOneUse() ||
      add.getA().getType() != add.getY().getType() ||
      add.getB().getType() != add.getY().getType())
    return {};
  return add;
}

/// What ends the sum of a gradient over microbatches, where there are any.
static AddOp findSumAddition(ShardedUpdate &update) {
  return update.sum ? update.sum.collective.getInput().getDefiningOp<AddOp>()
                    : AddOp();
}

namespace {
/// Makes a plan.
class Planner {
public:
  Planner(ModuleOp module, const ShardAxis &axis, unsigned zero);

  ShardPlan make();

private:
  void addSum(StringAttr name, ShardedUpdate &update);
  void addCopy(StringAttr name, func::FuncOp function,
               const ShardedUpdate &update);

  const ShardAxis &axis;
  unsigned zero;
  SmallVector<func::FuncOp> entries;
  /// The entries that update a parameter.
  llvm::MapVector<StringAttr, SmallVector<func::FuncOp>> updaters;
  ShardPlan plan;
};
} // namespace

Planner::Planner(ModuleOp module, const ShardAxis &axis, unsigned zero)
    : axis(axis), zero(zero) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(kEntryAttr) || function.isExternal() ||
        !function.getBody().hasOneBlock())
      continue;
    entries.push_back(function);
    for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
      if (auto name = function.getResultAttrOfType<StringAttr>(i, kParamAttr))
        updaters[name].push_back(function);
  }
}

/// The sum of a parameter's gradients over microbatches, where all that happens
/// to it is that gradients are added.
void Planner::addSum(StringAttr name, ShardedUpdate &update) {
  AddOp add = findSumAddition(update);
  if (!add)
    return;
  StringAttr state;
  for (Value value : {add.getA(), add.getB()})
    if (isa<BlockArgument>(value))
      state = getArgumentAttr<StringAttr>(value, kStateAttr);
  const FlatShards &parts = plan.parameters.find(name)->second.parts;
  for (func::FuncOp entry : entries) {
    BlockArgument argument = findArgument(entry, kStateAttr, state);
    if (!argument)
      continue;
    AddOp addition = findAddition(entry, state);
    auto type = cast<RankedTensorType>(argument.getType());
    if (!addition || type.getShape() != parts.getTensor())
      return;
    OpOperand &use = *addition.getY().use_begin();
    Operation *terminator = entry.getBody().front().getTerminator();
    std::optional<unsigned> after = findResult(entry, kStateAttr, state);
    if (!after)
      return;
    // The sum goes on, or it ends here and begins anew.
    bool goesOn =
        use.getOwner() == terminator && use.getOperandNumber() == *after;
    bool ends = isa<shard::AllReduceOp>(use.getOwner()) &&
                GradientSum::find(use.getOwner()->getResult(0), axis) &&
                matchPattern(terminator->getOperand(*after), m_AnyZeroFloat());
    if (!goesOn && !ends)
      return;
  }
  if (state)
    plan.states[state] = name;
}

/// The FP8 copies of a parameter that are states, where there is a rowwise one
/// that has its shape. Of the columnwise one nothing is kept.
void Planner::addCopy(StringAttr name, func::FuncOp function,
                      const ShardedUpdate &update) {
  auto op = dyn_cast<QuantizingOpInterface>(update.op);
  Quantization copies = op ? op.getQuantization() : Quantization{};
  ShardedParameter &parameter = plan.parameters.find(name)->second;
  if (!copies.scale || !copies.rowwise ||
      cast<RankedTensorType>(copies.rowwise.getType()).getShape() !=
          parameter.parts.getWhole())
    return;
  auto stateOf = [&](Value copy) -> StringAttr {
    if (!copy || !copy.hasOneUse())
      return {};
    OpOperand &use = *copy.use_begin();
    return isa<func::ReturnOp>(use.getOwner())
               ? function.getResultAttrOfType<StringAttr>(
                     use.getOperandNumber(), kStateAttr)
               : StringAttr();
  };
  StringAttr rowwise = stateOf(copies.rowwise);
  StringAttr columnwise = stateOf(copies.columnwise);
  if (!rowwise || (copies.columnwise && !columnwise))
    return;
  // Who reads the transpose has what it is made of.
  for (func::FuncOp entry : entries)
    if (columnwise && findArgument(entry, kStateAttr, columnwise) &&
        !findArgument(entry, kStateAttr, rowwise))
      return;
  parameter.copy = rowwise;
  plan.states[rowwise] = name;
  if (columnwise)
    plan.transposed[columnwise] = name;
}

ShardPlan Planner::make() {
  for (auto &[name, functions] : updaters) {
    std::string reason;
    RankedTensorType type;
    SmallVector<StringAttr> states, scales;
    llvm::MapVector<func::FuncOp, ShardedUpdate> updates;
    for (func::FuncOp function : functions) {
      std::optional<ShardedUpdate> update =
          findUpdate(function, name, axis, reason);
      if (!update)
        break;
      type = cast<RankedTensorType>(
          update->op->getOperand(update->param).getType());
      auto addNames = [&](ArrayRef<unsigned> operands,
                          SmallVectorImpl<StringAttr> &names) {
        for (unsigned operand : operands)
          names.push_back(getArgumentAttr<StringAttr>(
              update->op->getOperand(operand), kStateAttr));
      };
      addNames(update->states, states);
      addNames(update->scales, scales);
      updates.insert({function, std::move(*update)});
    }
    if (reason.empty() && (isSmall(type.getShape()) ||
                           (type.getNumElements() < kLargestWholeAddend &&
                            isAddend(entries, name))))
      reason = "it is small";
    // FP8 copies are made of matrices, te.add adds them, and scales of states
    // belong to rows.
    bool areMatrices =
        reason.empty() &&
        (!scales.empty() ||
         (zero >= 2 && findSumAddition(updates.back().second)) ||
         llvm::any_of(entries, [&, name = name](func::FuncOp entry) {
           return isQuantized(entry, name);
         }));
    std::optional<FlatShards> parts, scaleParts;
    if (reason.empty())
      parts = FlatShards(type.getShape(), axis, areMatrices);
    if (parts && !scales.empty()) {
      scaleParts = parts->getStateScales();
      if (!scaleParts)
        reason = "its shards would cut the blocks of its FP8 states";
    }
    if (!reason.empty()) {
      remark::missed(functions.front().getLoc(),
                     remark::RemarkOpts::name("Whole")
                         .category("te-shard-states")
                         .function(functions.front().getName()))
          << remark::add("parameter '{0}' stays replicated", name.getValue())
          << remark::reason("{0}", reason);
      continue;
    }
    plan.parameters.insert({name, {*parts, updates, StringAttr()}});
    for (StringAttr state : states)
      plan.states[state] = name;
    for (StringAttr scale : scales)
      plan.scales.insert({scale.getValue(), *scaleParts});
    if (functions.size() != 1)
      continue;
    if (zero >= 2)
      addSum(name, updates.back().second);
    if (zero == 3)
      addCopy(name, functions.front(), updates.back().second);
  }
  return std::move(plan);
}

ShardPlan mlir::te::makeShardPlan(ModuleOp module, const ShardAxis &axis,
                                  unsigned zero) {
  return Planner(module, axis, zero).make();
}
