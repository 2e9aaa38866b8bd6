// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/RunPage.h"

#include "support/Text.h"
#include "training/Plot.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace tert::session;
using namespace tert::training;

namespace {
constexpr std::string_view pageBegin =
    "<!DOCTYPE html><!-- a run of te-run train -->";

constexpr std::string_view style =
    "body{font:15px/1.5 system-ui,sans-serif;color:#1f2933;max-width:940px;"
    "margin:24px auto;padding:0 16px}h1{font-size:20px}h2{font-size:16px;"
    "margin-top:32px}table{border-collapse:collapse}td,th{padding:3px 18px 3px "
    "0;text-align:left;border-bottom:1px solid #e6eaee;vertical-align:top}"
    "td.n,th.n{text-align:right}svg{max-width:100%;height:auto}"
    "progress{width:100%}";

std::string escape(const std::string &text) {
  std::string result;
  for (char c : text)
    result += c == '&'   ? "&amp;"
              : c == '<' ? "&lt;"
              : c == '>' ? "&gt;"
                         : std::string(1, c);
  return result;
}

/// A table; columns after the first `names` hold numbers.
class Rows {
public:
  Rows(const std::vector<std::string> &titles, size_t names) : names(names) {
    add(titles, "th");
  }
  void add(const std::vector<std::string> &cells, const char *tag = "td") {
    html += "<tr>";
    for (size_t i = 0; i < cells.size(); ++i)
      html += std::string("<") + tag + (i < names ? ">" : " class=\"n\">") +
              escape(cells[i]) + "</" + tag + ">";
    html += "</tr>\n";
  }
  std::string finish() const { return "<table>\n" + html + "</table>\n"; }

private:
  size_t names;
  std::string html;
};

std::string heading(const char *text) {
  return std::string("<h2>") + text + "</h2>\n";
}

std::string facts(const RunPage &page) {
  const std::vector<StepMetrics> &steps = page.metrics->steps();
  Rows rows({"", ""}, 1);
  const StepMetrics &last = steps.back();
  rows.add({"step",
            std::to_string(last.step) + " of " + std::to_string(page.steps)});
  rows.add({"loss", formatLoss(last.loss)});
  rows.add({format("mean of the last %zu", Metrics::meanSteps),
            formatLoss(last.meanLoss)});
  for (auto it = steps.rbegin(); it != steps.rend(); ++it)
    if (!std::isnan(it->evalLoss)) {
      rows.add({"evaluation at step " + std::to_string(it->step),
                formatLoss(it->evalLoss)});
      if (!std::isnan(it->evalAccuracy))
        rows.add({"accuracy", format("%.2f %%", 100 * it->evalAccuracy)});
      break;
    }
  if (!std::isnan(last.gradNorm))
    rows.add({"gradient norm", format("%.4g", last.gradNorm)});
  rows.add({"learning rate", format("%.4g", last.learningRate)});
  rows.add({page.metrics->unit() + "/s", formatCount(last.recentRate)});
  if (!std::isnan(last.utilization))
    rows.add(
        {"model FLOP utilization", format("%.1f %%", 100 * last.utilization)});
  if (last.memory)
    rows.add({"memory", formatBytes(static_cast<double>(last.memory))});
  const auto skipped =
      std::count_if(steps.begin(), steps.end(),
                    [](const StepMetrics &step) { return step.skipped; });
  if (skipped)
    rows.add({"steps skipped", std::to_string(skipped)});
  if (page.isRunning && page.steps > last.step) {
    const double done = static_cast<double>(last.step - steps.front().step + 1);
    rows.add(
        {"left", formatDuration(last.seconds / done *
                                static_cast<double>(page.steps - last.step))});
  }
  return rows.finish();
}

/// How often thresholds were crossed, by what and slot.
std::string events(const Metrics &metrics) {
  struct Count {
    uint64_t times = 0, last = 0;
    double value = 0;
  };
  std::map<std::pair<std::string, std::string>, Count> counts;
  for (const StepMetrics &step : metrics.steps())
    for (const WatchEvent &event : step.events) {
      Count &count = counts[{event.what, event.slot}];
      ++count.times;
      count.last = step.step;
      count.value = event.value;
    }
  if (counts.empty())
    return heading("FP8") + "<p>No threshold of --watch was crossed.</p>\n";
  Rows rows({"threshold", "slot", "times", "last at step", "value"}, 2);
  for (const auto &[key, count] : counts)
    rows.add({key.first, key.second, std::to_string(count.times),
              std::to_string(count.last), format("%.4g", count.value)});
  return heading("Thresholds of --watch that were crossed") + rows.finish();
}

/// The largest of the newest amaxes.
std::string amaxes(const Metrics &metrics) {
  const StepMetrics *newest = nullptr;
  for (const StepMetrics &step : metrics.steps())
    if (!step.amaxes.empty() &&
        step.amaxes.size() == metrics.slotNames().size())
      newest = &step;
  if (!newest)
    return {};
  std::vector<size_t> order(newest->amaxes.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const float x = newest->amaxes[a], y = newest->amaxes[b];
    return x != y ? x > y : a < b;
  });
  constexpr size_t most = 12;
  Rows rows({"slot", "amax"}, 1);
  for (size_t i = 0; i < std::min(most, order.size()); ++i)
    rows.add({metrics.slotNames()[order[i]],
              format("%.4g", newest->amaxes[order[i]])});
  return heading("Largest amaxes") + "<p>Of step " +
         std::to_string(newest->step) + ", of " + std::to_string(order.size()) +
         " slots.</p>\n" + rows.finish();
}

