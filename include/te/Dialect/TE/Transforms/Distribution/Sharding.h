// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shardings of values along one axis of a mesh, and of the ops that define
// theirs (ShardableOpInterface.td).

#ifndef TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDING_H
#define TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDING_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallBitVector.h"

#include <optional>
#include <string>

namespace mlir {
class DialectRegistry;
}

namespace mlir::te {

/// How a dimension is split over ranks: it is `outer` repetitions of
/// consecutive `blocks`, and rank r of n has the r-th of n equal pieces of each
/// block of each repetition, in order. The queries, keys and values that one
/// linear layer makes are three blocks; the heads in rows [B * S * H] are B * S
/// repetitions of one.
struct Cut {
  int64_t outer = 1;
  SmallVector<int64_t> blocks;

  /// A dimension of `size` elements in one block.
  static Cut whole(int64_t size) { return {1, {size}}; }
  /// Consecutive blocks, normalized to the fewest blocks and most repetitions.
  static Cut of(int64_t outer, ArrayRef<int64_t> blocks);
  /// The number of elements of the dimension.
  int64_t getSize() const;
  bool isDivisibleBy(int64_t ranks) const;
  /// True for contiguous shards: one block, no repetition.
  bool isPlain() const { return outer == 1 && blocks.size() == 1; }
  /// The sizes of all blocks of the dimension, with repetitions written out.
  SmallVector<int64_t> list() const;
  /// The cut with the block boundaries of both cuts; nullopt if the dimensions
  /// differ in size or the blocks are far too many.
  std::optional<Cut> refine(const Cut &other) const;

  bool operator==(const Cut &other) const {
    return outer == other.outer && blocks == other.blocks;
  }
  bool operator!=(const Cut &other) const { return !(*this == other); }
};

/// The sharded dimension of a tensor.
struct DimSplit {
  unsigned dim = 0;
  Cut cut;

  bool operator==(const DimSplit &other) const {
    return dim == other.dim && cut == other.cut;
  }
  bool operator!=(const DimSplit &other) const { return !(*this == other); }
};

/// One axis of the module's mesh, the shard.grid named `grid`.
struct AxisRanks {
  std::string grid;
  int16_t axis;
  int64_t ranks;
  /// True if ranks share sequences: the split dimensions are tokens. Rank r of
  /// n then has the pieces r and 2n - 1 - r of 2n of each block if `balanced`,
  /// as te.attention documents.
  bool ofSequences = false, balanced = false;
};

/// Number of classes, i64, of an op whose dimension of classes was padded so
/// that ranks can share it.
inline constexpr llvm::StringLiteral kClassesAttr = "classes";

/// The type of a rank's shard, one of `ranks`.
RankedTensorType getPartType(RankedTensorType type, const DimSplit &cut,
                             int64_t ranks);

/// The sharding of an op's values. At most one dimension of each is sharded;
/// values without an entry are replicated.
struct OpSharding {
  explicit OpSharding(Operation *op)
      : operands(op->getNumOperands()), results(op->getNumResults()),
        localOperands(op->getNumOperands()), sums(op->getNumResults()) {}

  SmallVector<std::optional<DimSplit>> operands, results;
  /// Replicated operands from which buildPart takes the rank's elements.
  llvm::SmallBitVector localOperands;
  /// Results of which each rank has a term of a sum.
  llvm::SmallBitVector sums;
};

/// A shardable dimension of an iteration space: the dimensions of operands and
/// results that run along it.
struct Factor {
  Factor &add(OpOperand &operand, unsigned dim) {
    operands.emplace_back(operand.getOperandNumber(), dim);
    return *this;
  }
  /// For an optional operand.
  Factor &add(MutableOperandRange operand, unsigned dim) {
    for (OpOperand &each : operand)
      add(each, dim);
    return *this;
  }
  Factor &add(Value result, unsigned dim) {
    if (result)
      results.emplace_back(cast<OpResult>(result).getResultNumber(), dim);
    return *this;
  }
  /// The result is reduced along it.
  Factor &sumInto(Value result) {
    sums.push_back(cast<OpResult>(result).getResultNumber());
    return *this;
  }

  SmallVector<std::pair<unsigned, unsigned>> operands, results;
  SmallVector<unsigned> sums;
};

/// The sharding of `op` along its factor that includes dimension `cut.dim` of
/// the value, with all its dimensions split alike. For
/// ShardableOpInterface::getSharding.
FailureOr<OpSharding> shareFactor(Operation *op, ArrayRef<Factor> factors,
                                  bool ofResult, unsigned number,
                                  const DimSplit &cut, std::string &reason);

/// The operand that the op indexes by number along the sharded dimension, if
/// any: the table of a lookup that is sharded by rows, logits that are sharded
/// by classes. A rank's shard of it is consecutive.
std::optional<unsigned> findNumberedOperand(Operation *op,
                                            const OpSharding &sharding);

/// Gives every use of a constant or of an empty tensor its own copy: readers
/// along different dimensions need different shards.
void separateUses(Block &block);

/// Clones `op` with other operands and result types.
SmallVector<Value> cloneOnParts(OpBuilder &builder, Operation *op,
                                ValueRange operands, TypeRange results);

/// Registers ShardableOpInterface for the ops of te, and for those of tensor,
/// linalg, arith and math that move or combine elements.
void registerShardableOpExternalModels(DialectRegistry &registry);

/// Registers, for the collectives of shard, DifferentiableOpInterface,
/// DataMovementOpInterface if they move elements, and MixedPrecisionOpInterface
/// if they add them.
void registerCollectiveExternalModels(DialectRegistry &registry);

} // namespace mlir::te

#include "te/Dialect/TE/Transforms/Distribution/ShardableOpInterface.h.inc"

#endif // TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDING_H
