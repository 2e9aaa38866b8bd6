// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a training run is asked to do.

#ifndef TERT_TRAINING_TRAININGOPTIONS_H
#define TERT_TRAINING_TRAININGOPTIONS_H

#include "session/Initialization.h"
#include "training/Data.h"
#include "training/Evaluation.h"
#include "training/Schedule.h"
#include "training/Watch.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tert::training {

/// A scalar of the step that is not to have its default ("weight_decay").
struct ScalarSetting {
  std::string scalar; ///< As the entry calls it.
  std::string label;  ///< As the user called it, for messages: "--clip".
  double value = 0.0;
};

struct TrainingOptions {
  /// First values of the states, unless a checkpoint is continued. Its seed is
  /// that of the order of the data, too.
  session::InitializationOptions initialization;
  /// Whether the user chose the seed: it must then be that of the checkpoint.
  bool seedGiven = false;

  std::string data; ///< A file, read as `format` says (training/Data.h).
  DataFormat format = DataFormat::Auto;

  uint64_t steps = 0; ///< Of the whole run, those before `resume` included.
  /// Microbatches of a step (training/Microbatches.h); 0: as many as the
  /// program was compiled for.
  uint64_t accumulate = 0;
  Schedule::Kind schedule = Schedule::Kind::Constant;
  double minimumRate = 0.0; ///< At the last step, of a schedule that falls.
  uint64_t warmup = 0;      ///< Steps of linear rise.
  /// The scalar "learning_rate" is the one after the warm-up.
  std::vector<ScalarSetting> scalars;

  /// Before the first step of a new run: real FP8 scales from the batches of
  /// that step (training/Calibration.h).
  bool calibrate = true;

  /// Data to evaluate on, without a file none; every so many steps, and after
  /// the last one.
  EvaluationOptions evaluation;
  uint64_t evalEvery = 100;

  std::string checkpoints; ///< A folder; empty: none are written.
  uint64_t every = 500;    ///< Steps between them; 0: only at the end.
  size_t keep = 3;         ///< How many of the newest stay; 0: all.
  bool resume = false;     ///< Continue from the newest in `checkpoints`.
  /// With `resume`: begin a new run where there is no checkpoint.
  bool startIfNone = false;
  /// With `resume`: from the newest that is known to be good; later ones are
  /// removed.
  bool rollback = false;
  bool skipDamaged = false;
  /// Continue although program, data or weights are others than the run had so
  /// far (training/Provenance.h).
  bool allowChanges = false;

  /// Ends the run when so many steps in a row were skipped; 0: never.
  uint64_t maxSkippedSteps = 20;
  /// Ends the run when its loss is far above its best (training/Health.h).
  bool stopOnDivergence = false;
  WatchOptions watch;
  /// What several ranks hold alike is compared before and after the first step
  /// and before each checkpoint, and if given after every so many steps; 0:
  /// never.
  std::optional<uint64_t> checkReplicas;

  std::string metrics; ///< A file of JSON lines; empty: none.
  std::string plot;    ///< A file for an SVG; empty: none.
  /// Lets `metrics` and `plot` replace files of other programs.
  bool replaceOthers = false;
  uint64_t amaxEvery = 0; ///< Steps between samples of the amaxes; 0: some
                          ///< 250 samples a run.

  /// Null if the scalar has its default.
  const ScalarSetting *find(const std::string &scalar) const;
};

/// What a continuation should have in common with the run that it continues,
/// as JSON for the checkpoint. `rate` is the learning rate after the warm-up;
/// `shares`, how many ranks have data of their own.
std::string settingsAsJson(const TrainingOptions &options, double rate,
                           uint64_t shares = 1);

/// Whether such a text is that of a run whose steps had more than one batch, of
/// several ranks or microbatches.
bool hadSeveralBatches(const std::string &settings);

/// How two such texts differ, a line for each setting; empty if they do not.
/// With a constant learning rate a longer run is not another run.
std::string settingsChanges(const std::string &before, const std::string &now,
                            Schedule::Kind schedule);

} // namespace tert::training

#endif // TERT_TRAINING_TRAININGOPTIONS_H
