// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_TRAINING_PARAMETERROLES_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_TRAINING_PARAMETERROLES_H

#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// The roles of the parameter `param` in the ops that read it, also through ops
/// that only move or convert it. Ops without ParameterReaderOpInterface are
/// ignored.
SmallVector<ParameterRole> findParameterRoles(Value param);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_TRAINING_PARAMETERROLES_H
