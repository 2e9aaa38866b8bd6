// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles the LLVM dialect to machine code or PTX.

#ifndef TE_TARGET_MACHINECODE_H
#define TE_TARGET_MACHINECODE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace mlir::te {

/// Marks functions of the LLVM dialect that are worth optimizing. The rest of a
/// program is a list of calls, for which compile time matters.
inline constexpr llvm::StringLiteral kOptimizeAttr = "tert-optimize";

/// Compiles `module` (LLVM dialect) for this machine's architecture, with the
/// baseline instruction set unless a function requests another, into a
/// position-independent object. Errors are emitted on the module.
FailureOr<llvm::SmallVector<char, 0>> compileToObject(ModuleOp module);

/// Compiles `module` (LLVM and NVVM dialects) to PTX for GPUs from `chip` on,
/// as named by LLVM's NVPTX target. Errors are emitted on the module.
FailureOr<std::string> compileToPTX(ModuleOp module, llvm::StringRef chip);

} // namespace mlir::te

#endif // TE_TARGET_MACHINECODE_H
