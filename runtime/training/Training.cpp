// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Training.h"

#include "session/Checkpoint.h"
#include "session/Program.h"
#include "training/Fp8Monitor.h"
#include "training/Plot.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
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

/// A rate that follows the last few steps.
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

/// Sets what `options` gives; the learning rate after the warm-up.
Expected<double> setScalars(EntryCall &call, const TrainingOptions &options,
                            const std::string &artifact) {
  const EntryDescription &entry = call.description();
  for (const ScalarSetting &setting : options.scalars) {
    Expected<bool> set =
        call.setScalar(setting.scalar, static_cast<float>(setting.value));
    if (!set)
      return set.takeError();
    if (!*set)
      return Error("the entry '" + entry.name + "' of '" + artifact +
                   "' has no scalar '" + setting.scalar + "', so " +
                   setting.label +
                   " has no effect; leave it out, or compile with an "
                   "optimizer that has it");
  }
  for (const ArgumentDescription &argument : entry.arguments)
    if (argument.role == Role::Scalar && !argument.defaultValue &&
        !options.find(argument.name))
      return Error("the scalar '" + argument.name + "' has no default" +
                   (argument.name == "learning_rate"
                        ? std::string("; give it with --lr")
                        : std::string(" and te-run train has no flag for it")));
  if (const ScalarSetting *given = options.find("learning_rate"))
    return given->value;
  const ArgumentDescription *rate = entry.find(Role::Scalar, "learning_rate");
  return rate ? rate->defaultValue.value_or(0.0) : 0.0;
}

/// One line about a step whose loss or amaxes are not finite.
std::string describeNonfinite(uint64_t step, double loss, bool counted,
                              const std::vector<std::string> &slots) {
  constexpr size_t mostSlots = 5;
  bool finite = std::isfinite(loss);
  std::string line = "step " + std::to_string(step) + ": loss is " +
                     (finite ? "finite" : "not finite");
  if (slots.empty()) {
    line += counted ? ", every FP8 slot's amax was finite" : "";
  } else {
    line += finite ? ", but not the amax of " : "; neither is the amax of ";
    for (size_t i = 0; i < std::min(slots.size(), mostSlots); ++i)
      line += (i ? ", " : "") + slots[i];
    if (slots.size() > mostSlots)
      line += " and " + std::to_string(slots.size() - mostSlots) + " more";
  }
  return line + " (an update with non-finite gradients is skipped)";
}

class Loop : public Training {
public:
  Loop(Session &session, const TrainingOptions &options, Observer &observer)
      : session(session), options(options), observer(observer),
        folder(options.checkpoints) {}

  Error prepare();
  Outcome run() override;

private:
  Error loadOrInitialize();
  Error initialize();
  void calibrateScales();
  Error step(uint64_t index);
  Error evaluate(StepMetrics &now);
  Error save(const std::string &file, uint64_t done,
             std::optional<double> evalLoss) const;
  Error noteNonfinite(uint64_t index, double value);
  Error save(uint64_t done);
  void saveOnTheWay(uint64_t done);
  Error writePlot() const;
  void finish(uint64_t done);

  Session &session;
  const TrainingOptions options;
  Observer &observer;
  CheckpointFolder folder;
  std::optional<EntryCall> call;
  std::unique_ptr<BatchSource> data;
  std::optional<Evaluation> evaluation;
  std::optional<Fp8Monitor> fp8;
  std::optional<Metrics> metrics;
  Schedule schedule;
  uint64_t seed = 0, firstStep = 0, saved = 0;
  uint64_t amaxEvery = 1;
  bool haveNorm = false;
  Smoothed speed;
  Clock::time_point start;
  Outcome outcome;
};

Error Loop::initialize() {
  std::string warning;
  if (Error error = initializeStates(session, options.initialization, &warning))
    return error;
  if (!warning.empty())
    observer.warning(warning);
  return Error::success();
}

Error Loop::loadOrInitialize() {
  seed = options.initialization.seed;
  if (options.checkpoints.empty())
    return initialize();
  if (Error error = folder.prepare())
    return error;
  if (!options.resume) {
    Expected<std::vector<uint64_t>> present = folder.steps();
    if (!present)
      return present.takeError();
    if (!present->empty())
      return Error("'" + options.checkpoints +
                   "' already holds checkpoints, the newest of step " +
                   std::to_string(present->back()) +
                   ". Add --resume to continue that run, or give another "
                   "folder");
    return initialize();
  }
  std::vector<std::string> skipped;
  Expected<CheckpointInfo> info =
      folder.loadNewest(session, options.skipDamaged, skipped);
  for (const std::string &reason : skipped)
    observer.warning("skipped: " + reason);
  if (!info)
    return info.takeError();
  if (options.seedGiven && seed != info->seed)
    return Error("the checkpoint was made with --seed " +
                 std::to_string(info->seed) +
                 "; leave --seed out to continue with it");
  seed = info->seed;
  firstStep = saved = info->step;
  if (std::optional<CheckpointInfo> best = folder.best()) {
    outcome.bestEvalLoss = *best->evalLoss;
    outcome.bestStep = best->step;
    outcome.bestCheckpoint = folder.bestFile();
  }
  std::string changes = settingsChanges(
      info->run, settingsAsJson(options, schedule.rate), options.schedule);
  if (!changes.empty())
    observer.warning("this continuation differs from the run it continues:" +
                     changes);
  return Error::success();
}

