// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Provenance.h"

#include "checkpoint/TensorFiles.h"
#include "support/Json.h"

#include <map>

using namespace tert;
using namespace tert::training;
using namespace tert::session;
using nlohmann::ordered_json;

/// Names of the formats, as in --tokens.
static const char *nameOf(DataFormat format) {
  switch (format) {
  case DataFormat::Bytes:
    return "bytes";
  case DataFormat::U16:
    return "u16";
  case DataFormat::U32:
    return "u32";
  case DataFormat::Safetensors:
    return "safetensors";
  case DataFormat::Auto:
    break;
  }
  return "auto";
}

Expected<ordered_json> training::inputsOf(const TrainingOptions &options) {
  Expected<std::vector<std::string>> files =
      filesOf(options.data, options.format);
  if (!files)
    return files.takeError();
  ordered_json all = {
      {"data", ""},
      {"tokens", nameOf(resolveFormat(files->empty() ? "" : files->front(),
                                      options.format))}};
  auto add = [&](const char *key, Expected<std::string> digest) {
    if (digest)
      all[key] = *digest;
    return digest.takeError();
  };
  if (Error error = add("data", digestOfData(options.data, options.format)))
    return error;
  if (!options.initialization.weights.empty())
    if (Error error =
            add("weights", digestOfTensors(options.initialization.weights)))
      return error;
  if (!options.evaluation.data.empty())
    if (Error error = add(
            "eval data", digestOfData(options.evaluation.data, options.format)))
      return error;
  return all;
}

Expected<std::string> training::provenanceOf(const Session &session,
                                             const TrainingOptions &options) {
  const Description &description = session.description();
  ordered_json program = ordered_json::object();
  auto compiled = parseJson<ordered_json>(description.options);
  for (const char *key : {"precision", "boundary"})
    if (compiled.is_object() && compiled.contains(key))
      program[key] = compiled[key];
  program["policy"] = compiled.is_object() ? compiled.value("policy", "") : "";
  for (auto [key, text] : {std::pair("loss", &description.loss),
                           {"recipe", &description.recipe},
                           {"optimizer", &description.optimizer}})
    if (!text->empty())
      program[key] = parseJson<ordered_json>(*text);
  // Scalars set by flags are settings of the run, and so is the learning rate.
  if (auto optimizer = program.find("optimizer");
      optimizer != program.end() && optimizer->is_object() &&
      optimizer->contains("scalars") && (*optimizer)["scalars"].is_object()) {
    (*optimizer)["scalars"].erase("learning_rate");
    for (const ScalarSetting &setting : options.scalars)
      (*optimizer)["scalars"].erase(setting.scalar);
  }
  if (!description.model.empty())
    program["model"] = description.model;

  ordered_json all = {{"program", program}};
  Expected<ordered_json> inputs = inputsOf(options);
  if (!inputs)
    return inputs.takeError();
  // Evaluation data does not affect the run.
  inputs->erase("eval data");
  all.update(*inputs);
  return all.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// Every value that is not an object, by its path: "program.loss.reduction".
static void flatten(const ordered_json &value, const std::string &path,
                    std::map<std::string, std::string> &leaves) {
  if (!value.is_object()) {
    leaves[path] = value.dump();
    return;
  }
  for (const auto &[key, member] : value.items())
    flatten(member, path.empty() ? key : path + "." + key, leaves);
}

std::string training::withoutPrecision(const std::string &provenance) {
  auto all = parseJson<ordered_json>(provenance);
  if (!all.is_object() || !all.contains("program") ||
      !all["program"].is_object())
    return provenance;
  for (const char *key : {"precision", "policy", "recipe"})
    all["program"].erase(key);
  return all.dump();
}

std::string training::provenanceChanges(const std::string &before,
                                        const std::string &now,
                                        bool comparesPolicies) {
  auto earlier = parseJson<ordered_json>(before);
  auto later = parseJson<ordered_json>(now);
  if (!earlier.is_object() || !later.is_object())
    return {};
  if (!later.contains("weights"))
    earlier.erase("weights");
  std::map<std::string, std::string> was, is;
  flatten(earlier, "", was);
  flatten(later, "", is);
  // Scalars set by a flag are settings of the run (settingsChanges) rather than
  // initial values of the program.
  constexpr const char *scalars = "program.optimizer.scalars.";
  for (auto [one, other] : {std::pair(&was, &is), {&is, &was}})
    for (auto it = one->begin(); it != one->end();)
      it = it->first.rfind(scalars, 0) == 0 && !other->count(it->first)
               ? one->erase(it)
               : std::next(it);
  // Checkpoints of older versions do not have it.
  constexpr const char *policy = "program.policy";
  if (!comparesPolicies || !was.count(policy)) {
    was.erase(policy);
    is.erase(policy);
  }
  std::string changes;
  for (const auto &[path, value] : is) {
    auto old = was.find(path);
    if (old == was.end())
      changes += "\n  " + path + ": not there before, " + value + " now";
    else if (old->second != value)
      changes +=
          "\n  " + path + ": " + old->second + " before, " + value + " now";
  }
  for (const auto &[path, value] : was)
    if (!is.count(path))
      changes += "\n  " + path + ": " + value + " before, not there now";
  return changes;
}
