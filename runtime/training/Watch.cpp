// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Watch.h"

#include "artifact/Description.h"
#include "support/Text.h"
#include "training/Health.h"

#include <algorithm>
#include <cmath>

using namespace tert::training;

std::string WatchEvent::describe() const {
  const std::string limit =
      format(" (--watch %s=%g)", what.c_str(), this->limit) +
      (remedy.empty() ? "" : ". " + remedy);
  if (what == "amax-jump")
    return "the amax of " + slot +
           format(" is %.3g times that of the step before", value) + limit;
  if (what == "saturation")
    return slot +
           format(" was clipped in %.0f %% of the newest %zu steps",
                  100 * value, Watch::window) +
           limit;
  if (what == "underflow")
    return slot +
           format(" underflowed in %.0f %% of the newest %zu steps: what is "
                  "below %g %% of its largest value became 0",
                  100 * value, Watch::window, 100 * Watch::flushed) +
           limit;
  if (what == "zero")
    return slot +
           format(" was zero in %.0f %% of the newest %zu steps", 100 * value,
                  Watch::window) +
           limit;
  return format("%.0f steps in a row were skipped", value) + limit;
}

std::vector<std::string>
tert::training::describeEvents(const std::vector<WatchEvent> &events) {
  constexpr size_t most = 3; // names
  std::vector<std::string> lines;
  for (auto event = events.begin(); event != events.end(); ++event) {
    auto isAlike = [&](const WatchEvent &other) {
      return other.what == event->what;
    };
    if (std::any_of(events.begin(), event, isAlike))
      continue;
    std::string line = event->describe();
    std::vector<std::string> others;
    for (auto other = event + 1; other != events.end(); ++other)
      if (isAlike(*other))
        others.push_back(other->slot);
    if (!others.empty())
      line += ". Likewise " + listOf(others, most);
    lines.push_back(std::move(line));
  }
  return lines;
}

Watch::Watch(const WatchOptions &options,
             const session::Description &description)
    : options(options), margin(description.margin),
      history(description.history) {
  for (const session::SlotDescription &slot : description.slots) {
    const bool isE5M2 = slot.format == TERT_F8E5M2;
    Slot watched;
    watched.name = slot.name;
    watched.beyond = (isE5M2 ? 57344.0f : 448.0f) * clipped;
    // Half of the smallest positive value rounds to 0.
    watched.under =
        static_cast<float>(std::ldexp(1.0, isE5M2 ? -17 : -10) / flushed);
    slots.push_back(std::move(watched));
  }
}

/// The layer of a slot, as a pattern for --policy.
static std::string layerOf(const std::string &slot) {
  std::string layer = slot.substr(0, slot.rfind('.'));
  const size_t open = layer.find('{'), close = layer.find('}');
  if (open != layer.npos && close != layer.npos && open < close)
    layer.replace(open, close + 1 - open, "*");
  return layer;
}

/// Returned once for each kind of event.
std::string Watch::remedyFor(const std::string &what, const Slot &slot) const {
  const std::string high = "keep the layer out of FP8 (te-compile --policy '" +
                           layerOf(slot.name) +
                           "=high', then te-run train --resume "
                           "--allow-changes)";
  if (what == "saturation")
    return "Its amax grows faster than its scale follows: leave it more room "
           "(te-compile --margin " +
           std::to_string(margin + 1) +
           "), take its scale from itself (--recipe current_scaling), " + high +
           ", or lower --lr";
  if (what == "underflow" && history > 16)
    return "Its scale is that of a larger amax up to " +
           std::to_string(history) +
           " steps ago: forget it sooner (te-compile --amax-history 16), take "
           "its scale from itself (--recipe current_scaling), or " +
           high;
  if (what == "underflow")
    return "Its scale is that of a larger amax before: take it from the tensor "
           "itself (te-compile --recipe current_scaling), or " +
           high;
  if (what == "zero")
    return "Nothing comes through: its layer is not used, or does not learn, "
           "in FP8 or not; see whether it does with --precision bf16";
  return "Where it comes again: --clip 1, a lower --lr, or " + high;
}

void Watch::watchShare(Share &share, bool isSo, const char *what, double limit,
                       const Slot &slot, std::vector<WatchEvent> &events) {
  share.steps.push_back(isSo);
  if (share.steps.size() > window)
    share.steps.pop_front();
  const double part = static_cast<double>(std::count(share.steps.begin(),
                                                     share.steps.end(), true)) /
                      static_cast<double>(window);
  const bool isLarge = limit > 0 && part >= limit;
  if (isLarge && !share.isLarge)
    events.push_back({what, slot.name, part, limit});
  share.isLarge = isLarge;
}

void Watch::watchSlot(Slot &slot, float amax, std::vector<WatchEvent> &events) {
  double factor = slot.amax > 0 ? amax / slot.amax : 0.0;
  bool jumps = options.amaxJump > 0 && factor >= options.amaxJump;
  if (jumps && !slot.isJumping)
    events.push_back({"amax-jump", slot.name, factor, options.amaxJump});
  slot.isJumping = jumps;

  // Before the first step the scale is unknown, and clips nothing.
  const float scaled = amax * slot.scale;
  watchShare(slot.clipped, scaled > slot.beyond, "saturation",
             options.saturation, slot, events);
  watchShare(slot.flushed, amax > 0 && scaled < slot.under, "underflow",
             options.underflow, slot, events);
  watchShare(slot.zero, amax == 0, "zero", options.zero, slot, events);
}

std::vector<WatchEvent> Watch::update(const std::vector<float> &amaxes,
                                      const std::vector<float> &scales,
                                      uint64_t skippedInARow) {
  std::vector<WatchEvent> events;
  if (options.skipped && skippedInARow == options.skipped)
    events.push_back({"skipped", "", static_cast<double>(skippedInARow),
                      static_cast<double>(options.skipped)});
  for (size_t i = 0; i < slots.size() && i < amaxes.size(); ++i) {
    const size_t before = events.size();
    watchSlot(slots[i], amaxes[i], events);
    for (size_t event = before; event < events.size(); ++event)
      if (reported.insert(events[event].what).second)
        events[event].remedy = remedyFor(events[event].what, slots[i]);
    slots[i].amax = amaxes[i];
    if (i < scales.size())
      slots[i].scale = scales[i];
  }
  return events;
}
