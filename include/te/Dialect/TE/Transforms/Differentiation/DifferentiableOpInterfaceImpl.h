// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DifferentiableOpInterface of upstream's ops.

#ifndef TE_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_DIFFERENTIABLEOPINTERFACEIMPL_H
#define TE_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_DIFFERENTIABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
namespace te {

/// Attaches DifferentiableOpInterface to tensor.collapse_shape, expand_shape,
/// extract_slice (static), concat, arith.extf and truncf on tensors,
/// linalg.transpose, linalg.generic (pointwise ops and sums), linalg.matmul and
/// its variants.
void registerDifferentiableOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace te
} // namespace mlir

#endif // TE_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_DIFFERENTIABLEOPINTERFACEIMPL_H
