// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DataMovementOpInterface of upstream's ops.

#ifndef TE_DIALECT_TE_TRANSFORMS_DATAMOVEMENTOPINTERFACEIMPL_H
#define TE_DIALECT_TE_TRANSFORMS_DATAMOVEMENTOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;

namespace te {

/// Attaches the interface to tensor.cast, collapse_shape, expand_shape,
/// reshape, extract_slice, insert_slice and concat, and to linalg.transpose.
void registerDataMovementOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace te
} // namespace mlir

#endif // TE_DIALECT_TE_TRANSFORMS_DATAMOVEMENTOPINTERFACEIMPL_H
