// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Watch.h"

#include "artifact/Description.h"
#include "support/Json.h"
#include "support/Text.h"
#include "training/Health.h"
#include "training/Probe.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <tuple>

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
  if (std::isinf(value))
    return (product.empty() ? "" : product + " of ") + layer +
           " overflows in FP8" + limit;
  if (what == "adds")
    return "FP8 in " + layer +
           format(" is estimated to add %.2g %% to the loss", 100 * value) +
           limit;
  if (what == "error")
    return product + " of " + layer +
           format(" has a relative error of %.0f %% in FP8", 100 * value) +
           limit;
  if (what == "flushed")
    return format("%.0f %% of what is not 0 in ", 100 * value) + slot +
           " is 0 in FP8" + limit;
  if (what == "gap")
    return format("the loss in FP8 is %.2g %% above that in bf16 at the same "
                  "parameters and data",
                  100 * value) +
           (layer.empty() ? ""
                          : "; of all layers " + layer +
                                " is estimated to add most to it") +
           limit;
  return format("%.0f steps in a row were skipped", value) + limit;
}

std::vector<std::string>
tert::training::describeEvents(const std::vector<WatchEvent> &events) {
  constexpr size_t most = 3; // names
  std::vector<std::string> lines;
  for (auto event = events.begin(); event != events.end(); ++event) {
    auto isAlike = [&](const WatchEvent &other) {
      return other.isTold && other.what == event->what;
    };
    if (!event->isTold || std::any_of(events.begin(), event, isAlike))
      continue;
    std::string line = event->describe();
    std::vector<std::string> others;
    for (auto other = event + 1; other != events.end(); ++other)
      if (isAlike(*other))
        others.push_back(!other->slot.empty() ? other->slot
                         : other->product.empty()
                             ? other->layer
                             : other->product + " of " + other->layer);
    if (!others.empty())
      line += ". Likewise " + listOf(others, most);
    lines.push_back(std::move(line));
  }
  return lines;
}

Watch::Watch(const WatchOptions &options,
             const session::Description &description)
    : options(options), margin(description.margin),
      history(description.history), source(description.source) {
  const auto compiled = parseJson(description.options);
  if (compiled.is_object())
    policy = compiled.value("policy", "");
  for (const session::SlotDescription &slot : description.slots) {
    Slot watched;
    watched.name = slot.name;
    watched.beyond = static_cast<float>(slot.largest()) * clipped;
    // Half of the smallest positive value rounds to 0.
    watched.under = static_cast<float>(
        std::ldexp(1.0, slot.format == TERT_F8E5M2 ? -17 : -10) / flushed);
    slots.push_back(std::move(watched));
  }
}

std::string tert::training::layerOf(const std::string &slot) {
  return slot.substr(0, slot.rfind('.'));
}

/// What keeps a layer, or one of its products, out of FP8 from now on.
std::string Watch::outOfFp8(const WatchEvent &event) const {
  // Gradients of a layer whose forward product is bad are no better.
  const bool isLayer = event.product.empty() || event.product == "fprop";
  const std::string rule =
      event.layer + (isLayer ? "" : "/" + event.product) + "=high";
  const bool isInFile = policy.rfind('@', 0) == 0;
  const std::string rules = policy.empty() ? rule : policy + "," + rule;
  return std::string("keep the ") + (isLayer ? "layer" : "product") +
         " out of FP8 (" +
         (isInFile ? "add '" + rule + "' to " + policy.substr(1) +
                         " and compile again"
                   : "te-compile " + source + " ... --policy '" + rules + "'") +
         ", then te-run train --resume --allow-changes)";
}

/// Returned once for each kind of event.
std::string Watch::remedyFor(const WatchEvent &event) const {
  const std::string &what = event.what;
  if (what == "skipped" || (what == "gap" && event.layer.empty()))
    return "";
  const std::string high = outOfFp8(event);
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
  if (what == "amax-jump")
    return "Where it comes again: --clip 1, a lower --lr, or " + high;
  if (what == "flushed")
    return "Outliers take its scale's range: " + high;
  return static_cast<char>(std::toupper(high[0])) + high.substr(1);
}

/// Remedies for kinds of events that had none before, and the layers of slots.
void Watch::addRemedies(std::vector<WatchEvent> &events) {
  for (WatchEvent &event : events) {
    if (event.layer.empty() && !event.slot.empty())
      event.layer = layerOf(event.slot);
    if (event.isTold && reported.insert(event.what).second)
      event.remedy = remedyFor(event);
  }
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
    watchSlot(slots[i], amaxes[i], events);
    slots[i].amax = amaxes[i];
    if (i < scales.size())
      slots[i].scale = scales[i];
  }
  addRemedies(events);
  return events;
}

std::vector<WatchEvent> Watch::judge(const ProbeResult &probe) {
  std::vector<WatchEvent> events;
  auto add = [&](double limit, WatchEvent event) {
    event.limit = limit;
    if (limit > 0 && event.value > limit)
      events.push_back(std::move(event));
  };
  for (const ProbedProduct &product : probe.products) {
    WatchEvent event = {"adds", "", product.secondOrder / probe.loss};
    event.layer = product.layer;
    add(options.adds, event);
    event.what = "error";
    event.value = product.relativeError;
    event.product = product.product;
    add(options.error, event);
  }
  for (const ProbedSlot &slot : probe.slots)
    add(options.flushed, {"flushed", slot.name, slot.flushed, 0, slot.layer});
  add(options.gap, {"gap", "", probe.gap / probe.loss, 0, probe.worstLayer()});
  // Each is told when it is crossed, and again when it is crossed anew.
  std::set<std::string> now;
  auto nameOf = [](const WatchEvent &event) {
    return event.what + ' ' + event.slot + ' ' +
           (event.what == "gap" ? "" : event.layer + '/' + event.product);
  };
  for (const WatchEvent &event : events)
    now.insert(nameOf(event));
  events.erase(std::remove_if(events.begin(), events.end(),
                              [&](const WatchEvent &event) {
                                return bad.count(nameOf(event)) > 0;
                              }),
               events.end());
  bad = std::move(now);
  // The worst of a kind is told in full, and each layer once.
  auto order = [](const WatchEvent &event) {
    return std::tuple(event.what, -event.value, event.layer, event.slot,
                      event.product);
  };
  std::sort(events.begin(), events.end(),
            [&](const WatchEvent &a, const WatchEvent &b) {
              return order(a) < order(b);
            });
  std::set<std::string> told;
  for (WatchEvent &event : events)
    event.isTold = event.what == "gap" || told.insert(event.layer).second;
  addRemedies(events);
  return events;
}
