// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layers whose results choose: routers of mixtures of experts, whose scores
// are compared with each other.

#include "Precision/Layers.h"
#include "te/Support/Captures.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// What a number is computed from: elements of the scores, each as whoever
/// reads it says which. Two numbers of one such source are functions of the
/// same element; to compare them is rounding or an activation, and chooses
/// nothing.
using Sources = llvm::SmallSetVector<unsigned, 4>;

/// The values of a function that are computed from the result of a layer, the
/// scores, and besides from parameters and constants alone. Ends at products
/// and attention, which make other values of them.
class Scores {
public:
  Scores(Value result, const ParameterValues &parameters);

  /// Whether two scores are compared, and the loss or an output depends on
  /// which is larger.
  bool choose(func::FuncOp func) const;

private:
  bool isScore(Value value) const { return elements.contains(value); }
  void visit(Operation *op);
  SmallVector<Value> findChosen(Operation *op) const;
  SmallVector<Value> findChosenInBody(linalg::LinalgOp op) const;

  const ParameterValues &parameters;
  /// The scores, with a number that is that of the values from which they are
  /// computed element by element.
  llvm::MapVector<Value, unsigned> elements;
};
} // namespace

/// Returns true if elements of an op's results are functions of the elements at
/// their place.
static bool isElementwise(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return structured.getNumParallelLoops() == structured.getNumLoops() &&
           llvm::all_of(structured.getIndexingMapsArray(),
                        [](AffineMap map) { return map.isIdentity(); });
  return isa<CastOpInterface, EpilogueOpInterface>(op) ||
         OpTrait::hasElementwiseMappableTraits(op);
}

Scores::Scores(Value result, const ParameterValues &parameters)
    : parameters(parameters) {
  elements[result] = 0;
  // Each value's readers, when it became a score.
  for (unsigned i = 0; i < elements.size(); ++i)
    for (Operation *user : (elements.begin() + i)->first.getUsers())
      visit(user);
}

void Scores::visit(Operation *op) {
  if (op->getNumResults() == 0 || isScore(op->getResult(0)) ||
      op->getNumRegions() > 1 || !isMemoryEffectFree(op) ||
      isa<Fp8OpInterface, LinearOpInterface, AttentionOp, LossOpInterface>(op))
    return;
  std::optional<unsigned> same;
  bool isSame = isElementwise(op);
  for (auto [i, read] : llvm::enumerate(getReadValues(op))) {
    auto score = elements.find(read);
    if (score == elements.end()) {
      if (!parameters.contains(read))
        return;
      continue;
    }
    // Whatever a body captures, it reads at any place.
    isSame &= i < op->getNumOperands() &&
              same.value_or(score->second) == score->second;
    same = score->second;
  }
  for (Value value : op->getResults())
    elements.insert({value, isSame && same ? *same : elements.size()});
}

/// Whether the smaller or larger of two numbers is all that a comparison is
/// for: that is as continuous as they are.
static bool isForExtremum(Operation *comparison) {
  Value lhs = comparison->getOperand(0), rhs = comparison->getOperand(1);
  return llvm::all_of(comparison->getUsers(), [&](Operation *user) {
    auto select = dyn_cast<arith::SelectOp>(user);
    if (!select)
      return false;
    Value yes = select.getTrueValue(), no = select.getFalseValue();
    return (yes == lhs && no == rhs) || (yes == rhs && no == lhs);
  });
}

