// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/SequencePlan.h"
#include "te/Support/TensorType.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

unsigned mlir::te::getSequenceDim(AttentionLayout layout) {
  switch (layout) {
  case AttentionLayout::BSHD:
    return 1;
  case AttentionLayout::BHSD:
    return 2;
  case AttentionLayout::SBHD:
    return 0;
  }
  llvm_unreachable("a layout");
}

bool mlir::te::dependsOnPositions(AttentionOp op) {
  return op.getCausal() || op.getWindow() != 0;
}

void SequencePlan::findSources() {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    Sources own;
    own.parameters = bool(function.getArgAttr(number, kParamAttr));
    own.inputs = bool(function.getArgAttr(number, kInputAttr));
    own.floatInputs =
        own.inputs && isa<FloatType>(getElementTypeOrSelf(argument));
    sources[argument] = own;
  }
  for (Operation &op : function.getBody().front()) {
    Sources all;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        all = all | sources.lookup(operand);
    });
    for (Value result : op.getResults()) {
      Sources own = all;
      // Only floats have cotangents.
      if (!isa<FloatType>(getElementTypeOrSelf(result)))
        own.parameters = own.floatInputs = false;
      sources[result] = own;
    }
  }
}

LogicalResult SequencePlan::fail(Operation *op, const Twine &byRanks,
                                 const Twine &byTokens) {
  if (isTokenwise)
    return op->emitError() << "cannot be computed one token at a time, with a "
                              "cache of keys and values: "
                           << byTokens;
  return op->emitError() << byRanks;
}

LogicalResult SequencePlan::build() {
  findSources();
  SmallVector<AttentionOp> attentions;
  for (auto op : function.getBody().front().getOps<AttentionOp>()) {
    attentions.push_back(op);
    balanced |= op.getCausal() && !isTokenwise;
  }
  if (attentions.empty())
    return emitError(function.getLoc())
           << "the model has no attention, and so no "
           << (isTokenwise
                   ? std::string("keys and values that could be cached")
                   : "sequences that " + std::to_string(ranks) +
                         " context parallel ranks could share; use ranks "
                         "along dp");
  for (AttentionOp op : attentions)
    if (failed(share(op)))
      return failure();
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    DimSplit cut = cuts.lookup(next);
    if (auto result = dyn_cast<OpResult>(next))
      if (failed(visitProducer(result, cut)))
        return failure();
    // Other readers of a replicated value read all of it.
    if (!isSharded(next))
      continue;
    for (OpOperand &use : next.getUses())
      if (failed(visitReader(use, cut)))
        return failure();
  }
  return success();
}

LogicalResult SequencePlan::setCut(Operation *op, Value value,
                                   const DimSplit &cut) {
  for (int64_t size : cut.cut.blocks)
    if (size % getNumPieces() != 0)
      return fail(
          op,
          "has sequences of " + Twine(size) + ", which " + Twine(ranks) +
              " context parallel ranks cannot share: each has " +
              (balanced ? "two pieces" : "one piece") +
              ", all of one size; export the model for sequences of a "
              "multiple of " +
              Twine(getNumPieces()) + ", or choose another number of ranks",
          "it has sequences of " + Twine(size) + ", other ops of " +
              Twine(ranks));
  auto [it, inserted] = cuts.insert({value, cut});
  if (it->second == cut) {
    // Visited again once its producer is known.
    if (inserted || value.getDefiningOp() == op)
      worklist.insert(value);
    return success();
  }
  std::string dimensions;
  llvm::raw_string_ostream(dimensions)
      << "dimension " << it->second.dim << " and dimension " << cut.dim
      << " of " << value.getType();
  return fail(op,
              "takes one of its values apart in another way than ranks that "
              "share sequences do (" +
                  dimensions + "); context parallel ranks cannot compute it",
              "both " + dimensions + " are its tokens");
}

LogicalResult SequencePlan::take(Operation *op, const OpSharding &sharding) {
  if (!ops.insert({op, sharding}).second)
    return success();
  for (auto [value, cut] :
       llvm::zip_equal(op->getOperands(), sharding.operands))
    if (cut && failed(setCut(op, value, *cut)))
      return failure();
  for (auto [value, cut] : llvm::zip_equal(op->getResults(), sharding.results))
    if (cut && failed(setCut(op, value, *cut)))
      return failure();
  return success();
}

