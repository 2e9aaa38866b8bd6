// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_SLICES_H
#define TE_DIALECT_TE_IR_SLICES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace mlir::te {

/// The slice of `value`, a tensor of static shape, as tensor.extract_slice has
/// it. A slice without elements is an empty tensor: the verifier wants every
/// offset within the source, also where the source has no elements or the
/// slice begins at its end.
Value sliceTensor(OpBuilder &builder, Location loc, Value value,
                  ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                  ArrayRef<int64_t> strides);

/// Elements first, first + stride, … of one dimension of `value`, a tensor of
/// static shape: `size` of them.
Value sliceDim(OpBuilder &builder, Location loc, Value value, int64_t dim,
               int64_t first, int64_t size, int64_t stride = 1);

/// The one dimension that a slice of consecutive elements divides; nullopt if
/// it divides none or several, drops dimensions, or is known only at run time.
std::optional<int64_t> getDividedDim(tensor::ExtractSliceOp op);

/// `value` reshaped to another static shape.
Value reshapeTo(OpBuilder &builder, Location loc, Value value,
                ArrayRef<int64_t> shape);

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_SLICES_H
