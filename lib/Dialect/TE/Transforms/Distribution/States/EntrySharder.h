// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-shard-states' rewrite of one entry: its updates in ShardUpdates.cpp, its
// reads of parameters in ShardReads.cpp, and shared code in EntrySharder.cpp.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_ENTRYSHARDER_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_ENTRYSHARDER_H

#include "Distribution/States/JoinedWeights.h"
#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/IR/GradientResults.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::te {

/// Bytes of FP8 copies per all-gather, issued as soon as the updates that make
/// them are done: large enough for the links, small enough for the first gather
/// to start early.
inline constexpr int64_t kBucketBytes = 16 << 20;

/// Elements of a shard below which an update takes no longer than its launch.
inline constexpr int64_t kShortUpdate = 1 << 20;

/// A bucket of parameter copies is gathered when the bucket before it, of
/// kBucketBytes or this number of copies (about a layer's), is first read.
inline constexpr size_t kBucketReads = 4;
/// Reads with at most this many other reads between them share a copy, even if
/// copies are to be short-lived.
inline constexpr size_t kNearReads = 4;

/// Copies of a parameter, or of several that are joined, that are to be
/// gathered.
struct PendingCopies {
  const FlatShards *parts;
  const JoinedWeight *joined;
  Location loc;
  Value rowwise;
  /// The quantizations to replace; null where there is none.
  Quantization whole;
};

/// Reads of a parameter that share one gathered copy.
struct Read {
  Value part;
  const FlatShards *parts;
  /// Element type of the copy.
  Type type;
  bool isTransposed;
  /// In program order.
  SmallVector<OpOperand *> uses;
  Operation *first;

  int64_t getBytes() const {
    return ShapedType::getNumElements(parts->getWhole()) *
           type.getIntOrFloatBitWidth() / 8;
  }
};

/// Rewrites one entry: gives the sharded arguments of the plan their shard
/// types and rewrites the body. Updates work on shards, and other readers get a
/// gathered copy, which lives from its first read to the last if `keepsCopies`.
/// run() is the only entry point.
class EntrySharder {
public:
  EntrySharder(func::FuncOp function, ShardPlan &plan, const ShardAxis &axis,
               bool keepsCopies)
      : function(function), plan(plan), axis(axis), keepsCopies(keepsCopies),
        body(function.getBody().front()), rewriter(function.getContext()) {}

  void run();

private:
  struct Update {
    ShardedUpdate &update;
    const FlatShards *parts;
    Quantization quantization;

    int64_t getCopyBytes() const {
      return quantization.scale ? ShapedType::getNumElements(parts->getWhole())
                                : 0;
    }
  };

  /// True if the operand is the returned new value of a sharded state.
  bool returnsShard(OpOperand &use) {
    if (use.getOwner() != body.getTerminator())
      return false;
    auto shard = function.getResultAttrOfType<ShardAttr>(use.getOperandNumber(),
                                                         kShardAttr);
    return shard && (shard.getFlatAxes() >> axis.axis & 1);
  }
  /// True if an argument is a sum of gradients over microbatches.
  bool isSum(BlockArgument argument) {
    return getArgumentText(argument, kKindAttr) == kGradientSumKind;
  }
  void findUpdates();
  void changeBoundary();
  Value addUpAlongOthers(shard::AllReduceOp sum, Value part);
  Value getGradientPart(const Update &update);
  Operation *buildUpdate(const Update &update);
  void shardUpdates();
  void gatherPending();
  bool shardSpecialRead(OpOperand &use, Value part, const FlatShards &parts);
  void shardRead(OpOperand &use, Value part, const FlatShards &parts);
  void findReads(BlockArgument argument, const FlatShards &parts);
  void findTransposedReads();
  void shardJoinedWeights();
  void splitReads();
  Operation *findFirstGather(Operation *reader);
  void gatherReads();
  void shardSums();
  void quantizePart(QuantizeOp op, Value part, const FlatShards *parts,
                    const JoinedWeight *weight);
  bool addToCollective(Value whole, Value part);
  void reduceAmaxes();
  void replaceAmax(Value whole, Value part) {
    if (whole && !whole.use_empty())
      amaxes.push_back({whole, part});
  }

  func::FuncOp function;
  ShardPlan &plan;
  const ShardAxis &axis;
  /// True if a gathered copy lives from its first read to the last.
  const bool keepsCopies;
  Block &body;
  IRRewriter rewriter;

  SmallVector<Update, 0> updates;
  SmallVector<PendingCopies> pending;
  /// Transposes that are only returned, and their operands.
  SmallVector<std::pair<Value, Value>> returned;
  /// Pairs of the amax of a full tensor and that of the rank's shard.
  SmallVector<std::pair<Value, Value>> amaxes;
  /// te.amax ops on parameters, before everything else.
  SmallVector<AmaxOp> early;
  /// Concatenations of parameters that are quantized by shard.
  llvm::SmallPtrSet<Operation *, 16> joined;
  /// All-reduced sums that become reduce-scattered shards.
  llvm::DenseMap<Operation *, Value> parts;
  /// Sums whose shard has the gradients of lookups added already.
  llvm::SmallPtrSet<Operation *, 2> withLookups;
  /// Reads of arguments, unordered until splitReads.
  SmallVector<Read> reads;
  /// Lookups whose rows are gathered instead of the table.
  SmallVector<Operation *> lookups;
  /// Arguments that are no longer used.
  llvm::BitVector erasedArguments;
};

/// Computes norms of gradients from the ranks' shards of them. `parts` maps
/// sums over ranks to their shards.
void shareNorms(func::FuncOp entry, const ShardAxis &axis,
                const llvm::DenseMap<Operation *, Value> &parts);

/// The first op of `block` that reads `value`.
Operation *findFirstReader(Block &block, Value value);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_ENTRYSHARDER_H
