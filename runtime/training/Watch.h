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
  /// (Watch::window), 0 to 1: its amax, with the scale it was cast with, lay
  /// beyond the largest value of its format.
  double saturation = 0;
  /// So many steps in a row were skipped.
  uint64_t skipped = 0;

  bool needsAmaxes() const { return amaxJump > 0 || saturation > 0; }
};

/// Something that crossed its threshold.
struct WatchEvent {
  std::string what; ///< "amax-jump", "saturation", "skipped"
  std::string slot; ///< Empty for steps.
  double value = 0, limit = 0;

  /// "amax of h.0.mlp.input is 12.5 times that of the step before".
  std::string describe() const;
};

class Watch {
public:
  /// Steps over which the share of clipped ones is taken.
  static constexpr size_t window = 50;

  Watch(const WatchOptions &options, const session::Description &description);

  /// After a step: its amaxes and the scales for the next one, a value for each
  /// slot or none if they are not watched, and how many steps in a row were
  /// skipped. An event is told when its threshold is crossed, and again when it
  /// is crossed anew.
  std::vector<WatchEvent> update(const std::vector<float> &amaxes,
                                 const std::vector<float> &scales,
                                 uint64_t skippedInARow);

private:
  struct Slot {
    std::string name;
    float largest; ///< Of the format.
    float amax = 0;
    float scale = std::numeric_limits<float>::quiet_NaN();
    std::deque<bool> clipped;
    bool isJumping = false, isClipped = false;
  };
  void watchSlot(Slot &slot, float amax, std::vector<WatchEvent> &events) const;
  const WatchOptions options;
  std::vector<Slot> slots;
};

} // namespace tert::training

#endif // TERT_TRAINING_WATCH_H
