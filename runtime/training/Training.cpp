// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Training.h"

#include "session/Program.h"
#include "support/Json.h"
#include "support/Text.h"
#include "training/Agreement.h"
#include "training/Averages.h"
#include "training/DataCheck.h"
#include "training/Health.h"
#include "training/Loss.h"
#include "training/Microbatches.h"
#include "training/RecordPaths.h"
#include "training/RunCheckpoints.h"
#include "training/RunReports.h"
#include "training/Scalars.h"
#include "training/SettingsWarnings.h"
#include "training/Watching.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

using namespace tert;
using namespace tert::session;
using namespace tert::training;
using Role = ArgumentDescription::Role;
using Clock = std::chrono::steady_clock;

namespace {
double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A moving average of the rate over the last steps.
class Smoothed {
public:
  void add(double value) {
    if (!std::isfinite(value))
      return;
    mean = keep * mean + (1 - keep) * value;
    weight = keep * weight + (1 - keep);
  }
  double get() const { return weight > 0 ? mean / weight : std::nan(""); }

private:
  static constexpr double keep = 1 - 1.0 / 20;
  double mean = 0, weight = 0;
};

/// The options, with unset ones taken from the program. Only the first rank
/// writes files.
TrainingOptions chosen(TrainingOptions options, const Session &session,
                       const Peers *peers) {
  if (options.accumulate == 0)
    options.accumulate = session.description().microbatches;
  if (peers && peers->rank() != 0) {
    options.metrics.clear();
    options.plot.clear();
    options.page.clear();
    options.events.clear();
  }
  return options;
}

class Loop : public Training {
public:
  Loop(Session &session, const TrainingOptions &options, Observer &observer,
       Peers *peers)
      : session(session), options(chosen(options, session, peers)),
        observer(observer), ranks(peers, session.description().mesh) {}

  Error prepare();
  Outcome run() override;

private:
  void calibrateScales();
  void calibrateGradientScales();
  std::optional<Expected<Calibration>> runCalibration(Expected<Calibration> (
      *calibration)(Session &, EntryCall &, const CalibrationSteps &));
  Error checkProvenance(const CheckpointInfo &info);
  Error reportDataFindings();
  Error countLabels(StepMetrics &now);
  Error countDroppedRows(StepMetrics &now);
  Error step(uint64_t index);
  Error evaluate(StepMetrics &now);
  Error noteNonfinite(StepMetrics &now);
  Error readAmaxes(StepMetrics &now);
  Error considerFallback(uint64_t done);
  void noteDivergence(const StepMetrics &now);
  void judge(uint64_t done);
  void judgePatience(uint64_t done);
  Error saveDuringRun(uint64_t done);
  Error checkReplicas(uint64_t done);
  std::string continuationAdvice() const;
  Error runEntry(uint64_t index);
  void finish(uint64_t done);

