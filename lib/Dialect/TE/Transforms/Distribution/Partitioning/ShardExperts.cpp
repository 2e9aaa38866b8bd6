// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-shard-experts: shards the experts of mixtures over ranks along the axis
// ep.

#include "Distribution/Partitioning/PartitionBody.h"
#include "Fusion/ExpertRows.h"
#include "Training/EntryEditor.h"
#include "te/Analysis/IdRanges.h"
#include "te/Dialect/TE/IR/Formula.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"
#include "te/Support/DeadOps.h"
#include "te/Support/TensorType.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace mlir::te {
#define GEN_PASS_DEF_TESHARDEXPERTS
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

/// Rows of a rank's share are a multiple of this, as copies like them.
static constexpr int64_t kRowsAlignment = 16;

namespace {
class TEShardExperts : public te::impl::TEShardExpertsBase<TEShardExperts> {
public:
  using TEShardExpertsBase::TEShardExpertsBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  LogicalResult share(func::FuncOp function, const AxisRanks &mesh);
  int64_t getPlaces(int64_t rows, int64_t ranks) const;
};

/// The matrices of experts that ranks share, as far as they are made of
/// parameters by ops that only move elements.
class MatrixPlan {
public:
  MatrixPlan(func::FuncOp function, int64_t ranks)
      : function(function), ranks(ranks) {}

  /// Fails, with the reason, if ranks cannot share the matrices of `op`.
  LogicalResult share(ExpertMatmulOp op, std::string &reason);

  Shardings shardings;

private:
  func::FuncOp function;
  int64_t ranks;
};

/// Rows that are multiplied on the rank that has their expert.
class ExchangedRows : public ExpertRows {
public:
  ExchangedRows(IRRewriter &rewriter, ExpertMatmulOp first, int64_t places,
                const AxisRanks &mesh)
      : ExpertRows(rewriter, first, places, /*alignment=*/1, mesh.ranks),
        mesh(mesh) {}

private:
  Value exchange(Value value) override {
    return shard::AllToAllOp::create(rewriter, value.getLoc(), value.getType(),
                                     mesh.grid, ArrayRef(mesh.axis), value,
                                     /*split_axis=*/APInt(64, 0),
                                     /*concat_axis=*/APInt(64, 0));
  }

  const AxisRanks &mesh;
};
} // namespace

LogicalResult MatrixPlan::share(ExpertMatmulOp op, std::string &reason) {
  Value value = op.getB();
  DimSplit cut{0, Cut::whole(tensorDim(value, 0))};
  Shardings added;
  OpSharding product(op);
  product.operands[1] = cut;
  product.localOperands.set(0);
  product.localOperands.set(2);
  added.ops.insert({op, product});
  // All that reads the matrices on the way needs the same shard.
  auto setCut = [&] {
    std::optional<DimSplit> known = shardings.lookup(value);
    added.cuts.insert({value, cut});
    if (!known || *known == cut)
      return success();
    reason = "its matrices are those of other products in another order";
    return failure();
  };
  while (Operation *made = value.getDefiningOp()) {
    auto shardable = dyn_cast<ShardableOpInterface>(made);
    if (!shardable || made->getNumOperands() != 1) {
      reason = "'" + made->getName().getStringRef().str() +
               "' makes its matrices of more than one parameter";
      return failure();
    }
    FailureOr<OpSharding> sharding = shardable.getSharding(
        /*ofResult=*/true, cast<OpResult>(value).getResultNumber(), cut, ranks,
        reason);
    if (failed(sharding) || failed(setCut()))
      return failure();
    if (!sharding->operands[0]) {
      reason = "'" + made->getName().getStringRef().str() +
               "' mixes the matrices of its experts";
      return failure();
    }
    added.ops.insert({made, *sharding});
    value = made->getOperand(0);
    cut = *sharding->operands[0];
  }
  const unsigned number = cast<BlockArgument>(value).getArgNumber();
  if (failed(setCut()))
    return failure();
  if (!function.getArgAttr(number, kParamAttr)) {
    reason = "its matrices are no parameter";
    return failure();
  }
  if (!cut.cut.isPlain() || function.getArgAttr(number, kShardAttr)) {
    reason = "its matrices are shared along another dimension, too";
    return failure();
  }
  shardings.add(added);
  return success();
}

/// The number of rows without a place, f32.
static Value countDropped(OpBuilder &builder, ArrayRef<Value> slots) {
  Value count;
  for (Value slot : slots) {
    Formula f(builder, slot.getLoc());
    Value own = f.sum("", {{slot, "s"}}, [](Scalars &s, ValueRange x) {
      Value isDropped =
          s.compareInts(arith::CmpIPredicate::slt, x[0], s.integer(x[0], 0));
      return s.select(isDropped, s.number(1), s.number(0));
    });
    count =
        count ? arith::AddFOp::create(builder, slot.getLoc(), count, own) : own;
  }
  return count;
}

