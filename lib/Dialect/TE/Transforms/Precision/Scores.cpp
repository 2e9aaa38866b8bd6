// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Precision/Scores.h"

#include "Precision/Layers.h"
#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/Captures.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

bool ScoreState::operator==(const ScoreState &other) const {
  return kind == other.kind && layer == other.layer && place == other.place &&
         map == other.map;
}

ScoreState ScoreState::at(Value value) const {
  return isScore() ? ScoreState{kind, layer, value} : *this;
}

ScoreState ScoreState::mix(const ScoreState &one, const ScoreState &two,
                           Value owner) {
  if (one == two)
    return one;
  // Of two kinds that differ, the one that says less.
  if (one.kind != two.kind)
    return one.kind < two.kind ? two : one;
  return one.layer == two.layer ? one.at(owner) : other();
}

ChangeResult ScoreLattice::join(const ScoreState &other) {
  ScoreState joined = ScoreState::mix(state, other, getAnchor());
  // An argument of a loop's body is what another iteration computed, or
  // nothing.
  if (isa<BlockArgument>(getAnchor()) && !joined.map)
    joined = joined.at(getAnchor());
  if (joined == state)
    return ChangeResult::NoChange;
  state = joined;
  return ChangeResult::Change;
}

ChangeResult ScoreLattice::join(const dataflow::AbstractSparseLattice &other) {
  return join(static_cast<const ScoreLattice &>(other).get());
}

void ScoreLattice::print(raw_ostream &os) const {
  constexpr StringRef names[] = {"unknown", "parameters", "score", "other"};
  os << names[unsigned(state.kind)];
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

/// Returns true if elements of an op's results are functions of the elements at
/// their place.
static bool isElementwise(Operation *op) {
  return isa<CastOpInterface, EpilogueOpInterface>(op) ||
         OpTrait::hasElementwiseMappableTraits(op);
}

/// The operands of which an op's results have elements, whichever other
/// operands choose; nothing if it computes.
static std::optional<SmallVector<unsigned>> getMovedOperands(Operation *op) {
  if (isa<arith::SelectOp>(op))
    return SmallVector<unsigned>{1, 2};
  if (isa<tensor::ExtractOp>(op))
    return SmallVector<unsigned>{0};
  if (auto movement = dyn_cast<DataMovementOpInterface>(op))
    return llvm::to_vector(movement.getMovedOperands());
  return std::nullopt;
}

/// A value of a body, so that `op` is visited anew when it changes.
const ScoreState &ScoreDataFlow::getInner(Operation *op, Value value) {
  return getLatticeElementFor(getProgramPointAfter(op), value)->get();
}

LogicalResult
ScoreDataFlow::visitOperation(Operation *op,
                              ArrayRef<const ScoreLattice *> operands,
                              ArrayRef<ScoreLattice *> results) {
  if (!llvm::all_of(operands, [](const ScoreLattice *operand) {
        return operand->get().isKnown();
      }))
    return success();
  auto setAll = [&](llvm::function_ref<ScoreState(Value)> state) {
    for (ScoreLattice *result : results)
      propagateIfChanged(result, result->join(state(result->getAnchor())));
    return success();
  };
  ScoreState all = ScoreState::parameters();
  for (const ScoreLattice *operand : operands)
    all = ScoreState::mix(all, operand->get(), op->getResult(0));

  auto product = dyn_cast<Fp8OpInterface>(op);
  if ((product || isa<LinearOpInterface>(op)) &&
      all.kind != ScoreState::Kind::Parameters) {
    const bool isForward = !product || getProduct(product) == MatmulRole::Fprop;
    return setAll([&](Value value) {
      return isForward && value == op->getResult(0)
                 ? ScoreState{ScoreState::Kind::Score, value, value}
                 : ScoreState::other();
    });
  }
  if (isa<AttentionOp, LossOpInterface>(op) || !isMemoryEffectFree(op))
    return setAll([](Value) { return ScoreState::other(); });

  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (structured && structured.hasPureTensorSemantics() &&
      op->getNumRegions() == 1) {
    const bool isParallel = structured.getNumReductionLoops() == 0;
    for (auto [number, result] : llvm::enumerate(results)) {
      ScoreState state = getInner(
          op, structured.getBlock()->getTerminator()->getOperand(number));
      if (!state.isKnown())
        continue;
      OpOperand &init = structured.getDpsInitsMutable()[number];
      state =
          isParallel && state.map == structured.getMatchingIndexingMap(&init)
              ? state.at(state.place)
              : state.at(result->getAnchor());
      propagateIfChanged(result, result->join(state));
    }
    return success();
  }

  bool isSame = isElementwise(op);
  if (auto moved = getMovedOperands(op)) {
    ScoreState elements = ScoreState::parameters();
    for (unsigned number : *moved)
      elements =
          ScoreState::mix(elements, operands[number]->get(), op->getResult(0));
    // Parameters that an input chooses depend on it.
    if (all.isOther() && elements.isScore()) {
      all = elements;
      isSame = false;
    }
  }
  // Of bodies that the op runs as it likes.
  for (Value captured : getCapturedValues(op))
    all = ScoreState::mix(all, getInner(op, captured), op->getResult(0));
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (block.mightHaveTerminator())
        for (Value yielded : block.back().getOperands())
          all = ScoreState::mix(all, getInner(op, yielded), op->getResult(0));
  return setAll([&](Value value) { return isSame ? all : all.at(value); });
}

void ScoreDataFlow::visitNonControlFlowArguments(
    Operation *op, const RegionSuccessor &successor,
    ArrayRef<ScoreLattice *> arguments, unsigned firstIndex) {
  if (successor.isParent())
    return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(
        op, successor, arguments, firstIndex);
  auto set = [&](ScoreLattice *lattice, ScoreState state) {
    if (state.isKnown())
      propagateIfChanged(lattice, lattice->join(state));
  };
  auto get = [&](Value value) {
    return getLatticeElementFor(
               getProgramPointBefore(&successor.getSuccessor()->front()), value)
        ->get();
  };
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = structured.getMatchingBlockArgument(&operand);
      ScoreLattice *lattice = arguments[argument.getArgNumber()];
      ScoreState state = get(operand.get());
      // A number from a body around this one is the same everywhere.
      if (state.map)
        state = state.at(argument);
      else if (state.isScore())
        state.map = structured.getMatchingIndexingMap(&operand);
      set(lattice, state);
      // What was found of elements before.
      if (structured.isDpsInit(&operand) &&
          structured.getNumReductionLoops() != 0)
        set(lattice, get(structured.getMatchingYieldValue(&operand)->get())
                         .at(argument));
    }
    return;
  }
  // Counters are places, as far as their bounds are.
  ScoreState places = ScoreState::parameters();
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    for (auto bounds : {loop.getLoopLowerBounds(), loop.getLoopUpperBounds(),
                        loop.getLoopSteps()})
      if (bounds)
        for (OpFoldResult bound : *bounds)
          if (auto value = dyn_cast<Value>(bound))
            places = ScoreState::mix(places, get(value), value);
  for (auto [index, lattice] : llvm::enumerate(arguments)) {
    if (index >= firstIndex &&
        index < firstIndex + successor.getSuccessorInputs().size())
      continue;
    set(lattice, lattice->getAnchor().getType().isIndex()
                     ? places
                     : ScoreState::other());
  }
}

void ScoreDataFlow::setToEntryState(ScoreLattice *lattice) {
  propagateIfChanged(
      lattice,
      lattice->join(getArgumentText(lattice->getAnchor(), kParamAttr).empty()
                        ? ScoreState::other()
                        : ScoreState::parameters()));
}
