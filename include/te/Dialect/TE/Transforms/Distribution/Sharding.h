// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How ranks along one axis of a mesh share values, and ops that say so of
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

/// How a dimension is cut: it is `outer` repetitions of consecutive `blocks`,
/// and rank r of n has the r-th of n equal parts of each block of each
/// repetition, in order. The queries, keys and values that one linear makes are
/// three blocks; the heads in rows [B * S * H] are B * S repetitions of one.
struct Cut {
  int64_t outer = 1;
  SmallVector<int64_t> blocks;

  /// A dimension of `size` in one block.
  static Cut whole(int64_t size) { return {1, {size}}; }
  /// Consecutive blocks, as few of them repeated as often as they are.
  static Cut of(int64_t outer, ArrayRef<int64_t> blocks);
  /// The elements of the dimension.
  int64_t getSize() const;
  bool isDivisibleBy(int64_t ranks) const;
  /// Contiguous parts: one block, no repetition.
  bool isPlain() const { return outer == 1 && blocks.size() == 1; }
  /// All blocks of the dimension one by one.
  SmallVector<int64_t> list() const;
  /// The cut that has both cuts' boundaries between blocks; nothing where the
  /// dimension is another or the blocks are far too many.
  std::optional<Cut> refine(const Cut &other) const;

  bool operator==(const Cut &other) const {
    return outer == other.outer && blocks == other.blocks;
  }
  bool operator!=(const Cut &other) const { return !(*this == other); }
};

/// One dimension of a tensor that is cut.
struct DimCut {
  unsigned dim = 0;
  Cut cut;

  bool operator==(const DimCut &other) const {
    return dim == other.dim && cut == other.cut;
  }
  bool operator!=(const DimCut &other) const { return !(*this == other); }
};

/// One axis of the module's mesh, which a shard.grid of the name `grid` is.
struct AxisRanks {
  std::string grid;
  int16_t axis;
  int64_t ranks;
};

/// On an op whose dimension of classes was padded for ranks to share it, i64:
/// how many classes there are.
inline constexpr llvm::StringLiteral kClassesAttr = "classes";

/// The type of a rank's part, one of `ranks`.
RankedTensorType getPartType(RankedTensorType type, const DimCut &cut,
                             int64_t ranks);

/// How the values of an op are cut. At most one dimension of each is; those
/// without an entry are whole.
struct OpSharding {
  explicit OpSharding(Operation *op)
      : operands(op->getNumOperands()), results(op->getNumResults()),
        ownParts(op->getNumOperands()), sums(op->getNumResults()) {}

  SmallVector<std::optional<DimCut>> operands, results;
  /// Whole operands of which buildPart takes what the rank needs.
  llvm::SmallBitVector ownParts;
  /// Results of which each rank has a term of a sum.
  llvm::SmallBitVector sums;
};

/// One dimension of an iteration space that ranks can share: the dimensions of
/// operands and results that run along it.
struct Factor {
  Factor &add(OpOperand &operand, unsigned dim) {
    operands.emplace_back(operand.getOperandNumber(), dim);
    return *this;
  }
  /// Of an operand that may not be there.
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
  /// The result is a sum along it.
  Factor &sumInto(Value result) {
    sums.push_back(cast<OpResult>(result).getResultNumber());
    return *this;
  }

  SmallVector<std::pair<unsigned, unsigned>> operands, results;
  SmallVector<unsigned> sums;
};

/// The sharding of `op` along that of its factors that dimension `cut.dim` of
/// the value is along, all cut alike. For ShardableOpInterface::getSharding.
FailureOr<OpSharding> shareFactor(Operation *op, ArrayRef<Factor> factors,
                                  bool ofResult, unsigned number,
                                  const DimCut &cut, std::string &reason);

/// The operand whose elements along what is cut of it the op knows by their
/// numbers there, if it has one: the table of a lookup that is cut in rows,
/// logits that are cut in classes. A rank's part of it is consecutive.
std::optional<unsigned> findNumberedOperand(Operation *op,
                                            const OpSharding &sharding);

/// Gives every use of a constant or of an empty tensor one of its own: what
/// reads one along another dimension has other parts of it.
void separateUses(Block &block);

/// The results of a copy of `op` with other operands and types of results.
SmallVector<Value> cloneOnParts(OpBuilder &builder, Operation *op,
                                ValueRange operands, TypeRange results);

/// Gives the ops of te, and those of tensor, linalg, arith and math that move
/// or combine elements, ShardableOpInterface.
void registerShardableOpExternalModels(DialectRegistry &registry);

/// Gives the collectives of shard DifferentiableOpInterface,
/// DataMovementOpInterface where they move elements, and
/// MixedPrecisionOpInterface where they add them.
void registerCollectiveExternalModels(DialectRegistry &registry);

} // namespace mlir::te

#include "te/Dialect/TE/Transforms/Distribution/ShardableOpInterface.h.inc"

#endif // TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDING_H
