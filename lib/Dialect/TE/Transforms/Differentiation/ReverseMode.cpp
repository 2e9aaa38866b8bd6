// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Differentiation/ReverseMode.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::te;

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

namespace {

/// One differentiation of one block.
class ReverseMode {
public:
  ReverseMode(Block &block, ArrayRef<CotangentSeed> seeds, ValueRange wanted)
      : block(block), seeds(seeds), wanted(wanted) {
    // Ops that were there before; what is built below is not differentiated.
    for (Operation &op : block)
      if (!op.hasTrait<OpTrait::IsTerminator>())
        ops.push_back(&op);
  }

  FailureOr<SmallVector<Value>> run() {
    findVarying();
    if (failed(checkDifferentiable()))
      return failure();
    OpBuilder builder(block.getParent());
    if (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>())
      builder.setInsertionPoint(&block.back());
    else
      builder.setInsertionPointToEnd(&block);

    for (const CotangentSeed &seed : seeds)
      accumulate(builder, seed.value.getLoc(), seed.value, seed.cotangent);
    for (Operation *op : llvm::reverse(ops))
      if (failed(propagate(builder, op)))
        return failure();
    return llvm::map_to_vector(
        wanted, [&](Value value) { return cotangents.lookup(value); });
  }

private:
  /// The floating-point values that an entry of `wanted` influences.
  void findVarying() {
    varying.insert(wanted.begin(), wanted.end());
    for (Operation *op : ops)
      if (isVarying(op))
        for (Value result : op->getResults())
          if (isFloat(result))
            varying.insert(result);
  }

  bool isVarying(Operation *op) const {
    return llvm::any_of(op->getOperands(),
                        [&](Value value) { return varying.contains(value); });
  }

  LogicalResult checkDifferentiable() {
    // The values that influence a seed, found from the seeds upwards.
    llvm::DenseSet<Value> useful;
    for (const CotangentSeed &seed : seeds)
      useful.insert(seed.value);
    SmallVector<Operation *> missing;
    for (Operation *op : llvm::reverse(ops)) {
      bool onTheWay =
          isVarying(op) && llvm::any_of(op->getResults(), [&](Value v) {
            return useful.contains(v) && varying.contains(v);
          });
      if (!onTheWay)
        continue;
      useful.insert(op->operand_begin(), op->operand_end());
      if (!isa<DifferentiableOpInterface>(op))
        missing.push_back(op);
    }
    if (missing.empty())
      return success();
    std::reverse(missing.begin(), missing.end());
    InFlightDiagnostic diag =
        emitError(block.getParentOp()->getLoc())
        << "the model cannot be differentiated: " << missing.size()
        << (missing.size() == 1 ? " operation has" : " operations have")
        << " no gradient";
    for (Operation *op : missing)
      diag.attachNote(op->getLoc())
          << "'" << op->getName()
          << "' does not implement DifferentiableOpInterface; implement it "
             "(buildVjp), attach an external model of it, or rewrite the "
             "operation with differentiable ones";
    return diag;
  }

  LogicalResult propagate(OpBuilder &builder, Operation *op) {
    SmallVector<Value> results =
        llvm::map_to_vector(op->getResults(), [&](Value value) {
          return cotangents.lookup(value);
        });
    if (llvm::none_of(results, [](Value value) { return bool(value); }))
      return success();
    llvm::BitVector needed(op->getNumOperands());
    for (OpOperand &operand : op->getOpOperands())
      if (varying.contains(operand.get()))
        needed.set(operand.getOperandNumber());
    if (needed.none())
      return success();
    SmallVector<Value> terms(op->getNumOperands());
    Operation *last = getLast(builder);
    if (failed(cast<DifferentiableOpInterface>(op).buildVjp(builder, results,
                                                            needed, terms)))
      return failure();
    for (auto [operand, term] : llvm::zip_equal(op->getOperands(), terms)) {
      if (!term)
        continue;
      Value &sum = cotangents[operand];
      // The op of this product whose result is the term can add the rest itself
      // when nothing else has seen the term yet.
      if (sum && llvm::count(terms, term) == 1 && term.use_empty() &&
          isDefinedAfter(term, last) && !isDefinedAfter(sum, last) &&
          addToDefiningOp(term, sum)) {
        sum = term;
        continue;
      }
      accumulate(builder, op->getLoc(), operand, term);
    }
    return success();
  }

  /// The op before the insertion point.
  static Operation *getLast(OpBuilder &builder) {
    Block *block = builder.getBlock();
    if (builder.getInsertionPoint() == block->end())
      return block->empty() ? nullptr : &block->back();
    return builder.getInsertionPoint()->getPrevNode();
  }

  /// Whether an op of this block after `op` (null: any) defines `value`.
  bool isDefinedAfter(Value value, Operation *op) const {
    Operation *def = value.getDefiningOp();
    return def && def->getBlock() == &block &&
           (!op || op->isBeforeInBlock(def));
  }

  static bool addToDefiningOp(Value term, Value addend) {
    auto op = term.getDefiningOp<AccumulatingOpInterface>();
    return op && succeeded(op.addToResult(
                     cast<OpResult>(term).getResultNumber(), addend));
  }

  void accumulate(OpBuilder &builder, Location loc, Value value, Value term) {
    Value &sum = cotangents[value];
    sum = sum ? addTensors(builder, loc, sum, term) : term;
  }

  Block &block;
  ArrayRef<CotangentSeed> seeds;
  ValueRange wanted;
  SmallVector<Operation *> ops;
  llvm::DenseSet<Value> varying;
  llvm::DenseMap<Value, Value> cotangents;
};

} // namespace

FailureOr<SmallVector<Value>> mlir::te::buildVjp(Block &block,
                                                 ArrayRef<CotangentSeed> seeds,
                                                 ValueRange wanted) {
  return ReverseMode(block, seeds, wanted).run();
}

void mlir::te::eraseDeadOps(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}