  Session &session;
  const TrainingOptions options;
  Observer &observer;
  Ranks ranks;
  std::optional<RunCheckpoints> checkpoints;
  std::optional<EntryCall> call;
  std::optional<Microbatches> data;
  std::optional<Evaluation> evaluation;
  std::vector<std::unique_ptr<DataCheck>> checks; ///< On the first rank.
  std::optional<Fp8Monitor> fp8;
  std::optional<SkippedSteps> skips;
  Divergence divergence;
  bool divergenceReported = false;
  bool lossIsSum = false;
  Workload workload;
  std::optional<Watching> watching;
  std::optional<Metrics> metrics;
  std::optional<RunReports> reports;
  double peak = 0;     ///< peakFlops()
  uint64_t memory = 0; ///< peakMemory()
  Schedule schedule;
  uint64_t firstStep = 0, lastStep = 0;
  std::string otherGradients;    ///< RunStart::otherGradients
  bool reinitializesFp8 = false; ///< RunStart::reinitializesFp8
  uint64_t updated = 0;          ///< The last step that was not skipped.
  /// The last step after which the ranks were compared.
  std::optional<uint64_t> compared;
  /// A failure that other ranks may not know about.
  bool failedAlone = false;
  std::vector<std::string> nonfiniteSlots; ///< Those of the last step that had
                                           ///< some.
  uint64_t amaxEvery = 1;
  bool haveNorm = false;
  bool canDropRows = false, toldDroppedRows = false;
  Smoothed speed;
  Clock::time_point start;
  Outcome outcome;
};

Error Loop::prepare() {
  if (Error error = checkRecordOverwrite(options, session.path()))
    return error;
  std::vector<std::string> entries = {"train"};
  if (options.accumulate > 1)
    entries.push_back("accumulate");
  if (!options.evaluation.data.empty())
    entries.push_back("eval");
  if (options.probe.every)
    entries.push_back("calibrate");
  Expected<SharedArena> arena = session.allocateArena(entries);
  if (!arena)
    return arena.takeError();
  if (Error error = EntryCall::create(session, "train", *arena).moveTo(call))
    return error;
  Expected<double> rate = setScalars(*call, options, session.path());
  if (!rate)
    return rate.takeError();
  schedule = {options.schedule,      *rate,         options.minimumRate,
              options.warmup,        options.steps, options.decaySteps,
              options.schedulePoints};
  if (schedule.kind == Schedule::Kind::InverseSqrt && options.warmup == 0)
    return Error("--schedule inverse-sqrt falls as 1 / sqrt(step) from the end "
                 "of the warm-up: give its steps with --warmup");
  if (ranks.isFirst())
    for (const std::string &warning :
         settingsWarnings(options, *rate, call->description()))
      observer.warning(warning);
  // Fails for a group that the program does not have.
  if (Error error = setGroups(*call, options.groups, 0, session.path()))
    return error;
  if (options.evaluatesAverages && !hasAverages(session.description()))
    return Error("'" + session.path() +
                 "' keeps no averages of its parameters to evaluate "
                 "(--eval-ema); compile the model again with te-compile --ema");
  if (Expected<float> value = call->readScalar("loss"); !value)
    return value.takeError();
  haveNorm = call->description().find(Role::Output, "grad_norm") != nullptr;
  canDropRows =
      call->description().find(Role::Output, "dropped_rows") != nullptr;
  workload = workloadOf(call->description());
  lossIsSum = Loss::of(session.description()).isSum;
  if (Error error = RunCheckpoints::create(session, options, *rate, ranks,
                                           divergence, observer, outcome)
                        .moveTo(checkpoints))
    return error;
  Expected<RunStart> begun = checkpoints->begin();
  if (!begun)
    return begun.takeError();
  firstStep = updated = begun->step;
  lastStep = options.stopAfter ? std::min(options.steps, options.stopAfter)
                               : options.steps;
  otherGradients = begun->otherGradients;
  reinitializesFp8 = begun->reinitializesFp8;
  const DataShare share = {
      begun->batch - firstStep * ranks.batchesPerStep(options.accumulate),
      ranks.share(), ranks.shares()};
  Expected<Microbatches> source =
      Microbatches::create(session, options, begun->seed, share, *call, *arena);
  if (!source)
    return source.takeError();
  data.emplace(std::move(*source));
  if (!options.evaluation.data.empty()) {
    if (Error error = Evaluation::create(session, options.evaluation, *arena)
                          .moveTo(evaluation))
      return error;
  }
  SensitivityOptions own;
  own.data = options.data;
  own.format = options.format;
  own.order = options.order;
  own.steps = own.perStep = options.accumulate;
  own.seed = begun->seed;
  own.skipped = share.first;
  if (Error error = Watching::create(session, options, observer,
                                     ranks.isFirst(), own, *arena)
                        .moveTo(watching))
    return error;
  if (ranks.isFirst() && firstStep < lastStep) {
    checks.push_back(std::make_unique<DataCheck>(data->source()));
    if (evaluation)
      checks.push_back(std::make_unique<DataCheck>(evaluation->source()));
    if (const BatchSource *source = watching->probeData())
      checks.push_back(std::make_unique<DataCheck>(*source));
  }
  if (Error error = reportDataFindings())
    return error;
  std::vector<std::string> slots;
  for (const SlotDescription &slot : session.description().slots)
    slots.push_back(slot.name);
  metrics.emplace(std::move(slots), workload.unit);
  if (!options.metrics.empty())
    if (Error error = metrics->open(options.metrics, firstStep))
      return error;
  amaxEvery = options.amaxEvery ? options.amaxEvery
                                : std::max<uint64_t>(1, options.steps / 250);
  reports.emplace(session, options, *metrics);
  // Fails before the run if they cannot be written.
  if (Error error = reports->create())
    return error;
  return ranks.meet("prepared");
}

/// Reports the results of the data checks since the last call.
Error Loop::reportDataFindings() {
  for (const std::unique_ptr<DataCheck> &check : checks) {
    DataCheck::Findings found = check->take();
    if (!found)
      return found.takeError();
    for (const std::string &warning : *found)
      observer.warning(warning);
  }
  return Error::success();
}

/// A step without labels has nothing to learn from, and no loss.
Error Loop::countLabels(StepMetrics &now) {
  Expected<std::optional<uint64_t>> labels = data->labels(now.step - 1);
  if (!labels)
    return labels.takeError();
  const bool isNone = *labels && **labels == 0;
  if (isNone || !lossIsSum)
    now.labels = *labels;
  constexpr uint64_t maxLines = 10;
  if (isNone && ++outcome.unlabelledSteps <= maxLines)
    observer.warning("step " + std::to_string(now.step) +
                     ": no label of its data counts, so that nothing is "
                     "learned from it" +
                     (outcome.unlabelledSteps == maxLines
                          ? "; later ones are only counted"
                          : ""));
  return Error::success();
}

Error Loop::countDroppedRows(StepMetrics &now) {
  if (!canDropRows)
    return Error::success();
  Expected<float> rows = call->readScalar("dropped_rows");
  if (!rows)
    return rows.takeError();
  now.droppedRows = static_cast<uint64_t>(*rows);
  if (*now.droppedRows > 0 && !toldDroppedRows) {
    toldDroppedRows = true;
    observer.warning("step " + std::to_string(now.step) + ": " +
                     std::to_string(*now.droppedRows) +
                     " rows found no space at their experts, and were dropped; "
                     "the metrics count them (dropped_rows). Compile with a "
                     "larger --expert-capacity, or without it to drop none");
  }
  return Error::success();
}

/// Calibrates with the next step's batches. Nothing if reading the data fails:
/// the step will fail, too, and report it.
std::optional<Expected<Calibration>> Loop::runCalibration(
    Expected<Calibration> (*calibration)(Session &, EntryCall &,
                                         const CalibrationSteps &)) {
  bool dataFailed = false;
  CalibrationSteps steps;
  steps.begin = [&] {
    bool broken = false;
    Error error = data->start(firstStep, broken);
    dataFailed = static_cast<bool>(error);
    return error;
  };
  steps.onAllRanks = [&](bool own) { return ranks.onAll("calibration", own); };
  Expected<Calibration> done = calibration(session, *call, steps);
  if (dataFailed)
    return std::nullopt;
  return done;
}

void Loop::calibrateScales() {
  Expected<bool> fresh = hasFreshScales(session, call->description());
  if (!fresh || !*fresh)
    return;
  std::optional<Expected<Calibration>> done = runCalibration(calibrate);
  if (done && *done)
    observer.calibrated(**done);
  else if (done)
    observer.warning("the FP8 scales start as 1: " +
                     done->takeError().message());
}

/// Those of the checkpoint are in another unit.
void Loop::calibrateGradientScales() {
  std::string failure;
  if (options.calibrate) {
    std::optional<Expected<Calibration>> done =
        runCalibration(calibrateGradients);
    if (done && *done) {
      (*done)->ofGradients = otherGradients;
      observer.calibrated(**done);
    }
    if (!done || *done)
      return;
    failure = ": " + done->takeError().message();
  } else if (Error error = resetGradientScales(session)) {
    failure = ": " + error.message();
  }
  observer.warning("the FP8 scales of gradients start as 1, because " +
                   otherGradients + failure);
}

Error Loop::noteNonfinite(StepMetrics &now) {
  Expected<bool> skipped = skips->update(now.loss, now.gradNorm, haveNorm);
  if (!skipped)
    return skipped.takeError();
  now.skipped = *skipped;
  if (now.skipped)
    ++outcome.skippedSteps;
  else
    updated = now.step;
  Expected<std::vector<std::string>> slots = fp8->newlyNonfinite();
  if (!slots)
    return slots.takeError();
  constexpr uint64_t maxLines = 10;
  if (std::isfinite(now.loss) && slots->empty() && !now.skipped)
    return Error::success();
  nonfiniteSlots = *slots;
  if (++outcome.nonfiniteSteps > maxLines)
    return Error::success();
  std::string line = describeNonfinite(now.step, now.loss, fp8->hasCounts(),
                                       *slots, now.skipped);
  if (outcome.nonfiniteSteps == maxLines)
    line += "; later ones are only counted";
  observer.warning(line);
  return Error::success();
}

/// Reads the amaxes, on steps where they are sampled, and checks all
/// thresholds.
Error Loop::readAmaxes(StepMetrics &now) {
  std::vector<float> scales;
  bool due = (now.step - 1) % amaxEvery == 0 || now.step == lastStep;
  if (!metrics->slotNames().empty() && (due || watching->needsAmaxes())) {
    Expected<std::vector<float>> amaxes = fp8->amaxes();
    Expected<std::vector<float>> current = fp8->scales();
    if (!amaxes || !current)
      return amaxes ? current.takeError() : amaxes.takeError();
    now.amaxes = std::move(*amaxes);
    scales = std::move(*current);
  }
  outcome.watchEvents +=
      watching->afterStep(now, scales, skips->inARow(), lossIsSum);
  if (!due)
    now.amaxes.clear();
  return Error::success();
}

void Loop::noteDivergence(const StepMetrics &now) {
  if (now.labels.value_or(1) > 0)
    divergence.add(now.loss);
  checkpoints->stepped(now.step);
  if (divergence.isFar() && !divergenceReported)
    observer.warning(
        "step " + std::to_string(now.step) +
        format(": the loss has exploded: %s, the median of the newest %zu, "
               "and its best was %s",
               formatLoss(divergence.median()).c_str(), Divergence::window,
               formatLoss(divergence.best()).c_str()) +
        (options.stopOnDivergence
             ? ""
             : ". --stop-on-divergence ends a run where this happens") +
        (options.stopOnDivergence || !checkpoints->good()
             ? ""
             : "; the checkpoint of step " +
                   std::to_string(checkpoints->good()->step) +
                   " stays, and --rollback continues from it"));
  divergenceReported = divergence.isFar();
}

/// Decides whether the run should end itself, with advice for the user.
void Loop::judge(uint64_t done) {
  std::string why;
  if (options.maxSkippedSteps && skips->inARow() >= options.maxSkippedSteps) {
    outcome.earlyEnd = Outcome::EarlyEnd::SkippedSteps;
    why = std::to_string(skips->inARow()) +
          " steps in a row were skipped, because their gradients or what they "
          "are made from are not finite" +
          (nonfiniteSlots.empty() ? "" : " (" + listOf(nonfiniteSlots) + ")") +
          "; the parameters are those of step " + std::to_string(updated) +
          ". Try a smaller --lr, a longer --warmup or --clip 1; look at --data "
          "and --weights" +
          (nonfiniteSlots.empty()
               ? ""
               : ", and compile with --policy to keep these layers in high "
                 "precision") +
          ". --max-skipped-steps sets how many are too many";
  } else if (options.stopOnDivergence && divergence.isFar()) {
    outcome.earlyEnd = Outcome::EarlyEnd::Divergence;
    why = "the loss has exploded; try a smaller --lr, a longer --warmup, or "
          "--clip 1";
  } else {
    return judgePatience(done);
  }
  why = "stopped after step " + std::to_string(done) + ": " + why;
  outcome.failures.push_back(Error(why + continuationAdvice()));
}

/// Ends the run when its evaluation loss has not fallen for too long. The count
/// follows from the step, so that continuations have the same.
void Loop::judgePatience(uint64_t done) {
  if (!options.patience || !evaluation || outcome.evalStep != done ||
      !outcome.bestStep || done == lastStep)
    return;
  const uint64_t every = std::max<uint64_t>(options.evalEvery, 1);
  const uint64_t since = done / every - outcome.bestStep / every;
  if (since < options.patience)
    return;
  outcome.earlyEnd = Outcome::EarlyEnd::Patience;
  observer.note("stopped after step " + std::to_string(done) +
                ": no lower evaluation loss in " + std::to_string(since) +
                " evaluations (--patience), since " +
                formatLoss(outcome.bestEvalLoss) + " at step " +
                std::to_string(outcome.bestStep));
}

/// Ends the run after this step if the other program is to go on with it.
Error Loop::considerFallback(uint64_t done) {
  if (options.fallback.program.empty() || options.fallback.isActive)
    return Error::success();
  const std::string &reason = watching->fallbackReason();
  Expected<uint64_t> agreed =
      ranks.fromFirst("fallback", ranks.isFirst() && !reason.empty());
  if (!agreed)
    return agreed.takeError();
  if (!*agreed)
    return Error::success();
  outcome.fallbackReason =
      ranks.isFirst() ? reason : std::string("see the first rank's message");
  checkpoints->endBeforeFallback({done, outcome.fallbackReason, true});
  return Error::success();
}

/// The checkpoint from which a run that has ended itself can be continued.
std::string Loop::continuationAdvice() const {
  if (options.checkpoints.empty())
    return {};
  if (!checkpoints->newest())
    return ".\nThere is no checkpoint: none was due before";
  // Skipped steps change nothing: the newest checkpoint is good.
  if (!divergence.isFar())
    return ".\nThe last good checkpoint is '" + checkpoints->newestFile() +
           "': --resume continues from it";
  const std::string best = outcome.bestCheckpoint.empty()
                               ? ""
                               : ". The best, '" + outcome.bestCheckpoint +
                                     "', has the eval loss " +
                                     formatLoss(outcome.bestEvalLoss);
  if (!checkpoints->good())
    return ".\nNo checkpoint is known to be good: start again, in another "
           "folder" +
           best;
  return ".\nThe last good checkpoint is '" + checkpoints->goodFile() +
         "': the " + std::to_string(Divergence::window) +
         " steps after it had the loss " +
         formatLoss(checkpoints->good()->loss) +
         ". --rollback continues from it, with the settings that it is given" +
         best;
}

/// Runs a step whose data is set: all microbatches but the last have been run.
Error Loop::step(uint64_t index) {
  auto began = Clock::now();
  StepMetrics now;
  now.step = index + 1;
  now.learningRate = schedule.at(index);
  if (Expected<bool> set = call->setScalar(
          "learning_rate", static_cast<float>(now.learningRate));
      !set)
    return set.takeError();
  if (Error error = setGroups(*call, options.groups, index, session.path()))
    return error;
  if (Error error = runEntry(index))
    return error;
  if (index == firstStep)
    for (const std::string &notice : noticesOf(session))
      observer.warning(notice);
  if (Error error = call->readScalar("loss").moveTo(now.loss))
    return error;
  if (Error error = countLabels(now))
    return error;
  if (Error error = countDroppedRows(now))
    return error;
  now.gradNorm = std::nan("");
  if (haveNorm) {
    if (Error error = call->readScalar("grad_norm").moveTo(now.gradNorm))
      return error;
  }
  now.rate = static_cast<double>(ranks.batchesPerStep(options.accumulate)) *
             static_cast<double>(workload.perCall) /
             (data->seconds() + secondsSince(began));
  now.seconds = secondsSince(start);
  if (index == firstStep || !std::isnan(outcome.evalLoss))
    memory = std::max(memory, peakMemory(session));
  now.memory = memory;
  if (const auto &profile = reports->getProfile(); profile && peak > 0)
    now.utilization = profile->flops * static_cast<double>(options.accumulate) /
                      ((data->seconds() + secondsSince(began)) * peak);
  speed.add(now.rate);
  now.recentRate = speed.get();
  if (Error error = noteNonfinite(now))
    return error;
  if (Error error = readAmaxes(now))
    return error;
  noteDivergence(now);
  if (index == firstStep || (options.checkReplicas.value_or(0) &&
                             now.step % *options.checkReplicas == 0))
    if (Error error = checkReplicas(now.step))
      return error;
  // The states are those of this step, even if the evaluation fails.
  if (Error error = evaluate(now))
    outcome.failures.push_back(std::move(error));
  if (Error error = metrics->add(std::move(now)))
    observer.warning(error.message());
  observer.stepped(metrics->steps().back());
  if (Error error = reports->stepped())
    observer.warning(error.message());
  return Error::success();
}

/// Runs the entry of a step. The third step is measured for the page, as
/// entries are recorded by their second call.
Error Loop::runEntry(uint64_t index) {
  if (index != firstStep + 2 || !reports->needsProfile())
    return call->run();
  Expected<StepProfile> measured =
      profileStep(session, [&] { return call->run(); });
  if (!measured)
    return measured.takeError();
  reports->setProfile(std::move(*measured));
  // Of one rank: the profile has the operations of its share.
  if (session.description().mesh.ranks() == 1)
    peak = peakFlops(session);
  return Error::success();
}

/// Compares the states replicated over ranks after `done` steps, once.
Error Loop::checkReplicas(uint64_t done) {
  if (options.checkReplicas == 0 || compared == done)
    return Error::success();
  Error error = ranks.checkReplicas(session, done);
  if (!error)
    compared = done;
  return error;
}

/// If due: evaluates the loss, and saves a checkpoint if it is the lowest so
/// far.
Error Loop::evaluate(StepMetrics &now) {
  bool due = now.step == lastStep ||
             (options.evalEvery && now.step % options.evalEvery == 0);
  if (!evaluation || !due)
    return Error::success();
  ranks.note(Peers::Doing::Evaluating, now.step);
  EvaluationResult result;
  auto run = [&] { return evaluation->run(ranks).moveTo(result); };
  if (Error error =
          options.evaluatesAverages ? withAverages(session, run) : run())
    return error;
  now.evalLoss = outcome.evalLoss = result.loss;
  now.evalAccuracy = outcome.evalAccuracy = result.accuracy;
  outcome.evalStep = now.step;
  if (std::isfinite(now.evalLoss) && !(now.evalLoss >= outcome.bestEvalLoss)) {
    if (!options.checkpoints.empty())
      if (Error error = checkReplicas(now.step)) {
        outcome.broken = true;
        return error;
      }
    checkpoints->saveBest(now);
  }
  return options.checkpoints.empty() ? Error::success()
                                     : ranks.meet("best checkpoint");
}

void Loop::finish(uint64_t done) {
  outcome.seconds = secondsSince(start);
  outcome.rate = speed.get();
  if (done > firstStep) {
    const StepMetrics &newest = metrics->steps().back();
    outcome.loss = newest.loss;
    outcome.meanLoss = newest.meanLoss;
    outcome.meanOver = newest.meanOver;
  }
  if ((outcome.earlyEnd == Outcome::EarlyEnd::No ||
       outcome.earlyEnd == Outcome::EarlyEnd::Patience) &&
      !(failedAlone && checkpoints->savesTogether())) {
    Error error = options.checkpoints.empty() || failedAlone
                      ? Error::success()
                      : checkReplicas(done);
    if (!error)
      error = checkpoints->save(done, done != updated);
    if (error)
      outcome.failures.push_back(std::move(error));
  }
  if (Error error = reports->writePage(/*isRunning=*/false))
    outcome.failures.push_back(std::move(error));
  if (Error error = reports->writePlot())
    outcome.failures.push_back(std::move(error));
  else
    outcome.plotted = !options.plot.empty();
}

/// A failure to save a checkpoint is only a warning; replicas that differ are
/// an error.
Error Loop::saveDuringRun(uint64_t done) {
  if (done != updated) {
    checkpoints->postpone();
    return Error::success();
  }
  if (!options.checkpoints.empty())
    if (Error error = checkReplicas(done))
      return error;
  checkpoints->saveDuringRun(done);
  if (Error error = reports->writePlot())
    observer.warning(error.message());
  return Error::success();
}

Outcome Loop::run() {
  outcome.first = outcome.last = firstStep;
  observer.begins({data->describe(),
                   evaluation ? evaluation->describe() : std::string(),
                   firstStep, lastStep, workload.unit});
  if (options.calibrate && firstStep < lastStep &&
      (firstStep == 0 || reinitializesFp8))
    calibrateScales();
  else if (!otherGradients.empty() && firstStep < lastStep)
    calibrateGradientScales();
  fp8.emplace(session);
  Expected<SkippedSteps> counted =
      SkippedSteps::create(session, call->description());
  if (!counted) {
    outcome.failures.push_back(counted.takeError());
    outcome.broken = true;
    return outcome;
  }
  skips.emplace(std::move(*counted));
  if (firstStep < lastStep)
    if (Error error = checkReplicas(firstStep)) {
      outcome.failures.push_back(std::move(error));
      outcome.broken = true;
      return outcome;
    }
  start = Clock::now();
  uint64_t done = firstStep;
  outcome.stopped = ranks.stop(done, false);
  while (done < lastStep && !outcome.stopped && outcome.failures.empty()) {
    watching->beforeStep(done + 1, *fp8);
    ranks.note(Peers::Doing::Data, done + 1);
    if (Error error = data->start(done, outcome.broken)) {
      // Unless broken, the states are those of the previous step, and worth
      // saving.
      outcome.failures.push_back(std::move(error));
      failedAlone = true;
      break;
    }
    ranks.note(Peers::Doing::Step, done + 1);
    if (Error error = step(done)) {
      outcome.failures.push_back(std::move(error));
      outcome.broken = true;
      break;
    }
    judge(++done);
    if (done == lastStep || !outcome.failures.empty() ||
        outcome.earlyEnd != Outcome::EarlyEnd::No)
      break;
    if (Error error = considerFallback(done))
      outcome.failures.push_back(std::move(error));
    if (!outcome.fallbackReason.empty() || !outcome.failures.empty())
      break;
    // Data that would end the run later ends it now, with a checkpoint.
    Error unfit = reportDataFindings();
    const bool isUnfit = static_cast<bool>(unfit);
    outcome.stopped =
        ranks.stop(done, observer.stopRequested() || isUnfit) && !isUnfit;
    if (isUnfit)
      outcome.failures.push_back(std::move(unfit));
    if (!outcome.stopped && checkpoints->isDueAt(done))
      if (Error error = saveDuringRun(done)) {
        outcome.failures.push_back(std::move(error));
        outcome.broken = true;
        break;
      }
  }
  if (!outcome.broken && firstStep < lastStep)
    finish(done);
  checkpoints->finishBest();
  outcome.last = done;
  outcome.checkpointStep = checkpoints->newest();
  if (checkpoints->newest())
    outcome.checkpoint = checkpoints->newestFile();
  if (divergence.isFar() && checkpoints->good())
    outcome.goodCheckpoint = checkpoints->goodFile();
  return outcome;
}
} // namespace

Expected<std::unique_ptr<Training>>
Training::create(Session &session, const TrainingOptions &given,
                 Observer &observer, Peers *peers) {
  TrainingOptions options = given;
  if (!options.scheduleFile.empty()) {
    options.schedule = Schedule::Kind::Points;
    if (Error error =
            readSchedule(options.scheduleFile).moveTo(options.schedulePoints))
      return error;
  }
  if (Error error = agreeOnSettings(peers, options, session.artifact()))
    return error;
  auto loop = std::make_unique<Loop>(session, options, observer, peers);
  if (Error error = loop->prepare())
    return error;
  return std::unique_ptr<Training>(std::move(loop));
}
