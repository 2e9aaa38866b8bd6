// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Agreement.h"

#include "support/InputFile.h"
#include "support/Json.h"
#include "training/Peers.h"
#include "training/Provenance.h"
#include "training/TrainingOptions.h"

#include <filesystem>

using namespace tert::session;
using namespace tert::training;
using nlohmann::ordered_json;

/// Settings that determine when ranks synchronize, and what they compute. Paths
/// of files may differ between hosts.
static Expected<ordered_json> sharedSettings(const TrainingOptions &options,
                                             const Artifact &artifact) {
  Expected<ordered_json> inputs = inputsOf(options);
  if (!inputs)
    return inputs.takeError();
  ordered_json settings = parseJson<ordered_json>(
      settingsAsJson(options, /*rate=*/options.find("learning_rate")
                                  ? options.find("learning_rate")->value
                                  : 0));
  settings["--seed"] = options.initialization.seed;
  settings["--accumulate"] = options.accumulate;
  settings["--calibrate"] = options.calibrate;
  settings["--min-lr"] = options.minimumRate;
  settings["--data"] = (*inputs)["data"];
  settings["--tokens"] = (*inputs)["tokens"];
  settings["--eval-data"] = inputs->value("eval data", "");
  settings["--weights"] = inputs->value("weights", "");
  // If a rank reads only its shard of a file, no rank verifies all of it with
  // the program's checksum.
  std::error_code code;
  if (options.initialization.weights.empty() && !options.resume &&
      std::filesystem::exists(artifact.weightsPath(), code)) {
    Expected<std::string> digest = digestOf(artifact.weightsPath());
    if (!digest)
      return digest.takeError();
    settings["weights beside the program"] = *digest;
  }
  settings["--eval-every"] = options.evalEvery;
  settings["--eval-ema"] = options.evaluatesAverages;
  settings["--patience"] = options.patience;
  settings["--milestones"] = options.milestones;
  settings["--no-best"] = !options.keepBest;
  settings["--eval-batches"] = options.evaluation.batches;
  settings["--checkpoint"] = !options.checkpoints.empty();
  settings["--every"] = options.every;
  settings["--resume"] = options.resume;
  settings["--start-if-none"] = options.startIfNone;
  settings["--rollback"] = options.rollback;
  settings["--skip-damaged"] = options.skipDamaged;
  settings["--max-skipped-steps"] = options.maxSkippedSteps;
  settings["--stop-on-divergence"] = options.stopOnDivergence;
  if (!options.fallback.program.empty()) {
    Expected<ArtifactFile> fallback =
        ArtifactFile::read(options.fallback.program);
    if (!fallback)
      return fallback.takeError();
    settings["--fallback"] = fallback->seal;
  }
  settings["--check-replicas"] =
      options.checkReplicas ? ordered_json(*options.checkReplicas) : nullptr;
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
    auto of = [](const ordered_json &settings, const std::string &key) {
      return settings.is_object() && settings.contains(key)
                 ? settings[key].dump()
                 : std::string("not given");
    };
    ordered_json keys = first;
    if (other.is_object())
      keys.update(other);
    for (auto &[key, value] : keys.items())
      if (of(first, key) != of(other, key))
        changes += "\n  " + key + ": " + of(first, key) + " on rank 0, " +
                   of(other, key) + " on rank " + std::to_string(rank);
    return Error("rank " + std::to_string(rank) +
                 " was started with other settings than rank 0; give all "
                 "ranks the same:" +
                 changes);
  }
  return Error::success();
}

Error tert::training::agreeOnSettings(Peers *peers,
                                      const TrainingOptions &options,
                                      const Artifact &artifact) {
  if (!peers)
    return Error::success();
  Expected<ordered_json> settings = sharedSettings(options, artifact);
  return settings ? agreeOn(peers, settings->dump()) : settings.takeError();
}