Error Loop::prepare() {
  Expected<EntryCall> entry = EntryCall::create(session, "train");
  if (!entry)
    return entry.takeError();
  call.emplace(std::move(*entry));
  Expected<double> rate = setScalars(*call, options, session.artifact().path());
  if (!rate)
    return rate.takeError();
  schedule = {options.schedule, *rate, options.minimumRate, options.warmup,
              options.steps};
  if (Expected<float> value = call->readScalar("loss"); !value)
    return value.takeError();
  haveNorm = call->description().find(Role::Output, "grad_norm") != nullptr;
  if (Error error = loadOrInitialize())
    return error;
  Expected<std::unique_ptr<BatchSource>> source =
      openData(options.data, options.format, seed, *call);
  if (!source)
    return source.takeError();
  data = std::move(*source);
  if (!options.evaluation.data.empty()) {
    Expected<Evaluation> opened =
        Evaluation::create(session, options.evaluation);
    if (!opened)
      return opened.takeError();
    evaluation.emplace(std::move(*opened));
  }
  std::vector<std::string> slots;
  for (const SlotDescription &slot : session.description().slots)
    slots.push_back(slot.name);
  metrics.emplace(std::move(slots));
  if (!options.metrics.empty())
    if (Error error = metrics->open(options.metrics, firstStep))
      return error;
  amaxEvery = options.amaxEvery ? options.amaxEvery
                                : std::max<uint64_t>(1, options.steps / 250);
  // A picture that cannot be written should be known before the work.
  return options.plot.empty() ? Error::success() : writePlot();
}

/// On the first batch. What goes wrong with the data or the device will go
/// wrong in the first step, too, and is reported there.
void Loop::calibrateScales() {
  Expected<bool> fresh = hasFreshScales(session, call->description());
  if (!fresh || !*fresh || data->fill(0, *call))
    return;
  Expected<Calibration> done = calibrate(session, *call);
  if (done)
    observer.calibrated(*done);
  else
    observer.warning("the FP8 scales start as 1: " +
                     done.takeError().message());
}

Error Loop::noteNonfinite(uint64_t index, double value) {
  Expected<std::vector<std::string>> slots = fp8->newlyNonfinite();
  if (!slots)
    return slots.takeError();
  constexpr uint64_t mostLines = 10;
  if ((std::isfinite(value) && slots->empty()) ||
      ++outcome.nonfiniteSteps > mostLines)
    return Error::success();
  std::string line =
      describeNonfinite(index + 1, value, fp8->hasCounts(), *slots);
  if (outcome.nonfiniteSteps == mostLines)
    line += "; later ones are only counted";
  observer.warning(line);
  return Error::success();
}

Error Loop::step(uint64_t index) {
  auto began = Clock::now();
  StepMetrics now;
  now.step = index + 1;
  now.learningRate = schedule.at(index);
  if (Expected<bool> set = call->setScalar(
          "learning_rate", static_cast<float>(now.learningRate));
      !set)
    return set.takeError();
  if (Error error = call->run())
    return error;
  if (index == firstStep)
    for (const std::string &notice : noticesOf(session))
      observer.warning(notice);
  Expected<float> value = call->readScalar("loss");
  if (!value)
    return value.takeError();
  now.loss = *value;
  now.gradNorm = std::nan("");
  if (haveNorm) {
    Expected<float> norm = call->readScalar("grad_norm");
    if (!norm)
      return norm.takeError();
    now.gradNorm = *norm;
  }
  now.tokensPerSecond =
      static_cast<double>(tokensPerCall(call->description())) /
      secondsSince(began);
  now.seconds = secondsSince(start);
  speed.add(now.tokensPerSecond);
  now.recentTokensPerSecond = speed.get();
  if (Error error = noteNonfinite(index, now.loss))
    return error;
  bool last = index + 1 == options.steps;
  if (!metrics->slotNames().empty() && (index % amaxEvery == 0 || last)) {
    Expected<std::vector<float>> amaxes = fp8->amaxes();
    if (!amaxes)
      return amaxes.takeError();
    now.amaxes = std::move(*amaxes);
  }
  if (Error error = evaluate(now))
    return error;
  if (Error error = metrics->add(std::move(now)))
    observer.warning(error.message());
  observer.stepped(metrics->steps().back());
  return Error::success();
}

