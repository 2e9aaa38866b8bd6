// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The address of a memref of static layout, relative to its base.

#ifndef TE_LIB_CONVERSION_TERTTOLLVM_BUFFERADDRESS_H
#define TE_LIB_CONVERSION_TERTTOLLVM_BUFFERADDRESS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::te {

/// The address of a memref's first element: `bytes` after the start of `base`,
/// a function argument or the result of memref.get_global or tert.locate_part.
struct BufferAddress {
  Value base;
  int64_t bytes;
};

/// Sizes and strides in elements, outermost first.
struct BufferLayout {
  Type elementType;
  SmallVector<int64_t> sizes;
  SmallVector<int64_t> strides;
};

/// Follows views (slices, reshapes, casts, pieces of an arena) to the base.
/// Fails, with an error at the op, if one is not a static view.
FailureOr<BufferAddress> getBufferAddress(Value memref);

/// Fails, with an error at `user`, if sizes or strides are not static.
FailureOr<BufferLayout> getBufferLayout(Operation *user, Value memref);

/// True if getBufferAddress looks through the op, which then needs no code.
bool isStaticView(Operation *op);

} // namespace mlir::te

#endif // TE_LIB_CONVERSION_TERTTOLLVM_BUFFERADDRESS_H
