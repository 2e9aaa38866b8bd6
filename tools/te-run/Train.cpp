// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Train.h"

#include "Interrupt.h"
#include "Output.h"
#include "Progress.h"
#include "training/Fallback.h"
#include "training/Training.h"

#include <cmath>
#include <optional>
#include <set>

using namespace tert;
using namespace tert::run;
using namespace tert::session;
using namespace tert::training;

namespace {
unsigned long long printable(uint64_t count) { return count; }

/// Shows a run's progress: first facts on stdout, progress on stderr.
class Terminal : public Observer {
public:
  Terminal(bool saves, Quiet quiet) : saves(saves), quiet(quiet) {}

  void begins(const Beginning &beginning) override {
    unit = beginning.unit;
    if (quiet == Quiet::No && !hasBegun)
      std::printf("%s\n", beginning.data.c_str());
    if (quiet == Quiet::No && !hasBegun && !beginning.evaluation.empty())
      std::printf("evaluation: %s\n", beginning.evaluation.c_str());
    hasBegun = true;
    continues = beginning.firstStep > 0;
    if (continues && quiet == Quiet::No)
      std::printf("continuing from step %llu\n",
                  printable(beginning.firstStep));
    if (!saves)
      std::printf("nothing of what is learned will be kept, because no "
                  "--checkpoint is given\n");
    std::fflush(stdout);
    if (beginning.firstStep >= beginning.steps)
      std::printf("all %llu steps are done; give a larger --steps, or "
                  "--stop-after, to train on\n",
                  printable(beginning.steps));
    else
      progress.emplace(beginning.firstStep, beginning.steps, "step", quiet);
  }

  void calibrated(const Calibration &calibration) override {
    if (quiet == Quiet::Yes)
      return;
    const std::string &why = calibration.ofGradients;
    std::printf("FP8 scales %scalibrated on the %s step's data, %zu passes%s"
                "%s%s\n",
                why.empty() ? "" : "of gradients ",
                continues ? "next" : "first", calibration.passes,
                calibration.settled ? "" : ", not settled yet",
                why.empty() ? "" : ", because ", why.c_str());
    std::fflush(stdout);
  }

  void warning(const std::string &text) override {
    // The fallback would repeat what is said of the data and the settings.
    if (!warnings.insert(text).second)
      return;
    if (progress)
      progress->note(warningLine(text)); // Above the bar.
    else
      reportWarning(text);
  }

  void note(const std::string &text) override {
    if (progress)
      progress->note(text);
    else
      std::printf("%s\n", text.c_str());
    std::fflush(stdout);
  }

  void stepped(const StepMetrics &step) override {
    if (!std::isnan(step.evalLoss))
      evaluated = "eval " + formatLoss(step.evalLoss) +
                  (std::isnan(step.evalAccuracy)
                       ? ""
                       : format(", accuracy %.1f %%", 100 * step.evalAccuracy));
    progress->update(
        step.step,
        {{"loss " + formatLoss(step.loss), 0},
         {"(mean " + formatLoss(step.meanLoss) + ")", 6},
         {evaluated, 3},
         {std::isnan(step.gradNorm) ? ""
                                    : format("grad norm %.3g", step.gradNorm),
          7},
         {formatCount(step.recentRate) + " " + unit + "/s", 2},
         {std::isnan(step.utilization)
              ? ""
              : format("mfu %.0f %%", 100 * step.utilization),
          4},
         {step.memory ? formatBytes(static_cast<double>(step.memory)) : "", 5}},
        !std::isnan(step.evalLoss));
  }

  bool stopRequested() override { return interrupt.requested(); }

  const std::string &unitOfRates() const { return unit; }