/// Where it is due: the loss on the other data, and a checkpoint if that is the
/// lowest so far.
Error Loop::evaluate(StepMetrics &now) {
  bool due = now.step == options.steps ||
             (options.evalEvery && now.step % options.evalEvery == 0);
  if (!evaluation || !due)
    return Error::success();
  Expected<EvaluationResult> result = evaluation->run();
  if (!result)
    return result.takeError();
  now.evalLoss = outcome.evalLoss = result->loss;
  outcome.evalStep = now.step;
  if (!std::isfinite(now.evalLoss) || now.evalLoss >= outcome.bestEvalLoss)
    return Error::success();
  outcome.bestEvalLoss = now.evalLoss;
  outcome.bestStep = now.step;
  if (options.checkpoints.empty())
    return Error::success();
  if (Error error = save(folder.bestFile(), now.step, now.evalLoss))
    observer.warning(error.message() + "; training goes on");
  else
    outcome.bestCheckpoint = folder.bestFile();
  return Error::success();
}

Error Loop::save(const std::string &file, uint64_t done,
                 std::optional<double> evalLoss) const {
  CheckpointInfo info;
  info.step = done;
  info.seed = seed;
  info.run = settingsAsJson(options, schedule.rate);
  info.evalLoss = evalLoss;
  return saveCheckpoint(session, file, info);
}

Error Loop::save(uint64_t done) {
  if (options.checkpoints.empty() || done == saved)
    return Error::success();
  std::optional<double> evalLoss;
  if (outcome.evalStep == done && std::isfinite(outcome.evalLoss))
    evalLoss = outcome.evalLoss;
  if (Error error = save(folder.fileOf(done), done, evalLoss))
    return error;
  saved = done;
  return folder.prune(options.keep);
}

Error Loop::writePlot() const {
  const Description &description = session.description();
  std::string name =
      std::filesystem::path(description.source).filename().string();
  std::string title = name.empty() ? session.artifact().path() : name;
  auto compiled = nlohmann::json::parse(description.options, nullptr, false);
  if (compiled.is_object() && compiled.contains("precision") &&
      compiled["precision"].is_string())
    title += ", " + compiled["precision"].get<std::string>();
  return writeFile(options.plot, plotRun(*metrics, title));
}

void Loop::finish(uint64_t done) {
  outcome.seconds = secondsSince(start);
  outcome.tokensPerSecond = speed.get();
  if (done > firstStep) {
    const StepMetrics &newest = metrics->steps().back();
    outcome.loss = newest.loss;
    outcome.meanLoss = newest.meanLoss;
    outcome.meanOver = newest.meanOver;
  }
  if (Error error = save(done))
    outcome.failures.push_back(std::move(error));
  if (options.plot.empty())
    return;
  if (Error error = writePlot())
    outcome.failures.push_back(std::move(error));
  else
    outcome.plotted = true;
}

/// What fails here is worth a warning, not the run.
void Loop::saveOnTheWay(uint64_t done) {
  if (Error error = save(done))
    observer.warning(error.message() + "; training goes on");
  if (!options.plot.empty())
    if (Error error = writePlot())
      observer.warning(error.message());
}

Outcome Loop::run() {
  outcome.first = outcome.last = firstStep;
  observer.begins({data->describe(),
                   evaluation ? evaluation->describe() : std::string(),
                   firstStep, options.steps});
  if (options.calibrate && firstStep == 0)
    calibrateScales();
  fp8.emplace(session);
  start = Clock::now();
  uint64_t done = firstStep;
  while (done < options.steps && !outcome.stopped) {
    if (Error error = data->fill(done, *call)) {
      // The states are those of the step before, and worth keeping.
      outcome.failures.push_back(std::move(error));
      break;
    }
    if (Error error = step(done)) {
      outcome.failures.push_back(std::move(error));
      outcome.broken = true;
      break;
    }
    if (++done == options.steps)
      break;
    outcome.stopped = observer.stopRequested();
    if (!outcome.stopped && options.every && done % options.every == 0)
      saveOnTheWay(done);
  }
  if (!outcome.broken && firstStep < options.steps)
    finish(done);
  outcome.last = done;
  outcome.checkpointStep = saved;
  if (saved)
    outcome.checkpoint = folder.fileOf(saved);
  return outcome;
}
} // namespace

Expected<std::unique_ptr<Training>>
Training::create(Session &session, const TrainingOptions &options,
                 Observer &observer) {
  auto loop = std::make_unique<Loop>(session, options, observer);
  if (Error error = loop->prepare())
    return error;
  return std::unique_ptr<Training>(std::move(loop));
}
