// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work of a kernel on a few elements, the same for every target.

#ifndef TE_LIB_CONVERSION_KERNELSTOLLVM_KERNELBODY_H
#define TE_LIB_CONVERSION_KERNELSTOLLVM_KERNELBODY_H

#include "te/Analysis/GeneratedKernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::te {

/// Writes loads, arithmetic and stores of a kernel: a function around one
/// linalg.generic on its arguments.
class KernelBody {
public:
  KernelBody(func::FuncOp kernel, linalg::GenericOp op);

  const IterationSpace &getSpace() const { return space; }

  /// The addresses of the kernel's arguments in the code to be written.
  void setPointers(ArrayRef<Value> values) { pointers.assign(values); }

  /// How many elements a thread computes at once: the most of 8, 4, 2 and 1
  /// that follow each other in memory wherever the innermost loop walks, and
  /// that 16-byte accesses take.
  int64_t getGroupSize();

  /// Bytes that every address must be a multiple of for groups of that size.
  int64_t getAlignment(int64_t groupSize);

  /// Computes `count` elements that follow each other along the innermost
  /// parallel loop, from the given counters (i64, one per parallel loop) on.
  /// `count` is 1 or divides getGroupSize().
  void emit(OpBuilder &builder, ValueRange counters, int64_t count);

private:
  unsigned getArgument(unsigned operand) {
    return cast<BlockArgument>(op->getOperand(operand)).getArgNumber();
  }
  Type getElementType(unsigned operand) {
    return getElementTypeOrSelf(op->getOperand(operand));
  }
  bool isOutput(unsigned operand) { return operand >= op.getNumDpsInputs(); }
  bool fitsGroup(unsigned operand, int64_t size);

  Value getOffset(OpBuilder &builder, int64_t constant,
                  ArrayRef<int64_t> strides, ValueRange counters);
  Value getAddress(OpBuilder &builder, unsigned operand, Value offset,
                   int64_t element);
  template <typename Access>
  void annotate(Access access, unsigned operand, int64_t element,
                int64_t count);
  /// Values are of the type that arithmetic is done in.
  Value load(OpBuilder &builder, unsigned operand, Value offset,
             int64_t element, int64_t count);
  void store(OpBuilder &builder, Value value, unsigned operand, Value offset,
             int64_t element, int64_t count);
  /// The body's results; `counters` are those of the op's loops, where known.
  SmallVector<Value> emitArithmetic(OpBuilder &builder, ValueRange arguments,
                                    ArrayRef<Value> counters);
  void emitReduction(OpBuilder &builder, ArrayRef<Value> offsets,
                     SmallVector<Value> counters);

  func::FuncOp kernel;
  linalg::GenericOp op;
  Location loc;
  IterationSpace space;
  SmallVector<Value> pointers;
  /// Of each argument: whether it is written, and its scope unless arguments
  /// may overlap.
  llvm::BitVector written;
  SmallVector<Attribute> scopes;
};

} // namespace mlir::te

#endif // TE_LIB_CONVERSION_KERNELSTOLLVM_KERNELBODY_H
