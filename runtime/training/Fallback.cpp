// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Fallback.h"

#include "artifact/Artifact.h"
#include "checkpoint/CheckpointFolder.h"
#include "support/Json.h"
#include "training/GoodCheckpoints.h"
#include "training/TrainingOptions.h"

#include <algorithm>

using namespace tert;
using namespace tert::session;
using namespace tert::training;
using nlohmann::ordered_json;

std::string FallbackRecord::toJson() const {
  ordered_json record = {{"step", step}, {"why", why}};
  if (isDue)
    record["due"] = true;
  return record.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::optional<FallbackRecord> FallbackRecord::parse(const std::string &text) {
  const auto record = parseJson<ordered_json>(text);
  if (!record.is_object() || !record.contains("step") ||
      !record["step"].is_number_unsigned() || !record.contains("why") ||
      !record["why"].is_string())
    return std::nullopt;
  return FallbackRecord{record["step"].get<uint64_t>(),
                        record["why"].get<std::string>(),
                        record.contains("due")};
}

/// What differs between the programs that has to be the same, as flags of
/// te-compile; empty if nothing does.
static std::string differences(const Description &one,
                               const Description &other) {
  std::string names;
  auto compare = [&](const char *name, bool isSame) {
    if (!isSame)
      names += (names.empty() ? "" : ", ") + std::string(name);
  };
  auto same = [](const std::string &a, const std::string &b) {
    return parseJson(a) == parseJson(b);
  };
  compare("the model", one.model == other.model);
  compare("--target", one.target == other.target);
  compare("--loss", same(one.loss, other.loss));
  compare("--optimizer", same(one.optimizer, other.optimizer));
  const auto isSameAxis = [](const MeshAxis &a, const MeshAxis &b) {
    return a.name == b.name && a.size == b.size;
  };
  compare("--mesh", std::equal(one.mesh.axes.begin(), one.mesh.axes.end(),
                               other.mesh.axes.begin(), other.mesh.axes.end(),
                               isSameAxis));
  return names;
}

Expected<Fallback> Fallback::read(const std::string &path,
                                  const Description &program,
                                  const TrainingOptions &options) {
  Expected<ArtifactFile> file = ArtifactFile::read(path);
  if (!file)
    return file.takeError();
  const Description &other = file->description;
  if (options.checkpoints.empty())
    return Error("--fallback needs --checkpoint, through which the other "
                 "program gets the states");
  if (const std::string names = differences(program, other); !names.empty())
    return Error(
        "'" + path +
        "' cannot continue this run (--fallback); what differs: " + names +
        ". Compile it from the same model with the same options, but "
        "for --policy, --recipe and --precision");
  std::vector<std::string> needed = {"train"};
  if (options.accumulate > 1)
    needed.push_back("accumulate");
  if (!options.evaluation.data.empty())
    needed.push_back("eval");
  for (const std::string &entry : needed)
    if (!other.findEntry(entry))
      return Error("'" + path + "' has no entry '" + entry +
                   "', with which the run goes on (--fallback); it has: " +
                   other.entryNames() +
                   ". Compile it with the same --entry and --microbatches");
  Fallback result;
  result.name = path;
  result.hasOtherRecipe = !other.slots.empty() &&
                          parseJson(program.recipe) != parseJson(other.recipe);
  for (const SlotDescription &slot : other.slots)
    result.layers.insert(layerOf(slot.name));
  return result;
}

bool Fallback::helps(const WatchEvent &event) const {
  // A tensor of zeros is one in any format.
  return event.what != "zero" &&
         (hasOtherRecipe || event.layer.empty() || !layers.count(event.layer));
}

bool training::continuesFallback(const TrainingOptions &options) {
  if (options.checkpoints.empty() || !options.resume)
    return false;
  const CheckpointFolder folder(options.checkpoints);
  Expected<std::vector<uint64_t>> steps = folder.steps();
  if (!steps)
    return false;
  uint64_t last = UINT64_MAX;
  if (options.rollback) {
    const HealthRecord health = readHealth(options.checkpoints);
    last = health.good ? health.good->step : 0;
  }
  for (auto step = steps->rbegin(); step != steps->rend(); ++step) {
    if (*step > last)
      continue;
    Expected<TensorFiles> files = openCheckpoint(folder.fileOf(*step));
    if (!files && options.skipDamaged)
      continue;
    const std::optional<CheckpointInfo> info =
        files ? infoOf(*files) : std::nullopt;
    return info && FallbackRecord::parse(info->fallback);
  }
  return false;
}
