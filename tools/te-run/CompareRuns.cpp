// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompareRuns.h"

#include "Output.h"
#include "checkpoint/CheckpointFolder.h"
#include "command-line/CommandLine.h"
#include "command-line/SettingsFile.h"
#include "support/File.h"
#include "support/ResultFile.h"
#include "support/Text.h"
#include "training/Metrics.h"
#include "training/Plot.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

using namespace tert;
using namespace tert::run;
using namespace tert::session;
using namespace tert::training;
namespace fs = std::filesystem;

namespace {
/// What is compared of a run.
struct Summary {
  uint64_t steps = 0, skipped = 0;
  double loss = std::nan(""), mean = std::nan("");
  double bestEval = std::nan(""), lastEval = std::nan("");
  double accuracy = std::nan("");
  uint64_t bestStep = 0;
  double rate = std::nan(""); ///< The median.

  explicit Summary(const Metrics &metrics) {
    std::vector<double> rates;
    for (const StepMetrics &step : metrics.steps()) {
      skipped += step.skipped;
      if (std::isfinite(step.rate))
        rates.push_back(step.rate);
      if (std::isnan(step.evalLoss))
        continue;
      lastEval = step.evalLoss;
      accuracy = step.evalAccuracy;
      if (!(step.evalLoss >= bestEval)) {
        bestEval = step.evalLoss;
        bestStep = step.step;
      }
    }
    const StepMetrics &last = metrics.steps().back();
    steps = last.step;
    loss = last.loss;
    mean = last.meanLoss;
    if (rates.empty())
      return;
    auto middle = rates.begin() + static_cast<ptrdiff_t>(rates.size() / 2);
    std::nth_element(rates.begin(), middle, rates.end());
    rate = *middle;
  }
};

std::string metricsOf(const std::string &path) {
  std::error_code code;
  return fs::is_directory(path, code)
             ? (fs::path(path) / Metrics::fileName).string()
             : path;
}

/// The settings of a run, by their names; none without a readable file.
std::map<std::string, std::string> settingsOf(const std::string &path) {
  std::map<std::string, std::string> settings;
  const fs::path file = fs::path(path) / CheckpointFolder::recordName;
  std::error_code code;
  if (!fs::is_directory(path, code) || !fs::exists(file, code))
    return settings;
  try {
    for (const cli::Setting &setting : cli::readSettings(file.string())) {
      std::string &text = settings[setting.name];
      for (const std::string &value : setting.values)
        text += (text.empty() ? "" : ", ") + value;
    }
  } catch (const cli::UsageError &) {
  }
  return settings;
}

using Align = Table::Align;

void printSettings(const std::string &a, const std::string &b) {
  // Where it is kept, and what it prints.
  constexpr const char *others[] = {"checkpoint", "metrics", "plot", "quiet"};
  std::map<std::string, std::string> before = settingsOf(a),
                                     now = settingsOf(b);
  if (before.empty() || now.empty())
    return;
  std::map<std::string, std::string> keys = before;
  keys.insert(now.begin(), now.end());
  Table table({{"setting"}, {a}, {b}});
  for (const auto &entry : keys) {
    const std::string &key = entry.first;
    if (std::find(std::begin(others), std::end(others), key) !=
            std::end(others) ||
        (before.count(key) && now.count(key) && before[key] == now[key]))
      continue;
    auto text = [&](std::map<std::string, std::string> &of) {
      return of.count(key) ? of[key] : std::string("not given");
    };
    table.add({key, text(before), text(now)});
  }
  if (table.empty()) {
    std::printf("same settings\n\n");
    return;
  }
  table.print(stdout, "");
  std::printf("\n");
}

std::string difference(double x, double y) {
  return std::isfinite(x) && std::isfinite(y) && y != 0
             ? format("%+.2f %%", 100 * (x - y) / std::fabs(y))
             : "";
}

std::string lossText(double loss) {
  return std::isnan(loss) ? "" : formatLoss(loss);
}

void printResults(const std::string &a, const std::string &b, const Metrics &x,
                  const Metrics &y) {
  const Summary p(x), q(y);
  Table table({{""},
               {a, Align::Right},
               {b, Align::Right},
               {"difference", Align::Right}});
  auto add = [&](const std::string &what, double one, double other,
                 std::string (*text)(double)) {
    if (!std::isnan(one) || !std::isnan(other))
      table.add({what, text(one), text(other), difference(one, other)});
  };
  table.add({"steps", std::to_string(p.steps), std::to_string(q.steps), ""});
  add("loss", p.loss, q.loss, lossText);
  add(format("mean of the last %zu", Metrics::meanSteps), p.mean, q.mean,
      lossText);
  add("eval loss", p.lastEval, q.lastEval, lossText);
  add("best eval loss", p.bestEval, q.bestEval, lossText);
  if (p.bestStep || q.bestStep)
    table.add({"  at step", std::to_string(p.bestStep),
               std::to_string(q.bestStep), ""});
  add("accuracy", p.accuracy, q.accuracy, [](double share) {
    return std::isnan(share) ? std::string() : format("%.2f %%", 100 * share);
  });
  add("median " + x.unit() + "/s", p.rate, q.rate, formatCount);
  if (p.skipped || q.skipped)
    table.add({"steps skipped", std::to_string(p.skipped),
               std::to_string(q.skipped), ""});
  table.print(stdout, "");
  std::printf("\n");
}

/// The mean losses at up to ten steps that both have.
void printSteps(const std::string &a, const std::string &b, const Metrics &x,
                const Metrics &y) {
  std::map<uint64_t, double> other;
  for (const StepMetrics &step : y.steps())
    other[step.step] = step.meanLoss;
  std::vector<const StepMetrics *> common;
  for (const StepMetrics &step : x.steps())
    if (other.count(step.step))
      common.push_back(&step);
  if (common.empty()) {
    std::printf("no step that both have\n");
    return;
  }
  Table table({{"step", Align::Right},
               {"mean loss " + a, Align::Right},
               {"mean loss " + b, Align::Right},
               {"difference", Align::Right}});
  const size_t rows = std::min<size_t>(10, common.size());
  for (size_t i = 1; i <= rows; ++i) {
    const StepMetrics &step = *common[i * common.size() / rows - 1];
    const double second = other[step.step];
    table.add({std::to_string(step.step), lossText(step.meanLoss),
               lossText(second), difference(step.meanLoss, second)});
  }
  table.print(stdout, "");
}
} // namespace

bool run::isRun(const std::string &path) {
  std::error_code code;
  const std::string ending = fs::path(Metrics::fileName).extension().string();
  return fs::is_directory(path, code) ? fs::exists(metricsOf(path), code)
                                      : fs::path(path).extension() == ending;
}

Error run::compareRuns(const std::string &a, const std::string &b,
                       const std::string &plot) {
  Expected<Metrics> x = Metrics::read(metricsOf(a));
  if (!x)
    return x.takeError();
  Expected<Metrics> y = Metrics::read(metricsOf(b));
  if (!y)
    return y.takeError();
  printSettings(a, b);
  printResults(a, b, *x, *y);
  printSteps(a, b, *x, *y);
  if (plot.empty())
    return Error::success();
  auto isOurs = [](const std::string &path) {
    Expected<MappedFile> file = MappedFile::open(path);
    const std::string_view text =
        file ? std::string_view(file->data(), file->size()) : "";
    return isPlot(text.substr(0, text.find('\n')));
  };
  if (Error error =
          checkOverwrite(plot, {metricsOf(a), metricsOf(b)}, "--plot", isOurs))
    return error;
  return writeFile(plot, plotRuns({{a, &*x}, {b, &*y}}));
}
