// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler driver's command line: a model in, an artifact out.

#include "CommandLine.h"
#include "TryParse.h"
#include "command-line/Messages.h"
#include "te/Driver/Compilation.h"
#include "te/Driver/Input.h"
#include "te/Frontend/ONNX/ImportONNX.h"
#include "te/InitAll.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

#include <csignal>

using namespace mlir;
using namespace mlir::te;

namespace {
constexpr int exitFailure = 1;

/// Prints diagnostics; what has no place in a model is the tool's own message.
class Messages : public SourceMgrDiagnosticHandler {
public:
  explicit Messages(MLIRContext &context)
      : SourceMgrDiagnosticHandler(sources, &context, llvm::errs()) {
    setHandler([this](Diagnostic &diagnostic) { print(diagnostic); });
  }

private:
  void print(Diagnostic &diagnostic) {
    if (!isa<UnknownLoc>(diagnostic.getLocation()))
      return emitDiagnostic(diagnostic);
    switch (diagnostic.getSeverity()) {
    case DiagnosticSeverity::Error:
      llvm::WithColor::error(llvm::errs(), "te-compile");
      break;
    case DiagnosticSeverity::Warning:
      llvm::WithColor::warning(llvm::errs(), "te-compile");
      break;
    default:
      llvm::errs() << "te-compile: ";
    }
    llvm::errs() << diagnostic << "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      emitDiagnostic(note);
  }

  llvm::SourceMgr sources;
};
} // namespace

static LogicalResult load(Compilation &compilation, StringRef path,
                          MLIRContext &context) {
  auto buffer = readModelFile(path);
  if (!buffer)
    return emitError(UnknownLoc::get(&context))
           << llvm::toString(buffer.takeError());
  if (!looksLikeONNX((*buffer)->getMemBufferRef()) &&
      failed(tryParse((*buffer)->getMemBufferRef(), context)))
    return failure();
  return compilation.load(std::move(*buffer));
}

static int compile(CommandLine &line, MLIRContext &context) {
  Messages messages(context);
  DefaultTimingManager timing;
  timing.setEnabled(line.options.timing);
  TimingScope scope = timing.getRootScope();
  const bool isQuiet = line.options.quiet;
  // For the names in --model-passes and --graph-passes.
  if (!line.options.modelPasses.empty() || !line.options.graphPasses.empty())
    registerAllPasses();
  Compilation compilation(context, std::move(line.options));
  if (failed(compilation.checkOptions()))
    return tert::cli::exitUsage;
  if (!isQuiet)
    compilation.enableSummary();
  if (line.options.timing)
    compilation.setTiming(scope);
  if (failed(load(compilation, line.input, context)) ||
      failed(compilation.checkOutputs()) || failed(compilation.run()) ||
      failed(compilation.emit()))
    return exitFailure;
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // A file that grows beyond the limit is a failed write with a message.
  std::signal(SIGXFSZ, SIG_IGN);
  llvm::WithColor::setAutoDetectFunction([](const llvm::raw_ostream &os) {
    return os.has_colors() && tert::cli::wantsColours();
  });
  std::unique_ptr<MLIRContext> context = createCompilationContext();
  CommandLine line;
  if (std::optional<int> code = parseCommandLine(argc, argv, *context, line))
    return *code;
  return compile(line, *context);
}
