// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other programs that te-run starts: Python, te-compile.

#ifndef TE_RUN_CHILDPROCESS_H
#define TE_RUN_CHILDPROCESS_H

#include "support/Error.h"

#include <string>
#include <vector>

namespace tert::run {

/// Runs a program, found as a shell finds it, without a shell, and waits for
/// its end. `command` is its name and its arguments. It has the streams of this
/// process, but for a quiet one's stdout. Returns its exit code; fails if it
/// cannot be started, or ends by a signal.
session::Expected<int> runChild(const std::vector<std::string> &command,
                                bool isQuiet);

/// te-compile beside this program, or without one there, the one that a shell
/// finds.
std::string compilerPath();

/// Runs `main` of a Python package: python3 -m PACKAGE. Modules in the current
/// folder are not imported. Fails, with what to do, if there is no Python or no
/// such package; a failure that Python has printed itself is an exit code.
session::Expected<int> runPython(const std::string &python,
                                 const std::string &package,
                                 const std::vector<std::string> &arguments,
                                 bool isQuiet);

} // namespace tert::run

#endif // TE_RUN_CHILDPROCESS_H
