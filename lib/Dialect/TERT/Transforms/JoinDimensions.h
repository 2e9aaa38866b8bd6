// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_LIB_DIALECT_TERT_TRANSFORMS_JOINDIMENSIONS_H
#define TE_LIB_DIALECT_TERT_TRANSFORMS_JOINDIMENSIONS_H

#include "mlir/IR/Builders.h"

namespace mlir::te {

/// Whether a value is a memref whose sizes, strides and offset are known.
bool hasStaticLayout(Value value);
/// Whether all that an op takes are such memrefs.
bool hasStaticLayouts(Operation *op);

/// Whether the memref, of static layout, has more dimensions than a tensor of
/// the runtime may have.
bool hasManyDimensions(Value memref);

/// Views of memrefs of one shape and static layouts, for what does the same
/// with every element wherever it stands: dimensions of one element go, those
/// that follow each other without a gap in all memrefs become one, and their
/// order is that of the strides in the last memref. The views have the same
/// shape, of as few dimensions as that leaves.
SmallVector<Value> joinDimensions(OpBuilder &builder, Location loc,
                                  ValueRange memrefs);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TERT_TRANSFORMS_JOINDIMENSIONS_H
