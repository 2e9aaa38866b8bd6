// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/Transforms/Differentiation/ReverseMode.h"

#include "Raise/ScalarOperands.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/Captures.h"
#include "te/Support/ElementTypes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::te;

/// True if values of this type vary smoothly: all types but integers, be they
/// floats, complex numbers, or types of other dialects.
static bool isSmooth(Value value) {
  return !getElementTypeOrSelf(value).isIntOrIndex();
}

/// True if the op, or one in its regions, reads a float's bits as an integer,
/// which is not a rounding.
static bool readsBits(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        bool isBitcast = isa<arith::BitcastOp, tensor::BitcastOp>(nested);
        return isBitcast && isSmooth(nested->getOperand(0))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

/// One differentiation of one block.
class ReverseMode {
public:
  ReverseMode(Block &block, ArrayRef<CotangentSeed> seeds, ValueRange wanted)
      : block(block), seeds(seeds), wanted(wanted) {
    // Captured scalars get gradients as operands.
    OpBuilder builder(block.getParent());
    for (auto op : block.getOps<linalg::GenericOp>())
      makeScalarsOperands(builder, op);
    // The original ops; those built below are not differentiated.
    for (Operation &op : block) {
      if (op.hasTrait<OpTrait::IsTerminator>())
        continue;
      ops.push_back(&op);
      if (op.getNumRegions() > 0)
        captures[&op] = getCapturedValues(&op);
    }
  }

  FailureOr<VjpResult> run() {
    findVarying();
    findUseful();
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
    VjpResult result;
    for (Value value : wanted) {
      Value cotangent = cotangents.lookup(value);
      result.cotangents.push_back(cotangent);
      result.stops.push_back(cotangent ? nullptr
                                       : findNonDifferentiable(value));
    }
    return result;
  }

private:
  /// Calls `visit` on every value that `op` reads: operands, then captures.
  template <typename Fn> void forEachRead(Operation *op, Fn visit) const {
    for (Value value : op->getOperands())
      visit(value);
    if (auto it = captures.find(op); it != captures.end())
      for (Value value : it->second)
        visit(value);
  }

  bool readsAny(Operation *op, const llvm::DenseSet<Value> &values) const {
    bool any = false;
    forEachRead(op, [&](Value value) { any |= values.contains(value); });
    return any;
  }

  static bool definesAny(Operation *op, const llvm::DenseSet<Value> &values) {
    return llvm::any_of(op->getResults(),
                        [&](Value value) { return values.contains(value); });
  }

  /// The smooth values that an entry of `wanted` influences.
  void findVarying() {
    varying.insert(wanted.begin(), wanted.end());
    for (Operation *op : ops)
      if (!op->hasAttr(kConstantAttr) && readsAny(op, varying))
        for (Value result : op->getResults())
          if (isSmooth(result))
            varying.insert(result);
  }

  /// The values that influence a seed.
  void findUseful() {
    for (const CotangentSeed &seed : seeds)
      useful.insert(seed.value);
    for (Operation *op : llvm::reverse(ops))
      if (definesAny(op, useful))
        forEachRead(op, [&](Value value) { useful.insert(value); });
  }

  /// True if `op` influences a seed through smooth values alone.
  bool isOnTheWay(Operation *op) const {
    return readsAny(op, varying) &&
           llvm::any_of(op->getResults(), [&](Value value) {
             return way.contains(value) && varying.contains(value);
           });
  }

  /// The reason, if any, that an op on the path cannot be differentiated.
  std::optional<std::string> whyNot(Operation *op) const {
    std::string name = ("'" + op->getName().getStringRef() + "' ").str();
    if (isa<RegionOp>(op))
      return name +
             "is made by te-partition, which decides about the gradients "
             "too; run it after te-differentiate";
    if (auto reason = getElementTypesProblem(op))
      return ("'" + op->getName().getStringRef() + "': " + *reason).str();
    if (auto reason = getRoundingProblem(op))
      return name + *reason;
    if (!isa<DifferentiableOpInterface>(op))
      return name +
             "does not implement DifferentiableOpInterface; implement it "
             "(buildVjp), attach an external model of it, or rewrite the "
             "operation with differentiable ones";
    auto it = captures.find(op);
    if (it != captures.end())
      for (Value value : it->second)
        if (varying.contains(value))
          return name +
                 "reads a value in its region that is not an operand of it, "
                 "and gives gradients to operands alone; make the value "
                 "an operand";
    return std::nullopt;
  }

  LogicalResult checkDifferentiable() {
    for (const CotangentSeed &seed : seeds)
      way.insert(seed.value);
    SmallVector<std::pair<Operation *, std::string>> missing;
    for (Operation *op : llvm::reverse(ops)) {
      // Values stored to a buffer cannot be tracked.
      bool hasBuffer = false;
      forEachRead(op, [&](Value value) {
        hasBuffer |= isa<BaseMemRefType>(value.getType());
      });
      if (hasBuffer && readsAny(op, varying)) {
        missing.emplace_back(op, ("'" + op->getName().getStringRef() +
                                  "' works on a buffer; only computations on "
                                  "tensors are differentiated")
                                     .str());
        continue;
      }
      if (!isOnTheWay(op)) {
        if (readsAny(op, varying) && definesAny(op, useful) && readsBits(op))
          missing.emplace_back(op, ("'" + op->getName().getStringRef() +
                                    "' computes with the bits of a float, "
                                    "which has no gradient; write it with "
                                    "floating-point operations")
                                       .str());
        continue;
      }
      forEachRead(op, [&](Value value) { way.insert(value); });
      if (auto reason = whyNot(op))
        missing.emplace_back(op, std::move(*reason));
    }
    if (missing.empty())
      return success();
    InFlightDiagnostic diag =
        emitError(block.getParentOp()->getLoc())
        << "the model cannot be differentiated: " << missing.size()
        << (missing.size() == 1 ? " operation has" : " operations have")
        << " no gradient";
    for (auto &[op, reason] : llvm::reverse(missing))
      diag.attachNote(op->getLoc()) << reason;
    return diag;
  }

  /// The first op at which the influence of `value` on the seeds has no
  /// gradient: one that makes integers of it, or that is constant wherever it
  /// has a derivative. Null if there is no influence.
  Operation *findNonDifferentiable(Value value) const {
    llvm::DenseSet<Value> influenced = {value};
    for (Operation *op : ops) {
      if (!readsAny(op, influenced))
        continue;
      bool passesOn = false, reaches = false;
      for (Value result : op->getResults()) {
        influenced.insert(result);
        reaches |= useful.contains(result);
        passesOn |= way.contains(result) && isSmooth(result);
      }
      if (reaches && (!passesOn || stops.contains(op)))
        return op;
    }
    return nullptr;
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
    for (auto [i, operand, term] : llvm::enumerate(op->getOperands(), terms)) {
      if (!term) {
        if (needed[i])
          stops.insert(op);
        continue;
      }
      Value &sum = cotangents[operand];
      // The op of this product whose result is the term can add the rest itself
      // if nothing else uses the term yet.
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

  /// True if an op of this block after `op` (null: any) defines `value`.
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
  /// The values captured by the regions of ops.
  llvm::DenseMap<Operation *, SmallVector<Value>> captures;
  /// Smooth values that depend on the wanted ones; values that a seed depends
  /// on; those of them that it depends on through smooth values.
  llvm::DenseSet<Value> varying, useful, way;
  /// Ops whose product gave an operand no cotangent.
  llvm::DenseSet<Operation *> stops;
  llvm::DenseMap<Value, Value> cotangents;
};

} // namespace

FailureOr<VjpResult> mlir::te::buildVjp(Block &block,
                                        ArrayRef<CotangentSeed> seeds,
                                        ValueRange wanted) {
  return ReverseMode(block, seeds, wanted).run();
}
