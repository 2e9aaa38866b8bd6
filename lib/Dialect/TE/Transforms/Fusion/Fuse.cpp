// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-fuse: merges quantizations, conversions, additions of residuals and sums
// of rows into the ops that compute or read the values.

#include "Fusion/Epilogues.h"
#include "Fusion/FusedWork.h"
#include "Precision/FoldConversions.h"

#include "te/Analysis/CostModel.h"
#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Support/ElementTypes.h"
#include "te/Support/MatrixView.h"
#include "te/Support/Moving.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
#include "te/Dialect/TE/IR/ScaleShape.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEFUSE
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "te-fuse"

using namespace mlir;
using namespace mlir::te;

static constexpr llvm::StringLiteral kFusionRemarks = "te-fuse";

static remark::RemarkOpts remarkOpts(Operation *op, StringRef name) {
  auto func = op->getParentOfType<func::FuncOp>();
  return remark::RemarkOpts::name(name)
      .category(kFusionRemarks)
      .function(func ? func.getName() : StringRef());
}

/// Makes `value` available before `point` by moving the ops that compute it;
/// changes nothing if one of them depends on `point` or has side effects.
static LogicalResult hoistBefore(Value value, Operation *point) {
  Operation *root = value.getDefiningOp();
  Block *block = point->getBlock();
  if (!root || root->getBlock() != block || root->isBeforeInBlock(point))
    return success();
  SetVector<Operation *> moved;
  SmallVector<Operation *> worklist = {root};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (op == point || op->getNumRegions() != 0 || !isMemoryEffectFree(op))
      return failure();
    if (!moved.insert(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && producer->getBlock() == block &&
          (producer == point || !producer->isBeforeInBlock(point)))
        worklist.push_back(producer);
  }
  SmallVector<Operation *> ordered = moved.takeVector();
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : ordered)
    moveKeepingOrder(op, point);
  return success();
}

namespace {
struct FusePass : public te::impl::TEFuseBase<FusePass> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (arith::ExtFOp extension : collect<arith::ExtFOp>())
      foldExtension(extension, rewriter);
    for (QuantizeOp quantize : collect<QuantizeOp>())
      foldTruncation(quantize, rewriter);
    for (arith::TruncFOp truncation : collect<arith::TruncFOp>())
      truncateParts(truncation, rewriter);
    for (AddOp add : collect<AddOp>())
      fuseAdd(add, rewriter);
    // Sums first: afterwards only the quantization may read dx.
    for (RowSumOpInterface sum : collect<RowSumOpInterface>())
      fuseDbias(sum, rewriter);
    for (QuantizeOp quantize : collect<QuantizeOp>())
      fuseQuantize(quantize, rewriter);
    reportEpilogues(getOperation());
  }

private:
  template <typename Op> SmallVector<Op> collect() {
    SmallVector<Op> ops;
    getOperation().walk([&](Op op) { ops.push_back(op); });
    return ops;
  }
  void foldExtension(arith::ExtFOp extension, IRRewriter &rewriter);
  void foldTruncation(QuantizeOp quantize, IRRewriter &rewriter);
  void truncateParts(arith::TruncFOp truncation, IRRewriter &rewriter);
  void fuseAdd(AddOp add, IRRewriter &rewriter);
  void fuseDbias(RowSumOpInterface sum, IRRewriter &rewriter);
  void fuseDbiasIntoReader(RowSumOpInterface sum, IRRewriter &rewriter);
  bool sumRowsIn(RowSummingOpInterface op, Operation *place,
                 RowSumOpInterface sum, StringRef where, IRRewriter &rewriter);
  void fuseQuantize(QuantizeOp quantize, IRRewriter &rewriter);
};
} // namespace

/// A result that is rounded only to be widened again is not rounded at all.
void FusePass::foldExtension(arith::ExtFOp extension, IRRewriter &rewriter) {
  auto type = dyn_cast<RankedTensorType>(extension.getType());
  if (!type || !type.getElementType().isF32())
    return;
  auto writesEither = [](OpResult result) {
    auto producer = dyn_cast<MixedPrecisionOpInterface>(result.getOwner());
    return producer && llvm::is_contained(producer.getWidenableResults(),
                                          result.getResultNumber());
  };
  if (succeeded(foldIntoProducer(rewriter, extension, writesEither)))
    ++numConversions;
}

