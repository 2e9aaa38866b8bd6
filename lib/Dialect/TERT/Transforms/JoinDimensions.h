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

/// Views with fewer dimensions of memrefs of one shape and static layouts, for
/// ops that treat every element alike, wherever it is: drops dimensions of size
/// 1, joins dimensions that are contiguous in all memrefs, and orders them by
/// the strides of the last memref. All views have the same shape.
SmallVector<Value> joinDimensions(OpBuilder &builder, Location loc,
                                  ValueRange memrefs);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TERT_TRANSFORMS_JOINDIMENSIONS_H
