// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layers whose results choose: routers of mixtures of experts, whose scores
// are compared with each other.

#include "Precision/Layers.h"
#include "Precision/Scores.h"
#include "te/Dialect/TE/IR/ArgumentAttrs.h"

#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// What depends on which of two numbers is larger.
class Choice {
public:
  explicit Choice(arith::CmpFOp comparison)
      : compared({comparison.getLhs(), comparison.getRhs()}) {
    add(comparison.getResult());
  }

  /// Whether the loss or an output of the model does. Gradients depend on
  /// comparisons as well, and are returned, or end in their norm and in new
  /// parameters.
  bool reachesResult();

private:
  void add(Value value) {
    if (seen.insert(value).second)
      worklist.push_back(value);
  }
  void add(ValueRange values) {
    llvm::for_each(values, [&](Value v) { add(v); });
  }
  void addArguments(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        add(block.getArguments());
  }
  bool isExtremum(Value yes, Value no) const {
    return llvm::is_contained(compared, yes) &&
           llvm::is_contained(compared, no);
  }
  bool reachesEnd(OpOperand &use);
  void follow(OpOperand &use);
  void followBranch(RegionBranchOpInterface branch, OpOperand &use);

  std::array<Value, 2> compared;
  SmallVector<Value> worklist;
  llvm::DenseSet<Value> seen;
};
} // namespace

bool Choice::reachesResult() {
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      if (reachesEnd(use))
        return true;
      follow(use);
    }
  return false;
}

bool Choice::reachesEnd(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<LossOpInterface>(user))
    return true;
  if (user->hasTrait<OpTrait::IsTerminator>()) {
    auto func = dyn_cast<FunctionOpInterface>(user->getParentOp());
    return func && func.getResultAttr(use.getOperandNumber(), kOutputAttr) &&
           !func.getResultAttr(use.getOperandNumber(), kGradientAttr);
  }
  // Written to memory, say; who reads it is not known. Branches are followed.
  return !isa<GlobalNormOp, UpdateOp, CallOpInterface>(user) &&
         !isMemoryEffectFree(user);
}

/// Adds what depends on a value of a branch: arguments and results to which the
/// operand is forwarded, or everything if it says what is executed.
void Choice::followBranch(RegionBranchOpInterface branch, OpOperand &use) {
  RegionBranchSuccessorMapping mapping;
  branch.getSuccessorOperandInputMapping(mapping);
  if (auto inputs = mapping.find(&use); inputs != mapping.end()) {
    add(inputs->second);
    return;
  }
  auto conditional = dyn_cast<scf::IfOp>(*branch);
  for (OpResult result : branch->getResults())
    if (!conditional ||
        !isExtremum(
            conditional.thenYield().getOperand(result.getResultNumber()),
            conditional.elseYield().getOperand(result.getResultNumber())))
      add(result);
  addArguments(branch);
}

void Choice::follow(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<GlobalNormOp, UpdateOp>(user))
    return;
  // The larger or smaller of what was compared is as continuous as that.
  if (auto select = dyn_cast<arith::SelectOp>(user);
      select && use.getOperandNumber() == 0 &&
      isExtremum(select.getTrueValue(), select.getFalseValue()))
    return;
  Operation *owner =
      user->hasTrait<OpTrait::IsTerminator>() ? user->getParentOp() : user;
  if (auto branch = dyn_cast<RegionBranchOpInterface>(owner))
    return followBranch(branch, use);
  if (auto structured = dyn_cast<linalg::LinalgOp>(owner)) {
    if (owner == user) {
      add(structured.getMatchingBlockArgument(&use));
    } else {
      // A result, and what the next element begins with.
      OpOperand &init = structured.getDpsInitsMutable()[use.getOperandNumber()];
      add(structured.getMatchingBlockArgument(&init));
      add(owner->getResult(use.getOperandNumber()));
    }
    return;
  }
  if (auto func = dyn_cast<func::FuncOp>(owner)) {
    auto module = func->getParentOfType<ModuleOp>();
    auto calls =
        module ? SymbolTable::getSymbolUses(func, module) : std::nullopt;
    for (const auto &call : calls.value_or(SymbolTable::UseRange({})))
      add(call.getUser()->getResults());
    return;
  }
  add(owner->getResults());
  addArguments(owner);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

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

Routers::Routers(Operation *root) {
  SmallVector<arith::CmpFOp> comparisons;
  root->walk([&](arith::CmpFOp op) { comparisons.push_back(op); });
  if (comparisons.empty())
    return;
  DataFlowSolver solver(
      DataFlowConfig().setInterprocedural(isa<ModuleOp>(root)));
  dataflow::loadBaselineAnalyses(solver);
  solver.load<ScoreDataFlow>();
  if (failed(solver.initializeAndRun(root)))
    return;
  auto get = [&](Value value) {
    const auto *lattice = solver.lookupState<ScoreLattice>(value);
    return lattice ? lattice->get() : ScoreState();
  };
  for (arith::CmpFOp op : comparisons) {
    ScoreState lhs = get(op.getLhs()), rhs = get(op.getRhs());
    // Functions of one element: rounding, or an activation.
    if (!lhs.isScore() || lhs == rhs || lhs.layer != rhs.layer ||
        layers.contains(lhs.layer))
      continue;
    if (Choice(op).reachesResult())
      layers.insert(lhs.layer);
  }
}

bool Routers::contains(Value result, Value weight) const {
  return layers.contains(result) && hasFewResults(result, weight);
}
