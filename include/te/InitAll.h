// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything this project adds to a tool.

#ifndef TE_INITALL_H
#define TE_INITALL_H

namespace mlir {
class DialectRegistry;
namespace te {

/// The dialects that any stage of the compiler uses, with the external models
/// that the passes rely on.
void registerAllDialects(DialectRegistry &registry);

/// Every pass and pipeline, and the upstream passes that go with them.
void registerAllPasses();

} // namespace te
} // namespace mlir

#endif // TE_INITALL_H