  /// Removes the bar.
  void end() { progress.reset(); }

private:
  const bool saves;
  const Quiet quiet;
  bool hasBegun = false; ///< The fallback begins once more.
  std::set<std::string> warnings;
  std::string unit;
  bool continues = false;
  Interrupt interrupt;
  std::optional<Progress> progress;
  std::string evaluated; ///< Result of the last evaluation.
};

/// Prints nothing: all ranks would print the same as the first.
class Silent : public Observer {
public:
  bool stopRequested() override { return interrupt.requested(); }

private:
  Interrupt interrupt{/*quiet=*/true};
};

void printResults(const TrainingOptions &options, const Outcome &outcome,
                  const std::string &unit) {
  if (outcome.last > outcome.first) {
    std::printf("steps %llu to %llu in %s, %s %s/s\n",
                printable(outcome.first + 1), printable(outcome.last),
                formatDuration(outcome.seconds).c_str(),
                formatCount(outcome.rate).c_str(), unit.c_str());
    if (!std::isnan(outcome.meanLoss))
      std::printf("loss %s at step %llu, %s on average over the last %zu\n",
                  formatLoss(outcome.loss).c_str(), printable(outcome.last),
                  formatLoss(outcome.meanLoss).c_str(), outcome.meanOver);
  }
  if (outcome.evalStep)
    std::printf("eval loss %s at step %llu",
                formatLoss(outcome.evalLoss).c_str(),
                printable(outcome.evalStep));
  if (outcome.evalStep && !std::isnan(outcome.evalAccuracy))
    std::printf(", accuracy %.2f %%", 100 * outcome.evalAccuracy);
  if (outcome.evalStep && outcome.bestStep)
    std::printf(", best %s at step %llu",
                formatLoss(outcome.bestEvalLoss).c_str(),
                printable(outcome.bestStep));
  if (outcome.evalStep)
    std::printf("\n");
  if (outcome.nonfiniteSteps)
    std::printf("steps with a non-finite loss or amax: %llu\n",
                printable(outcome.nonfiniteSteps));
  if (outcome.skippedSteps)
    std::printf("steps that were skipped: %llu\n",
                printable(outcome.skippedSteps));
  if (outcome.unlabelledSteps)
    std::printf("steps without a label that counts: %llu\n",
                printable(outcome.unlabelledSteps));
  if (outcome.watchEvents)
    std::printf("thresholds of --watch that were crossed: %llu\n",
                printable(outcome.watchEvents));
  if (outcome.plotted)
    std::printf("plot: %s\n", options.plot.c_str());
  if (!options.page.empty())
    std::printf("page: %s\n", options.page.c_str());
  if (!options.events.empty())
    std::printf("events for TensorBoard: %s\n", options.events.c_str());
  if (!options.metrics.empty())
    std::printf("metrics: %s\n", options.metrics.c_str());
  if (!outcome.checkpoint.empty())
    std::printf("checkpoint: %s\n", outcome.checkpoint.c_str());
  if (!outcome.goodCheckpoint.empty())
    std::printf("the loss has exploded; the last checkpoint known to be good "
                "(--rollback): %s\n",
                outcome.goodCheckpoint.c_str());
  if (!outcome.bestCheckpoint.empty())
    std::printf("best checkpoint: %s\n", outcome.bestCheckpoint.c_str());
}

void printHowToContinue(const TrainingOptions &options, const Outcome &outcome,
                        const std::string &again) {
  if (options.checkpoints.empty())
    std::printf("interrupted; nothing was saved, because no --checkpoint was "
                "given\n");
  else if (outcome.checkpointStep == outcome.last)
    std::printf("interrupted; continue with:\n  %s\n", again.c_str());
}
/// The program of a run: the first one, or its fallback.
Expected<Outcome> runProgram(const Setup &setup, const TrainingOptions &options,
                             Observer &observer, Job *job) {
  Expected<std::unique_ptr<Session>> session = setup.open();
  if (!session)
    return session.takeError();
  Expected<JobConnection> connection = JobConnection::open(job, **session);
  if (!connection)
    return connection.takeError();
  Expected<std::unique_ptr<Training>> training =
      Training::create(**session, options, observer, job);
  if (!training)
    return training.takeError();
  return (*training)->run();
}
} // namespace

int run::train(const Setup &setup, const TrainingOptions &options,
               const std::string &again, Quiet quiet, Job *job,
               std::string &failure) {
  const bool tells = !job || job->rank() == 0;
  std::optional<Terminal> terminal;
  std::optional<Silent> silent;
  if (tells)
    terminal.emplace(!options.checkpoints.empty(), quiet);
  else
    silent.emplace();
  Observer &observer = tells ? static_cast<Observer &>(*terminal) : *silent;
  Setup program = setup;
  TrainingOptions current = options;
  auto useFallback = [&] {
    program.artifact = options.fallback.program;
    current.fallback.isActive = true;
  };
  if (!options.fallback.program.empty() && continuesFallback(options))
    useFallback();
  Expected<Outcome> ran = runProgram(program, current, observer, job);
  if (terminal)
    terminal->end();
  if (ran && !ran->fallbackReason.empty() && ran->failures.empty()) {
    useFallback();
    current.resume = true;
    current.startIfNone = current.rollback = false;
    ran = runProgram(program, current, observer, job);
    if (terminal)
      terminal->end();
  }
  if (!ran)
    return fail(ran.takeError(), failure);
  const Outcome &outcome = *ran;
  for (const Error &error : outcome.failures)
    fail(error, failure);
  if (outcome.broken) {
    if (tells && !outcome.checkpoint.empty())
      std::fprintf(stderr, "The last checkpoint is %s\n",
                   outcome.checkpoint.c_str());
    return exitFailure;
  }
  if (tells && outcome.first < options.steps)
    printResults(options, outcome, terminal->unitOfRates());
  if (tells && outcome.stopped)
    printHowToContinue(options, outcome, again);
  std::fflush(stdout);
  if (outcome.earlyEnd == Outcome::EarlyEnd::SkippedSteps)
    return exitSkipping;
  if (outcome.earlyEnd == Outcome::EarlyEnd::Divergence)
    return exitDiverged;
  if (!outcome.failures.empty())
    return exitFailure;
  return outcome.stopped ? exitInterrupted : 0;
}
