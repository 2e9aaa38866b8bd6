// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of a training run.

#ifndef TERT_TRAINING_TRAININGOPTIONS_H
#define TERT_TRAINING_TRAININGOPTIONS_H

#include "session/Initialization.h"
#include "training/Data.h"
#include "training/Evaluation.h"
#include "training/Groups.h"
#include "training/Probe.h"
#include "training/Schedule.h"
#include "training/Watch.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tert::training {

/// How run.toml begins, which is replaced only if it does.
constexpr char runRecordTitle[] = "# Settings of a run of te-run train";

/// A scalar of the step with a value other than its default ("weight_decay").
struct ScalarSetting {
  std::string scalar; ///< Its name in the entry.
  std::string label;  ///< Its name for the user, in messages: "--clip".
  double value = 0.0;
};

struct FallbackOptions {
  std::string program; ///< An artifact; empty: none.
  /// The session's program is the fallback, and continues the run of the first
  /// one, or one of its own.
  bool isActive = false;
};

struct TrainingOptions {
  /// Initialization of the states, unless a checkpoint is continued. Its seed
  /// also determines the order of the data.
  session::InitializationOptions initialization;
  /// True if the user chose the seed: it must then be that of the checkpoint.
  bool seedGiven = false;

  DataNames data; ///< In `format` (training/Data.h).
  DataFormat format = DataFormat::Auto;
  DataOrder order = DataOrder::Shuffled; ///< Not Sequential.

  uint64_t steps = 0; ///< Number of steps of the entire run, including those
                      ///< before `resume`.
  /// Ends after this step, earlier than the run that the schedule is for; 0: at
  /// `steps`.
  uint64_t stopAfter = 0;
  /// Microbatches per step (training/Microbatches.h); 0: the number that the
  /// program was compiled for.
  uint64_t accumulate = 0;
  Schedule::Kind schedule = Schedule::Kind::Constant;
  /// A file with the points of Schedule::Kind::Points (readSchedule), which
  /// `schedule` is then; empty: none.
  std::string scheduleFile{};
  /// Those points, which Training reads, and steps of a decay.
  std::vector<Schedule::Point> schedulePoints{};
  uint64_t decaySteps = 0;
  double minimumRate = 0.0; ///< Rate at the last step, for schedules that
                            ///< decay.
  uint64_t warmup = 0;      ///< Number of steps of linear rise.
  /// The scalar "learning_rate" is the rate after the warm-up.
  std::vector<ScalarSetting> scalars;

  /// Groups with factors of their own.
  std::vector<ParameterGroup> groups;

  /// Calibrates the FP8 scales on the batches of a new run's first step, before
  /// it (training/Calibration.h).
  bool calibrate = true;

  /// Evaluation data, none without a file; evaluates every so many steps, and
  /// after the last one.
  EvaluationOptions evaluation;
  uint64_t evalEvery = 100;
  /// Evaluates the averages of the parameters in place of these.
  bool evaluatesAverages = false;
  /// Ends the run after so many evaluations without a lower loss; 0: never.
  uint64_t patience = 0;

  std::string checkpoints; ///< A folder; empty: none are written.
  /// Text of the settings, for run.toml in that folder: the first line is
  /// runRecordTitle and more. Empty: none is written.
  std::string record{};
  uint64_t every = 500;    ///< Steps between them; 0: only at the end.
  size_t keep = 3;         ///< Number of newest ones to keep; 0: all.
  uint64_t milestones = 0; ///< Steps between those that stay; 0: none do.
  bool keepBest = true;    ///< Writes the one with the lowest evaluation loss.
  bool resume = false;     ///< Continue from the newest in `checkpoints`.
  /// With `resume`: starts a new run if there is no checkpoint.
  bool startIfNone = false;
  /// With `resume`: from the newest one known to be good; later ones are
  /// removed.
  bool rollback = false;
  bool skipDamaged = false;
  /// Continues although program, data or weights differ from those of the run
  /// so far (training/Provenance.h).
  bool allowChanges = false;

  /// Ends the run after this number of consecutive skipped steps; 0: never.
  uint64_t maxSkippedSteps = 20;
  /// Ends the run when its loss is far above its best (training/Health.h).
  bool stopOnDivergence = false;
  WatchOptions watch;
  ProbeOptions probe;
  /// Ends the run, with a checkpoint for the other program, when FP8 does harm
  /// that it does not do there (training/Fallback.h).
  FallbackOptions fallback;
  /// Compares replicated states before and after the first step and before each
  /// checkpoint, and, if given, every so many steps; 0: never.
  std::optional<uint64_t> checkReplicas;

  std::string metrics; ///< A JSON lines file; empty: none.
  std::string plot;    ///< An SVG file; empty: none.
  std::string page;    ///< An HTML file (RunPage.h); empty: none.
  std::string events;  ///< A folder for TensorBoard (EventFile.h); empty: none.
  /// Allows `metrics` and `plot` to replace files of other programs.
  bool replaceOthers = false;
  uint64_t amaxEvery = 0; ///< Steps between samples of the amaxes; 0: some 250
                          ///< samples per run.

  /// Null if the scalar has its default value.
  const ScalarSetting *find(const std::string &scalar) const;
};

/// Settings that a continuation should have in common with the run, as JSON for
/// the checkpoint. `rate` is the learning rate after the warm-up; `shares`, the
/// number of ranks with different data.
std::string settingsAsJson(const TrainingOptions &options, double rate,
                           uint64_t shares = 1);

/// True if such a text is of a run whose steps had more than one batch, over
/// several ranks or microbatches.
bool hadSeveralBatches(const std::string &settings);

/// Differences between two such texts, one line per setting; empty if there are
/// none. With a constant learning rate, more steps are not a difference.
std::string settingsChanges(const std::string &before, const std::string &now,
                            Schedule::Kind schedule);

} // namespace tert::training

#endif // TERT_TRAINING_TRAININGOPTIONS_H
