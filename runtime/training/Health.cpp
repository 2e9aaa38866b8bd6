// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Health.h"

#include <algorithm>
#include <cmath>

using namespace tert::training;
using namespace tert::session;

Expected<SkippedSteps> SkippedSteps::create(const Session &session,
                                            const EntryDescription &entry) {
  SkippedSteps steps(session);
  for (const ArgumentDescription &argument : entry.arguments) {
    if (argument.role != ArgumentDescription::Role::State)
      continue;
    const StateDescription &state =
        session.description().states[argument.state];
    if (state.kind == "counter" && state.type.dtype == TERT_I64 &&
        state.type.elements() == 1)
      steps.states.push_back(argument.state);
  }
  if (Error error = steps.counters().moveTo(steps.known))
    return error;
  return steps;
}

Expected<std::vector<int64_t>> SkippedSteps::counters() const {
  std::vector<int64_t> values(states.size());
  for (size_t i = 0; i < states.size(); ++i)
    if (Error error =
            session->readState(states[i], &values[i], sizeof(values[i])))
      return error;
  return values;
}

Expected<bool> SkippedSteps::update(double loss, double gradNorm,
                                    bool hasNorm) {
  Expected<std::vector<int64_t>> now = counters();
  if (!now)
    return now.takeError();
  bool skipped = states.empty() ? !std::isfinite(hasNorm ? gradNorm : loss)
                                : *now == known;
  known = std::move(*now);
  newest = skipped ? newest + 1 : 0;
  return skipped;
}

std::string tert::training::listOf(const std::vector<std::string> &names,
                                   size_t most) {
  std::string list;
  for (size_t i = 0; i < std::min(names.size(), most); ++i)
    list += (i ? ", " : "") + names[i];
  if (names.size() > most)
    list += " and " + std::to_string(names.size() - most) + " more";
  return list;
}

std::string
tert::training::describeNonfinite(uint64_t step, double loss, bool counted,
                                  const std::vector<std::string> &slots,
                                  bool skipped) {
  bool finite = std::isfinite(loss);
  std::string line = "step " + std::to_string(step) + ": loss is " +
                     (finite ? "finite" : "not finite");
  if (slots.empty()) {
    line += counted ? ", every FP8 slot's amax was finite" : "";
  } else {
    line += finite ? ", but not the amax of " : "; neither is the amax of ";
    line += listOf(slots);
  }
  return line + (skipped ? "; the update was skipped" : "");
}

std::optional<Divergence::Baseline> Divergence::baseline() const {
  return any ? std::optional<Baseline>({first, lowest}) : std::nullopt;
}

void Divergence::setBaseline(const Baseline &known) {
  first = known.first;
  lowest = known.lowest;
  any = true;
}

void Divergence::add(double loss) {
  if (!std::isfinite(loss))
    return;
  ++number;
  if (!any)
    first = lowest = loss;
  any = true;
  losses.push_back(loss);
  if (losses.size() > window)
    losses.pop_front();
  if (losses.size() < window)
    return;
  std::vector<double> sorted(losses.begin(), losses.end());
  std::nth_element(sorted.begin(), sorted.begin() + window / 2, sorted.end());
  newest = sorted[window / 2];
  far = newest - lowest > std::max(std::abs(lowest), (first - lowest) / 10);
  lowest = std::min(lowest, newest);
}
