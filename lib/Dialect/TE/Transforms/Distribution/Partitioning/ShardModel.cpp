// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-shard-model: shards the model's layers over ranks along the axis tp.

#include "Distribution/Partitioning/PartitionBody.h"
#include "Distribution/Propagation/LossTerms.h"
#include "Distribution/Propagation/ShardingPlan.h"
#include "Distribution/Propagation/Vocabulary.h"
#include "Training/EntryEditor.h"
#include "te/Analysis/IdRanges.h"
#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::te {
#define GEN_PASS_DEF_TESHARDMODEL
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Shardable forms
//===----------------------------------------------------------------------===//

/// Writes out rows that repeat more often than the ranks' shards have them.
static void repeatRows(AddOp op, int64_t ranks) {
  int64_t rows = tensorType(op.getA()).getDimSize(0);
  int64_t repeated = tensorType(op.getB()).getDimSize(0);
  if (repeated == rows || repeated == 1 || rows % ranks != 0 ||
      rows / ranks % repeated == 0)
    return;
  OpBuilder builder(op);
  SmallVector<Value> copies(rows / repeated, op.getB());
  op.getBMutable().assign(
      tensor::ConcatOp::create(builder, op.getLoc(), /*dim=*/0, copies));
}

/// The op that adds a residual to `sum` and is its only reader; null if there
/// is none. The residual is available before the sum.
static AddOp findResidualAdd(Value sum) {
  if (!sum.hasOneUse())
    return {};
  auto add = dyn_cast<AddOp>(*sum.user_begin());
  const bool hasOneType = add && add.getA().getType() == add.getType() &&
                          add.getB().getType() == add.getType() &&
                          sum.getType() == add.getType();
  return hasOneType ? add : AddOp();
}

/// Adds a bias once: to the residual while the terms are reduced, or else to
/// the sum.
static void addBiasApart(MatmulOp op) {
  if (!op.getBias())
    return;
  OpBuilder builder(op->getContext());
  Location loc = op.getLoc();
  RankedTensorType type = tensorType(op.getBias());
  AddOp residual = findResidualAdd(op.getD());
  if (residual)
    builder.setInsertionPoint(residual);
  else
    builder.setInsertionPointAfter(op);
  Value row = tensor::ExpandShapeOp::create(
      builder, loc, type.clone({1, type.getDimSize(0)}), op.getBias(),
      ArrayRef<ReassociationIndices>{{0, 1}});
  op.getBiasMutable().clear();
  if (residual) {
    OpOperand &other = residual.getA() == op.getD() ? residual.getBMutable()
                                                    : residual.getAMutable();
    other.set(
        AddOp::create(builder, loc, residual.getType(), other.get(), row));
    return;
  }
  auto sum = AddOp::create(builder, loc, op.getType(), op.getD(), row);
  op.getD().replaceAllUsesExcept(sum, sum);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
class TEShardModel : public te::impl::TEShardModelBase<TEShardModel> {
public:
  using TEShardModelBase::TEShardModelBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  /// `reported`: parameters of earlier entries, reported already.
  LogicalResult share(func::FuncOp function, const AxisRanks &mesh,
                      MutableArrayRef<ShardRule> rules,
                      llvm::StringSet<> &reported);
};

} // namespace

/// A parameter of which all readers need the same shard becomes that shard.
/// Returns false if the argument stays replicated.
static bool shardParameter(BlockArgument argument, const ShardingPlan &plan,
                           const Vocabulary &vocabulary, bool isRequested,
                           const AxisRanks &mesh, ShardedValues &values) {
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  const unsigned number = argument.getArgNumber();
  std::optional<DimSplit> cut = plan.lookup(argument);
  if (!cut || !function.getArgAttr(number, kParamAttr) ||
      (argument.use_empty() && !isRequested))
    return false;
  for (OpOperand &use : argument.getUses()) {
    const OpSharding *sharding = plan.lookup(use.getOwner());
    if (!sharding || sharding->operands[use.getOperandNumber()] != cut)
      return false;
  }
  SmallVector<int64_t> shape(tensorType(argument).getShape());
  if (std::optional<int64_t> classes = vocabulary.getUnpadded(argument))
    shape[cut->dim] = *classes;
  shardArgument(argument, *cut, shape, mesh, values);
  return true;
}

/// "768x3072", as in types.
static std::string formatShape(ArrayRef<int64_t> shape) {
  return llvm::join(
      llvm::map_range(shape, [](int64_t size) { return std::to_string(size); }),
      "x");
}

/// Fails with an error if a rule is not followed.
static LogicalResult checkRule(func::FuncOp function, BlockArgument parameter,
                               const ShardRule &rule, int64_t ranks) {
  StringRef name = getArgumentText(parameter, kParamAttr);
  auto shard = function.getArgAttrOfType<ShardAttr>(parameter.getArgNumber(),
                                                    kShardAttr);
  if (rule.dim ? !shard || shard.getDim() != int64_t(*rule.dim) : !!shard)
    return emitError(function.getLoc())
           << "--shard='" << rule.text << "': not all that reads '" << name
           << "' can do with what " << ranks
           << " tensor parallel ranks would have of it; shard another "
              "dimension, or leave it to the compiler";
  return success();
}

