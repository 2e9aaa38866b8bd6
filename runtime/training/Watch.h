// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thresholds that a run is watched for.

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

/// 0: not watched.
struct WatchOptions {
  /// The amax of a slot is so many times that of the step before.
  double amaxJump = 0;
  /// A slot's tensor was clipped in this share of the newest steps
  /// (Watch::window), 0 to 1: its amax, with the scale it was cast with, was
  /// more than Watch::clipped times the largest value of its format.
  double saturation = 0.5;
  /// A slot's tensor underflowed in this share of the newest steps: values
  /// below Watch::flushed of its amax, with the scale it was cast with, became
  /// zero.
  double underflow = 0.5;
  /// So many steps in a row were skipped.
  uint64_t skipped = 0;
  /// Whether the user wants amaxes watched, where there may be none.
  bool isAsked = false;

  bool needsAmaxes() const {
    return amaxJump > 0 || saturation > 0 || underflow > 0;
  }
};

/// Something that crossed its threshold.
struct WatchEvent {
  std::string what; ///< "amax-jump", "saturation", "underflow", "skipped"
  std::string slot; ///< Empty for steps.
  double value = 0, limit = 0;
  /// What helps, of the first event of its kind; else empty.
  std::string remedy{};

  /// "the amax of h.0.mlp.input is 12.5 times that of the step before".
  std::string describe() const;
};

class Watch {
public:
  /// Steps over which the share of clipped ones is taken.
  static constexpr size_t window = 50;
  /// With delayed scaling amaxes exceed the range a little in many steps of
  /// runs that learn well: by a quarter in up to 8 % of them with a window of
  /// 16, in up to 38 % with a window of one.
  static constexpr float clipped = 1.25f;
  /// What of a tensor's range may become zero: of normally distributed values
  /// whose largest is five deviations away these are 4 %.
  static constexpr double flushed = 0.01;

  Watch(const WatchOptions &options, const session::Description &description);

  /// After a step: its amaxes and the scales for the next one, a value for each
  /// slot or none if they are not watched, and how many steps in a row were
  /// skipped. An event is told when its threshold is crossed, and again when it
  /// is crossed anew.
  std::vector<WatchEvent> update(const std::vector<float> &amaxes,
                                 const std::vector<float> &scales,
                                 uint64_t skippedInARow);

private:
  /// Of the newest steps.
  struct Share {
    std::deque<bool> steps;
    bool isLarge = false;
  };
  struct Slot {
    std::string name;
    float beyond; ///< What is larger is clipped.
    float under;  ///< With a smaller amax the tensor underflows.
    float amax = 0;
    float scale = std::numeric_limits<float>::quiet_NaN();
    Share clipped, flushed;
    bool isJumping = false;
  };
  void watchSlot(Slot &slot, float amax, std::vector<WatchEvent> &events);
  void watchShare(Share &share, bool isSo, const char *what, double limit,
                  const Slot &slot, std::vector<WatchEvent> &events);
  std::string remedyFor(const std::string &what, const Slot &slot) const;
  const WatchOptions options;
  int64_t margin, history;
  std::set<std::string> told; ///< Kinds of events that were told.
  std::vector<Slot> slots;
};

} // namespace tert::training

#endif // TERT_TRAINING_WATCH_H