/// Each rank has its own queries, and all keys.
LogicalResult SequencePlan::share(AttentionOp op) {
  unsigned dim = getSequenceDim(op.getLayout());
  int64_t queries = tensorType(op.getQ()).getDimSize(dim);
  int64_t keys = tensorType(op.getK()).getDimSize(dim);
  std::string sizes =
      (Twine(queries) + " queries and " + Twine(keys) + " keys").str();
  if (dependsOnPositions(op) && queries != keys)
    return fail(op,
                "has " + sizes +
                    "; context parallel ranks share causal attention, and that "
                    "of a window, of as many",
                "it has " + sizes);
  if (isTokenwise && queries != ranks)
    return fail(op, "",
                "it has " + sizes + ", of sequences of " + Twine(ranks));
  if (op.getQueryAxes())
    return op.emitError() << "has queries that are sharded already";
  Factor tokens = Factor()
                      .add(op.getQMutable(), dim)
                      .add(op.getO(), dim)
                      .add(op.getLse(), 2);
  if (op.getBias() && tensorType(op.getBias()).getDimSize(2) > 1)
    tokens.add(op.getBiasMutable(), 2);
  std::string reason;
  FailureOr<OpSharding> sharding = shareFactor(
      op, {tokens}, /*ofResult=*/false, op.getQMutable().getOperandNumber(),
      DimSplit{dim, Cut::whole(queries)}, reason);
  return take(op, *sharding);
}

/// True if pieces of sequences are pieces of every sharded dimension.
static bool hasWholeSequences(const OpSharding &sharding) {
  auto isPlain = [](const std::optional<DimSplit> &cut) {
    return !cut || cut->cut.blocks.size() == 1;
  };
  return llvm::all_of(sharding.operands, isPlain) &&
         llvm::all_of(sharding.results, isPlain);
}

/// A value whose producer cannot be sharded is replicated, and each rank takes
/// its shard.
LogicalResult SequencePlan::visitProducer(OpResult value, const DimSplit &cut) {
  Operation *op = value.getOwner();
  const OpSharding *taken = lookup(op);
  if (taken && taken->results[value.getResultNumber()] == cut)
    return success();
  auto shardable = dyn_cast<ShardableOpInterface>(op);
  Sources from = getSources(value);
  // Values computed from parameters alone stay replicated, as in checkpoints,
  // except rows of them, such as those of token types shared by all tokens.
  if (!shardable || isa<AttentionOp>(op) ||
      (from.parameters && !from.inputs && !isa<EmbeddingOp>(op)))
    return success();
  std::string reason;
  FailureOr<OpSharding> sharding = shardable.getSharding(
      /*ofResult=*/true, value.getResultNumber(), cut, getNumPieces(), reason);
  if (failed(sharding) || !hasWholeSequences(*sharding))
    return success();
  if (failed(take(op, *sharding)))
    return failure();
  if (lookup(op)->results[value.getResultNumber()] == cut)
    return success();
  return fail(op,
              "is wanted in two ways by context parallel ranks, which share "
              "sequences of " +
                  Twine(cut.cut.blocks.front()),
              "it is wanted in two ways");
}

LogicalResult SequencePlan::visitReader(OpOperand &use, const DimSplit &cut) {
  Operation *op = use.getOwner();
  const OpSharding *taken = lookup(op);
  if (taken && taken->operands[use.getOperandNumber()] == cut)
    return success();
  // Outputs are gathered.
  if (op->hasTrait<OpTrait::IsTerminator>())
    return success();
  auto mixes = [&](const Twine &reason) {
    return fail(op,
                "mixes the tokens of sequences that " + Twine(ranks) +
                    " context parallel ranks share: " + reason,
                reason);
  };
  if (auto attention = dyn_cast<AttentionOp>(op)) {
    unsigned number = use.getOperandNumber();
    std::optional<DimSplit> own = lookup(op)->operands[number];
    bool isKeys = number == attention.getKMutable().getOperandNumber() ||
                  number == attention.getVMutable().getOperandNumber();
    if (own ? *own == cut
            : isKeys && cut.dim == getSequenceDim(attention.getLayout()))
      return success();
    return mixes("its operand #" + Twine(number) + " must be replicated");
  }
  auto shardable = dyn_cast<ShardableOpInterface>(op);
  if (!shardable)
    return mixes("'" + op->getName().getStringRef() +
                 "' has no rule for that (ShardableOpInterface)");
  std::string reason;
  FailureOr<OpSharding> sharding = shardable.getSharding(
      /*ofResult=*/false, use.getOperandNumber(), cut, getNumPieces(), reason);
  if (failed(sharding))
    return mixes(reason);
  if (!hasWholeSequences(*sharding))
    return mixes("'" + op->getName().getStringRef() +
                 "' takes sequences apart, or joins them");
  if ((balanced || isTokenwise) && findNumberedOperand(op, *sharding))
    return mixes(
        "'" + op->getName().getStringRef() + "' knows them by number" +
        (isTokenwise ? "" : ", and each rank has two pieces of a sequence"));
  if (isTokenwise && sharding->sums.any())
    return mixes("'" + op->getName().getStringRef() +
                 "' adds what is computed of all tokens");
  if (failed(take(op, *sharding)))
    return failure();
  if (lookup(op)->operands[use.getOperandNumber()] == cut)
    return success();
  return mixes("'" + op->getName().getStringRef() +
               "' runs along another dimension of other values");
}
