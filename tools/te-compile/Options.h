// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of te-compile.

#ifndef TE_TOOLS_TE_COMPILE_OPTIONS_H
#define TE_TOOLS_TE_COMPILE_OPTIONS_H

#include "llvm/Support/CommandLine.h"

#include <string>

namespace mlir::te {

enum class EmitKind { TE, TERT, LLVM, Object, SharedLibrary };

/// Every option; made once in main, before the command line is parsed.
struct CompileOptions {
  CompileOptions();

  llvm::cl::OptionCategory category;
  llvm::cl::opt<std::string> input, output;
  llvm::cl::list<std::string> entries;
  llvm::cl::opt<std::string> precision, target, recipe, fp8Format;
  llvm::cl::opt<unsigned> amaxHistory;
  llvm::cl::opt<std::string> amaxAlgo;
  llvm::cl::opt<unsigned> margin;
  llvm::cl::opt<std::string> policy, loss, reduction;
  llvm::cl::opt<long> ignoreIndex;
  llvm::cl::opt<std::string> optimizer, init;
  llvm::cl::opt<EmitKind> emit;
  llvm::cl::opt<std::string> report;
  llvm::cl::opt<bool> timing, verbose;
};

} // namespace mlir::te

#endif // TE_TOOLS_TE_COMPILE_OPTIONS_H