/// A value that is truncated only to be quantized is quantized without
/// truncation: the amax and the codes are those of the wider values.
void FusePass::foldTruncation(QuantizeOp quantize, IRRewriter &rewriter) {
  auto truncation = quantize.getX().getDefiningOp<arith::TruncFOp>();
  if (!truncation || getRoundingProblem(truncation) ||
      !getElementTypeOrSelf(truncation.getIn().getType()).isF32())
    return;
  // Sums of rows can read the wider value, too.
  for (Operation *user : truncation->getUsers())
    if (user != quantize && !isa<RowSumOpInterface>(user)) {
      LDBG() << "rounded before it is quantized, because of " << *user;
      return;
    }
  rewriter.replaceOp(truncation, truncation.getIn());
  ++numConversions;
}

/// A concatenation that is read only to be truncated, such as the weights of
/// layers that are one product, is put together of truncated parts.
void FusePass::truncateParts(arith::TruncFOp truncation, IRRewriter &rewriter) {
  auto concat = truncation.getIn().getDefiningOp<tensor::ConcatOp>();
  if (!concat || !concat->hasOneUse() || getRoundingProblem(truncation))
    return;
  rewriter.setInsertionPoint(truncation);
  te::truncateParts(rewriter, truncation, concat);
  ++numConversions;
}

/// `producer` and `add` separately, or `producer` with the other term as
/// addend.
static CostComparison compareAdd(Operation *producer, AddOp add) {
  std::optional<Work> work = getWork(producer), second = getWork(add);
  if (!work || !second)
    return {};
  Work fused = *work;
  fused.bytes += getBytes(add.getY().getType());
  return CostComparison(CostModel(producer), fused, {*work, *second});
}

/// A sum of two values of one type, one of which has no other reader: its
/// producer adds the other one before it rounds its result.
void FusePass::fuseAdd(AddOp add, IRRewriter &rewriter) {
  Value terms[] = {add.getA(), add.getB()};
  if (terms[0].getType() != add.getY().getType() ||
      terms[1].getType() != add.getY().getType() || terms[0] == terms[1])
    return;
  for (unsigned i : {1, 0}) {
    auto producer = terms[i].getDefiningOp<AccumulatingOpInterface>();
    if (!producer || !terms[i].hasOneUse() ||
        producer->getBlock() != add->getBlock() ||
        !isMemoryEffectFree(producer)) {
      LDBG() << "term " << i
             << (producer ? " is read elsewhere, too: "
                          : " comes from an op that cannot add: ")
             << add;
      continue;
    }
    CostComparison costs = compareAdd(producer, add);
    if (!costs.favorsFused()) {
      costs.reportSlower(add.getLoc(), remarkOpts(add, "Add"));
      continue;
    }
    // The other term may be computed later if only readers of the producer's
    // other results wait for this one.
    if (producer->getNumResults() != 1 &&
        failed(hoistBefore(terms[1 - i], producer))) {
      LDBG() << "term " << 1 - i << " is computed after " << *producer;
      continue;
    }
    unsigned result = cast<OpResult>(terms[i]).getResultNumber();
    Location loc = add.getLoc();
    // A state is available from the beginning.
    if (producer->getNumResults() == 1 &&
        !getArgumentAttr(terms[1 - i], kStateAttr))
      moveKeepingOrder(producer, add);
    if (failed(producer.addToResult(result, terms[1 - i])))
      continue;
    rewriter.replaceOp(add, producer->getResult(result));
    ++numAdds;
    auto remark = remark::passed(loc, remarkOpts(producer, "Add"));
    remark << remark::add("{0} adds the residual itself",
                          producer->getName().getStringRef());
    costs.addTo(remark);
    return;
  }
}

/// `op` and `sum` as separate kernels, or as one.
static CostComparison compareDbias(Operation *op, RowSumOpInterface sum) {
  std::optional<Work> work = getWork(op), sumWork = getWork(sum);
  if (!work || !sumWork)
    return {};
  return CostComparison(CostModel(op),
                        fuseRowSum(*work, sum.getColumnSums().getType()),
                        {*work, *sumWork});
}

/// `producer` and `quantize` separately, or as one kernel.
static CostComparison compareQuantize(Operation *producer, QuantizeOp quantize,
                                      bool keepsResult) {
  std::optional<Work> work = getWork(producer), second = getWork(quantize);
  if (!work || !second)
    return {};
  return CostComparison(
      CostModel(producer),
      fuseQuantization(*work, *second, quantize.getX().getType(), keepsResult),
      {*work, *second});
}

