// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO as JAX writes it, in the generic form of MLIR's text, as te,
// linalg, tensor, arith and math. No dialect of OpenXLA is needed: operations
// are known by their names.

#ifndef TE_FRONTEND_STABLEHLO_IMPORTSTABLEHLO_H
#define TE_FRONTEND_STABLEHLO_IMPORTSTABLEHLO_H

#include "te/Frontend/ImportedModel.h"

#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace mlir::te {

/// Whether `buffer` is StableHLO: text with its operations, or a portable
/// artifact. Text in the pretty form and artifacts look like it, too, and
/// importStableHLO says what to write instead.
bool looksLikeStableHLO(llvm::MemoryBufferRef buffer);

/// Imports the function @main. Arguments are parameters or inputs as their
/// attributes te.param and te.input say, which the export helper writes;
/// without them, a tree of arguments whose leaves are all floats is one of
/// parameters. Functions are inlined, loops with fixed trip counts unrolled.
/// Parameters have no data. Errors are diagnostics of `context`; everything
/// that is not supported is listed in one error.
FailureOr<ImportedModel>
importStableHLO(std::unique_ptr<llvm::MemoryBuffer> buffer,
                MLIRContext *context, const ImportOptions &options = {});

/// Inserts the dialects that imported modules use.
void registerStableHLOImportDialects(DialectRegistry &registry);

} // namespace mlir::te

#endif // TE_FRONTEND_STABLEHLO_IMPORTSTABLEHLO_H
