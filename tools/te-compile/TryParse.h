// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text that MLIR's parser does not survive.

#ifndef TE_TOOLS_TE_COMPILE_TRYPARSE_H
#define TE_TOOLS_TE_COMPILE_TRYPARSE_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::te {

/// Parses and verifies MLIR, text or bytecode, in a child process, whose result
/// and messages are dropped. Fails, and says so, if the child dies: malformed
/// text ends some of MLIR's parsers and verifiers. It makes a crash a message;
/// it is no sandbox (docs/security.md).
LogicalResult tryParse(llvm::MemoryBufferRef buffer, MLIRContext &context);

} // namespace mlir::te

#endif // TE_TOOLS_TE_COMPILE_TRYPARSE_H
