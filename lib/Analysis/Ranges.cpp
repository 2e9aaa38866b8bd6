// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Analysis/Ranges.h"

#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

/// How often a range may become wider. Calls from as many places give an
/// argument as many ranges.
static constexpr unsigned kMostWidened = 32;

RangeState RangeState::join(const RangeState &first, const RangeState &second) {
  if (!first.range)
    return second;
  if (!second.range)
    return first;
  RangeState joined = first;
  joined.range = first.range->join(*second.range);
  if (joined.range == first.range)
    return first;
  if (++joined.numWidened > kMostWidened)
    joined.range = MagnitudeRange();
  return joined;
}

void RangeState::print(raw_ostream &os) const {
  os << (range ? range->str() : "unknown");
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

/// The operand whose elements are an argument of the body; null where the body
/// has other arguments than operands, or before them.
static OpOperand *getSource(linalg::LinalgOp op, unsigned argument) {
  unsigned numArguments = op->getRegion(0).getNumArguments();
  bool hasAll = numArguments == op->getNumOperands();
  bool hasInputs = numArguments == unsigned(op.getNumDpsInputs());
  return hasAll || hasInputs ? &op->getOpOperand(argument) : nullptr;
}

/// What a reduction of `terms` elements to one makes of them, if the body does
/// nothing with the accumulator, which is the argument of `init`, but join it
/// with the value `term`.
struct BodyReduction {
  Value term;
  bool isSum;
};
static std::optional<BodyReduction> matchReduction(linalg::LinalgOp op,
                                                   OpOperand &init) {
  Block &body = op->getRegion(0).front();
  if (body.getNumArguments() != op->getNumOperands())
    return std::nullopt;
  BlockArgument accumulator = body.getArgument(init.getOperandNumber());
  unsigned number =
      init.getOperandNumber() - op.getDpsInitsMutable()[0].getOperandNumber();
  Operation *join = body.getTerminator()->getOperand(number).getDefiningOp();
  if (!join || !accumulator.hasOneUse() || join->getNumOperands() != 2 ||
      !llvm::is_contained(join->getOperands(), accumulator))
    return std::nullopt;
  Value term = join->getOperand(join->getOperand(0) == accumulator ? 1 : 0);
  if (isa<arith::AddFOp, arith::AddIOp>(join))
    return BodyReduction{term, /*isSum=*/true};
  if (isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
          arith::MinUIOp>(join))
    return BodyReduction{term, /*isSum=*/false};
  return std::nullopt;
}

/// How many elements become one; nothing where that is not known.
static std::optional<int64_t> countTerms(linalg::LinalgOp op) {
  int64_t count = 1;
  for (auto [size, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (iterator != utils::IteratorType::reduction)
      continue;
    int64_t product;
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(count, size, product))
      return std::nullopt;
    count = product;
  }
  return count;
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

static void joinRange(MagnitudeRange &range, const RangeLattice *lattice) {
  range = range.join(lattice->getValue().getRange());
}

LogicalResult
RangeDataFlow::visitOperation(Operation *op,
                              ArrayRef<const RangeLattice *> operands,
                              ArrayRef<RangeLattice *> results) {
  auto isKnown = [](const RangeLattice *lattice) {
    return lattice->getValue().isKnown();
  };
  if (!llvm::all_of(operands, isKnown))
    return success();
  // What is not set below is any of its type.
  SmallVector<MagnitudeRange> ranges;
  for (Value result : op->getResults())
    ranges.push_back(MagnitudeRange().roundedTo(result.getType()));
  auto finish = [&] {
    for (auto [result, range] : llvm::zip_equal(results, ranges))
      propagateIfChanged(result, result->join(RangeState(range)));
    return success();
  };
  auto get = [&](Value operand) {
    auto at = llvm::find(op->getOperands(), operand);
    // A range that became everything in a loop is that of its type: rules need
    // bounds that are numbers.
    return operands[at.getIndex()]->getValue().getRange().meet(
        MagnitudeRange::ofType(operand.getType()));
  };
  auto put = [&](Value result, MagnitudeRange range) {
    ranges[cast<OpResult>(result).getResultNumber()] = range;
  };
  RangeInference inference(get, put);

  if (Attribute constant; matchPattern(op, m_Constant(&constant))) {
    inference.keep(op->getResult(0), MagnitudeRange::ofAttribute(constant));
    return finish();
  }
  if (auto rule = dyn_cast<RangeOpInterface>(op)) {
    rule.inferRanges(inference);
    return finish();
  }
  if (auto movement = dyn_cast<DataMovementOpInterface>(op)) {
    MagnitudeRange all = MagnitudeRange::zero();
    for (unsigned number : movement.getMovedOperands())
      joinRange(all, operands[number]);
    for (Value result : op->getResults())
      inference.keep(result, all);
    return finish();
  }
  // Values of bodies are asked for here, so that this op is visited anew when
  // they change.
  auto getInner = [&](Value value) {
    return getLatticeElementFor(getProgramPointAfter(op), value);
  };
  if (auto region = dyn_cast<RegionOp>(op)) {
    for (auto [number, yielded] : llvm::enumerate(
             region.getBody().front().getTerminator()->getOperands())) {
      const RangeLattice *inner = getInner(yielded);
      if (!isKnown(inner))
        return success();
      ranges[number] = inner->getValue().getRange();
    }
    return finish();
  }
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.hasPureTensorSemantics() ||
      structured->getNumRegions() != 1)
    return finish();
  bool isReduction = structured.getNumReductionLoops() != 0;
  std::optional<int64_t> terms = countTerms(structured);
  for (auto [number, init] : llvm::enumerate(structured.getDpsInitsMutable())) {
    if (number >= results.size())
      break;
    Value result = op->getResult(number);
    if (!isReduction) {
      Block &body = op->getRegion(0).front();
      const RangeLattice *inner =
          getInner(body.getTerminator()->getOperand(number));
      if (!isKnown(inner))
        return success();
      MagnitudeRange written = inner->getValue().getRange();
      // Elements that are not written stay what they were.
      if (!structured.getMatchingIndexingMap(&init).isPermutation())
        written = written.join(inference.of(init.get()));
      inference.keep(result, written);
      continue;
    }
    std::optional<BodyReduction> reduction = matchReduction(structured, init);
    if (!reduction || !terms)
      continue;
    const RangeLattice *inner = getInner(reduction->term);
    if (!isKnown(inner))
      return success();
    MagnitudeRange start = inference.of(init.get());
    MagnitudeRange term = inner->getValue().getRange();
    auto type = dyn_cast<FloatType>(getElementTypeOrSelf(result));
    // Sums are added in the type of the result.
    double error = type ? std::exp2(-double(APFloat::semanticsPrecision(
                              type.getFloatSemantics())))
                        : 0;
    if (*terms == 0)
      inference.keep(result, start);
    else if (reduction->isSum)
      inference.set(result, (start + term.sumOf(*terms))
                                .inexact(std::expm1(error * double(*terms))));
    else
      inference.keep(result, start.join(term));
  }
  return finish();
}

void RangeDataFlow::visitNonControlFlowArguments(
    Operation *op, const RegionSuccessor &successor,
    ArrayRef<RangeLattice *> arguments, unsigned firstIndex) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(
        op, successor, arguments, firstIndex);
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    OpOperand *source = getSource(structured, number);
    // Accumulators hold more than what they begin with.
    if (!source || (structured.isDpsInit(source) &&
                    structured.getNumReductionLoops() != 0)) {
      setToEntryState(argument);
      continue;
    }
    const RangeLattice *outer = getLatticeElementFor(
        getProgramPointBefore(&op->getRegion(0).front()), source->get());
    if (outer->getValue().isKnown())
      propagateIfChanged(argument, argument->join(outer->getValue()));
  }
}

