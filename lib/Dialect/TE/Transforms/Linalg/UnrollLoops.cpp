// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unrolls scf.for and scf.forall with known bounds, and scf.while with a
// condition that depends on constants alone, such as loops over layers that are
// stacked in one tensor.

#include "Linalg/Linalg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::te;

static int64_t countOps(Operation *root) {
  int64_t count = 0;
  root->walk([&](Operation *) { ++count; });
  return count;
}

namespace {
/// The range of one loop counter.
struct Range {
  APInt low, step;
  int64_t trips; ///< at most kMostOps
};

/// Unrolls loops. Values that become constants are folded at once, since they
/// may be the bounds of an inner loop; so every operation is written once,
/// however deep loops are nested.
class Unroller {
public:
  Unroller(func::FuncOp model)
      : rewriter(model.getContext()), total(countOps(model)) {}

  /// Whether a loop may be unrolled: of scf.while, that turns out on the way.
  bool isKnown(Operation *op) const {
    return isa<scf::WhileOp>(op) ? !endless.contains(op)
                                 : !getRanges(op, IRMapping()).empty();
  }

  void forgetEndless() { endless.clear(); }

  /// Requires isKnown(loop). False if it could not be unrolled.
  FailureOr<bool> unroll(Operation *loop) {
    rewriter.setInsertionPoint(loop);
    IRMapping mapping;
    if (auto whileOp = dyn_cast<scf::WhileOp>(loop)) {
      FailureOr<bool> isWritten = writeWhile(whileOp, mapping);
      if (failed(isWritten))
        return failure();
      if (!*isWritten)
        return false;
    } else if (failed(write(loop, getRanges(loop, mapping), mapping))) {
      return failure();
    }
    SmallVector<Value> results;
    for (Value result : loop->getResults())
      results.push_back(mapping.lookup(result));
    rewriter.replaceOp(loop, results);
    return true;
  }

private:
  static std::optional<APInt> getNumber(OpFoldResult bound,
                                        const IRMapping &mapping) {
    if (auto value = dyn_cast<Value>(bound)) {
      APInt number;
      if (matchPattern(mapping.lookupOrDefault(value), m_ConstantInt(&number)))
        return number;
      return std::nullopt;
    }
    if (auto number = dyn_cast<IntegerAttr>(cast<Attribute>(bound)))
      return number.getValue();
    return std::nullopt;
  }

  static std::optional<Range> getRange(OpFoldResult lower, OpFoldResult upper,
                                       OpFoldResult by, bool isUnsigned,
                                       const IRMapping &mapping) {
    auto low = getNumber(lower, mapping), high = getNumber(upper, mapping),
         step = getNumber(by, mapping);
    if (!low || !high || !step || !step->isStrictlyPositive())
      return std::nullopt;
    if (isUnsigned ? high->ule(*low) : high->sle(*low))
      return Range{*low, *step, 0};
    // The distance fits an unsigned number of this width.
    APInt trips = (*high - *low - 1).udiv(*step);
    return Range{*low, *step,
                 trips.uge(kMostOps) ? kMostOps
                                     : int64_t(trips.getZExtValue()) + 1};
  }

  /// The ranges of every counter of a loop; empty if `op` is none or they are
  /// unknown.
  static SmallVector<Range> getRanges(Operation *op, const IRMapping &mapping) {
    SmallVector<Range> ranges;
    auto add = [&](OpFoldResult low, OpFoldResult high, OpFoldResult step,
                   bool isUnsigned) {
      auto range = getRange(low, high, step, isUnsigned, mapping);
      if (range)
        ranges.push_back(*range);
      return range.has_value();
    };
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      add(loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
          loop.getUnsignedCmp());
    } else if (auto all = dyn_cast<scf::ForallOp>(op)) {
      for (auto [low, high, step] :
           llvm::zip_equal(all.getMixedLowerBound(), all.getMixedUpperBound(),
                           all.getMixedStep()))
        if (!add(low, high, step, /*isUnsigned=*/false))
          return {};
    }
    return ranges;
  }

  Value createCounter(Location loc, Type type, const APInt &number) {
    return arith::ConstantOp::create(rewriter, loc,
                                     rewriter.getIntegerAttr(type, number));
  }

