// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_LIB_DIALECT_TERT_TRANSFORMS_REUSEINPUTS_H
#define TE_LIB_DIALECT_TERT_TRANSFORMS_REUSEINPUTS_H

#include "mlir/IR/Block.h"

namespace mlir::te {

/// Lets calls that may (InPlaceCallOpInterface) overwrite a dead input with
/// their result, instead of an allocation. The input may be a slice of a buffer
/// if the rest of it is needed for as long as the result: queries and keys are
/// rotated inside the product that also contains the values.
void reuseInputs(Block &block);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TERT_TRANSFORMS_REUSEINPUTS_H
