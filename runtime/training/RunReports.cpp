// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/RunReports.h"

#include "support/File.h"
#include "support/Json.h"
#include "training/Plot.h"
#include "training/RunPage.h"

#include <cmath>
#include <filesystem>

using namespace tert;
using namespace tert::session;
using namespace tert::training;
using Clock = std::chrono::steady_clock;

Error RunReports::create() {
  if (Error error = writePlot())
    return error;
  if (Error error = writePage(/*isRunning=*/true))
    return error;
  if (options.events.empty())
    return Error::success();
  return EventFile::create(options.events).moveTo(events);
}

Error RunReports::stepped() {
  Error failure = addEvents(metrics.steps().back());
  // The page is written even if the events are not.
  constexpr std::chrono::seconds period(5);
  if (Clock::now() - paged >= period)
    if (Error error = writePage(/*isRunning=*/true); error && !failure)
      failure = std::move(error);
  return failure;
}

Error RunReports::addEvents(const StepMetrics &step) {
  if (!events)
    return Error::success();
  std::vector<EventFile::Scalar> scalars;
  auto add = [&](const std::string &tag, double value) {
    if (!std::isnan(value))
      scalars.push_back({tag, static_cast<float>(value)});
  };
  add("loss", step.loss);
  add("mean_loss", step.meanLoss);
  add("eval/loss", step.evalLoss);
  add("eval/accuracy", step.evalAccuracy);
  add("gradient_norm", step.gradNorm);
  add("learning_rate", step.learningRate);
  add(metrics.unit() + "_per_second", step.rate);
  add("mfu", step.utilization);
  for (size_t i = 0; i < step.amaxes.size(); ++i)
    add("amax/" + metrics.slotNames()[i], step.amaxes[i]);
  const double time = std::chrono::duration<double>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
  return events->add(step.step, time, scalars);
}

std::string RunReports::title() const {
  const Description &description = session.description();
  std::string name =
      std::filesystem::path(description.source).filename().string();
  std::string title = name.empty() ? session.path() : name;
  auto compiled = parseJson(description.options);
  if (compiled.is_object() && compiled.contains("precision") &&
      compiled["precision"].is_string())
    title += ", " + compiled["precision"].get<std::string>();
  return title;
}

Error RunReports::writePlot() const {
  return options.plot.empty()
             ? Error::success()
             : writeFile(options.plot, plotRun(metrics, title()));
}

Error RunReports::writePage(bool isRunning) {
  if (options.page.empty())
    return Error::success();
  paged = Clock::now();
  RunPage page;
  page.title = title();
  page.steps = options.steps;
  page.isRunning = isRunning;
  page.metrics = &metrics;
  page.profile = profile ? &*profile : nullptr;
  page.memory.push_back(
      {"states", memoryNeed(session.description(), nullptr).states});
  if (const EntryDescription *entry = session.description().findEntry("train"))
    page.memory.push_back({"arena of a step", entry->arenaBytes});
  if (!metrics.steps().empty() && metrics.steps().back().memory)
    page.memory.push_back(
        {"allocated, at most so far", metrics.steps().back().memory});
  return writeFile(options.page, training::writePage(page));
}
