// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-recompute: computes in the backward pass once more what the forward pass
// would keep for it.

#include "Memory/RecomputePlan.h"

#include "te/Dialect/TE/IR/RecomputedOps.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Support/Captures.h"
#include "te/Support/DeadOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERECOMPUTE
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "te-recompute"

using namespace mlir;
using namespace mlir::te;

namespace {

/// Builds what a plan says.
class Recomputation {
public:
  Recomputation(const StepGraph &graph, const RecomputePlan &plan)
      : graph(graph), plan(plan) {}

  void run();

private:
  /// The value that ops behind the turn read in place of `value`, with the
  /// views that it is behind.
  Value provide(OpBuilder &builder, Value value);
  /// Makes `op` read the values that are made again.
  void redirect(Operation *op);

  const StepGraph &graph;
  const RecomputePlan &plan;
  /// Values that are made again.
  IRMapping again;
};

} // namespace

Value Recomputation::provide(OpBuilder &builder, Value value) {
  if (Value known = again.lookupOrNull(value))
    return known;
  std::optional<unsigned> buffer = graph.findBuffer(value);
  Operation *producer = value.getDefiningOp();
  if (!buffer || !plan.remade[*buffer] || !StepGraph::isView(producer))
    return value;
  IRMapping operands;
  operands.map(producer->getOperand(0),
               provide(builder, producer->getOperand(0)));
  Operation *view = builder.clone(*producer, operands);
  again.map(producer->getResults(), view->getResults());
  return again.lookup(value);
}

void Recomputation::redirect(Operation *op) {
  OpBuilder builder(op);
  for (Value value : getReadValues(op))
    if (Value other = provide(builder, value); other != value)
      value.replaceUsesWithIf(other, [&](OpOperand &use) {
        return op->isAncestor(use.getOwner());
      });
}

void Recomputation::run() {
  SmallVector<unsigned> waiting;
  plan.forEachStep(
      graph,
      [&](unsigned position) {
        Operation *op = graph.getOps()[position].op;
        OpBuilder builder(op);
        for (unsigned number : waiting) {
          const StepOp &repeated = graph.getOps()[number];
          LDBG() << "taken, computed again before " << op->getName() << ": "
                 << *repeated.op;
          // Each with a destination of its own, which would be there from one
          // to the other.
          IRMapping destinations;
          for (Value operand : repeated.op->getOperands())
            if (auto empty = operand.getDefiningOp<tensor::EmptyOp>())
              destinations.map(operand, builder.clone(*empty)->getResult(0));
          Operation *clone = builder.clone(*repeated.op, destinations);
          clone->setAttr(kRecomputedAttr, builder.getUnitAttr());
          redirect(clone);
          for (auto [from, to] :
               llvm::zip_equal(repeated.op->getResults(), clone->getResults()))
            if (plan.remade[*graph.findBuffer(from)])
              again.map(from, to);
        }
        waiting.clear();
        if (graph.isBehindTurn(position))
          redirect(op);
      },
      [&](unsigned position) { waiting.push_back(position); });
}

/// Makes `op` anew without what nobody reads of the value that it quantizes, of
/// its FP8 copies and of their amax, as long as a copy remains.
static void dropUnread(QuantizingOpInterface op) {
  constexpr StringLiteral kGroups = "resultSegmentSizes";
  Quantization made = op.getQuantization();
  auto isUnread = [](Value value) { return value && value.use_empty(); };
  auto isRead = [](Value value) { return value && !value.use_empty(); };
  auto sizes = op->getInherentAttr(kGroups);
  if (!made.scale || !sizes ||
      !(isRead(made.rowwise) || isRead(made.columnwise)))
    return;
  llvm::SmallPtrSet<Value, 4> dropped;
  for (Value value : {made.rowwise, made.columnwise, made.amax})
    if (isUnread(value))
      dropped.insert(value);
  SmallVector<int32_t> groups(cast<DenseI32ArrayAttr>(*sizes).asArrayRef());
  // What it is quantized from, which such an op need not write.
  if (isa<QuantizingProducerOpInterface>(*op) && groups.front() != 0 &&
      op->getResult(0).use_empty())
    dropped.insert(op->getResult(0));
  if (dropped.empty())
    return;
  OpBuilder builder(op);
  SmallVector<Type> types;
  SmallVector<Value> kept;
  unsigned number = 0;
  for (int32_t &group : groups)
    for (int32_t i = 0, e = group; i < e; ++i) {
      Value result = op->getResult(number++);
      if (dropped.contains(result)) {
        --group;
        continue;
      }
      kept.push_back(result);
      types.push_back(result.getType());
    }
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addTypes(types);
  state.addAttributes(op->getAttrs());
  state.attributes.set(kGroups, builder.getDenseI32ArrayAttr(groups));
  Operation *smaller = builder.create(state);
  for (auto [from, to] : llvm::zip_equal(kept, smaller->getResults()))
    from.replaceAllUsesWith(to);
  op->erase();
}

namespace {
class RecomputePass : public te::impl::TERecomputeBase<RecomputePass> {
public:
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    if (bytes < 0)
      return emitError(UnknownLoc::get(context))
             << "te-recompute: bytes must not be negative, got "
             << bytes.getValue();
    if (!(price >= 0))
      return emitError(UnknownLoc::get(context))
             << "te-recompute: price must not be negative, got "
             << price.getValue();
    return success();
  }

  void runOnOperation() override;
};
} // namespace

void RecomputePass::runOnOperation() {
  func::FuncOp function = getOperation();
  if (function.isDeclaration() || !function.getBody().hasOneBlock())
    return;
  if (price > 0 && !CostModel(function))
    return;
  StepGraph graph(function);
  if (graph.getTurn() == 0)
    return;
  RecomputePlan plan = planRecomputation(
      graph, {bytes.getValue(), price.getValue(), products.getValue()});
  if (plan.repeated.none())
    return;
  llvm::DenseSet<Operation *> repeated;
  for (unsigned position : plan.repeated.set_bits())
    repeated.insert(graph.getOps()[position].op);
  Recomputation(graph, plan).run();
  eraseDeadOps(function.front());
  for (auto op : llvm::make_early_inc_range(
           function.front().getOps<QuantizingOpInterface>()))
    if (op->hasAttr(kRecomputedAttr) || repeated.contains(op))
      dropUnread(op);
  numRecomputed += plan.repeated.count();
  int64_t saved = 0;
  for (unsigned number : plan.remade.set_bits())
    if (graph.getBuffers()[number].isKept)
      saved += graph.getBuffers()[number].bytes;
  remark::passed(function.getLoc(), remark::RemarkOpts::name("Recompute")
                                        .category("te-recompute")
                                        .function(function.getName()))
      << remark::add("{0} ops are carried out once more for the backward pass, "
                     "which does not keep {1} MiB then",
                     plan.repeated.count(), saved >> 20)
      << remark::metric("RecomputedMicroseconds",
                        llvm::formatv("{0:f1}", plan.seconds * 1e6).str());
}
