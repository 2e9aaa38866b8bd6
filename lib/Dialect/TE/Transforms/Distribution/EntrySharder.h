// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How te-shard-states rewrites one entry: its updates in ShardUpdates.cpp, its
// reads of parameters in ShardReads.cpp, and what they share in ShardEntry.cpp.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_ENTRYSHARDER_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_ENTRYSHARDER_H

#include "Distribution/ShardPlan.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::te {

/// FP8 copies are gathered, so many bytes at a time, as soon as the updates
/// that make them are done: large enough for the links, small enough for the
/// first to be on its way early.
inline constexpr int64_t kBucketBytes = 16 << 20;

/// Elements of a part whose update is no longer than what starting one takes.
inline constexpr int64_t kShortUpdate = 1 << 20;

/// Copies of parameters are gathered as soon as those of so many bytes, or so
/// many, about a layer's, are read that come before.
inline constexpr size_t kBucketReads = 4;
/// Of reads with no more than this number of others between them, a copy that
/// is not to live long lives through both.
inline constexpr size_t kNearReads = 4;

/// Copies of a new parameter that are to be gathered.
struct PendingCopies {
  const FlatParts *parts;
  Location loc;
  Value rowwise;
  /// What is to be replaced; null where there is none.
  Quantization whole;
};

/// Reads of a parameter that are given one gathered copy.
struct Read {
  Value part;
  const FlatParts *parts;
  /// The element type of the copy.
  Type type;
  bool isTransposed;
  /// In the order of the ops.
  SmallVector<OpOperand *> uses;
  Operation *first;

  int64_t getBytes() const {
    return ShapedType::getNumElements(parts->getWhole()) *
           type.getIntOrFloatBitWidth() / 8;
  }
};

/// Rewrites one entry. run() is all there is to call.
class EntrySharder {
public:
  EntrySharder(func::FuncOp function, const ShardPlan &plan,
               const PartAxis &axis, bool keepsCopies)
      : function(function), plan(plan), axis(axis), keepsCopies(keepsCopies),
        body(function.getBody().front()), rewriter(function.getContext()) {}

  void run();

private:
  struct Update {
    ShardedUpdate update;
    const FlatParts *parts;
    Quantization quantization;

    int64_t getCopyBytes() const {
      return quantization.scale ? ShapedType::getNumElements(parts->getWhole())
                                : 0;
    }
  };

  /// Whether it is the new value of a state of which ranks have parts.
  bool returnsPart(OpOperand &use) {
    if (use.getOwner() != body.getTerminator())
      return false;
    auto shard = function.getResultAttrOfType<ShardAttr>(use.getOperandNumber(),
                                                         kShardAttr);
    return shard && (shard.getFlatAxes() >> axis.axis & 1);
  }
  /// Whether an argument is a sum of gradients over microbatches.
  bool isSum(BlockArgument argument) {
    auto kind = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      kKindAttr);
    return kind && kind.getValue() == "gradient";
  }
  void findUpdates();
  void changeBoundary();
  Value addUpAlongOthers(shard::AllReduceOp sum, Value part);
  Value getGradientPart(Value gradient, const FlatParts &parts);
  Operation *buildUpdate(const Update &update);
  void shardUpdates();
  void gatherPending();
  bool shardSpecialRead(OpOperand &use, Value part, const FlatParts &parts);
  void shardRead(OpOperand &use, Value part, const FlatParts &parts);
  void findReads(BlockArgument argument, const FlatParts &parts);
  void findTransposedReads();
  void shardJoinedWeights();
  void splitReads();
  Operation *findFirstGather(Operation *reader);
  void gatherReads();
  void shardSums();
  void quantizePart(QuantizeOp op, Value part, const FlatParts &parts);
  bool addToExchange(Value whole, Value part);
  void reduceAmaxes();
  void replaceAmax(Value whole, Value part) {
    if (whole && !whole.use_empty())
      amaxes.push_back({whole, part});
  }

  func::FuncOp function;
  const ShardPlan &plan;
  const PartAxis &axis;
  /// Whether a gathered copy lives from its first read to the last.
  const bool keepsCopies;
  Block &body;
  IRRewriter rewriter;

  SmallVector<Update> updates;
  SmallVector<PendingCopies> pending;
  /// Transposes that are only returned, and what they are of.
  SmallVector<std::pair<Value, Value>> returned;
  /// Amaxes of what is whole, and the rank's own.
  SmallVector<std::pair<Value, Value>> amaxes;
  /// Of te.amax on parameters, in front of everything.
  SmallVector<AmaxOp> early;
  /// Concatenations of parameters that are quantized in parts.
  llvm::SmallPtrSet<Operation *, 16> joined;
  /// Sums over the ranks of which a part is made.
  llvm::DenseMap<Operation *, Value> parts;
  /// Those to whose part lookups' gradients were added.
  llvm::SmallPtrSet<Operation *, 2> withLookups;
  /// Of arguments, in no order before splitReads.
  SmallVector<Read> reads;
  /// Lookups that are exchanged as rows.
  SmallVector<Operation *> lookups;
  /// Arguments that are of no use any more.
  llvm::BitVector erasedArguments;
};

/// The first op of `block` that reads `value`.
Operation *findFirstReader(Block &block, Value value);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_ENTRYSHARDER_H
