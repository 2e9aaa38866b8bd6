// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Watch.h"

#include "session/Description.h"
#include "training/Text.h"

#include <algorithm>
#include <cmath>

using namespace tert::training;

std::string WatchEvent::describe() const {
  std::string limit = format(" (--watch %s=%g)", what.c_str(), this->limit);
  if (what == "amax-jump")
    return "the amax of " + slot +
           format(" is %.3g times that of the step before", value) + limit;
  if (what == "saturation")
    return slot +
           format(" was clipped in %.0f %% of the newest %zu steps",
                  100 * value, Watch::window) +
           limit;
  return format("%.0f steps in a row were skipped", value) + limit;
}

Watch::Watch(const WatchOptions &options,
             const session::Description &description)
    : options(options) {
  for (const session::SlotDescription &slot : description.slots) {
    Slot watched;
    watched.name = slot.name;
    watched.largest = slot.format == TERT_F8E5M2 ? 57344.0f : 448.0f;
    slots.push_back(std::move(watched));
  }
}

void Watch::watchSlot(Slot &slot, float amax,
                      std::vector<WatchEvent> &events) const {
  double factor = slot.amax > 0 ? amax / slot.amax : 0.0;
  bool jumps = options.amaxJump > 0 && factor >= options.amaxJump;
  if (jumps && !slot.isJumping)
    events.push_back({"amax-jump", slot.name, factor, options.amaxJump});
  slot.isJumping = jumps;

  // A scale that is not known, before the first step, clips nothing.
  slot.clipped.push_back(amax * slot.scale > slot.largest);
  if (slot.clipped.size() > window)
    slot.clipped.pop_front();
  double share = static_cast<double>(std::count(slot.clipped.begin(),
                                                slot.clipped.end(), true)) /
                 static_cast<double>(window);
  bool isClipped = options.saturation > 0 && share >= options.saturation;
  if (isClipped && !slot.isClipped)
    events.push_back({"saturation", slot.name, share, options.saturation});
  slot.isClipped = isClipped;
}

std::vector<WatchEvent> Watch::update(const std::vector<float> &amaxes,
                                      const std::vector<float> &scales,
                                      uint64_t skippedInARow) {
  std::vector<WatchEvent> events;
  if (options.skipped && skippedInARow == options.skipped)
    events.push_back({"skipped", "", static_cast<double>(skippedInARow),
                      static_cast<double>(options.skipped)});
  for (size_t i = 0; i < slots.size() && i < amaxes.size(); ++i) {
    watchSlot(slots[i], amaxes[i], events);
    slots[i].amax = amaxes[i];
    if (i < scales.size())
      slots[i].scale = scales[i];
  }
  return events;
}
