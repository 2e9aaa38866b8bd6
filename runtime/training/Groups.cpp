// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Groups.h"

#include <charconv>
#include <cmath>

using namespace tert;
using namespace tert::session;
using namespace tert::training;
using Role = ArgumentDescription::Role;

static constexpr char ratePrefix[] = "learning_rate_factor.";
static constexpr char decayPrefix[] = "weight_decay_factor.";

template <typename Number>
static bool parse(const std::string &text, Number &number) {
  auto [end, code] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size();
}

Expected<ParameterGroup> training::parseGroup(const std::string &text) {
  auto fail = [&] {
    return Error("takes NAME:lr=FACTOR,decay=FACTOR,freeze=STEPS, or some of "
                 "these, factors from 0 on, not '" +
                 text + "'");
  };
  ParameterGroup group;
  size_t at = text.find(':');
  group.name = text.substr(0, at);
  if (group.name.empty() || at == text.npos)
    return fail();
  while (at < text.size()) {
    const size_t end = std::min(text.find(',', at + 1), text.size());
    const std::string item = text.substr(at + 1, end - at - 1);
    at = end;
    const size_t equals = std::min(item.find('='), item.size());
    const std::string key = item.substr(0, equals),
                      value = item.substr(std::min(equals + 1, item.size()));
    const bool isFreeze = key == "freeze";
    double factor = 0;
    if (isFreeze ? !parse(value, group.frozenSteps)
                 : !parse(value, factor) || !(factor >= 0) ||
                       !std::isfinite(static_cast<float>(factor)))
      return fail();
    if (key == "lr")
      group.rate = factor;
    else if (key == "decay")
      group.decay = factor;
    else if (!isFreeze)
      return fail();
  }
  return group;
}

/// "; its groups are head, norms".
static std::string listGroups(const EntryDescription &entry) {
  std::string names;
  for (const ArgumentDescription &argument : entry.arguments)
    if (argument.role == Role::Scalar &&
        argument.name.rfind(ratePrefix, 0) == 0)
      names += (names.empty() ? "; its groups are " : ", ") +
               argument.name.substr(sizeof(ratePrefix) - 1);
  return names.empty() ? "; te-compile --group NAME=GLOB makes groups" : names;
}

Error training::setGroups(EntryCall &call,
                          const std::vector<ParameterGroup> &groups,
                          uint64_t step, const std::string &program) {
  for (const ParameterGroup &group : groups) {
    Expected<bool> set = call.setScalar(
        ratePrefix + group.name,
        static_cast<float>(step < group.frozenSteps ? 0.0 : group.rate));
    if (!set)
      return set.takeError();
    if (!*set)
      return Error("'" + program + "' has no group '" + group.name +
                   "' (--group)" + listGroups(call.description()));
    if (Expected<bool> decay = call.setScalar(decayPrefix + group.name,
                                              static_cast<float>(group.decay));
        !decay)
      return decay.takeError();
  }
  return Error::success();
}
