// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Monitoring of a run by thresholds.

#ifndef TERT_TRAINING_WATCH_H
#define TERT_TRAINING_WATCH_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace tert::session {
struct Description;
}

namespace tert::training {

struct ProbeResult;

/// 0 disables a threshold.
struct WatchOptions {
  /// Ratio of a slot's amax to that of the previous step.
  double amaxJump = 0;
  /// Fraction of the last steps (Watch::window), 0 to 1, in which a slot's
  /// tensor was clipped: its amax, times the scale it was cast with, exceeded
  /// Watch::clipped times the largest value of its format.
  double saturation = 0.5;
  /// Fraction of the last steps in which a slot's tensor underflowed: values
  /// below Watch::flushed of its amax, times the scale it was cast with, became
  /// zero.
  double underflow = 0.5;
  /// Fraction of the last steps in which all of a slot's tensor was zero.
  double zero = 0.5;
  /// Number of consecutive skipped steps.
  uint64_t skipped = 0;
  /// Of a probe (training/Probe.h): what a layer's error is estimated to add to
  /// the loss (its second order), as a share of the loss.
  double adds = 0.005;
  /// Of a probe: relative error of a product.
  double error = 0.25;
  /// Of a probe: share of a slot's nonzero values that are zero in FP8.
  double flushed = 0.5;
  /// Of a probe: the loss in FP8 less that in bf16, as a share of the latter.
  double gap = 0.01;
  /// True if the user requested watching amaxes, in programs that may have
  /// none.
  bool isAsked = false;

  bool needsAmaxes() const {
    return amaxJump > 0 || saturation > 0 || underflow > 0 || zero > 0;
  }
};

/// A threshold that was crossed.
struct WatchEvent {
  /// "amax-jump", "saturation", "underflow", "zero", "skipped"; of probes
  /// "adds", "error", "flushed", "gap"
  std::string what;
  std::string slot; ///< Empty for layers and steps.
  double value = 0, limit = 0;
  /// The layer of the slot, or the one that is to blame; empty if there is
  /// none.
  std::string layer{};
  std::string product{}; ///< "wgrad", of an "error"; otherwise empty.
  /// False if another event of a probe told of the same layer.
  bool isTold = true;
  /// Advice, for the first event of its kind; otherwise empty.
  std::string remedy{};

  /// "the amax of h.0.mlp.input is 12.5 times that of the step before".
  std::string describe() const;
};

/// The layer of a slot: "h.0.mlp" of "h.0.mlp.input".
std::string layerOf(const std::string &slot);

/// A line for each kind of event that is told: of the first of its slots, with
/// the others' names behind it.
std::vector<std::string> describeEvents(const std::vector<WatchEvent> &events);

class Watch {
public:
  /// Number of steps for the fraction of clipped ones.
  static constexpr size_t window = 50;
  /// With delayed scaling, amaxes exceed the range a little in many steps of
  /// runs that learn well: by a quarter in up to 8 % of them with a window of
  /// 16, in up to 38 % with a window of one.
  static constexpr float clipped = 1.25f;
  /// Fraction of a tensor's range that may become zero: of normally distributed
  /// values whose largest is five deviations away these are 4 %.
  static constexpr double flushed = 0.01;

  Watch(const WatchOptions &options, const session::Description &description);

  /// Call after a step, with its amaxes and the scales for the next one, a
  /// value for each slot or none if they are not watched, and the number of
  /// consecutive skipped steps. An event is returned when its threshold is
  /// crossed, and again when it is crossed anew.
  std::vector<WatchEvent> update(const std::vector<float> &amaxes,
                                 const std::vector<float> &scales,
                                 uint64_t skippedInARow);
  /// Likewise for a probe.
  std::vector<WatchEvent> judge(const ProbeResult &probe);

private:
  /// Fraction of the last steps.
  struct Share {
    std::deque<bool> steps;
    bool isLarge = false;
  };
  struct Slot {
    std::string name;
    float beyond; ///< Larger amaxes are clipped.
    float under;  ///< With a smaller amax the tensor underflows.
    float amax = 0;
    float scale = std::numeric_limits<float>::quiet_NaN();
    Share clipped, flushed, zero;
    bool isJumping = false;
  };
  void watchSlot(Slot &slot, float amax, std::vector<WatchEvent> &events);
  void watchShare(Share &share, bool isSo, const char *what, double limit,
                  const Slot &slot, std::vector<WatchEvent> &events);
  void addRemedies(std::vector<WatchEvent> &events);
  std::string remedyFor(const WatchEvent &event) const;
  std::string outOfFp8(const WatchEvent &event) const;
  const WatchOptions options;
  int64_t margin, history;
  std::string source, policy; ///< The model, and --policy of the program.
  std::set<std::string> bad;  ///< Of the last probe: what crossed thresholds.
  std::set<std::string> reported; ///< Kinds of events that were reported.
  std::vector<Slot> slots;
};

} // namespace tert::training

#endif // TERT_TRAINING_WATCH_H
