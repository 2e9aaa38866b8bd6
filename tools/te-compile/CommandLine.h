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
  CompileOptions options;
  std::string input;
};

/// Reads the command line into `line`. The targets of `context` are among the
/// choices. Returns the exit code where there is nothing to compile.
std::optional<int> parseCommandLine(int argc, char **argv, MLIRContext &context,
                                    CommandLine &line);

} // namespace te
} // namespace mlir

#endif // TE_TOOLS_TE_COMPILE_COMMANDLINE_H
