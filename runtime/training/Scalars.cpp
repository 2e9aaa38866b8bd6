// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Scalars.h"

#include "support/Text.h"
#include "training/DropoutSeed.h"
#include "training/TrainingOptions.h"

#include <cmath>

using namespace tert;
using namespace tert::session;
using namespace tert::training;
using Role = ArgumentDescription::Role;

Expected<double> training::setScalars(EntryCall &call,
                                      const TrainingOptions &options,
                                      const std::string &artifact) {
  const EntryDescription &entry = call.description();
  for (const ScalarSetting &setting : options.scalars) {
    if (setting.scalar == dropoutSeedName)
      return Error(setting.label +
                   ": every step has a seed of its own, made of the run's and "
                   "the step; choose --seed");
    if (!std::isfinite(static_cast<float>(setting.value)))
      return Error(setting.label + " is " + format("%g", setting.value) +
                   ", which is no finite float32");
    Expected<bool> set =
        call.setScalar(setting.scalar, static_cast<float>(setting.value));
    if (!set)
      return set.takeError();
    if (!*set)
      return Error("the entry '" + entry.name + "' of '" + artifact +
                   "' has no scalar '" + setting.scalar + "', so " +
                   setting.label +
                   " has no effect; leave it out, or compile with an "
                   "optimizer that has it");
  }
  for (const ArgumentDescription &argument : entry.arguments)
    if (argument.role == Role::Scalar && !argument.defaultValue &&
        !options.find(argument.name))
      return Error("the scalar '" + argument.name + "' has no default" +
                   (argument.name == "learning_rate"
                        ? std::string("; give it with --lr")
                        : std::string(" and te-run train has no flag for it")));
  if (const ScalarSetting *given = options.find("learning_rate"))
    return given->value;
  const ArgumentDescription *rate = entry.find(Role::Scalar, "learning_rate");
  return rate ? rate->defaultValue.value_or(0.0) : 0.0;
}