void RangeDataFlow::setToEntryState(RangeLattice *lattice) {
  Value value = lattice->getAnchor();
  MagnitudeRange range = MagnitudeRange().roundedTo(value.getType());
  if (auto bound = getArgumentAttr<FloatAttr>(value, kMaxAbsAttr)) {
    MagnitudeRange declared = MagnitudeRange::ofAttribute(bound);
    range = range.meet(
        declared.isZero() ? declared : MagnitudeRange::upTo(declared.upper));
  }
  if (auto bound = getArgumentAttr<DenseI64ArrayAttr>(value, kRangeAttr))
    range = range.meet(MagnitudeRange::of(double(bound[0]))
                           .join(MagnitudeRange::of(double(bound[1]) - 1))
                           .withoutLower());
  propagateIfChanged(lattice, lattice->join(RangeState(range)));
}

RangeAnalysis::RangeAnalysis(Operation *root)
    : solver(DataFlowConfig().setInterprocedural(isa<ModuleOp>(root))) {
  dataflow::loadBaselineAnalyses(solver);
  solver.load<RangeDataFlow>();
  // What was not reached is any of its type.
  (void)solver.initializeAndRun(root);
}

MagnitudeRange RangeAnalysis::get(Value value) const {
  MagnitudeRange any = MagnitudeRange().roundedTo(value.getType());
  const auto *lattice = solver.lookupState<RangeLattice>(value);
  return lattice && lattice->getValue().isKnown()
             ? lattice->getValue().getRange().meet(any)
             : any;
}
