// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors as matrices whose rows are those of all leading dimensions: the
// matrices of experts, [E, N, K], are multiplied as [E·N, K].

#ifndef TE_SUPPORT_MATRIXVIEW_H
#define TE_SUPPORT_MATRIXVIEW_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::te {

/// `type`, of rank 2 or more, as a matrix: its last dimension remains.
inline RankedTensorType getMatrixType(RankedTensorType type) {
  ArrayRef<int64_t> shape = type.getShape();
  return RankedTensorType::get(
      {ShapedType::getNumElements(shape.drop_back()), shape.back()},
      type.getElementType());
}

/// `value` as a matrix: itself if it is one, else a tensor.collapse_shape.
inline Value viewAsMatrix(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 2)
    return value;
  SmallVector<ReassociationIndices> dims(2);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    dims[dim + 1 == type.getRank()].push_back(dim);
  return tensor::CollapseShapeOp::create(builder, loc, getMatrixType(type),
                                         value, dims);
}

/// The tensor that `value` views as a matrix; `value` if it is no such view.
inline Value getTensorOfMatrix(Value value) {
  auto view = value.getDefiningOp<tensor::CollapseShapeOp>();
  if (!view)
    return value;
  SmallVector<ReassociationIndices> dims = view.getReassociationIndices();
  return dims.size() == 2 && dims.back().size() == 1 ? view.getSrc() : value;
}

} // namespace mlir::te

#endif // TE_SUPPORT_MATRIXVIEW_H
