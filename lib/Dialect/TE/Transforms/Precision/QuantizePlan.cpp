// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Precision/QuantizePlan.h"

#include "Precision/Layers.h"
#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/IR/FrozenParameters.h"
#include "te/Support/ElementTypes.h"
#include "te/Support/MatrixView.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "te-quantize"

using namespace mlir;
using namespace mlir::te;

std::optional<unsigned> mlir::te::findParamResult(func::FuncOp func,
                                                  StringRef param) {
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i)
    if (auto name = func.getResultAttrOfType<StringAttr>(i, kParamAttr);
        name && name == param)
      return i;
  return std::nullopt;
}

bool mlir::te::updatesParameters(func::FuncOp func) {
  return llvm::any_of(llvm::seq(func.getNumResults()), [&](unsigned result) {
    return func.getResultAttr(result, kParamAttr) != nullptr;
  });
}

Value mlir::te::getQuantizedSource(Value operand, TensorRole role) {
  if (role == TensorRole::Weight)
    if (auto truncf = operand.getDefiningOp<arith::TruncFOp>();
        truncf && !getRoundingProblem(truncf))
      return truncf.getIn();
  return operand;
}

namespace {
class Planner {
public:
  explicit Planner(RecipeAttrInterface recipe) : recipe(recipe) {}

  LogicalResult addFunction(func::FuncOp func, ArrayRef<Fp8OpInterface> ops);
  void addWeights();
  QuantizePlan takePlan() { return std::move(plan); }

private:
  unsigned addTensor(FunctionPlan &function, Fp8OpInterface op,
                     Fp8Operand operand);
  unsigned addSlot(Fp8OpInterface op, TensorRole role, FloatType format,
                   StringRef param);

  RecipeAttrInterface recipe;
  QuantizePlan plan;
  llvm::StringSet<> names;
  /// The slots of a layer's operands by role, in program order.
  llvm::DenseMap<std::pair<StringAttr, unsigned>, SmallVector<unsigned, 1>>
      slotsByLayer;
  /// The slots of weights that are parameters, the same value in every
  /// function.
  llvm::StringMap<unsigned> slotByParam;
  llvm::DenseSet<unsigned> paramSlots;
  /// Per function: slots in use, and the tensor of a value in a role.
  llvm::DenseSet<unsigned> slotsInFunction;
  llvm::DenseMap<std::pair<Value, unsigned>, unsigned> tensorByValue;
};
} // namespace

unsigned Planner::addSlot(Fp8OpInterface op, TensorRole role, FloatType format,
                          StringRef param) {
  if (!param.empty())
    if (auto it = slotByParam.find(param); it != slotByParam.end())
      return it->second;
  StringAttr layer = op.getLayerAttr();
  // The layer has the same operand in another function.
  if (param.empty())
    for (unsigned slot : slotsByLayer[{layer, static_cast<unsigned>(role)}])
      if (!slotsInFunction.contains(slot) && !paramSlots.contains(slot) &&
          plan.slots[slot].format == format) {
        LDBG() << "shares the slot " << plan.slots[slot].name
               << " with another function: " << op;
        return slot;
      }
  std::string base = (layer.getValue() + "." + stringifyTensorRole(role)).str();
  std::string name = base;
  for (unsigned i = 1; !names.insert(name).second; ++i)
    name = base + "." + std::to_string(i);
  LDBG() << "new slot " << name << " for " << op;
  unsigned slot = plan.slots.size();
  plan.slots.push_back({name, format});
  if (!param.empty()) {
    slotByParam[param] = slot;
    paramSlots.insert(slot);
  }
  return slot;
}

