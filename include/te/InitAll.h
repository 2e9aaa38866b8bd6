// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers everything that this project adds to a tool.

#ifndef TE_INITALL_H
#define TE_INITALL_H

namespace mlir {
class DialectRegistry;
namespace te {

/// Registers the dialects of all stages of the compiler, with the external
/// models that the passes rely on.
void registerAllDialects(DialectRegistry &registry);

/// Registers every pass and pipeline, and the upstream passes used with them.
void registerAllPasses();

} // namespace te
} // namespace mlir

#endif // TE_INITALL_H
