// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Help.h"

#include "command-line/Help.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"

#include <map>

using namespace mlir;

void te::hideFlagsOfLibraries() {
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (name != "help" && name != "help-hidden" && name != "version")
      option->setHiddenFlag(llvm::cl::Hidden);
}

bool te::asksForHelp(int argc, char **argv) {
  return llvm::any_of(ArrayRef(argv, argc).drop_front(), [](StringRef word) {
    return word == "--help" || word == "-help" || word == "-h";
  });
}

static void printSection(llvm::raw_ostream &os, StringRef title,
                         const std::map<std::string, std::string> &entries) {
  os << "\n" << title << ":\n";
  for (const auto &[name, help] : entries)
    os << tert::cli::makeEntry("  --" + name, help);
}

void te::printHelp(llvm::raw_ostream &os) {
  std::map<std::string, std::string> pipelines, passes, upstream, flags;
  for (auto &[name, option] : llvm::cl::getRegisteredOptions()) {
    if (const PassPipelineInfo *pipeline = PassPipelineInfo::lookup(name))
      pipelines[name.str()] = pipeline->getPassDescription().str();
    else if (const PassInfo *pass = PassInfo::lookup(name))
      (name.starts_with("te-") || name.starts_with("tert-")
           ? passes
           : upstream)[name.str()] = pass->getPassDescription().str();
    else if (option->getOptionHiddenFlag() == llvm::cl::NotHidden)
      flags[name.str()] = option->HelpStr.str();
  }
  os << tert::cli::wrap(
            "Runs passes over a model or a program: ONNX, StableHLO, MLIR or "
            "MLIR bytecode. Passes run in the order in which they are given; "
            "one with options is --PASS=\"NAME=VALUE NAME=VALUE\".",
            tert::cli::helpColumns)
     << "\n\nUsage: te-opt [OPTIONS] [FILE]\n";
  printSection(os, "Pipelines", pipelines);
  printSection(os, "Passes of TE-MLIR", passes);
  printSection(os, "Passes of MLIR", upstream);
  printSection(os, "Options", flags);
  os << "\n'te-opt --help-hidden' has the options of passes, and LLVM's "
        "flags.\n";
}
