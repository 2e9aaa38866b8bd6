// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/ParameterNames.h"

#include "support/Json.h"

using namespace tert::session;

std::string tert::session::parameterNames(const Description &description) {
  nlohmann::json names = nlohmann::json::object();
  for (const StateDescription &state : description.states) {
    if (state.kind != "parameter")
      continue;
    auto tied = description.tied.find(state.name);
    names[state.name] = tied == description.tied.end()
                            ? nlohmann::json::array()
                            : nlohmann::json(tied->second);
  }
  return names.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<std::vector<Names>>
tert::session::parseParameterNames(const std::string &text) {
  nlohmann::json names = parseJson(text);
  if (!names.is_object())
    return std::nullopt;
  std::vector<Names> result;
  for (const auto &[name, others] : names.items()) {
    if (!others.is_array())
      return std::nullopt;
    result.push_back({name});
    for (const nlohmann::json &other : others) {
      if (!other.is_string())
        return std::nullopt;
      result.back().push_back(other.get<std::string>());
    }
  }
  return result;
}

/// Names as text for a checkpoint; empty if there are none.
static std::string textOf(const std::vector<std::string> &names) {
  return names.empty()
             ? std::string()
             : nlohmann::json(names).dump(
                   -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string>
tert::session::frozenParameters(const Description &description) {
  std::vector<std::string> names;
  for (const StateDescription &state : description.states)
    if (state.isFrozen)
      names.push_back(state.name);
  return names;
}

std::string tert::session::frozenNames(const Description &description) {
  return textOf(frozenParameters(description));
}

std::string tert::session::bufferNames(const Description &description) {
  std::vector<std::string> names;
  for (const StateDescription &state : description.states)
    if (state.isBuffer())
      names.push_back(state.name);
  return textOf(names);
}

std::vector<std::string> tert::session::parseNames(const std::string &text) {
  nlohmann::json names = parseJson(text);
  std::vector<std::string> result;
  if (names.is_array())
    for (const nlohmann::json &name : names)
      if (name.is_string())
        result.push_back(name.get<std::string>());
  return result;
}
