// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Metrics.h"

#include "support/File.h"
#include "support/Json.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

using namespace tert::training;
using namespace tert::session;
using nlohmann::ordered_json;

namespace {
/// JSON has neither NaN nor infinity.
ordered_json number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

double numberAt(const ordered_json &object, const char *key) {
  auto it = object.find(key);
  return it != object.end() && it->is_number() ? it->get<double>()
                                               : std::nan("");
}

ordered_json describeProbe(const ProbeResult &probe) {
  ordered_json layers = ordered_json::object(), slots = layers;
  for (const ProbedProduct &product : probe.products) {
    ordered_json &layer = layers[product.layer];
    if (product.product == "fprop")
      layer["second_order"] = number(product.secondOrder);
    layer["relative_error"][product.product] = number(product.relativeError);
  }
  for (const ProbedSlot &slot : probe.slots) {
    ordered_json &record = slots[slot.name];
    record = {{"amax", number(slot.amax)}, {"flushed", number(slot.flushed)}};
    if (slot.scaled)
      record["scaled"] = number(*slot.scaled);
  }
  ordered_json record = {{"loss", number(probe.loss)}};
  if (!std::isnan(probe.gap))
    record["gap"] = number(probe.gap);
  record["second_order"] = number(probe.secondOrder);
  record["first_order"] = number(probe.firstOrder);
  record["layers"] = std::move(layers);
  record["slots"] = std::move(slots);
  return record;
}

/// Parses a line of the file; false if it is not one of ours.
bool parseLine(std::string_view line, const std::vector<std::string> &slots,
               const std::string &rateKey, StepMetrics &metrics) {
  auto object = parseJson<ordered_json>(line);
  if (!object.is_object() || !object.contains("step") ||
      !object["step"].is_number_unsigned())
    return false;
  metrics.step = object["step"].get<uint64_t>();
  metrics.loss = numberAt(object, "loss");
  if (auto labels = object.find("labels");
      labels != object.end() && labels->is_number_unsigned())
    metrics.labels = labels->get<uint64_t>();
  if (auto rows = object.find("dropped_rows");
      rows != object.end() && rows->is_number_unsigned())
    metrics.droppedRows = rows->get<uint64_t>();
  metrics.evalLoss = numberAt(object, "eval_loss");
  metrics.evalAccuracy = numberAt(object, "eval_accuracy");
  metrics.gradNorm = numberAt(object, "grad_norm");
  metrics.learningRate = numberAt(object, "lr");
  metrics.rate = numberAt(object, rateKey.c_str());
  metrics.seconds = numberAt(object, "seconds");
  metrics.utilization = numberAt(object, "mfu");
  metrics.skipped = object.contains("skipped");
  if (auto amaxes = object.find("amax");
      amaxes != object.end() && amaxes->is_object())
    for (const std::string &slot : slots)
      metrics.amaxes.push_back(
          static_cast<float>(numberAt(*amaxes, slot.c_str())));
  return true;
}
} // namespace

/// Appends to the history, with the mean up to there.
void Metrics::keep(StepMetrics metrics) {
  history.push_back(std::move(metrics));
  double sum = 0, weights = 0;
  size_t count = 0;
  for (size_t i = history.size() - std::min(history.size(), meanSteps);
       i < history.size(); ++i) {
    const double weight =
        static_cast<double>(history[i].labels.value_or(uint64_t(1)));
    if (!std::isfinite(history[i].loss) || weight == 0)
      continue;
    sum += weight * history[i].loss;
    weights += weight;
    ++count;
  }
  history.back().meanOver = count;
  history.back().meanLoss = count ? sum / weights : std::nan("");
}

Expected<Metrics> Metrics::read(const std::string &path) {
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.takeError();
  Metrics result({});
  std::string_view rest(file->data(), file->size());
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (result.history.empty() || result.slots.empty()) {
      auto object = parseJson<ordered_json>(line);
      if (!object.is_object())
        continue;
      for (const auto &[key, value] : object.items()) {
        const size_t suffix = key.find("_per_second");
        if (suffix != key.npos && suffix > 0)
          result.rateKey = key;
        if (key == "amax" && value.is_object())
          for (const auto &[slot, amax] : value.items())
            result.slots.push_back(slot);
      }
    }
    StepMetrics metrics;
    if (parseLine(line, result.slots, result.rateKey, metrics))
      result.keep(std::move(metrics));
  }
  if (result.history.empty())
    return Error("'" + path +
                 "' has no steps of a run; te-run train --metrics "
                 "writes such files");
  return result;
}

Error Metrics::open(const std::string &name, uint64_t resumeStep) {
  path = name;
  std::string kept;
  if (resumeStep) {
    Expected<MappedFile> old = MappedFile::open(path);
    std::string_view rest =
        old ? std::string_view(old->data(), old->size()) : std::string_view();
    while (!rest.empty()) {
      size_t end = rest.find('\n');
      if (end == std::string_view::npos)
        break; // Truncated by a kill.
      StepMetrics metrics;
      if (parseLine(rest.substr(0, end), slots, rateKey, metrics) &&
          metrics.step <= resumeStep) {
        kept += rest.substr(0, end + 1);
        keep(std::move(metrics));
      }
      rest.remove_prefix(end + 1);
    }
  }
  if (Error error = writeFile(path, kept))
    return error;
  file.reset(std::fopen(path.c_str(), "ae"));
  return file ? Error::success()
              : Error("cannot write '" + path + "': " + std::strerror(errno));
}

Error Metrics::add(StepMetrics metrics) {
  keep(std::move(metrics));
  if (!file)
    return Error::success();
  const StepMetrics &last = history.back();
  ordered_json line = {{"step", last.step},
                       {"loss", number(last.loss)},
                       {"mean_loss", number(last.meanLoss)},
                       {"grad_norm", number(last.gradNorm)},
                       {"lr", number(last.learningRate)},
                       {rateKey, number(last.rate)},
                       {"seconds", number(last.seconds)}};
  if (!std::isnan(last.utilization))
    line["mfu"] = number(last.utilization);
  if (last.labels)
    line["labels"] = *last.labels;
  if (last.droppedRows)
    line["dropped_rows"] = *last.droppedRows;
  if (!std::isnan(last.evalLoss))
    line["eval_loss"] = number(last.evalLoss);
  if (!std::isnan(last.evalAccuracy))
    line["eval_accuracy"] = number(last.evalAccuracy);
  if (last.skipped)
    line["skipped"] = true;
  for (const WatchEvent &event : last.events) {
    ordered_json record = {{"what", event.what}};
    if (!event.slot.empty())
      record["slot"] = event.slot;
    else if (!event.layer.empty())
      record["layer"] = event.layer;
    if (!event.product.empty())
      record["product"] = event.product;
    record["value"] = number(event.value);
    record["limit"] = event.limit;
    line["watch"].push_back(std::move(record));
  }
  if (!last.fallback.empty())
    line["fallback"] = last.fallback;
  if (last.probe)
    line["probe"] = describeProbe(*last.probe);
  for (size_t i = 0; i < last.amaxes.size(); ++i)
    line["amax"][slots[i]] = number(last.amaxes[i]);
  std::string text =
      line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  if (std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
      std::fflush(file.get()) == 0)
    return Error::success();
  Error error("cannot write '" + path + "': " + std::strerror(errno) +
              "; metrics end here");
  file.reset();
  return error;
}