std::string slowOps(const StepProfile &profile) {
  constexpr size_t most = 15;
  Rows rows({"op", "where in the model", "ms", "share"}, 2);
  for (size_t i = 0; i < std::min(most, profile.ops.size()); ++i) {
    const StepProfile::Op &op = profile.ops[i];
    rows.add({op.op, op.location, format("%.3f", 1e3 * op.seconds),
              format("%.1f %%", profile.seconds > 0
                                    ? 100 * op.seconds / profile.seconds
                                    : 0.0)});
  }
  return heading("Slowest ops") +
         format("<p>Of %zu in one step, which together took %.3f ms.</p>\n",
                profile.ops.size(), 1e3 * profile.seconds) +
         rows.finish();
}
} // namespace

std::string tert::training::writePage(const RunPage &page) {
  std::string html(pageBegin);
  html += "\n<html lang=\"en\"><head><meta charset=\"utf-8\">";
  if (page.isRunning)
    html += "<meta http-equiv=\"refresh\" content=\"10\">";
  html += "<title>" + escape(page.title) + "</title><style>" +
          std::string(style) + "</style></head><body>\n<h1>" +
          escape(page.title) + "</h1>\n";
  const std::vector<StepMetrics> &steps = page.metrics->steps();
  const uint64_t done = steps.empty() ? 0 : steps.back().step;
  html += format("<progress max=\"%llu\" value=\"%llu\"></progress>\n",
                 static_cast<unsigned long long>(page.steps),
                 static_cast<unsigned long long>(done));
  html += std::string("<p>") +
          (page.isRunning ? "Running." : "The run has ended.") + "</p>\n";
  if (!steps.empty())
    html += facts(page) + plotRun(*page.metrics, "") +
            (page.metrics->slotNames().empty()
                 ? ""
                 : events(*page.metrics) + amaxes(*page.metrics));
  if (page.profile)
    html += slowOps(*page.profile);
  if (!page.memory.empty()) {
    Rows rows({"", "planned"}, 1);
    for (const auto &[what, bytes] : page.memory)
      rows.add({what, formatBytes(static_cast<double>(bytes))});
    html += heading("Memory") + rows.finish();
  }
  return html + "</body></html>\n";
}

bool tert::training::isRunPage(std::string_view line) {
  return line == pageBegin;
}