/// The amax that the scale of `quantize` is made of, if it is that of the
/// quantized value, and nothing but these two reads the value.
static AmaxOp getOwnAmax(QuantizeOp quantize) {
  auto compute = quantize.getScale().getDefiningOp<ComputeScaleOp>();
  auto amax = compute ? compute.getAmax().getDefiningOp<AmaxOp>() : AmaxOp();
  if (!amax || amax.getX() != quantize.getX())
    return {};
  const bool isOwn =
      llvm::all_of(quantize.getX().getUsers(), [&](Operation *user) {
        return user == quantize || user == amax;
      });
  return isOwn ? amax : AmaxOp();
}

/// `producer`, which quantizes its first result nowhere yet, once more before
/// it: for the amax of that result, and without the result and a sum of its
/// rows.
static Value createAmaxOf(RewriterBase &rewriter, Operation *producer) {
  const StringRef segments =
      OpTrait::AttrSizedResultSegments<QuantizeOp>::getResultSegmentSizeAttr();
  SmallVector<int32_t> groups(
      cast<DenseI32ArrayAttr>(*producer->getInherentAttr(segments))
          .asArrayRef());
  // The copies and the amax stand behind the other results, but before a sum of
  // rows.
  SmallVector<Type> types(llvm::drop_begin(producer->getResultTypes()));
  groups.front() = 0;
  const bool canSum = isa<RowSummingOpInterface>(producer);
  if (canSum) {
    types.pop_back_n(groups.back());
    groups.back() = 0;
  }
  groups[groups.size() - 1 - canSum] = 1;
  types.push_back(RankedTensorType::get({}, rewriter.getF32Type()));

  rewriter.setInsertionPoint(producer);
  OperationState state(producer->getLoc(), producer->getName());
  state.addOperands(producer->getOperands());
  state.addTypes(types);
  state.addAttributes(producer->getAttrs());
  state.attributes.set(segments, rewriter.getDenseI32ArrayAttr(groups));
  return rewriter.create(state)->getResults().back();
}

void FusePass::fuseDbias(RowSumOpInterface sum, IRRewriter &rewriter) {
  Value matrix = sum.getSummedMatrix();
  auto producer = matrix.getDefiningOp<RowSummingOpInterface>();
  Value known = producer ? producer.getRowSumOf(matrix) : Value();
  if (known && known.getType() == sum.getColumnSums().getType()) {
    rewriter.replaceOp(sum, known);
    ++numDbias;
    return;
  }
  if (known) {
    LDBG() << "summed twice, the producer's sum has the type "
           << known.getType() << ": " << sum;
    return;
  }
  if (!producer || !producer.canSumRowsOf(matrix))
    return fuseDbiasIntoReader(sum, rewriter);
  sumRowsIn(producer, producer, sum, "dx is computed", rewriter);
}

/// A quantization, for example, reads the entire value, so it can sum its rows.
void FusePass::fuseDbiasIntoReader(RowSumOpInterface sum,
                                   IRRewriter &rewriter) {
  Value matrix = sum.getSummedMatrix();
  for (Operation *user : matrix.getUsers()) {
    auto reader = dyn_cast<RowSummingOpInterface>(user);
    if (!reader || !reader.canSumRowsOf(matrix) ||
        reader->getBlock() != sum->getBlock())
      continue;
    // Both results are then available to the readers of either.
    Operation *place =
        sum->isBeforeInBlock(reader) ? sum : reader.getOperation();
    if (sumRowsIn(reader, place, sum, "dy is quantized", rewriter))
      return;
  }
}

/// Makes `op` compute the sum, at `place`. Returns true if there is nothing
/// more to try: it does, or a separate kernel is faster.
bool FusePass::sumRowsIn(RowSummingOpInterface op, Operation *place,
                         RowSumOpInterface sum, StringRef where,
                         IRRewriter &rewriter) {
  CostComparison costs = compareDbias(op, sum);
  if (!costs.favorsFused()) {
    costs.reportSlower(op.getLoc(), remarkOpts(op, "Dbias"));
    return true;
  }
  if (place != op)
    for (Value operand : op->getOperands())
      if (failed(hoistBefore(operand, place))) {
        LDBG() << "not summed by a reader, whose operand is computed later: "
               << *op;
        return false;
      }
  rewriter.setInsertionPoint(place);
  Location loc = op.getLoc();
  Value fused = op.sumRows(rewriter, sum.getColumnSums().getType());
  rewriter.replaceOp(sum, fused);
  ++numDbias;
  auto remark = remark::passed(loc, remarkOpts(fused.getDefiningOp(), "Dbias"));
  remark << remark::add("the gradient of the bias is summed where {0}", where);
  costs.addTo(remark);
  return true;
}

