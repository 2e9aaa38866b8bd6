// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The training loop.

#include "Fp8Monitor.h"
#include "Interrupt.h"
#include "Metrics.h"
#include "Output.h"
#include "Plot.h"
#include "Progress.h"
#include "TrainOptions.h"
#include "session/Checkpoint.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

using namespace tert;
using namespace tert::run;
using namespace tert::session;

namespace {
/// A mean that follows the last few steps.
class Smoothed {
public:
  explicit Smoothed(double span) : keep(1 - 1 / span) {}
  void add(double value) {
    if (!std::isfinite(value))
      return;
    mean = keep * mean + (1 - keep) * value;
    weight = keep * weight + (1 - keep);
  }
  double get() const { return weight > 0 ? mean / weight : std::nan(""); }

private:
  double keep, mean = 0, weight = 0;
};

class Training {
public:
  explicit Training(const TrainOptions &options)
      : options(options), folder(options.checkpoints), loss(20), speed(20) {}

  Error prepare();
  /// Runs the steps; the exit code.
  int run();

private:
  Error setScalars();
  Error loadOrInitialize();
  std::string runAsJson() const;
  void compareWith(const std::string &earlier) const;
  Error step(uint64_t index);
  void warn(const std::string &text);
  Error reportNonfinite(uint64_t index, double value);
  Error save(uint64_t done);
  Error writePlot() const;
  int finish(uint64_t done, bool interrupted);

  const TrainOptions &options;
  Interrupt interrupt;
  CheckpointFolder folder;
  std::unique_ptr<Session> session;
  std::optional<EntryCall> call;
  std::unique_ptr<BatchSource> data;
  std::optional<Fp8Monitor> fp8;
  std::optional<Metrics> metrics;
  std::optional<Progress> progress;
  Schedule schedule;
  uint64_t seed = 0, firstStep = 0, saved = 0;
  uint64_t amaxEvery = 1;
  uint64_t nonfiniteSteps = 0;
  bool haveNorm = false;
  Smoothed loss, speed;
  std::chrono::steady_clock::time_point start;
};

Error Training::setScalars() {
  const EntryDescription &entry = call->description();
  struct Flag {
    const char *flag, *scalar;
    const std::optional<double> &value;
  };
  const Flag flags[] = {{"--lr", "learning_rate", options.rate},
                        {"--weight-decay", "weight_decay", options.weightDecay},
                        {"--clip", "max_grad_norm", options.clip},
                        {"--beta1", "beta1", options.beta1},
                        {"--beta2", "beta2", options.beta2},
                        {"--eps", "eps", options.epsilon}};
  for (const Flag &flag : flags) {
    if (!flag.value)
      continue;
    Expected<bool> set =
        call->setScalar(flag.scalar, static_cast<float>(*flag.value));
    if (!set)
      return set.takeError();
    if (!*set)
      return Error("the entry 'train' of '" + options.setup.artifact +
                   "' has no scalar '" + flag.scalar + "', so " + flag.flag +
                   " has no effect; leave it out, or compile with an "
                   "optimizer that has it");
  }
  for (const ArgumentDescription &argument : entry.arguments) {
    if (argument.role != ArgumentDescription::Role::Scalar ||
        argument.defaultValue)
      continue;
    bool given = false;
    for (const Flag &flag : flags)
      given |= argument.name == flag.scalar && flag.value.has_value();
    if (!given)
      return Error("the scalar '" + argument.name + "' has no default" +
                   (argument.name == "learning_rate"
                        ? std::string("; give it with --lr")
                        : std::string(" and te-run train has no flag for it")));
  }
  const ArgumentDescription *rate =
      entry.find(ArgumentDescription::Role::Scalar, "learning_rate");
  schedule.rate = options.rate.value_or(
      rate && rate->defaultValue ? *rate->defaultValue : 0.0);
  schedule.kind = options.schedule;
  schedule.minimum = options.minimumRate;
  schedule.warmup = options.warmup;
  schedule.steps = options.steps;
  return Error::success();
}

/// What a continuation should have in common with the run it continues.
std::string Training::runAsJson() const {
  std::error_code code;
  auto dataBytes = std::filesystem::file_size(options.data, code);
  nlohmann::ordered_json run = {{"--steps", options.steps},
                                {"--lr", schedule.rate},
                                {"--warmup", schedule.warmup},
                                {"--schedule", static_cast<int>(schedule.kind)},
                                {"--min-lr", schedule.minimum},
                                {"bytes of --data", code ? 0 : dataBytes}};
  auto add = [&](const char *flag, const std::optional<double> &value) {
    if (value)
      run[flag] = *value;
  };
  add("--weight-decay", options.weightDecay);
  add("--clip", options.clip);
  add("--beta1", options.beta1);
  add("--beta2", options.beta2);
  add("--eps", options.epsilon);
  return run.dump();
}

void Training::compareWith(const std::string &earlier) const {
  auto before = nlohmann::ordered_json::parse(earlier, nullptr, false);
  auto now = nlohmann::ordered_json::parse(runAsJson(), nullptr, false);
  if (!before.is_object())
    return;
  // A longer run changes the learning rate only if that falls towards its end.
  if (schedule.kind == Schedule::Kind::Constant) {
    before.erase("--steps");
    now.erase("--steps");
  }
  std::string changes;
  for (auto &[key, value] : now.items())
    if (!before.contains(key) || before[key] != value)
      changes += "\n  " + key + ": " +
                 (before.contains(key) ? before[key].dump() : "not given") +
                 " before, " + value.dump() + " now";
  for (auto &[key, value] : before.items())
    if (!now.contains(key))
      changes += "\n  " + key + ": " + value.dump() + " before, not given now";
  if (!changes.empty())
    reportWarning("this continuation differs from the run it continues:" +
                  changes);
}

Error Training::loadOrInitialize() {
  seed = options.setup.seed;
  if (options.checkpoints.empty())
    return options.setup.initialize(*session);
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
    return options.setup.initialize(*session);
  }
  std::vector<std::string> skipped;
  Expected<CheckpointInfo> info =
      folder.loadNewest(*session, options.skipDamaged, skipped);
  for (const std::string &reason : skipped)
    reportWarning("skipped: " + reason);
  if (!info)
    return info.takeError();
  if (options.seedGiven && options.setup.seed != info->seed)
    return Error("the checkpoint was made with --seed " +
                 std::to_string(info->seed) +
                 "; leave --seed out to continue with it");
  seed = info->seed;
  firstStep = saved = info->step;
  compareWith(info->run);
  return Error::success();
}