unsigned Planner::addTensor(FunctionPlan &function, Fp8OpInterface op,
                            Fp8Operand operand) {
  Value source =
      getQuantizedSource(op->getOperand(operand.operandNumber), operand.role);
  auto role = static_cast<unsigned>(operand.role);
  StringRef param;
  BlockArgument argument;
  if (operand.role == TensorRole::Weight) {
    Value tensor = getTensorOfMatrix(source);
    param = getArgumentText(tensor, kParamAttr);
    if (!param.empty())
      argument = cast<BlockArgument>(tensor);
  }
  // All views of a parameter as a matrix have the same copies.
  auto [it, inserted] = tensorByValue.try_emplace(
      {argument ? Value(argument) : source, role}, function.tensors.size());
  if (inserted) {
    unsigned slot =
        addSlot(op, operand.role, recipe.getElementType(operand.role), param);
    slotsInFunction.insert(slot);
    function.tensors.push_back(
        {source, operand.role, slot, op, false, false, param, argument});
  }
  QuantizedTensor &tensor = function.tensors[it->second];
  (operand.columnwise ? tensor.columnwise : tensor.rowwise) = true;
  SmallVector<unsigned, 1> &slots = slotsByLayer[{op.getLayerAttr(), role}];
  if (!llvm::is_contained(slots, tensor.slot))
    slots.push_back(tensor.slot);
  return it->second;
}

LogicalResult Planner::addFunction(func::FuncOp func,
                                   ArrayRef<Fp8OpInterface> ops) {
  slotsInFunction.clear();
  tensorByValue.clear();
  ParameterValues parameters(func);
  FunctionPlan function;
  function.func = func;
  for (Fp8OpInterface op : ops) {
    std::optional<Fp8Refusal> refusal = parameters.checkRoles(op);
    if (!refusal)
      refusal = op.getFp8Refusal();
    if (!refusal)
      refusal = checkScales(op, recipe);
    if (refusal) {
      InFlightDiagnostic diagnostic =
          op->emitOpError()
          << "is in an fp8 region but cannot become FP8: " << refusal->reason;
      if (!refusal->suggestion.empty())
        diagnostic << "; " << refusal->suggestion;
      return diagnostic;
    }
    if (op->getBlock() != &func.getBody().front())
      return op->emitOpError()
             << "is in an fp8 region but stands in a region of '"
             << op->getParentOp()->getName()
             << "'; te-quantize takes what stands in the body of its function";
    QuantizedOp quantized{op, {}};
    for (Fp8Operand operand : op.getFp8Operands())
      quantized.tensors.push_back(addTensor(function, op, operand));
    function.ops.push_back(std::move(quantized));
  }
  plan.functions.push_back(std::move(function));
  return success();
}

void Planner::addWeights() {
  for (FunctionPlan &function : plan.functions) {
    for (QuantizedTensor &tensor : function.tensors) {
      if (tensor.param.empty())
        continue;
      const bool isFrozen = te::isFrozen(tensor.argument);
      if (llvm::none_of(plan.functions, [&](FunctionPlan &other) {
            return isFrozen
                       ? updatesParameters(other.func)
                       : findParamResult(other.func, tensor.param).has_value();
          })) {
        LDBG() << "quantized where it is read, no entry updates it: "
               << tensor.param;
        continue;
      }
      auto &weight = plan.weights[tensor.param];
      weight.slot = tensor.slot;
      weight.isFrozen = isFrozen;
      weight.attrs =
          function.func.getArgAttrDict(tensor.argument.getArgNumber());
      weight.type = cast<RankedTensorType>(tensor.argument.getType());
      weight.rowwise |= tensor.rowwise;
      weight.columnwise |= tensor.columnwise;
    }
  }
}

FailureOr<QuantizePlan> mlir::te::makeQuantizePlan(
    ArrayRef<std::pair<func::FuncOp, SmallVector<Fp8OpInterface>>> chosen,
    RecipeAttrInterface recipe) {
  Planner planner(recipe);
  for (auto &[func, ops] : chosen)
    if (failed(planner.addFunction(func, ops)))
      return failure();
  // Copies are not carried from step to step just for scales made in the step.
  if (!recipe.getStates(1).empty())
    planner.addWeights();
  return planner.takePlan();
}
