// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainFolder.h"

#include "TextData.h"
#include "program/Targets.h"

using namespace tert;
using namespace tert::run;
using namespace tert::session;
using namespace tert::training;

std::vector<DataNames *> run::allData(TrainingOptions &training) {
  return {&training.data, &training.evaluation.data, &training.probe.data};
}

Error run::useFolder(ModelFolder folder, Setup &setup,
                     TrainingOptions &training, bool isQuiet) {
  if (!folder.gives("entry"))
    folder.compileOptions.push_back(
        std::string("entry=train") +
        (training.evaluation.data.empty() ? "" : ",eval") +
        (training.probe.every ? ",calibrate" : ""));
  const std::string &device = setup.device.device;
  const Target *target = findTargetOf(device.substr(0, device.find(':')));
  if (target && !folder.gives("target"))
    folder.compileOptions.push_back("target=" + std::string(target->name));
  if (folder.masksDocuments) {
    // It depends on the positions, which te-run counts, that the mask is
    // causal.
    folder.compileOptions.push_back("allow-lookahead");
    for (DataNames *data : allData(training))
      if (!data->empty() && !data->documentEnd &&
          !haveMegatronIndices(*data, training.format))
        if (Error error = endOfTexts(folder.model).moveTo(data->documentEnd))
          return error;
  }
  const ProgramFolder program = ProgramFolder::of(folder, training.checkpoints);
  if (Error error =
          prepareProgram(folder, program, isQuiet).moveTo(setup.artifact))
    return error;
  if (training.format == DataFormat::Auto)
    for (DataNames *data : allData(training))
      if (Error error = tokenizeTexts(folder, program, *data, isQuiet))
        return error;
  return Error::success();
}
