// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports StableHLO as JAX writes it, in the generic form of MLIR's text, as
// te, linalg, tensor, arith and math. No dialect of OpenXLA is needed:
// operations are identified by name.

#ifndef TE_FRONTEND_STABLEHLO_IMPORTSTABLEHLO_H
#define TE_FRONTEND_STABLEHLO_IMPORTSTABLEHLO_H

#include "te/Frontend/ImportedModel.h"

#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace mlir::te {

/// True if `buffer` is StableHLO: text with its operations, or a portable
/// artifact. Also for text in the pretty form and artifacts, for which
/// importStableHLO names the supported form.
bool looksLikeStableHLO(llvm::MemoryBufferRef buffer);

/// Imports the function @main. The attributes te.param and te.input, which the
/// export helper writes, make arguments parameters or inputs; without them, a
/// tree of arguments whose leaves are all floats is one of parameters.
/// Functions are inlined, loops with constant trip counts unrolled. Parameters
/// have no data. Errors are diagnostics of `context`; everything that is not
/// supported is listed in one error.
FailureOr<ImportedModel>
importStableHLO(std::unique_ptr<llvm::MemoryBuffer> buffer,
                MLIRContext *context, const ImportOptions &options = {});

/// Inserts the dialects that imported modules use.
void registerStableHLOImportDialects(DialectRegistry &registry);

} // namespace mlir::te

#endif // TE_FRONTEND_STABLEHLO_IMPORTSTABLEHLO_H
