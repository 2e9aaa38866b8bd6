// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry with a backward pass as ops and the buffers that they read and make.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_MEMORY_STEPGRAPH_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_MEMORY_STEPGRAPH_H

#include "te/Analysis/CostModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"

#include <vector>

namespace mlir::te {

/// A value with memory of its own; views of it are the same buffer.
struct StepBuffer {
  unsigned producer; ///< the position of the op that makes it
  int64_t bytes;
  /// Of the last op that reads it: one of the forward pass, or one of the
  /// backward pass before the turn, or the return; else its producer.
  unsigned lastEarlyRead;
  /// Read by the backward pass behind the turn, and by nothing else then.
  bool isKept = false;
  /// Takes so little memory that it is not worth a thought.
  bool isSmall = false;
};

/// An op of the entry.
struct StepOp {
  Operation *op = nullptr;
  /// Buffers, each once.
  SmallVector<unsigned, 4> reads, makes;
  /// Of the forward pass: what the loss, or the model's outputs, are made of.
  bool isForward = false;
  /// Can be carried out once more: it has no effects, and is none of several
  /// ranks together.
  bool isRepeatable = false;
  /// Multiplies matrices.
  bool multiplies = false;
  /// Multiplies little for what it moves through memory.
  bool isLight = false;
  double seconds = 0;
};

class StepGraph {
public:
  explicit StepGraph(func::FuncOp function);

  ArrayRef<StepOp> getOps() const { return ops; }
  ArrayRef<StepBuffer> getBuffers() const { return buffers; }

  /// The position where most memory is kept for the backward pass: what is
  /// read behind it is kept through it. 0 if nothing is kept.
  unsigned getTurn() const { return turn; }
  bool isBehindTurn(unsigned position) const {
    return position > turn && !ops[position].isForward;
  }

  /// The buffer of a value; nothing for arguments and constants.
  std::optional<unsigned> findBuffer(Value value) const;
  /// Whether the value is a view of an operand's memory.
  static bool isView(Operation *op);

private:
  void findForward(func::FuncOp function);
  void findBuffers(func::FuncOp function);
  void findTurn();
  /// Ops that quantize do not make once more what nobody keeps.
  void dropCopies();

  std::vector<StepOp> ops;
  std::vector<StepBuffer> buffers;
  DenseMap<Value, unsigned> bufferOf;
  DenseMap<Operation *, unsigned> positions;
  unsigned turn = 0;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_MEMORY_STEPGRAPH_H
