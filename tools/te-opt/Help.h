// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What te-opt --help prints: pipelines, passes and flags, without those that
// LLVM's libraries bring along. --help-hidden has everything.

#ifndef TE_TOOLS_TE_OPT_HELP_H
#define TE_TOOLS_TE_OPT_HELP_H

#include "llvm/Support/raw_ostream.h"

namespace mlir::te {

/// Before main() has registered a flag, all that there are belong to libraries.
void hideFlagsOfLibraries();

bool asksForHelp(int argc, char **argv);

/// When all options are registered, in 80 columns.
void printHelp(llvm::raw_ostream &os);

} // namespace mlir::te

#endif // TE_TOOLS_TE_OPT_HELP_H
