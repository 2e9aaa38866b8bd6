// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of a language model's head in the forms that te-fuse-loss chooses
// from.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_LOSSWORK_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_LOSSWORK_H

#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// The products of the heads in `func` whose classes te-fuse-loss may pad, with
/// the types of their logits: those that compute logits which only a loss and
/// its gradient read, and those that read that gradient.
llvm::DenseMap<Operation *, RankedTensorType>
findHeadProducts(func::FuncOp func);

/// The work of a product of a head with `allClasses` classes over `rows` of the
/// rows, with the classes padded to `classes`.
Work getPartWork(Operation *op, int64_t allClasses, int64_t rows,
                 int64_t classes, bool addsToLastPart);

/// The work of the products `products` of a head over `logits`, and of `loss`
/// between them, for each slice of the rows in turn, with the classes padded to
/// `paddedClasses` in the products. Null products are left out.
SmallVector<Work> getHeadWork(RowwiseLossOpInterface loss,
                              RankedTensorType logits,
                              ArrayRef<Operation *> products,
                              ArrayRef<int64_t> parts, int64_t paddedClasses);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_LOSSWORK_H
