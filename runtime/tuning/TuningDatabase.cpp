// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tuning/TuningDatabase.h"

#include "support/File.h"
#include "support/Hash.h"
#include "support/Json.h"

#include <cmath>
#include <filesystem>
#include <optional>

using namespace tert::session;
using nlohmann::ordered_json;

static constexpr const char *tuningFormat = "te-mlir-tuning";
static constexpr int formatVersion = 1;

/// Checksum of a plan and its problem, so that a corrupted digit is detected
/// before a library runs it.
static std::string checksum(const std::string &problem,
                            const std::string &plan) {
  return tert::hexadecimal(tert::fnv1a(problem + '\n' + plan));
}

/// A string or null.
static const std::string *textOf(const ordered_json &object, const char *key) {
  auto found = object.find(key);
  return found == object.end() ? nullptr
                               : found->get_ptr<const std::string *>();
}

/// A time, or nothing.
static std::optional<double> secondsOf(const ordered_json &object,
                                       const char *key) {
  auto found = object.find(key);
  if (found == object.end() || !found->is_number())
    return std::nullopt;
  auto seconds = found->get<double>();
  return std::isfinite(seconds) && seconds >= 0 ? std::optional(seconds)
                                                : std::nullopt;
}

Expected<TuningDatabase> TuningDatabase::parse(std::string_view json) {
  ordered_json root = parseJson<ordered_json>(json);
  if (root.is_discarded())
    return Error("it is not JSON, or nested too deep");
  const std::string *format =
      root.is_object() ? textOf(root, "format") : nullptr;
  if (!format || *format != tuningFormat)
    return Error("it is not a tuning database");
  auto version = root.find("version");
  if (version == root.end() || *version != formatVersion)
    return Error("its version is " +
                 (version == root.end() ? "absent" : version->dump()) +
                 ", and this version reads " + std::to_string(formatVersion));
  auto list = root.find("devices");
  if (list == root.end() || !list->is_array())
    return Error("'devices' is not a list");
  TuningDatabase database;
  for (const ordered_json &device : *list) {
    const std::string *name =
        device.is_object() ? textOf(device, "device") : nullptr;
    auto plans = name ? device.find("plans") : device.end();
    if (!name || plans == device.end() || !plans->is_array())
      return Error("a device lacks its name or plans");
    for (const ordered_json &item : *plans) {
      if (!item.is_object())
        return Error("a plan is not an object");
      const std::string *problem = textOf(item, "problem");
      const std::string *plan = textOf(item, "plan");
      const std::string *check = textOf(item, "checksum");
      std::optional<double> first = secondsOf(item, "first_seconds");
      std::optional<double> best = secondsOf(item, "best_seconds");
      if (!problem || !plan || !check || !first || !best)
        return Error("a plan lacks one of problem, plan, checksum, "
                     "first_seconds, best_seconds");
      if (*check != checksum(*problem, *plan))
        return Error("the plan of '" + *problem +
                     "' does not agree with its checksum");
      database.put(*name, *problem, {*plan, *first, *best});
    }
  }
  return database;
}

Expected<TuningDatabase> TuningDatabase::read(const std::string &path) {
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.takeError();
  return parse({file->data(), file->size()});
}

const TuningDatabase::Plans &
TuningDatabase::plansFor(const std::string &device) const {
  static const Plans none;
  auto found = devices.find(device);
  return found == devices.end() ? none : found->second;
}

std::string TuningDatabase::deviceNames() const {
  std::string text;
  for (const auto &[device, plans] : devices)
    text += (text.empty() ? "'" : ", '") + device + "'";
  return text;
}

std::string
TuningDatabase::reasonWithoutPlansFor(const std::string &device) const {
  std::string others = deviceNames();
  return "it has no plans for '" + device + "'" +
         (others.empty() ? "" : ", but for " + others);
}

void TuningDatabase::put(const std::string &device, const std::string &problem,
                         TunedPlan plan) {
  devices[device][problem] = std::move(plan);
}

std::string TuningDatabase::toJson() const {
  ordered_json root = {{"format", tuningFormat},
                       {"version", formatVersion},
                       {"devices", ordered_json::array()}};
  for (const auto &[device, plans] : devices) {
    ordered_json list = ordered_json::array();
    for (const auto &[problem, plan] : plans)
      list.push_back({{"problem", problem},
                      {"plan", plan.plan},
                      {"checksum", checksum(problem, plan.plan)},
                      {"first_seconds", plan.firstSeconds},
                      {"best_seconds", plan.bestSeconds}});
    root["devices"].push_back({{"device", device}, {"plans", std::move(list)}});
  }
  return root.dump(1, ' ', false, ordered_json::error_handler_t::replace) +
         "\n";
}

Error TuningDatabase::write(const std::string &path) const {
  return writeFile(path, toJson());
}

std::string tert::session::defaultTuningPath(const std::string &artifact) {
  return std::filesystem::path(artifact)
      .replace_extension(".tuning.json")
      .string();
}

std::string tert::session::ignoredTuning(const std::string &path,
                                         const std::string &why) {
  return "the tuning database '" + path + "' is ignored: " + why +
         ". 'te-run tune' makes a new one";
}
