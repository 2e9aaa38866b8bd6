// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Calibration.h"

#include "session/StateSnapshot.h"
#include "training/GradientUnit.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace tert;
using namespace tert::session;
using namespace tert::training;

namespace {
constexpr size_t maxPasses = 4;

/// The values of all states of a kind, concatenated.
Expected<std::vector<float>> floatsOfKind(const Session &session,
                                          const char *kind) {
  std::vector<float> values;
  const std::vector<StateDescription> &states = session.description().states;
  for (size_t index = 0; index < states.size(); ++index) {
    const TensorType &type = states[index].type;
    if (states[index].kind != kind || type.dtype != TERT_F32)
      continue;
    size_t before = values.size();
    values.resize(before + static_cast<size_t>(type.elements()));
    if (Error error =
            session.readState(index, values.data() + before, type.bytes()))
      return error;
  }
  return values;
}

/// Returns whether a state of the kind is among the entry's arguments.
bool takesState(const Description &description, const EntryDescription &entry,
                const char *kind) {
  using Role = ArgumentDescription::Role;
  return std::any_of(entry.arguments.begin(), entry.arguments.end(),
                     [&](const ArgumentDescription &argument) {
                       return argument.role == Role::State &&
                              description.states[argument.state].kind == kind;
                     });
}

Expected<std::vector<float>> scalesOf(const Session &session) {
  return floatsOfKind(session, "fp8_scale");
}

bool all(const std::vector<float> &values, float value) {
  return std::all_of(values.begin(), values.end(),
                     [&](float x) { return x == value; });
}

/// States that collect amaxes; reset before every pass.
bool isRecord(const StateDescription &state) {
  return state.kind == "fp8_amax_history" || state.kind == "fp8_nonfinite";
}

/// States that a calibration changes permanently.
bool isCalibrated(const StateDescription &state) {
  return state.isOfFp8() && state.kind != "fp8_nonfinite";
}

bool isNotCalibrated(const StateDescription &state) {
  return !isCalibrated(state);
}

bool isAny(const StateDescription &) { return true; }

/// Calls `edit` for every scale and amax of gradients, in a fixed order, and
/// writes the results.
Error editGradientScales(
    Session &session,
    const std::function<void(const StateDescription &, float &)> &edit) {
  const Description &description = session.description();
  for (size_t index = 0; index < description.states.size(); ++index) {
    const StateDescription &state = description.states[index];
    const size_t columns = description.slots.size();
    if (!isCalibrated(state) || !state.isPerSlot() ||
        state.type.dtype != TERT_F32)
      continue;
    std::vector<float> values(static_cast<size_t>(state.type.elements()));
    if (Error error =
            session.readState(index, values.data(), state.type.bytes()))
      return error;
    for (size_t i = 0; i < values.size(); ++i)
      if (isGradientSlot(description.slots[i % columns]))
        edit(state, values[i]);
    if (Error error =
            session.writeState(index, values.data(), state.type.bytes()))
      return error;
  }
  return Error::success();
}

/// Returns whether all values are within a factor of two of each other.
bool alike(const std::vector<float> &before, const std::vector<float> &after) {
  return std::equal(before.begin(), before.end(), after.begin(), after.end(),
                    [](float a, float b) { return a <= 2 * b && b <= 2 * a; });
}

Expected<Calibration> measure(Session &session, EntryCall &call,
                              const StateSnapshot &before,
                              const CalibrationSteps &steps) {
  if (!updatesScales(session.description(), call.description()))
    return Error("the entry '" + call.description().name +
                 "' measures no amaxes, so it cannot calibrate its FP8 scales. "
                 "Take them from a checkpoint of a program that trains the "
                 "model: --checkpoint FILE");
  if (Expected<bool> set = call.setScalar("learning_rate", 0.0f); !set)
    return set.takeError();
  Expected<std::vector<float>> scales = scalesOf(session);
  if (!scales)
    return scales.takeError();
  Calibration result;
  while (!result.settled && result.passes < maxPasses) {
    if (Error error = before.restore(session, isRecord))
      return error;
    if (steps.begin)
      if (Error error = steps.begin())
        return error;
    if (Error error = call.run())
      return error;
    ++result.passes;
    Expected<std::vector<float>> now = scalesOf(session);
    if (!now)
      return now.takeError();
    result.settled = alike(*scales, *now);
    scales = std::move(now);
  }
  Expected<bool> same = before.holds(session, &StateDescription::isParameter);
  if (same && steps.onAllRanks)
    same = steps.onAllRanks(*same);
  if (!same)
    return same.takeError();
  if (!*same)
    return Error("the entry '" + call.description().name +
                 "' changes parameters although the learning rate is 0, so "
                 "its FP8 scales cannot be calibrated without a step");
  return result;
}
} // namespace

bool training::updatesScales(const Description &description,
                             const EntryDescription &entry) {
  return takesState(description, entry, "fp8_amax_history");
}

Expected<bool> training::hasFreshScales(const Session &session,
                                        const EntryDescription &entry) {
  if (!takesState(session.description(), entry, "fp8_scale"))
    return false;
  Expected<std::vector<float>> scales = floatsOfKind(session, "fp8_scale");
  Expected<std::vector<float>> history =
      floatsOfKind(session, "fp8_amax_history");
  if (!scales || !history)
    return scales ? history.takeError() : scales.takeError();
  if (session.description().history > 1 && !history->empty())
    return all(*history, 0.0f);
  // With a window of one amax, the scale is the only record; the history's only
  // row stays empty. `init` may have set the scales of weights, and no others.
  const std::vector<SlotDescription> &slots = session.description().slots;
  for (size_t i = 0; i < scales->size(); ++i)
    if ((*scales)[i] != 1.0f &&
        (slots.empty() || !isWeightSlot(slots[i % slots.size()])))
      return false;
  return true;
}

Expected<Calibration> training::calibrate(Session &session, EntryCall &call,
                                          const CalibrationSteps &steps) {
  Expected<StateSnapshot> before = StateSnapshot::take(session);
  if (!before)
    return before.takeError();
  Expected<Calibration> result = measure(session, call, *before, steps);
  if (Error error = before->restore(session, result ? isNotCalibrated : isAny))
    return error;
  return result;
}

Error training::resetGradientScales(Session &session) {
  return editGradientScales(
      session, [](const StateDescription &state, float &value) {
        value = state.kind == "fp8_amax_history" ? 0.0f : 1.0f;
      });
}

Expected<Calibration>
training::calibrateGradients(Session &session, EntryCall &call,
                             const CalibrationSteps &steps) {
  if (Error error = resetGradientScales(session))
    return error;
  Expected<StateSnapshot> before = StateSnapshot::take(session);
  if (!before)
    return before.takeError();
  Expected<Calibration> result = measure(session, call, *before, steps);
  std::vector<float> measured;
  if (result)
    if (Error error = editGradientScales(
            session, [&](const StateDescription &, float &value) {
              measured.push_back(value);
            }))
      return error;
  if (Error error = before->restore(session, isAny))
    return error;
  size_t next = 0;
  if (result)
    if (Error error = editGradientScales(
            session, [&](const StateDescription &, float &value) {
              value = measured[next++];
            }))
      return error;
  return result;
}
