// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Frontend/StableHLO/ImportStableHLO.h"
#include "ModuleImporter.h"

#include "te/Support/ElementTypes.h"
#include "te/Support/UnregisteredOps.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

/// The supported format, appended to messages about unsupported ones.
static constexpr StringLiteral kAdvice =
    "write the generic form, with export_stablehlo of the Python package "
    "temlir_export, or with jax.jit(f).lower(...).compiler_ir('stablehlo')"
    ".operation.get_asm(print_generic_op_form=True, enable_debug_info=True)";

/// A portable artifact is MLIR bytecode with this producer.
static bool isArtifact(StringRef text) {
  return text.starts_with("ML\xEFR") &&
         text.take_front(64).contains("StableHLO_v");
}

/// True if an operation of StableHLO occurs outside of comments: quoted, as in
/// the generic form, or not.
static bool hasOperation(StringRef text, bool isQuoted) {
  for (StringRef dialect : {"stablehlo.", "chlo."})
    for (size_t at = text.find(dialect); at != StringRef::npos;
         at = text.find(dialect, at + 1)) {
      StringRef line = text.take_front(at);
      line = line.drop_front(line.rfind('\n') + 1);
      const size_t end = at + dialect.size();
      const char next = end < text.size() ? text[end] : '\0';
      bool isName = isQuoted ? line.ends_with("\"")
                             : line.empty() || llvm::isSpace(line.back());
      if (isName && llvm::isLower(next) && !line.contains("//"))
        return true;
    }
  return false;
}

bool mlir::te::looksLikeStableHLO(llvm::MemoryBufferRef buffer) {
  StringRef text = buffer.getBuffer();
  if (isArtifact(text))
    return true;
  // Other binary files.
  if (text.take_front(4096).contains('\0') || text.starts_with("ML\xEFR"))
    return false;
  return hasOperation(text, /*isQuoted=*/true) ||
         hasOperation(text, /*isQuoted=*/false);
}

void mlir::te::registerStableHLOImportDialects(DialectRegistry &registry) {
  registry.insert<TEDialect, arith::ArithDialect, func::FuncDialect,
                  linalg::LinalgDialect, math::MathDialect,
                  tensor::TensorDialect>();
}

FailureOr<ImportedModel>
mlir::te::importStableHLO(std::unique_ptr<llvm::MemoryBuffer> buffer,
                          MLIRContext *context, const ImportOptions &options) {
  DialectRegistry registry;
  registerStableHLOImportDialects(registry);
  context->appendDialectRegistry(registry);
  context->loadAllAvailableDialects();

  std::string path = buffer->getBufferIdentifier().str();
  StringRef text = buffer->getBuffer();
  Location fileLoc = FileLineColLoc::get(context, path, 0, 0);
  if (isArtifact(text))
    return emitError(fileLoc)
           << "the file is a portable artifact of StableHLO, "
              "as jax.export makes it, which only OpenXLA "
              "reads; "
           << kAdvice;
  if (!hasOperation(text, /*isQuoted=*/true))
    return emitError(fileLoc) << "the file is StableHLO in its pretty form, "
                                 "which only OpenXLA reads; "
                              << kAdvice;
  OwningOpRef<ModuleOp> source;
  {
    const AllowUnregistered allowed(*context);
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
    source = parseSourceFile<ModuleOp>(sources, context);
  }
  if (!source)
    return emitError(fileLoc)
           << "the file is incomplete: it is StableHLO, but not in MLIR's "
              "generic form throughout (see above); "
           << kAdvice;
  if (failed(refuseEncodings(*source)))
    return failure();
  ComplexRest complex = splitComplex(*source);
  return ModuleImporter(*source, std::move(complex), fileLoc, options).import();
}
