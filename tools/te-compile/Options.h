// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of te-compile.

#ifndef TE_TOOLS_TE_COMPILE_OPTIONS_H
#define TE_TOOLS_TE_COMPILE_OPTIONS_H

#include "te/Pipelines/Pipelines.h"

#include "llvm/Support/CommandLine.h"

#include <string>

namespace mlir::te {

enum class Target { CPU, SM90 };
enum class Recipe { Delayed, Current };
enum class EmitKind { TE, TERT, LLVM, Object, SharedLibrary };

/// Every option; made once in main, before the command line is parsed.
struct CompileOptions {
  CompileOptions();

  llvm::cl::OptionCategory category;
  llvm::cl::opt<std::string> input, output;
  llvm::cl::list<std::string> entries;
  llvm::cl::opt<ComputePrecision> precision;
  llvm::cl::opt<BoundaryType> boundary;
  llvm::cl::opt<Target> target;
  llvm::cl::opt<Recipe> recipe;
  llvm::cl::opt<Fp8Format> fp8Format;
  llvm::cl::opt<unsigned> amaxHistory;
  llvm::cl::opt<AmaxAlgo> amaxAlgo;
  llvm::cl::opt<unsigned> margin;
  llvm::cl::opt<std::string> policy;
  llvm::cl::opt<LossKind> loss;
  llvm::cl::opt<Reduction> reduction;
  llvm::cl::opt<long> ignoreIndex;
  llvm::cl::opt<OptimizerKind> optimizer;
  llvm::cl::opt<std::string> init;
  llvm::cl::opt<std::string> tuning;
  llvm::cl::opt<EmitKind> emit;
  llvm::cl::opt<std::string> report;
  llvm::cl::opt<bool> timing, verbose;
};

/// The name of an enumeration option's value, as written on the command line.
template <typename Enum>
llvm::StringRef optionValueName(const llvm::cl::opt<Enum> &option) {
  auto &parser = const_cast<llvm::cl::opt<Enum> &>(option).getParser();
  for (unsigned i = 0; i < parser.getNumOptions(); ++i)
    if (parser.getOptionValue(i).compare(
            llvm::cl::OptionValue<Enum>(option.getValue())))
      return parser.getOption(i);
  return {};
}

} // namespace mlir::te

#endif // TE_TOOLS_TE_COMPILE_OPTIONS_H