int64_t TEShardExperts::getPlaces(int64_t rows, int64_t ranks) const {
  if (capacity == 0 || capacity >= double(ranks))
    return rows * ranks;
  auto share = static_cast<int64_t>(
      std::ceil(capacity * double(rows) / static_cast<double>(ranks)));
  return std::min(rows, int64_t(llvm::alignTo(share, kRowsAlignment))) * ranks;
}

LogicalResult TEShardExperts::share(func::FuncOp function,
                                    const AxisRanks &mesh) {
  const EntryKind *kind = getEntryKind(function);
  auto refuse = [&](const Twine &what) {
    return emitError(function.getLoc())
           << "--mesh=ep=" << mesh.ranks << " does not go with the entry '"
           << getEntryName(function) << "': " << what
           << "; compile it without ep";
  };
  if (kind->caches)
    return refuse("ranks would have to exchange the tokens of all sequences "
                  "in each step");
  if (kind->hasGradients && !kind->hasUpdates && !kind->accumulates)
    return refuse("it returns the gradients of one rank's batch, but a rank's "
                  "experts see the batches of all ranks");
  FailureOr<EntryEditor> entry = EntryEditor::get(function);
  if (failed(entry))
    return failure();
  separateUses(function.getBody().front());
  MatrixPlan plan(function, mesh.ranks);
  ExpertProducts byExperts = findExpertProducts(function);
  for (auto &[key, products] : byExperts) {
    const int64_t count = products.front().getExperts();
    const bool isOneMixture = llvm::all_of(
        products, [&](ExpertMatmulOp op) { return op.getExperts() == count; });
    llvm::erase_if(products, [&](ExpertMatmulOp op) {
      std::string reason;
      if (!isOneMixture)
        reason = "products of the same rows have different numbers of experts";
      else if (count % mesh.ranks != 0)
        reason = "it has " + std::to_string(count) + " experts";
      else if (op->getBlock() != &function.getBody().front())
        reason = "it is in another op's region";
      else if (succeeded(plan.share(op, reason)))
        return false;
      remark::missed(
          op.getLoc(),
          remark::RemarkOpts::name("AllExperts").category("te-shard-experts"))
          << remark::reason("every rank has all experts of this product, "
                            "because {0}",
                            reason);
      return true;
    });
  }
  if (plan.shardings.ops.empty())
    return emitError(function.getLoc())
           << "no mixture of experts that " << mesh.ranks
           << " expert parallel ranks could share: no product of rows with "
              "the matrices of their experts has a parameter of a multiple of "
           << mesh.ranks
           << " experts; use ranks along dp, or a number that divides the "
              "experts";

  // Of how many experts the products are that ranks share.
  llvm::DenseMap<Value, int64_t> counts;
  for (auto &[key, products] : byExperts)
    if (!products.empty())
      counts[key.second] = products.front().getExperts();

  OpBuilder builder(function.getContext());
  ShardedValues values(builder, mesh);
  for (BlockArgument argument : function.getArguments())
    if (std::optional<DimSplit> cut = plan.shardings.lookup(argument)) {
      shardArgument(argument, *cut, tensorType(argument).getShape(), mesh,
                    values);
      ++numShared;
    }
  partitionBody(function, plan.shardings, mesh, builder, values);

  IRRewriter rewriter(&getContext());
  SmallVector<Value> slots;
  for (auto &[key, products] : findExpertProducts(function)) {
    const int64_t count = counts.lookup(key.second);
    llvm::erase_if(products, [&](ExpertMatmulOp op) {
      return op.getExperts() * mesh.ranks != count;
    });
    if (products.empty())
      continue;
    const int64_t numRows = tensorDim(key.second, 0);
    const int64_t places = getPlaces(numRows, mesh.ranks);
    ExchangedRows rows(rewriter, products.front(), places, mesh);
    for (ExpertMatmulOp product : products)
      rows.move(product);
    if (places < numRows * mesh.ranks)
      slots.push_back(rows.getSlots());
  }
  combineExpertRows(rewriter, function);
  if (kind->hasUpdates && !slots.empty())
    entry->addResult(countDropped(entry->getBuilder(), slots),
                     {entry->attr(kOutputAttr, kDroppedRows)});
  eraseDeadOps(function.getBody().front());
  return entry->finish();
}

LogicalResult TEShardExperts::run() {
  if (mesh.empty())
    return success();
  // A NaN is not 1 or more either.
  if (capacity != 0 && !(capacity >= 1))
    return emitError(getOperation().getLoc())
           << "an expert capacity of "
           << llvm::formatv("{0:f2}", double(capacity)).str()
           << " has no space for all rows even if each expert gets as many; "
              "use 1 or more, or 0 for any choice of experts";
  FailureOr<std::optional<AxisRanks>> ranks =
      findAxisRanks(getOperation(), mesh, kExpertAxis,
                    /*madeFor=*/{kContextAxis, kTensorAxis});
  if (failed(ranks) || !*ranks)
    return ranks;
  declareIdRanges(getOperation());
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (!getEntryName(function).empty() && failed(share(function, **ranks)))
      return failure();
  return checkShardAgreement(getOperation());
}