  /// Unrolls `loop`, whose operands are mapped, and maps its results.
  LogicalResult write(Operation *loop, ArrayRef<Range> ranges,
                      IRMapping &mapping) {
    int64_t trips = 1;
    for (const Range &range : ranges)
      trips = std::min(trips * range.trips, kMostOps);
    total += trips * countOps(loop);
    if (total > kMostOps)
      return loop->emitError() << "would be written " << trips
                               << " times, and the model have more than "
                               << kMostOps << " operations";
    if (auto all = dyn_cast<scf::ForallOp>(loop))
      return writeAll(all, ranges, trips, mapping);
    auto counted = cast<scf::ForOp>(loop);
    SmallVector<Value> carried;
    for (Value init : counted.getInitArgs())
      carried.push_back(mapping.lookupOrDefault(init));
    APInt counter = ranges.front().low;
    for (int64_t trip = 0; trip < trips;
         ++trip, counter += ranges.front().step) {
      mapping.map(counted.getInductionVar(),
                  createCounter(loop->getLoc(),
                                counted.getInductionVar().getType(), counter));
      mapping.map(counted.getRegionIterArgs(), carried);
      for (Operation &op : counted.getBody()->without_terminator())
        if (failed(writeOp(op, mapping)))
          return failure();
      for (auto [value, yielded] : llvm::zip_equal(
               carried, counted.getBody()->getTerminator()->getOperands()))
        value = mapping.lookupOrDefault(yielded);
    }
    mapping.map(loop->getResults(), carried);
    return success();
  }

  /// Writes a loop as long as its condition is a constant, and maps its
  /// results. If it is not, takes back what was written, and returns false.
  FailureOr<bool> writeWhile(scf::WhileOp loop, IRMapping &mapping) {
    Operation *last = loop->getPrevNode();
    const int64_t size = countOps(loop), before = total;
    SmallVector<Value> carried(loop.getInits());
    while (true) {
      total += size;
      if (total > kMostOps)
        return loop->emitError() << "would be written so often that the model "
                                    "has more than "
                                 << kMostOps << " operations";
      mapping.map(loop.getBeforeArguments(), carried);
      for (Operation &op : loop.getBeforeBody()->without_terminator())
        if (failed(writeOp(op, mapping)))
          return failure();
      scf::ConditionOp condition = loop.getConditionOp();
      carried = llvm::map_to_vector(condition.getArgs(), [&](Value value) {
        return mapping.lookupOrDefault(value);
      });
      auto holds = getNumber(condition.getCondition(), mapping);
      if (!holds) {
        while (loop->getPrevNode() != last)
          rewriter.eraseOp(loop->getPrevNode());
        total = before;
        endless.insert(loop);
        return false;
      }
      if (holds->isZero())
        break;
      mapping.map(loop.getAfterArguments(), carried);
      for (Operation &op : loop.getAfterBody()->without_terminator())
        if (failed(writeOp(op, mapping)))
          return failure();
      carried =
          llvm::map_to_vector(loop.getYieldOp().getResults(), [&](Value value) {
            return mapping.lookupOrDefault(value);
          });
    }
    mapping.map(loop.getResults(), carried);
    return true;
  }