Error Training::prepare() {
  Expected<std::unique_ptr<Session>> opened = options.setup.open();
  if (!opened)
    return opened.takeError();
  session = std::move(*opened);
  Expected<EntryCall> entry = EntryCall::create(*session, "train");
  if (!entry)
    return entry.takeError();
  call.emplace(std::move(*entry));
  if (Error error = setScalars())
    return error;
  if (Expected<float> value = call->readScalar("loss"); !value)
    return value.takeError();
  haveNorm = call->description().find(ArgumentDescription::Role::Output,
                                      "grad_norm") != nullptr;
  if (Error error = loadOrInitialize())
    return error;
  Expected<std::unique_ptr<BatchSource>> source =
      openData(options.data, options.format, seed, *call);
  if (!source)
    return source.takeError();
  data = std::move(*source);
  fp8.emplace(*session);

  std::vector<std::string> slots;
  for (const SlotDescription &slot : session->description().slots)
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

/// Above the progress bar.
void Training::warn(const std::string &text) {
  progress->note(warningLine(text));
}

Error Training::reportNonfinite(uint64_t index, double value) {
  Expected<std::vector<std::string>> slots = fp8->newlyNonfinite();
  if (!slots)
    return slots.takeError();
  if (std::isfinite(value) && slots->empty())
    return Error::success();
  constexpr uint64_t mostLines = 10;
  constexpr size_t mostSlots = 5;
  if (++nonfiniteSteps > mostLines)
    return Error::success();
  std::string line = "step " + std::to_string(index + 1) + ": ";
  line += std::isfinite(value) ? "loss is finite" : "loss is not finite";
  if (slots->empty()) {
    line += fp8->hasCounts() ? ", every FP8 slot's amax was finite" : "";
  } else {
    line += std::isfinite(value) ? ", but not" : "; neither is";
    line += " the amax of ";
    for (size_t i = 0; i < std::min(slots->size(), mostSlots); ++i)
      line += (i ? ", " : "") + (*slots)[i];
    if (slots->size() > mostSlots)
      line += " and " + std::to_string(slots->size() - mostSlots) + " more";
  }
  line += " (an update with non-finite gradients is skipped)";
  if (nonfiniteSteps == mostLines)
    line += "; later ones are only counted";
  warn(line);
  return Error::success();
}

Error Training::step(uint64_t index) {
  auto began = std::chrono::steady_clock::now();
  double rate = schedule.at(index);
  if (Expected<bool> set =
          call->setScalar("learning_rate", static_cast<float>(rate));
      !set)
    return set.takeError();
  if (Error error = call->run())
    return error;
  if (index == firstStep)
    for (const std::string &warning : Setup::warningsOf(*session))
      warn(warning);
  Expected<float> value = call->readScalar("loss");
  if (!value)
    return value.takeError();
  StepMetrics now;
  now.step = index + 1;
  now.loss = *value;
  now.learningRate = rate;
  now.gradNorm = std::nan("");
  if (haveNorm) {
    Expected<float> norm = call->readScalar("grad_norm");
    if (!norm)
      return norm.takeError();
    now.gradNorm = *norm;
  }
  auto ended = std::chrono::steady_clock::now();
  double seconds = std::chrono::duration<double>(ended - began).count();
  now.seconds = std::chrono::duration<double>(ended - start).count();
  now.tokensPerSecond =
      static_cast<double>(tokensPerCall(call->description())) / seconds;
  loss.add(now.loss);
  speed.add(now.tokensPerSecond);
  if (Error error = reportNonfinite(index, now.loss))
    return error;
  bool last = index + 1 == options.steps;
  if (!metrics->slotNames().empty() && (index % amaxEvery == 0 || last)) {
    Expected<std::vector<float>> amaxes = fp8->amaxes();
    if (!amaxes)
      return amaxes.takeError();
    now.amaxes = std::move(*amaxes);
  }
  std::string text =
      "loss " + formatLoss(now.loss) + " (mean " + formatLoss(loss.get()) + ")";
  if (haveNorm)
    text += format("  grad norm %.3g", now.gradNorm);
  text += "  " + formatCount(speed.get()) + " tokens/s";
  if (Error error = metrics->add(std::move(now)))
    progress->note("te-run: warning: " + error.message());
  progress->update(index + 1, text);
  return Error::success();
}

Error Training::save(uint64_t done) {
  if (options.checkpoints.empty() || done == saved)
    return Error::success();
  CheckpointInfo info;
  info.step = done;
  info.seed = seed;
  info.run = runAsJson();
  if (Error error = saveCheckpoint(*session, folder.fileOf(done), info))
    return error;
  saved = done;
  return folder.prune(options.keep);
}

Error Training::writePlot() const {
  const Description &description = session->description();
  std::string name =
      std::filesystem::path(description.source).filename().string();
  std::string title = name.empty() ? options.setup.artifact : name;
  auto compiled = nlohmann::json::parse(description.options, nullptr, false);
  if (compiled.is_object() && compiled.contains("precision") &&
      compiled["precision"].is_string())
    title += ", " + compiled["precision"].get<std::string>();
  return writeFile(options.plot, plotRun(*metrics, title));
}

int Training::finish(uint64_t done, bool interrupted) {
  progress->clear();
  int code = interrupted ? exitInterrupted : 0;
  if (Error error = save(done))
    code = reportError(error);
  const std::vector<StepMetrics> &steps = metrics->steps();
  if (done > firstStep && !steps.empty()) {
    double elapsed =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    constexpr size_t window = 50;
    double sum = 0;
    size_t count = 0;
    for (size_t i = steps.size() - std::min(steps.size(), window);
         i < steps.size(); ++i)
      if (std::isfinite(steps[i].loss)) {
        sum += steps[i].loss;
        ++count;
      }
    std::printf("steps %llu to %llu in %s, %s tokens/s\n",
                static_cast<unsigned long long>(firstStep + 1),
                static_cast<unsigned long long>(done),
                formatDuration(elapsed).c_str(),
                formatCount(speed.get()).c_str());
    if (count)
      std::printf("loss %s at step %llu, %s on average over the last %zu\n",
                  formatLoss(steps.back().loss).c_str(),
                  static_cast<unsigned long long>(done),
                  formatLoss(sum / static_cast<double>(count)).c_str(), count);
  }
  if (nonfiniteSteps)
    std::printf("steps with a non-finite loss or amax: %llu\n",
                static_cast<unsigned long long>(nonfiniteSteps));
  if (!options.plot.empty()) {
    if (Error error = writePlot())
      code = reportError(error);
    else
      std::printf("plot: %s\n", options.plot.c_str());
  }
  if (!options.metrics.empty())
    std::printf("metrics: %s\n", options.metrics.c_str());
  if (!options.checkpoints.empty() && saved)
    std::printf("checkpoint: %s\n", folder.fileOf(saved).c_str());
  if (interrupted) {
    if (options.checkpoints.empty())
      std::printf("interrupted; nothing was saved, because no --checkpoint "
                  "was given\n");
    else if (saved == done)
      std::printf("interrupted; continue with:\n  %s\n", options.again.c_str());
  }
  return code;
}

int Training::run() {
  std::printf("%s\n", data->describe().c_str());
  if (firstStep)
    std::printf("continuing from step %llu\n",
                static_cast<unsigned long long>(firstStep));
  std::fflush(stdout);
  if (firstStep >= options.steps) {
    std::printf("all %llu steps are done; give a larger --steps to train "
                "on\n",
                static_cast<unsigned long long>(options.steps));
    return 0;
  }
  progress.emplace(firstStep, options.steps);
  start = std::chrono::steady_clock::now();
  for (uint64_t index = firstStep; index < options.steps; ++index) {
    if (Error error = data->fill(index, *call)) {
      // The states are those of the step before, and worth keeping.
      finish(index, false);
      return reportError(error);
    }
    if (Error error = step(index)) {
      progress->clear();
      reportError(error);
      // The states of a step that failed half-way are not those of a step.
      if (saved)
        std::fprintf(stderr, "The last checkpoint is %s\n",
                     folder.fileOf(saved).c_str());
      return exitFailure;
    }
    uint64_t done = index + 1;
    if (interrupt.requested() && done < options.steps)
      return finish(done, true);
    if (options.every && done % options.every == 0 && done < options.steps) {
      if (Error error = save(done))
        warn(error.message() + "; training goes on");
      if (!options.plot.empty())
        if (Error error = writePlot())
          progress->note("te-run: warning: " + error.message());
    }
  }
  return finish(options.steps, false);
}
} // namespace

int run::train(const TrainOptions &options) {
  Training training(options);
  if (Error error = training.prepare())
    return reportError(error);
  return training.run();
}