/// The results of an op with a body that depend on comparisons of scores.
SmallVector<Value> Scores::findChosenInBody(linalg::LinalgOp op) const {
  llvm::DenseMap<Value, Sources> sources;
  llvm::MapVector<std::pair<unsigned, AffineMap>, unsigned> numbers;
  for (OpOperand &operand : op->getOpOperands()) {
    Value argument = op.getMatchingBlockArgument(&operand);
    auto score = elements.find(operand.get());
    if (score != elements.end())
      sources[argument].insert(
          numbers
              .insert({{score->second, op.getMatchingIndexingMap(&operand)},
                       unsigned(numbers.size())})
              .first->second);
    // What was found of elements before.
    else if (op.isDpsInit(&operand) && op.getNumReductionLoops() > 0)
      sources[argument].insert(~0u - operand.getOperandNumber());
  }
  // What was compared for a value.
  llvm::DenseMap<Value, llvm::SmallSetVector<Value, 4>> compared;
  op.getBlock()->walk([&](Operation *inner) {
    Sources all;
    llvm::SmallSetVector<Value, 4> made;
    auto select = dyn_cast<arith::SelectOp>(inner);
    for (Value operand : inner->getOperands()) {
      if (auto known = sources.find(operand); known != sources.end())
        all.insert(known->second.begin(), known->second.end());
      auto known = compared.find(operand);
      if (known == compared.end())
        continue;
      // The larger or smaller of what was compared is as continuous as that.
      if (select && operand == select.getCondition() &&
          llvm::all_of(known->second, [&](Value value) {
            return value == select.getTrueValue() ||
                   value == select.getFalseValue();
          }))
        continue;
      made.insert(known->second.begin(), known->second.end());
    }
    if (isa<arith::CmpFOp>(inner) &&
        !sources.lookup(inner->getOperand(0)).empty() &&
        !sources.lookup(inner->getOperand(1)).empty() && all.size() > 1)
      made.insert(inner->operand_begin(), inner->operand_end());
    for (Value result : inner->getResults()) {
      sources[result] = all;
      if (!made.empty())
        compared[result] = made;
    }
  });
  SmallVector<Value> chosen;
  for (auto [yielded, result] : llvm::zip(
           op.getBlock()->getTerminator()->getOperands(), op->getResults()))
    if (compared.contains(yielded))
      chosen.push_back(result);
  return chosen;
}

/// The results of an op that reads scores that depend on which of two is
/// larger, made of different elements.
SmallVector<Value> Scores::findChosen(Operation *op) const {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return findChosenInBody(structured);
  if (!isa<arith::CmpFOp>(op) || isForExtremum(op))
    return {};
  auto lhs = elements.find(op->getOperand(0));
  auto rhs = elements.find(op->getOperand(1));
  if (lhs == elements.end() || rhs == elements.end() ||
      lhs->second == rhs->second)
    return {};
  return {op->getResult(0)};
}

/// Whether the loss or an output of the model depends on a value. Gradients
/// depend on comparisons as well, and are returned, or end in their norm and in
/// new parameters.
static bool reachesResult(ArrayRef<Value> values, func::FuncOp func) {
  SmallVector<Value> worklist(values);
  llvm::DenseSet<Value> seen(values.begin(), values.end());
  while (!worklist.empty()) {
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<LossOpInterface>(user) ||
          (isa<func::ReturnOp>(user) &&
           func.getResultAttr(use.getOperandNumber(), kOutputAttr) &&
           !func.getResultAttr(use.getOperandNumber(), kGradientAttr)))
        return true;
      if (isa<GlobalNormOp, UpdateOp>(user))
        continue;
      for (Value result : user->getResults())
        if (seen.insert(result).second)
          worklist.push_back(result);
    }
  }
  return false;
}

bool Scores::choose(func::FuncOp func) const {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> chosen;
  for (const auto &[value, number] : elements)
    for (Operation *user : value.getUsers())
      if (seen.insert(user).second)
        llvm::append_range(chosen, findChosen(user));
  return !chosen.empty() && reachesResult(chosen, func);
}

/// A mixture has fewer experts than its tokens have features.
static bool hasFewResults(Value result, Value weight) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  auto weightType = dyn_cast<RankedTensorType>(weight.getType());
  if (!type || type.getRank() == 0 || !weightType ||
      !weightType.hasStaticShape())
    return false;
  const int64_t features = type.getShape().back();
  return features * features <= weightType.getNumElements();
}

bool mlir::te::isRouter(Value result, Value weight,
                        const ParameterValues &parameters, func::FuncOp func) {
  return hasFewResults(result, weight) &&
         Scores(result, parameters).choose(func);
}