/// Emits a remark on a rule's effect.
static void reportRule(func::FuncOp function, BlockArgument parameter,
                       const ShardRule &rule) {
  StringRef name = getArgumentText(parameter, kParamAttr);
  auto shard = function.getArgAttrOfType<ShardAttr>(parameter.getArgNumber(),
                                                    kShardAttr);
  auto remark = remark::passed(
      NameLoc::get(StringAttr::get(function.getContext(), name),
                   function.getLoc()),
      remark::RemarkOpts::name("Shard").category("te-shard-model"));
  if (shard)
    remark << remark::add("each rank has {0} of '{1}' of {2}, as "
                          "--shard='{3}' says",
                          formatShape(tensorType(parameter).getShape()), name,
                          formatShape(shard.getShape()), rule.text);
  else
    remark << remark::add("every rank has all of '{0}', as --shard='{1}' says",
                          name, rule.text);
}

LogicalResult TEShardModel::share(func::FuncOp function, const AxisRanks &mesh,
                                  MutableArrayRef<ShardRule> rules,
                                  llvm::StringSet<> &reported) {
  FailureOr<RequestedShards> requested = RequestedShards::find(function, rules);
  if (failed(requested))
    return failure();
  if (failed(EntryEditor::get(function)))
    return failure();
  Block &body = function.getBody().front();
  separateUses(body);
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (auto loss = dyn_cast<CrossEntropyOp>(op))
      divideApart(loss);
    else if (auto add = dyn_cast<AddOp>(op))
      repeatRows(add, mesh.ranks);
  }
  Vocabulary vocabulary(function, mesh.ranks, *requested);
  ShardingPlan plan(body, mesh.ranks, *requested);
  plan.shareRequested();
  plan.shareClasses(vocabulary.getLogits());
  if (failed(plan.shareFeatures()) || failed(plan.shareRequestedAlone()))
    return failure();
  auto wantsCut = [](const auto &of) { return of.second->dim.has_value(); };
  if (plan.getNumPairs() == 0 && llvm::none_of(requested->get(), wantsCut))
    return emitError(function.getLoc())
           << "no column-/row-parallel layer pair found for " << mesh.ranks
           << " tensor parallel ranks: no linear layer alone reads the "
              "features of another; use ranks along dp"
           << (requested->get().empty() ? ""
                                        : ", or leave more of them to the "
                                          "compiler in --shard");
  for (Operation &op : llvm::make_early_inc_range(body))
    if (auto linear = dyn_cast<MatmulOp>(op))
      if (const OpSharding *sharding = plan.lookup(&op);
          sharding && sharding->sums.test(0)) {
        addBiasApart(linear);
        plan.updateOperands(&op);
      }
  plan.shareRows();
  OpBuilder builder(function.getContext());
  ShardedValues values(builder, mesh);
  for (BlockArgument argument : function.getArguments())
    numParameters += shardParameter(
        argument, plan, vocabulary,
        /*isRequested=*/requested->lookup(argument) != nullptr, mesh, values);
  partitionBody(function, plan, mesh, builder, values);
  for (auto [parameter, rule] : requested->get()) {
    auto argument = cast<BlockArgument>(parameter);
    if (failed(checkRule(function, argument, *rule, mesh.ranks)))
      return failure();
    if (reported.insert(getArgumentText(argument, kParamAttr)).second)
      reportRule(function, argument, *rule);
  }
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    if (vocabulary.getUnpadded(function.getArgument(i)) &&
        !function.getArgAttr(i, kShardAttr))
      return emitError(function.getLoc())
             << "the model reads '"
             << function.getArgAttrOfType<StringAttr>(i, kParamAttr).getValue()
             << "' in ways in which ranks cannot share its rows, of which "
                "there are no multiple of "
             << mesh.ranks << "; use ranks along dp, or pad them";
  padRankClasses(function);
  numPairs += plan.getNumPairs();
  return success();
}

LogicalResult TEShardModel::run() {
  FailureOr<SmallVector<ShardRule>> rules =
      parseShardRules(shard, mesh, getOperation().getLoc());
  if (failed(rules))
    return failure();
  if (mesh.empty())
    return success();
  // te-shard-sequences has made the mesh if ranks also share sequences.
  FailureOr<std::optional<AxisRanks>> ranks = findAxisRanks(
      getOperation(), mesh, kTensorAxis, /*madeFor=*/{kContextAxis});
  if (failed(ranks) || !*ranks)
    return ranks;
  // A rank's shard of ids or of a table no longer shows the ranges.
  declareIdRanges(getOperation());
  llvm::StringSet<> reported;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (!getEntryName(function).empty() &&
        failed(share(function, **ranks, *rules, reported)))
      return failure();
  for (const ShardRule &rule : *rules)
    if (!rule.isUsed)
      return emitError(getOperation().getLoc())
             << "--shard='" << rule.text
             << "': the model has no parameter of such a name; te-run info "
                "lists those of a program";
  return checkShardAgreement(getOperation());
}