  /// Every iteration sees the shared tensors as they were before the loop;
  /// parallel writes are written one after the other.
  LogicalResult writeAll(scf::ForallOp loop, ArrayRef<Range> ranges,
                         int64_t trips, IRMapping &mapping) {
    SmallVector<Value> shared;
    for (auto [argument, output] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getOutputs())) {
      shared.push_back(mapping.lookupOrDefault(output));
      mapping.map(argument, shared.back());
    }
    for (int64_t trip = 0; trip < trips; ++trip) {
      int64_t rest = trip;
      for (auto [counter, range] :
           llvm::reverse(llvm::zip_equal(loop.getInductionVars(), ranges))) {
        APInt number = range.low + range.step * (rest % range.trips);
        rest /= range.trips;
        mapping.map(counter,
                    createCounter(loop.getLoc(), counter.getType(), number));
      }
      for (Operation &op : loop.getBody()->without_terminator())
        if (failed(writeOp(op, mapping)))
          return failure();
      for (Operation &op : loop.getTerminator().getYieldingOps()) {
        auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op);
        if (!insert)
          return op.emitError("is not known in a loop that is written out");
        auto output = cast<BlockArgument>(insert.getDest());
        Value &tensor = shared[output.getArgNumber() - loop.getRank()];
        auto look = [&](OperandRange values) {
          return llvm::map_to_vector(values, [&](Value value) {
            return mapping.lookupOrDefault(value);
          });
        };
        tensor = tensor::InsertSliceOp::create(
            rewriter, insert.getLoc(), tensor.getType(),
            mapping.lookupOrDefault(insert.getSource()), tensor,
            look(insert.getOffsets()), look(insert.getSizes()),
            look(insert.getStrides()), insert.getStaticOffsets(),
            insert.getStaticSizes(), insert.getStaticStrides());
      }
    }
    mapping.map(loop.getResults(), shared);
    return success();
  }

  LogicalResult writeOp(Operation &op, IRMapping &mapping) {
    if (SmallVector<Range> ranges = getRanges(&op, mapping); !ranges.empty())
      return write(&op, ranges, mapping);
    // A block argument that is mapped already would be left out of the clone.
    op.walk([&](Block *block) {
      for (BlockArgument argument : block->getArguments())
        mapping.erase(Value(argument));
    });
    Operation *clone = rewriter.clone(op, mapping);
    if (clone->getNumRegions())
      return success();
    SmallVector<Value> folded;
    if (failed(rewriter.tryFold(clone, folded)) || folded.empty())
      return success();
    mapping.map(op.getResults(), folded);
    rewriter.eraseOp(clone);
    return success();
  }

  IRRewriter rewriter;
  int64_t total;
  /// Those that run as often as a value says that is no constant.
  llvm::SmallPtrSet<Operation *, 4> endless;
};
} // namespace

/// Writes the body of a structured op on tensors of one number, such as the
/// counter of a loop, as ops on that number, which fold.
static LogicalResult writeNumber(linalg::LinalgOp op,
                                 PatternRewriter &rewriter) {
  auto isNumber = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 0;
  };
  if (!op->getParentOfType<scf::WhileOp>() || op->getNumRegions() != 1 ||
      op.hasIndexSemantics() ||
      !llvm::all_of(op->getOperandTypes(), isNumber) ||
      !llvm::all_of(op->getResultTypes(), isNumber))
    return failure();
  IRMapping mapping;
  for (OpOperand &operand : op->getOpOperands())
    mapping.map(op.getMatchingBlockArgument(&operand),
                tensor::ExtractOp::create(rewriter, op.getLoc(), operand.get(),
                                          ValueRange()));
  for (Operation &inner : op.getBlock()->without_terminator())
    rewriter.clone(inner, mapping);
  SmallVector<Value> results;
  for (auto [yielded, type] : llvm::zip_equal(
           op.getBlock()->getTerminator()->getOperands(), op->getResultTypes()))
    results.push_back(tensor::FromElementsOp::create(
        rewriter, op.getLoc(), type, mapping.lookupOrDefault(yielded)));
  rewriter.replaceOp(op, results);
  return success();
}

namespace {
struct NumberPattern : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    return writeNumber(op, rewriter);
  }
};
} // namespace

LogicalResult mlir::te::unrollLoops(func::FuncOp model) {
  Unroller unroller(model);
  RewritePatternSet numbers(model.getContext());
  numbers.add<NumberPattern>(model.getContext());
  FrozenRewritePatternSet patterns(std::move(numbers));
  while (true) {
    // Results of a loop may be the bounds of a later one.
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    (void)applyPatternsGreedily(model, patterns, config);
    SmallVector<Operation *> loops;
    model.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!unroller.isKnown(op))
        return WalkResult::advance();
      loops.push_back(op);
      return WalkResult::skip();
    });
    if (loops.empty())
      return success();
    bool isChanged = false;
    for (Operation *loop : loops) {
      FailureOr<bool> isUnrolled = unroller.unroll(loop);
      if (failed(isUnrolled))
        return failure();
      isChanged |= *isUnrolled;
    }
    // What others depend on may be known now.
    if (isChanged)
      unroller.forgetEndless();
  }
}
