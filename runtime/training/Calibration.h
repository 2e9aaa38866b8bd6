// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calibration of FP8 scales before the first step (docs/precision.md).

#ifndef TERT_TRAINING_CALIBRATION_H
#define TERT_TRAINING_CALIBRATION_H

#include "session/Session.h"

#include <cstddef>
#include <functional>
#include <string>

namespace tert::training {

/// Returns whether the entry quantizes with scales for which no amax has ever
/// been measured: every amax history is zero, or, in a program without
/// histories, every scale is 1 except for those of weights, which `init` may
/// have set.
session::Expected<bool> hasFreshScales(const session::Session &session,
                                       const session::EntryDescription &entry);

/// True if a call of the entry measures amaxes and updates the scales.
bool updatesScales(const session::Description &description,
                   const session::EntryDescription &entry);

struct Calibration {
  /// The reason if only the scales of gradients were calibrated.
  std::string ofGradients{};
  size_t passes = 0; ///< Number of runs of the entry.
  /// The last pass moved no scale by more than a factor of two.
  bool settled = false;
};

/// Callbacks for the calibration of an entry that is only a part of a step.
struct CalibrationSteps {
  /// Called before each run of the entry: runs the preceding entries of a step,
  /// such as its other microbatches, and sets the inputs.
  std::function<session::Error()> begin{};
  /// Returns whether the argument is true on all ranks.
  std::function<session::Expected<bool>(bool)> onAllRanks{};
};

/// Runs the entry, with the inputs set before or by `steps`, and a learning
/// rate of 0 until its scales settle, at most four times: while the scales of a
/// tensor are far off, the tensors computed from it are, too. Only the amaxes
/// of the last pass are kept. Every state except for FP8 scales, histories and
/// FP8 copies of the weights is restored bit for bit: parameters, moments, step
/// counter. The scalar "learning_rate" is 0 afterwards.
///
/// Fails, with all states unchanged, if the entry measures no amaxes, or if it
/// changes parameters although the learning rate is 0, on any rank.
session::Expected<Calibration> calibrate(session::Session &session,
                                         session::EntryCall &call,
                                         const CalibrationSteps &steps = {});

/// Resets the scales of gradients to 1, and their histories, if those of a
/// checkpoint are in another unit (training/GradientUnit.h).
session::Error resetGradientScales(session::Session &session);

/// Resets the scales of gradients and calibrates them like calibrate(). All
/// other states are restored, including the scales, histories and copies of
/// tensors that are not gradients.
session::Expected<Calibration>
calibrateGradients(session::Session &session, session::EntryCall &call,
                   const CalibrationSteps &steps = {});

} // namespace tert::training

#endif // TERT_TRAINING_CALIBRATION_H
