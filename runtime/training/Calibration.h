// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Real FP8 scales before the first step (docs/precision.md).

#ifndef TERT_TRAINING_CALIBRATION_H
#define TERT_TRAINING_CALIBRATION_H

#include "session/Session.h"

#include <cstddef>
#include <functional>
#include <string>

namespace tert::training {

/// Whether the entry quantizes with scales although no amax has ever been
/// measured: every amax history is zero, or, in a program that keeps none,
/// every scale is 1 but for those of weights, which `init` may have given.
session::Expected<bool> hasFreshScales(const session::Session &session,
                                       const session::EntryDescription &entry);

/// Whether a call of the entry measures amaxes and updates the scales.
bool updatesScales(const session::Description &description,
                   const session::EntryDescription &entry);

struct Calibration {
  /// Why the scales of gradients alone were calibrated, where they were.
  std::string ofGradients{};
  size_t passes = 0; ///< Runs of the entry.
  /// The last pass moved no scale by more than a factor of two.
  bool settled = false;
};

/// What a calibration of an entry that does not stand alone needs.
struct CalibrationSteps {
  /// Called before each run of the entry: runs what comes before it in a step,
  /// such as its other microbatches, and sets the inputs.
  std::function<session::Error()> begin{};
  /// Whether all ranks say that it is so.
  std::function<session::Expected<bool>(bool)> onAllRanks{};
};

/// Runs the entry, whose inputs are set or which `steps` begins, with a
/// learning rate of 0 until its scales settle, four times at most: while the
/// scales of a tensor are far off, the tensors computed from it are, too.
/// Amaxes of all passes but the last are forgotten. Every state but the FP8
/// scales, histories and FP8 copies of the weights then has the bits it had
/// before: parameters, moments, step counter. The scalar "learning_rate" is 0
/// afterwards.
///
/// Fails, with every state as it was, if the entry measures no amaxes, or if it
/// changes parameters although the learning rate is 0, on any rank.
session::Expected<Calibration> calibrate(session::Session &session,
                                         session::EntryCall &call,
                                         const CalibrationSteps &steps = {});

/// Lets the scales of gradients begin anew, as 1 and without a history: where
/// those of a checkpoint are in another unit (training/GradientUnit.h).
session::Error resetGradientScales(session::Session &session);

/// Does that, and calibrates them like calibrate(), with every other state as
/// it was before, also the scales, histories and copies of what is no gradient.
session::Expected<Calibration>
calibrateGradients(session::Session &session, session::EntryCall &call,
                   const CalibrationSteps &steps = {});

} // namespace tert::training

#endif // TERT_TRAINING_CALIBRATION_H
