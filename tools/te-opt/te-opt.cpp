// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optimizer driver: any pass on any input. Models of ONNX and StableHLO are
// imported first, everything else is what mlir-opt takes.

#include "Help.h"
#include "te/Driver/Input.h"
#include "te/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// As bytecode; null after errors, which are printed.
static std::unique_ptr<llvm::MemoryBuffer>
importModel(std::unique_ptr<llvm::MemoryBuffer> model,
            DialectRegistry &registry) {
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  return te::convertToBytecode(std::move(model), context);
}

#ifndef NDEBUG
/// Passes whose decisions are logged: LLVM's flag, which an LLVM without
/// assertions, such as Debian's, lacks.
static void addDebugOnly() {
  if (llvm::cl::getRegisteredOptions().contains("debug-only"))
    return;
  static llvm::cl::list<std::string> passes(
      "debug-only", llvm::cl::CommaSeparated, llvm::cl::value_desc("PASS,..."),
      llvm::cl::desc("Log the decisions of these passes to standard error"),
      llvm::cl::callback([](const std::string &) {
        llvm::SmallVector<const char *> names;
        for (const std::string &pass : passes)
          names.push_back(pass.c_str());
        llvm::DebugFlag = true;
        llvm::setCurrentDebugTypes(names.data(), names.size());
      }));
}
#endif

int main(int argc, char **argv) {
  DialectRegistry registry;
  te::registerAllDialects(registry);
  te::registerAllPasses();

  llvm::InitLLVM init(argc, argv);
  te::hideFlagsOfLibraries();
#ifndef NDEBUG
  addDebugOnly();
#endif
  llvm::cl::AddExtraVersionPrinter(
      [](llvm::raw_ostream &os) { os << "TE-MLIR " TE_VERSION "\n"; });
  const std::string header =
      registerCLIOptions("TE-MLIR optimizer driver\n", registry);
  if (te::asksForHelp(argc, argv)) {
    te::printHelp(llvm::outs());
    return 0;
  }
  auto [inputName, outputName] = parseCLIOptions(argc, argv, header);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // The remark engine takes remarks from one thread.
  if (config.shouldEmitRemarks()) {
    llvm::cl::Option *flag =
        llvm::cl::getRegisteredOptions().lookup("mlir-disable-threading");
    if (flag && flag->getNumOccurrences() == 0)
      flag->addOccurrence(0, flag->ArgStr, "true");
  }
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input;
  if (!config.shouldShowDialects() && !config.shouldListPasses())
    input = openInputFile(inputName, &error);
  bool isModel = input && te::isForeignModel(input->getMemBufferRef());
  // Standard input can be read only once.
  if (input && (isModel || inputName == "-")) {
    if (isModel)
      input = importModel(std::move(input), registry);
    auto output = input ? openOutputFile(outputName, &error) : nullptr;
    if (!output) {
      llvm::errs() << error << (error.empty() ? "" : "\n");
      return 1;
    }
    if (failed(MlirOptMain(output->os(), std::move(input), registry, config)))
      return 1;
    output->keep();
    return 0;
  }
  return asMainReturnCode(
      MlirOptMain(argc, argv, inputName, outputName, registry));
}
