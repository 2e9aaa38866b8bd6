// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-reduce-amaxes: makes scales from the amaxes of all ranks.

#include "Distribution/Sharding/SpmdAnalysis.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEREDUCEAMAXES
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "te-reduce-amaxes"

using namespace mlir;
using namespace mlir::te;

namespace {

/// Amaxes that differ between ranks along some axes, and the operands that are
/// to read the maximum over the ranks.
struct Readers {
  AxisSet axes = 0;
  llvm::MapVector<Value, SmallVector<OpOperand *>> operands;

  /// True if all of them can also come after this operand's value.
  bool canWaitFor(OpOperand &operand) const {
    Operation *producer = operand.get().getDefiningOp();
    return !producer || llvm::all_of(operands, [&](const auto &of) {
      return llvm::all_of(of.second, [&](OpOperand *reader) {
        return producer->isBeforeInBlock(reader->getOwner());
      });
    });
  }
};

class TEReduceAmaxes : public te::impl::TEReduceAmaxesBase<TEReduceAmaxes> {
public:
  using TEReduceAmaxesBase::TEReduceAmaxesBase;

  void runOnOperation() override;

private:
  bool readsAmaxes(Operation *op);
  bool makesFirstScale(Operation *op);
  void reduceIn(func::FuncOp function, Mesh &mesh);
  void hoistAmaxes(func::FuncOp function, Mesh &mesh);
  void reduceReads(func::FuncOp function, Mesh &mesh,
                   function_ref<bool(OpOperand &)> reads);
  void reduce(const Readers &readers, Block &body, Mesh &mesh);

  RecipeAttrInterface recipe;
};

} // namespace

void TEReduceAmaxes::runOnOperation() {
  func::FuncOp function = getOperation();
  auto module = function->getParentOfType<ModuleOp>();
  FailureOr<std::optional<Mesh>> mesh = Mesh::get(module);
  if (failed(mesh))
    return signalPassFailure();
  recipe = getRecipe(module);
  if (*mesh && recipe && function->hasAttr(kEntryAttr) &&
      !function.isExternal() && function.getBody().hasOneBlock())
    reduceIn(function, **mesh);
}

bool TEReduceAmaxes::readsAmaxes(Operation *op) {
  return isa<UpdateGuardOpInterface>(op) || recipe.getUpdate(op) ||
         recipe.getRecord(op) || makesFirstScale(op);
}

/// First scales of weights become states.
bool TEReduceAmaxes::makesFirstScale(Operation *op) {
  return llvm::any_of(op->getResults(), [&](Value result) {
    return recipe.getInitialScale(result).has_value();
  });
}

/// True if the amax of the quantized value is returned: ranks hold shards of a
/// weight, whose copies have one scale in the next step.
static bool returnsAmax(OpOperand &operand) {
  if (!operand.getOwner()->hasTrait<OpTrait::IsTerminator>())
    return false;
  // It may already be reduced along another axis.
  Value amax = getOwnMaximum(operand.get());
  auto quantizing = amax.getDefiningOp<QuantizingOpInterface>();
  return quantizing && quantizing.getQuantization().amax == amax;
}

void TEReduceAmaxes::reduceIn(func::FuncOp function, Mesh &mesh) {
  if (ofUpdatedWeights)
    return reduceReads(function, mesh, returnsAmax);
  hoistAmaxes(function, mesh);
  // First scales are also made from returned amaxes.
  reduceReads(function, mesh, [&](OpOperand &operand) {
    Operation *reader = operand.getOwner();
    return readsAmaxes(reader) || (reader->hasTrait<OpTrait::IsTerminator>() &&
                                   operand.get().getDefiningOp<AmaxOp>());
  });
}

/// The amaxes of weight shards, which give first scales, are available at once,
/// for one all-reduce.
void TEReduceAmaxes::hoistAmaxes(func::FuncOp function, Mesh &mesh) {
  SpmdAnalysis analysis(function, mesh);
  Block &body = function.getBody().front();
  Operation *first = nullptr;
  for (auto op : llvm::make_early_inc_range(body.getOps<AmaxOp>())) {
    if (!isa<BlockArgument>(op.getX()) || analysis.get(op.getX()).own == 0 ||
        llvm::none_of(op->getUsers(),
                      [&](Operation *user) { return makesFirstScale(user); }))
      continue;
    if (first)
      op->moveAfter(first);
    else
      op->moveBefore(&body, body.begin());
    first = op;
  }
}

