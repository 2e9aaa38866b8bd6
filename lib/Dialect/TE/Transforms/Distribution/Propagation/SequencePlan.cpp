// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/Propagation/SequencePlan.h"
#include "te/Support/TensorType.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"

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

/// True if the result depends on the positions of the queries.
static bool dependsOnPositions(AttentionOp op) {
  return op.getCausal() || op.getWindow() != 0;
}

void SequencePlan::findSources() {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    Sources own;
    own.parameters = bool(function.getArgAttr(number, kParamAttr));
    own.inputs = bool(function.getArgAttr(number, kInputAttr));
    own.wholes = own.inputs && isa<FloatType>(getElementTypeOrSelf(argument));
    sources[argument] = own;
  }
  for (Operation &op : function.getBody().front()) {
    Sources all;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        all = all | sources.lookup(operand);
    });
    const OpSharding *sharding = found.lookup(&op);
    for (OpResult result : op.getResults()) {
      Sources own = all;
      // Only floats have cotangents.
      if (!isa<FloatType>(getElementTypeOrSelf(result)))
        own = {false, all.inputs, false, false};
      else if (sharding && sharding->sums.test(result.getResultNumber()))
        own = {false, true, true, true};
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
    if (op.getCausal() && !isTokenwise)
      pieces = 2 * ranks;
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
  if (failed(propagate()))
    return failure();
  findSources(); // again, with sums
  return isTokenwise ? success() : checkSources();
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

/// The cotangent of a value computed from parameters is this rank's term of a
/// sum, as for the parameters; an input's is the full one.
LogicalResult SequencePlan::checkSources() {
  for (Operation &op : function.getBody().front()) {
    const OpSharding *sharding = found.lookup(&op);
    Sources all;
    for (OpOperand &operand : op.getOpOperands()) {
      Value value = operand.get();
      const Sources from = getSources(value);
      all = all | from;
      if (!sharding || found.isMadeInShards(value))
        continue;
      if (from.parameters && from.wholes &&
          (sharding->operands[operand.getOperandNumber()] ||
           isa<FloatType>(getElementTypeOrSelf(value))))
        return op.emitError()
               << "reads " << value.getType()
               << ", which each rank computes in full from a parameter and an "
                  "input; context parallel ranks cannot do that";
    }
    // Every rank would compute the full gradient of the parameter.
    if (!sharding && all.parameters && all.sums &&
        !op.hasTrait<OpTrait::IsTerminator>())
      return op.emitError()
             << "combines a sum over tokens with what is computed of "
                "parameters, which context parallel ranks do for each token "
                "alone";
  }
  return success();
}

std::optional<LogicalResult> SequencePlan::decide(Operation *op, bool ofResult,
                                                  unsigned number,
                                                  const DimSplit &cut) {
  const OpSharding *taken = found.lookup(op);
  if (taken && (ofResult ? taken->results : taken->operands)[number] == cut)
    return success();
  if (ofResult) {
    // Values computed from parameters alone stay replicated, as in checkpoints,
    // except rows of them, such as those of token types shared by all tokens.
    const Sources from = getSources(op->getResult(number));
    if (isa<AttentionOp>(op) ||
        (from.parameters && !from.inputs && !isa<EmbeddingOp>(op)))
      return success();
    return std::nullopt;
  }
  // Outputs are gathered.
  if (op->hasTrait<OpTrait::IsTerminator>())
    return success();
  auto attention = dyn_cast<AttentionOp>(op);
  if (!attention) {
    if (isa<ShardableOpInterface>(op))
      return std::nullopt;
    return leaveOut(op, ("'" + op->getName().getStringRef() +
                         "' has no rule for that (ShardableOpInterface)")
                            .str());
  }
  const bool isKeys = number == attention.getKMutable().getOperandNumber() ||
                      number == attention.getVMutable().getOperandNumber();
  if (isKeys && cut.dim == getSequenceDim(attention.getLayout()))
    return success();
  return leaveOut(op, "its operand #" + std::to_string(number) +
                          " must be replicated");
}

std::optional<std::string>
SequencePlan::findConflict(Operation *op, const OpSharding &sharding) {
  auto because = [&](const Twine &what) {
    return ("'" + op->getName().getStringRef() + "' " + what).str();
  };
  // Pieces of sequences are pieces of every sharded dimension.
  auto isPlain = [](const std::optional<DimSplit> &cut) {
    return !cut || cut->cut.blocks.size() == 1;
  };
  if (!llvm::all_of(sharding.operands, isPlain) ||
      !llvm::all_of(sharding.results, isPlain))
    return because("takes sequences apart, or joins them");
  if ((isBalanced() || isTokenwise) && findNumberedOperand(op, sharding))
    return because(
        isTokenwise ? "knows them by number"
                    : "knows them by number, and each rank has two pieces of a "
                      "sequence");
  if (isTokenwise && sharding.sums.any())
    return because("adds what is computed of all tokens");
  return std::nullopt;
}

LogicalResult SequencePlan::change(Operation *op, bool ofResult) {
  if (!ofResult)
    return leaveOut(op, ("'" + op->getName().getStringRef() +
                         "' runs along another dimension of other values")
                            .str());
  return fail(op,
              "is wanted in two ways by context parallel ranks, which share "
              "sequences",
              "it is wanted in two ways");
}

LogicalResult SequencePlan::leaveOut(Operation *op, std::string reason) {
  return fail(op,
              "mixes the tokens of sequences that " + Twine(ranks) +
                  " context parallel ranks share: " + reason,
              reason);
}

LogicalResult SequencePlan::refuseSize(Operation *op, const Cut &cut) {
  const int64_t size = *llvm::find_if(
      cut.blocks, [&](int64_t block) { return block % pieces != 0; });
  return fail(op,
              "has sequences of " + Twine(size) + ", which " + Twine(ranks) +
                  " context parallel ranks cannot share: each has " +
                  (isBalanced() ? "two pieces" : "one piece") +
                  ", all of one size; export the model for sequences of a "
                  "multiple of " +
                  Twine(pieces) + ", or choose another number of ranks",
              "it has sequences of " + Twine(size) + ", other ops of " +
                  Twine(ranks));
}

LogicalResult SequencePlan::reconcile(Operation *op, Value value, DimSplit &own,
                                      const DimSplit &cut) {
  const std::string dimensions =
      llvm::formatv("dimension {0} and dimension {1} of {2}", own.dim, cut.dim,
                    value.getType());
  return fail(op,
              "takes one of its values apart in another way than ranks that "
              "share sequences do (" +
                  dimensions + "); context parallel ranks cannot compute it",
              "both " + dimensions + " are its tokens");
}
