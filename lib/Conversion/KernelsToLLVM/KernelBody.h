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

/// Writes loads, arithmetic and stores of a kernel, a function that consists of
/// one linalg.generic on its arguments.
class KernelBody {
public:
  KernelBody(func::FuncOp kernel, linalg::GenericOp op);

  const IterationSpace &getSpace() const { return space; }

  /// Sets the addresses of the kernel's arguments in the code to be written.
  void setPointers(ArrayRef<Value> values) { pointers.assign(values); }

  /// Number of elements that a thread computes at once: the largest of 8, 4, 2
  /// and 1 that are contiguous wherever the innermost loop walks, and that fit
  /// 16-byte accesses.
  int64_t getGroupSize();

  /// Required alignment of each of the kernel's arguments, in bytes, for groups
  /// of that size.
  SmallVector<int32_t> getAlignments(int64_t groupSize);

  /// Computes `count` consecutive elements along the innermost parallel loop,
  /// starting at the given counters (i64, one per parallel loop). `count` is 1
  /// or divides getGroupSize().
  void emit(OpBuilder &builder, ValueRange counters, int64_t count);

  /// Threads of a warp, which reduce one element together.
  static constexpr int64_t kWarpThreads = 32;
  /// True if it pays that a warp computes an element: there are enough
  /// contiguous terms, and each result is a sum or an extremum of them, whose
  /// order is free.
  bool wantsWarps();
  /// Computes one element with the threads of a warp, called by thread `lane`
  /// (i64).
  void emitByWarp(OpBuilder &builder, ValueRange counters, Value lane);

private:
  unsigned getArgument(unsigned operand) {
    return cast<BlockArgument>(op->getOperand(operand)).getArgNumber();
  }
  Type getElementType(unsigned operand) {
    return getElementTypeOrSelf(op->getOperand(operand));
  }
  bool isOutput(unsigned operand) { return operand >= op.getNumDpsInputs(); }
  Value number(OpBuilder &builder, int64_t value);
  bool fitsGroup(unsigned operand, int64_t size);

  Value getOffset(OpBuilder &builder, int64_t constant,
                  ArrayRef<int64_t> strides, ValueRange counters);
  Value getAddress(OpBuilder &builder, unsigned operand, Value offset,
                   int64_t element);
  template <typename Access>
  void annotate(Access access, unsigned operand, int64_t element,
                int64_t count);
  /// Values are of the compute type.
  Value load(OpBuilder &builder, unsigned operand, Value offset,
             int64_t element, int64_t count);
  void store(OpBuilder &builder, Value value, unsigned operand, Value offset,
             int64_t element, int64_t count);
  /// The body's results; `counters` are those of the op's loops, if known.
  SmallVector<Value> emitArithmetic(OpBuilder &builder, ValueRange arguments,
                                    ArrayRef<Value> counters);
  /// The op that accumulates a term into output `number`; null if the body has
  /// another form.
  Operation *getCombiner(unsigned number);
  SmallVector<Value> getOffsets(OpBuilder &builder, ValueRange counters);
  SmallVector<Value> getLoopCounters(ValueRange counters);
  /// Accumulates all terms into `sums`, in the innermost loop only every
  /// `step`-th from `first` on (i64).
  SmallVector<Value> emitTerms(OpBuilder &builder, ArrayRef<Value> offsets,
                               SmallVector<Value> counters, ValueRange sums,
                               Value first, int64_t step);

  func::FuncOp kernel;
  linalg::GenericOp op;
  Location loc;
  IterationSpace space;
  SmallVector<Value> pointers;
  /// For each argument: true if it is written, and its alias scope unless
  /// arguments may overlap.
  llvm::BitVector written;
  SmallVector<Attribute> scopes;
};

} // namespace mlir::te

#endif // TE_LIB_CONVERSION_KERNELSTOLLVM_KERNELBODY_H
