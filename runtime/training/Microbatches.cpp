// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Microbatches.h"

#include "training/DropoutSeed.h"
#include "training/TrainingOptions.h"

#include <algorithm>
#include <chrono>

using namespace tert::session;
using namespace tert::training;

Expected<Microbatches>
Microbatches::create(Session &session, const TrainingOptions &options,
                     uint64_t seed, const DataShare &share, EntryCall &train,
                     const SharedArena &arena) {
  Microbatches microbatches(session, train, options.accumulate, seed, share);
  auto open = [&](const EntryCall &call) {
    Expected<std::unique_ptr<BatchSource>> source =
        openData(options.data, options.format, seed, call, options.order);
    if (source)
      *source = shareOf(std::move(*source), share);
    return source;
  };
  if (Error error = open(train).moveTo(microbatches.last))
    return error;
  if (microbatches.count == 1)
    return microbatches;
  const Description &description = session.description();
  if (!description.findEntry("accumulate"))
    return Error(
        "'" + session.path() +
        "' has no entry 'accumulate', so that a step cannot have " +
        std::to_string(microbatches.count) +
        " microbatches (--accumulate); it has: " + description.entryNames() +
        ". Compile the model again with te-compile --microbatches " +
        std::to_string(microbatches.count));
  if (Error error = EntryCall::create(session, "accumulate", arena)
                        .moveTo(microbatches.accumulate))
    return error;
  if (Error error = open(*microbatches.accumulate).moveTo(microbatches.earlier))
    return error;
  return microbatches;
}

/// Sets the inputs of one call, and its dropout seed: both depend on the index
/// of the batch within the step, over all ranks.
Error Microbatches::fill(BatchSource &source, EntryCall &call, uint64_t step,
                         uint64_t microbatch) {
  if (Error error = source.fill(step * count + microbatch, call))
    return error;
  const uint64_t batch = microbatch * share.shares + share.share;
  return setDropoutSeed(call, seed, {step, batch});
}

Expected<std::optional<uint64_t>> Microbatches::labels(uint64_t step) {
  std::optional<uint64_t> all;
  for (uint64_t i = 0; i < count; ++i) {
    Expected<std::optional<uint64_t>> one = last->labels(step * count + i);
    if (!one || !*one)
      return one;
    all = all.value_or(0) + **one;
  }
  return all;
}

Error Microbatches::start(uint64_t step, bool &broken) {
  using Clock = std::chrono::steady_clock;
  Clock::duration running{};
  for (uint64_t i = 0; i + 1 < count; ++i) {
    Error error = fill(*earlier, *accumulate, step, i);
    if (error && i > 0)
      broken = static_cast<bool>(drop());
    if (error)
      return error;
    const Clock::time_point began = Clock::now();
    error = accumulate->run();
    if (error) {
      broken = true;
      return error;
    }
    running += Clock::now() - began;
  }
  ran = std::chrono::duration<double>(running).count();
  Error error = fill(*last, *train, step, count - 1);
  if (error && count > 1)
    broken = static_cast<bool>(drop());
  for (uint64_t i = 0; i < count && !error; ++i)
    last->prepare((step + 1) * count + i);
  return error;
}

/// Drops the microbatches of an incomplete step: their sums, and their amaxes
/// in the staging rows of histories.
Error Microbatches::drop() {
  const std::vector<StateDescription> &states = session->description().states;
  for (size_t index = 0; index < states.size(); ++index) {
    const StateDescription &state = states[index];
    Error error = Error::success();
    if (state.isTemporary() && !state.isPrepared())
      error = session->clearState(index);
    else if (state.kind == "fp8_amax_history" && state.type.shape.size() == 2)
      error = session->clearState(
          index, state.type.bytes() / static_cast<size_t>(std::max<int64_t>(
                                          state.type.shape[0], 1)));
    if (error)
      return error;
  }
  return Error::success();
}
