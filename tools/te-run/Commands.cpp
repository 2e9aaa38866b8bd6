// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Commands.h"

#include "Arguments.h"

void tert::run::addCommands(CLI::App &app, Run &run,
                            const CommandLine &commandLine) {
  addInfo(app, run);
  addCall(app, run);
  addTrain(app, run, commandLine);
  addEval(app, run);
  addCalibrate(app, run);
  addExport(app, run);
  addGenerate(app, run);
  addBench(app, run);
  addProfile(app, run);
  addTune(app, run);
  addDoctor(app, run);
  addCompare(app, run);
  rejectInvalidValues(app);
}
