// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_LIB_DIALECT_TERT_TRANSFORMS_BUFFERBOX_H
#define TE_LIB_DIALECT_TERT_TRANSFORMS_BUFFERBOX_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::te {

/// A box of a buffer's elements; the whole buffer when it has no dimensions.
struct BufferBox {
  SmallVector<int64_t> begins, ends;

  bool overlaps(const BufferBox &other) const;
};

/// The box that a slice of the whole buffer covers; nullopt if not static.
std::optional<BufferBox> getBox(memref::SubViewOp slice);

/// Calls `fn` for the uses of a buffer and of its views, with the elements of
/// the buffer that it may access, until it returns false; returns the last
/// result.
bool allUses(Value buffer,
             function_ref<bool(OpOperand &use, const BufferBox &box)> fn);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TERT_TRANSFORMS_BUFFERBOX_H
