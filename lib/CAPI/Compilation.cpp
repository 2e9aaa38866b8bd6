// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te-c/Compilation.h"

#include "te/Driver/Compilation.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/IR/Diagnostics.h"

#include <optional>

using namespace mlir;
using namespace mlir::te;

struct TeCompilation {
  explicit TeCompilation(MLIRContext &context) : context(context) {}

  MLIRContext &context;
  CompileOptions options;
  /// Created by the first attempt to load a model.
  std::unique_ptr<Compilation> compilation;
  bool isLoaded = false, hasRun = false;
  std::string message;
  TeDiagnosticCallback callback = nullptr;
  void *userData = nullptr;

  /// Runs a step and collects its messages.
  TeStatus take(llvm::function_ref<TeStatus()> step);
  TeStatus wrongUsage(StringRef why) {
    message = why.str();
    return TE_STATUS_WRONG_USAGE;
  }
  TeStatus load(llvm::function_ref<LogicalResult()> read);

private:
  void hear(Diagnostic &diagnostic);
};

static TeSeverity getSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return TE_SEVERITY_NOTE;
  case DiagnosticSeverity::Warning:
    return TE_SEVERITY_WARNING;
  case DiagnosticSeverity::Error:
    return TE_SEVERITY_ERROR;
  case DiagnosticSeverity::Remark:
    return TE_SEVERITY_REMARK;
  }
  llvm_unreachable("a severity that MLIR does not have");
}

/// "model.mlir":3:5, or empty.
static std::string getPlace(Location loc) {
  std::string place;
  if (!isa<UnknownLoc>(loc))
    llvm::raw_string_ostream(place) << loc;
  StringRef text = place;
  if (text.consume_front("loc("))
    text.consume_back(")");
  return text.str();
}

void TeCompilation::hear(Diagnostic &diagnostic) {
  std::string place = getPlace(diagnostic.getLocation());
  std::string text = diagnostic.str();
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
    message += (message.empty() ? "" : "\n") +
               (place.empty() ? "" : place + ": ") + text;
  if (callback)
    callback(getSeverity(diagnostic.getSeverity()), place.c_str(), text.c_str(),
             userData);
  for (Diagnostic &note : diagnostic.getNotes())
    hear(note);
}

TeStatus TeCompilation::take(llvm::function_ref<TeStatus()> step) {
  message.clear();
  ScopedDiagnosticHandler handler(
      &context, [this](Diagnostic &diagnostic) { hear(diagnostic); });
  TeStatus status = step();
  if (status != TE_STATUS_OK && message.empty())
    message = "a step failed and did not say why";
  return status;
}

static TeStatus toStatus(LogicalResult result) {
  return succeeded(result) ? TE_STATUS_OK : TE_STATUS_FAILED;
}

TeStatus TeCompilation::load(llvm::function_ref<LogicalResult()> read) {
  return take([&] {
    if (compilation)
      return wrongUsage("a compilation loads one model; create another");
    compilation = std::make_unique<Compilation>(context, options);
    if (failed(compilation->checkOptions())) {
      // The options can still be corrected.
      compilation.reset();
      return TE_STATUS_WRONG_USAGE;
    }
    LogicalResult result = read();
    isLoaded = succeeded(result);
    return toStatus(result);
  });
}

TeCompilation *teCompilationCreate(MlirContext context) {
  return new TeCompilation(*unwrap(context));
}

void teCompilationDestroy(TeCompilation *compilation) { delete compilation; }

void teCompilationSetDiagnosticCallback(TeCompilation *compilation,
                                        TeDiagnosticCallback callback,
                                        void *userData) {
  compilation->callback = callback;
  compilation->userData = userData;
}

const char *teCompilationGetMessage(const TeCompilation *compilation) {
  return compilation->message.c_str();
}

TeStatus teCompilationSetOption(TeCompilation *compilation, const char *name,
                                const char *value) {
  return compilation->take([&] {
    if (compilation->compilation)
      return compilation->wrongUsage(
          "options are set before a model is loaded");
    if (auto problem = setCompileOption(compilation->options, name, value))
      return compilation->wrongUsage(*problem);
    return TE_STATUS_OK;
  });
}

TeStatus teCompilationLoadFile(TeCompilation *compilation, const char *path) {
  return compilation->load(
      [&] { return compilation->compilation->load(StringRef(path)); });
}

TeStatus teCompilationLoadBuffer(TeCompilation *compilation, const char *name,
                                 const void *data, size_t bytes) {
  return compilation->load([&] {
    return compilation->compilation->load(llvm::MemoryBuffer::getMemBufferCopy(
        StringRef(static_cast<const char *>(data), bytes), name));
  });
}

TeStatus teCompilationRun(TeCompilation *compilation) {
  return compilation->take([&] {
    if (!compilation->isLoaded || compilation->hasRun)
      return compilation->wrongUsage(
          "a compilation runs once, after a model was loaded");
    LogicalResult result = compilation->compilation->run();
    compilation->hasRun = succeeded(result);
    // The result of a failed pass is unusable.
    compilation->isLoaded = compilation->hasRun;
    return toStatus(result);
  });
}

static const char notRun[] = "there is nothing to emit before the passes ran";

TeStatus teCompilationEmitFile(TeCompilation *compilation, const char *path) {
  return compilation->take([&] {
    if (!compilation->hasRun)
      return compilation->wrongUsage(notRun);
    if (path)
      compilation->compilation->setOutput(path);
    return toStatus(compilation->compilation->emit());
  });
}

TeStatus teCompilationEmitToCallback(TeCompilation *compilation,
                                     MlirStringCallback callback,
                                     void *userData) {
  return compilation->take([&] {
    if (!compilation->hasRun)
      return compilation->wrongUsage(notRun);
    llvm::SmallVector<char, 0> result;
    llvm::raw_svector_ostream os(result);
    if (failed(compilation->compilation->emit(os)))
      return TE_STATUS_FAILED;
    callback(MlirStringRef{result.data(), result.size()}, userData);
    return TE_STATUS_OK;
  });
}

MlirModule teCompilationGetModule(const TeCompilation *compilation) {
  if (!compilation->isLoaded)
    return MlirModule{nullptr};
  return wrap(compilation->compilation->getModule());
}
