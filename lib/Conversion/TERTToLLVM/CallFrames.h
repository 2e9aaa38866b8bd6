// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structures that runtime calls point to (tert_tensor, tert_scaled,
// tert_quantized), as a table instead of code.

#ifndef TE_LIB_CONVERSION_TERTTOLLVM_CALLFRAMES_H
#define TE_LIB_CONVERSION_TERTTOLLVM_CALLFRAMES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::te {

/// The call frames of an entry. A frame is written to the stack before its
/// call, from a constant table: each of its words is a number plus a pointer
/// that is known when the entry runs. A word of a table is two i64, the number
/// and a pointer selector: from 0 on one of the entry's buffers; below, one of
/// the entry's own pointers, -1 the first. A model has tens of thousands of
/// such words, and as code each of them costs several instructions.
class CallFrames {
public:
  /// The entry's own pointers: null, the frame itself, the layouts, and then
  /// the addresses of constants and of the rank's shards.
  enum OwnPointer : int64_t { Null = -1, Frame = -2, Layouts = -3 };
  static constexpr unsigned numOwnPointers = 3;
  static constexpr unsigned wordBytes = sizeof(int64_t);
  /// Size of a table word, in bytes.
  static constexpr unsigned tableWordBytes = 2 * sizeof(int64_t);

  /// The table's selector of the own pointer with this index.
  static int64_t own(unsigned index) { return ~int64_t(index); }

  /// Starts the frame of the next call.
  void begin() { firstWord = words.size(); }
  /// Reserves `bytes` zeroed bytes and returns their offset.
  unsigned take(unsigned bytes);
  /// Sets the word at `offset` to a pointer plus a number of bytes.
  void setPointer(unsigned offset, int64_t pointer, int64_t bytes) {
    words[firstWord + offset / wordBytes] = {bytes, pointer};
  }
  void setInt32(unsigned offset, int32_t value);

  /// First word of the current frame.
  unsigned getFirstWord() const { return firstWord; }
  unsigned getNumWords() const { return words.size() - firstWord; }
  /// Size of the largest frame, in bytes.
  unsigned getFrameBytes() const { return mostWords * wordBytes; }

  /// The table, as numbers.
  SmallVector<int64_t> getTable() const;

  /// The function that writes a frame, created in `module` on first use: void
  /// (ptr table, i64 words, ptr buffers, ptr own pointers).
  static LLVM::LLVMFuncOp getWriter(ModuleOp module);

private:
  struct Word {
    int64_t number = 0;
    int64_t pointer = Null;
  };
  SmallVector<Word> words;
  unsigned firstWord = 0, mostWords = 0;
};

} // namespace mlir::te

#endif // TE_LIB_CONVERSION_TERTTOLLVM_CALLFRAMES_H