/// What a quantization reads; the parameter, where it reads a matrix that views
/// an updated one.
static Value getQuantized(QuantizeOp quantize) {
  Value tensor = getTensorOfMatrix(quantize.getX());
  return tensor.getDefiningOp<UpdateOp>() ? tensor : quantize.getX();
}

void FusePass::fuseQuantize(QuantizeOp quantize, IRRewriter &rewriter) {
  auto result = dyn_cast<OpResult>(getQuantized(quantize));
  auto missed = [&](StringRef name) {
    return remark::missed(quantize.getLoc(), remarkOpts(quantize, name));
  };
  if (!result) {
    missed("NoProducer") << remark::reason(
        "the value comes from outside the function");
    return;
  }
  Operation *owner = result.getOwner();
  auto producer = dyn_cast<QuantizingProducerOpInterface>(owner);
  if (!producer) {
    missed("NoProducer") << remark::reason(
        "{0} cannot quantize what it computes",
        owner->getName().getStringRef());
    return;
  }
  if (!isOneScale(quantize.getScale())) {
    missed("Blocks") << remark::reason("it has the scales of blocks, which {0} "
                                       "does not take",
                                       owner->getName().getStringRef());
    return;
  }
  if (quantize.getDbias()) {
    missed("SumsRows") << remark::reason(
        "the quantization also sums rows, which {0} does not",
        owner->getName().getStringRef());
    return;
  }
  if (!producer.canQuantizeResult(result.getResultNumber())) {
    missed("NotThisResult") << remark::reason(
        "{0} cannot quantize result {1}, or quantizes it "
        "already with another scale",
        owner->getName().getStringRef(), result.getResultNumber());
    return;
  }
  AmaxOp amax = getOwnAmax(quantize);
  bool keep = !amax && llvm::any_of(result.getUsers(), [&](Operation *user) {
    return user != quantize.getOperation() &&
           user != quantize.getX().getDefiningOp();
  });
  CostComparison costs;
  if (amax) {
    // Its scale is known only afterwards, so the value is computed twice.
    if (!isWorthRepeating(owner, result) ||
        owner->getBlock() != quantize->getBlock() ||
        result.getResultNumber() != 0) {
      missed("OwnAmax") << remark::reason(
          "the scale is made of the value's amax, and {0} reads too much to "
          "compute the value twice",
          owner->getName().getStringRef());
      return;
    }
    rewriter.replaceOp(amax, createAmaxOf(rewriter, owner));
  } else {
    costs = compareQuantize(owner, quantize, keep);
    if (!costs.favorsFused())
      return costs.reportSlower(quantize.getLoc(),
                                remarkOpts(quantize, "Quantize"));
  }
  if (owner->getBlock() != quantize->getBlock() ||
      failed(hoistBefore(quantize.getScale(), owner))) {
    missed("LateScale") << remark::reason("the scale is known only after {0}",
                                          owner->getName().getStringRef());
    return;
  }

  auto wantedType = [](Value value) {
    return value && !value.use_empty() ? value.getType() : Type();
  };
  rewriter.setInsertionPoint(owner);
  Location loc = quantize.getLoc();
  QuantizedResults fused = producer.quantizeResult(
      rewriter, result.getResultNumber(), quantize.getScale(),
      wantedType(quantize.getRowwise()), wantedType(quantize.getColumnwise()),
      keep);
  auto replace = [&](Value from, Value to) {
    if (from && to)
      rewriter.replaceAllUsesWith(from, to);
  };
  replace(quantize.getRowwise(), fused.rowwise);
  replace(quantize.getColumnwise(), fused.columnwise);
  replace(quantize.getAmax(), fused.amax);
  rewriter.eraseOp(quantize);
  replace(result, fused.highPrecision);
  Operation *newOwner = fused.amax.getDefiningOp();
  rewriter.eraseOp(owner);
  ++numQuantized;
  auto remark = remark::passed(loc, remarkOpts(newOwner, "Quantize"));
  remark << remark::add(amax ? "{0} computes the value twice, for its amax and "
                               "to write the FP8 copies itself"
                             : "{0} writes the FP8 copies itself",
                        newOwner->getName().getStringRef());
  costs.addTo(remark);
}
