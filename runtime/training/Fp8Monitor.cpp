// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Fp8Monitor.h"

#include <cmath>

using namespace tert::training;
using namespace tert::session;

Fp8Monitor::Fp8Monitor(const Session &session)
    : session(session), slots(session.description().slots.size()),
      history(find("fp8_amax_history", TERT_F32, 2)),
      scale(find("fp8_scale", TERT_F32, 1)),
      nonfinite(find("fp8_nonfinite", TERT_I64, 1)) {
  if (Expected<std::vector<int64_t>> now = counts())
    known = std::move(*now);
}

int Fp8Monitor::find(const char *kind, tert_dtype dtype, size_t rank) const {
  const std::vector<StateDescription> &states = session.description().states;
  for (size_t i = 0; slots && i < states.size(); ++i) {
    const TensorType &type = states[i].type;
    if (states[i].kind == kind && type.dtype == dtype &&
        type.shape.size() == rank && type.elements() > 0 &&
        static_cast<size_t>(type.shape.back()) == slots)
      return static_cast<int>(i);
  }
  return -1;
}

Expected<std::vector<float>> Fp8Monitor::amaxes() const {
  std::vector<float> result(slots, 0.0f);
  size_t bytes = slots * sizeof(float);
  int64_t length = 0;
  if (history >= 0)
    length = session.description()
                 .states[static_cast<size_t>(history)]
                 .type.shape[0];
  if (length > 1) {
    if (Error error =
            session.readState(static_cast<size_t>(history), result.data(),
                              bytes, static_cast<size_t>(length - 1) * bytes))
      return error;
    return result;
  }
  // A recipe that computes its scales within the step has no states to monitor.
  Expected<std::vector<float>> carried = scales();
  if (!carried)
    return carried;
  const Description &description = session.description();
  for (size_t i = 0; i < carried->size(); ++i) {
    result[i] =
        static_cast<float>(std::ldexp(description.slots[i].largest(),
                                      -static_cast<int>(description.margin)) /
                           (*carried)[i]);
  }
  result.resize(carried->size());
  return result;
}

Expected<std::vector<float>> Fp8Monitor::scales() const {
  std::vector<float> result(scale < 0 ? 0 : slots);
  if (scale >= 0)
    if (Error error = session.readState(static_cast<size_t>(scale),
                                        result.data(), slots * sizeof(float)))
      return error;
  return result;
}

Expected<std::vector<int64_t>> Fp8Monitor::counts() const {
  std::vector<int64_t> result(nonfinite < 0 ? 0 : slots, 0);
  if (nonfinite >= 0)
    if (Error error = session.readState(static_cast<size_t>(nonfinite),
                                        result.data(), slots * sizeof(int64_t)))
      return error;
  return result;
}

Expected<std::vector<std::string>> Fp8Monitor::newlyNonfinite() {
  Expected<std::vector<int64_t>> now = counts();
  if (!now)
    return now.takeError();
  std::vector<std::string> names;
  for (size_t i = 0; i < now->size(); ++i)
    if (i >= known.size() || (*now)[i] > known[i])
      names.push_back(session.description().slots[i].name);
  known = std::move(*now);
  return names;
}
