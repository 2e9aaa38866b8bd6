// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of te-run. Each adds its subcommand to the parser; the chosen
// one sets `run`.

#ifndef TE_RUN_COMMANDS_H
#define TE_RUN_COMMANDS_H

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tert::run {

/// Returns the exit code (Output.h).
using Run = std::function<int()>;

/// The arguments of te-run.
struct CommandLine {
  std::vector<std::string> typed; ///< From its name on, as they were given.
  std::vector<std::string> read;  ///< By cli::parse(), once it has run.
};

/// Adds all commands, and the checks of Arguments.h. `commandLine` is quoted in
/// the advice of an interrupted run, and recorded beside a run; it must outlive
/// the parsing.
void addCommands(CLI::App &app, Run &run, const CommandLine &commandLine);

void addInfo(CLI::App &app, Run &run);
void addCall(CLI::App &app, Run &run); ///< forward, vjp, grad
void addTrain(CLI::App &app, Run &run, const CommandLine &commandLine);
void addEval(CLI::App &app, Run &run);
void addCalibrate(CLI::App &app, Run &run);
void addExport(CLI::App &app, Run &run);
void addGenerate(CLI::App &app, Run &run);
void addBench(CLI::App &app, Run &run);
void addProfile(CLI::App &app, Run &run);
void addTune(CLI::App &app, Run &run);
void addDoctor(CLI::App &app, Run &run);
void addCompare(CLI::App &app, Run &run);

} // namespace tert::run

#endif // TE_RUN_COMMANDS_H
