// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/GoodCheckpoints.h"

#include "checkpoint/CheckpointFolder.h"
#include "support/File.h"
#include "support/Json.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace tert;
using namespace tert::session;
using namespace tert::training;
using nlohmann::ordered_json;

void GoodCheckpoints::saved(uint64_t step, const Divergence &divergence) {
  if (waiting.empty() || waiting.back().step < step)
    waiting.push_back({step, divergence.count()});
}

bool GoodCheckpoints::stepped(const Divergence &divergence) {
  bool shown = false;
  while (!waiting.empty() &&
         waiting.front().losses + Divergence::window <= divergence.count()) {
    // The latest losses are those after the checkpoint.
    if (!divergence.isFar()) {
      good = {waiting.front().step, divergence.median()};
      shown = true;
    }
    waiting.erase(waiting.begin());
  }
  return shown;
}

void GoodCheckpoints::keepOnly(const std::vector<uint64_t> &present) {
  auto isGone = [&](uint64_t step) {
    return !std::binary_search(present.begin(), present.end(), step);
  };
  waiting.erase(
      std::remove_if(waiting.begin(), waiting.end(),
                     [&](const Waiting &one) { return isGone(one.step); }),
      waiting.end());
  if (good && isGone(good->step))
    good.reset();
}

std::vector<uint64_t> GoodCheckpoints::protectedSteps() const {
  std::vector<uint64_t> steps;
  if (good)
    steps.push_back(good->step);
  if (!waiting.empty())
    steps.push_back(waiting.front().step);
  return steps;
}

//===----------------------------------------------------------------------===//
// The record in the folder
//===----------------------------------------------------------------------===//

static std::string pathIn(const std::string &folder) {
  return (std::filesystem::path(folder) / CheckpointFolder::healthName)
      .string();
}

HealthRecord training::readHealth(const std::string &folder) {
  HealthRecord record;
  Expected<MappedFile> file = MappedFile::open(pathIn(folder));
  if (!file)
    return record;
  const auto root = parseJson({file->data(), file->size()});
  auto number = [](const nlohmann::json &object,
                   const char *key) -> std::optional<double> {
    auto it = object.find(key);
    if (it == object.end() || !it->is_number() ||
        !std::isfinite(it->get<double>()))
      return std::nullopt;
    return it->get<double>();
  };
  auto step = [](const nlohmann::json &object, const char *key) -> uint64_t {
    auto it = object.find(key);
    return it != object.end() && it->is_number_unsigned() ? it->get<uint64_t>()
                                                          : uint64_t(0);
  };
  if (!root.is_object())
    return record;
  if (auto good = root.find("good"); good != root.end() && good->is_object())
    if (std::optional<double> loss = number(*good, "loss");
        loss && step(*good, "step"))
      record.good = {step(*good, "step"), *loss};
  std::optional<double> first = number(root, "first_loss"),
                        best = number(root, "best_loss");
  if (first && best)
    record.baseline = {*first, *best};
  record.exploded = step(root, "exploded");
  return record;
}

Error training::writeHealth(const std::string &folder,
                            const HealthRecord &record) {
  ordered_json root = ordered_json::object();
  if (record.good)
    root["good"] = {{"step", record.good->step}, {"loss", record.good->loss}};
  if (record.baseline) {
    root["first_loss"] = record.baseline->first;
    root["best_loss"] = record.baseline->lowest;
  }
  if (record.exploded)
    root["exploded"] = record.exploded;
  return writeFile(pathIn(folder), root.dump(2) + "\n");
}
