// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Agreement.h"

#include "session/Json.h"
#include "training/Peers.h"
#include "training/TrainingOptions.h"

using namespace tert::session;
using namespace tert::training;
using nlohmann::ordered_json;

/// What decides when ranks meet, and what they compute. Files may have other
/// paths on other hosts.
static ordered_json sharedSettings(const TrainingOptions &options) {
  ordered_json settings = parseJson<ordered_json>(
      settingsAsJson(options, /*rate=*/options.find("learning_rate")
                                  ? options.find("learning_rate")->value
                                  : 0));
  settings["--seed"] = options.initialization.seed;
  settings["--accumulate"] = options.accumulate;
  settings["--calibrate"] = options.calibrate;
  settings["--eval-data"] = !options.evaluation.data.empty();
  settings["--eval-every"] = options.evalEvery;
  settings["--eval-batches"] = options.evaluation.batches;
  settings["--checkpoint"] = !options.checkpoints.empty();
  settings["--every"] = options.every;
  settings["--resume"] = options.resume;
  settings["--skip-damaged"] = options.skipDamaged;
  settings["--max-skipped-steps"] = options.maxSkippedSteps;
  settings["--stop-on-divergence"] = options.stopOnDivergence;
  settings["--check-replicas"] = options.checkReplicas;
  return settings;
}

Error tert::training::agreeOn(Peers *peers, const std::string &settings) {
  if (!peers)
    return Error::success();
  Expected<std::vector<std::string>> all = peers->gather("settings", settings);
  if (!all)
    return all.takeError();
  auto first = parseJson<ordered_json>(all->front());
  for (size_t rank = 1; rank < all->size(); ++rank) {
    auto other = parseJson<ordered_json>((*all)[rank]);
    if (other == first)
      continue;
    std::string changes;
    for (auto &[key, value] : first.items())
      if (!other.contains(key) || other[key] != value)
        changes += "\n  " + key + ": " + value.dump() + " on rank 0, " +
                   (other.contains(key) ? other[key].dump() : "not given") +
                   " on rank " + std::to_string(rank);
    return Error("rank " + std::to_string(rank) +
                 " was started with other settings than rank 0; give all "
                 "ranks the same:" +
                 changes);
  }
  return Error::success();
}

Error tert::training::agreeOnSettings(Peers *peers,
                                      const TrainingOptions &options) {
  return agreeOn(peers, sharedSettings(options).dump());
}
