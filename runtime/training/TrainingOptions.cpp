// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/TrainingOptions.h"

#include "support/Json.h"

using namespace tert;
using namespace tert::session;
using namespace tert::training;
using nlohmann::ordered_json;

const ScalarSetting *TrainingOptions::find(const std::string &scalar) const {
  for (const ScalarSetting &setting : scalars)
    if (setting.scalar == scalar)
      return &setting;
  return nullptr;
}

static constexpr char microbatchesKey[] = "--accumulate";
static constexpr char ranksKey[] = "ranks with data";

std::string training::settingsAsJson(const TrainingOptions &options,
                                     double rate, uint64_t shares) {
  ordered_json run = {
      {"--steps", options.steps},
      {"--lr", rate},
      {"--warmup", options.warmup},
      {"--schedule", static_cast<int>(options.schedule)},
      {"--min-lr", options.minimumRate},
      {"bytes of --data", bytesOfData(options.data, options.format)}};
  if (options.schedule == Schedule::Kind::WarmupStableDecay)
    run["--decay-steps"] = options.decaySteps;
  for (const Schedule::Point &point : options.schedulePoints)
    run["--schedule-file"].push_back({point.step, point.factor});
  if (options.order == DataOrder::Epochs)
    run["--order"] = "epochs";
  if (options.data.documentEnd)
    run["--document-end"] = *options.data.documentEnd;
  if (options.accumulate > 1)
    run[microbatchesKey] = options.accumulate;
  for (const ScalarSetting &setting : options.scalars)
    run[setting.label] = setting.value;
  for (const ParameterGroup &group : options.groups)
    run["--group " + group.name] = {{"lr", group.rate},
                                    {"decay", group.decay},
                                    {"freeze", group.frozenSteps}};
  if (shares > 1)
    run[ranksKey] = shares;
  // The schedule's peak rate, given or default.
  run["--lr"] = rate;
  return run.dump();
}

bool training::hadSeveralBatches(const std::string &settings) {
  auto run = parseJson<ordered_json>(settings);
  return run.is_object() &&
         (run.contains(microbatchesKey) || run.contains(ranksKey));
}

std::string training::settingsChanges(const std::string &earlier,
                                      const std::string &later,
                                      Schedule::Kind schedule) {
  auto before = parseJson<ordered_json>(earlier);
  auto now = parseJson<ordered_json>(later);
  if (!before.is_object() || !now.is_object())
    return {};
  // A longer run changes the learning rate only if that falls to the last step.
  if (!Schedule::dependsOnSteps(schedule)) {
    before.erase("--steps");
    now.erase("--steps");
  }
  std::string changes;
  for (auto &[key, value] : now.items())
    if (!before.contains(key) || before[key] != value)
      changes += "\n  " + key + ": " +
                 (before.contains(key) ? before[key].dump() : "not given") +
                 " before, " + value.dump() + " now";
  for (auto &[key, value] : before.items())
    if (!now.contains(key))
      changes += "\n  " + key + ": " + value.dump() + " before, not given now";
  return changes;
}
