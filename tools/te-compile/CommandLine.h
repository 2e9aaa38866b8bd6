// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of te-compile: the driver's options and a model.

#ifndef TE_TOOLS_TE_COMPILE_COMMANDLINE_H
#define TE_TOOLS_TE_COMPILE_COMMANDLINE_H

#include "te/Driver/Options.h"

namespace mlir {
class MLIRContext;

namespace te {

struct CommandLine {
  enum class Action { Compile, Help, Version };

  Action action = Action::Compile;
  CompileOptions options;
  std::string input;
  /// What is wrong, in a sentence; empty: nothing.
  std::string error;
};

/// Reads `-name value`, `-name=value`, both also with two dashes, flags without
/// a value, and one model.
CommandLine parseCommandLine(llvm::ArrayRef<const char *> arguments);

/// The targets of `context` are among the choices.
void printHelp(llvm::raw_ostream &os, MLIRContext &context);

} // namespace te
} // namespace mlir

#endif // TE_TOOLS_TE_COMPILE_COMMANDLINE_H