void TEReduceAmaxes::reduceReads(func::FuncOp function, Mesh &mesh,
                                 function_ref<bool(OpOperand &)> reads) {
  SpmdAnalysis analysis(function, mesh);
  Block &body = function.getBody().front();
  auto scalar = RankedTensorType::get({}, Float32Type::get(&getContext()));
  SmallVector<OpOperand *> amaxes;
  // Axes along which ranks agree may be included: a maximum is idempotent.
  AxisSet axes = 0;
  for (Operation &op : body)
    for (OpOperand &operand : op.getOpOperands()) {
      AxisSet own = analysis.get(operand.get()).own;
      if (!own || operand.get().getType() != scalar || !reads(operand))
        continue;
      amaxes.push_back(&operand);
      axes |= own;
    }
  SmallVector<Readers> groups;
  for (OpOperand *operand : amaxes) {
    // One all-reduce serves all ops that can wait for the last of its amaxes.
    auto *group = llvm::find_if(
        groups, [&](const Readers &of) { return of.canWaitFor(*operand); });
    if (group == groups.end()) {
      groups.push_back({axes, {}});
      group = std::prev(groups.end());
    }
    group->operands[operand->get()].push_back(operand);
  }
  for (const Readers &group : groups)
    reduce(group, body, mesh);
}

/// The later of an op and the one that defines `value`.
static Operation *latest(Operation *op, Value value) {
  Operation *producer = value.getDefiningOp();
  if (!op || !producer)
    return op ? op : producer;
  return op->isBeforeInBlock(producer) ? producer : op;
}

/// The ops to move after `point` along with `value`'s definition, in any order
/// and with repetitions; nullopt if one has side effects.
static std::optional<SmallVector<Operation *>> findLate(Value value,
                                                        Operation *point) {
  SmallVector<Operation *> late;
  SmallVector<Value> todo = {value};
  while (!todo.empty()) {
    Operation *op = todo.pop_back_val().getDefiningOp();
    if (!op || op == point || op->isBeforeInBlock(point))
      continue;
    if (!isPure(op) || op->getNumRegions() != 0)
      return std::nullopt;
    late.push_back(op);
    llvm::append_range(todo, op->getOperands());
  }
  return late;
}

static SmallVector<shard::GridAxis> listAxes(AxisSet axes) {
  SmallVector<shard::GridAxis> list;
  for (shard::GridAxis axis = 0; axes >> axis; ++axis)
    if (axes >> axis & 1)
      list.push_back(axis);
  return list;
}

void TEReduceAmaxes::reduce(const Readers &readers, Block &body, Mesh &mesh) {
  SmallVector<Value> maxima =
      llvm::map_to_vector(readers.operands, [](auto &of) { return of.first; });
  Operation *last = nullptr;
  for (Value amax : maxima)
    last = latest(last, amax);

  // The step's all-reduce of its loss moves here, with its operands.
  ReduceScalarsOp sums;
  for (auto op : body.getOps<ReduceScalarsOp>())
    if (toAxisSet(op.getGridAxes()) == readers.axes && op.getMaxima().empty() &&
        op.getGrid() == mesh.getName())
      sums = op;
  if (sums && (!last || !last->isBeforeInBlock(sums)))
    sums = {};
  SmallVector<Operation *> late;
  if (sums)
    for (Value value : sums.getSums()) {
      std::optional<SmallVector<Operation *>> found = findLate(value, last);
      if (!found) {
        LDBG() << "apart from the loss, which cannot be moved after " << *last;
        sums = {};
        break;
      }
      llvm::append_range(late, *found);
    }
  if (sums) {
    llvm::sort(late, [](Operation *a, Operation *b) {
      return a != b && a->isBeforeInBlock(b);
    });
    late.erase(llvm::unique(late), late.end());
    for (Operation *op : late) {
      op->moveAfter(last);
      last = op;
    }
  }

  OpBuilder builder(&getContext());
  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(&body);
  auto vectorOf = [&](size_t size) -> Type {
    return size ? RankedTensorType::get({int64_t(size)}, builder.getF32Type())
                : RankedTensorType();
  };
  Location loc = sums ? sums.getLoc()
                      : NameLoc::get(builder.getStringAttr("scales"),
                                     body.getParentOp()->getLoc());
  SmallVector<Value> added;
  if (sums)
    llvm::append_range(added, sums.getSums());
  auto collective = ReduceScalarsOp::create(
      builder, loc, vectorOf(maxima.size()), vectorOf(added.size()), maxima,
      added, mesh.getName(), listAxes(readers.axes));
  for (auto [i, entry] : llvm::enumerate(readers.operands)) {
    Value largest = extractElement(builder, loc, collective.getMax(), i);
    for (OpOperand *operand : entry.second)
      operand->set(largest);
    ++numReduced;
  }
  if (sums) {
    sums.getSum().replaceAllUsesWith(collective.getSum());
    sums.erase();
  }
}
