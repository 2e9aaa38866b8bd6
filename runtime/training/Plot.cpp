// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Plot.h"

#include "support/Text.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace tert::session;
using namespace tert::training;

namespace {
struct Point {
  double x, y;
};

constexpr double width = 920, left = 76, right = 78;
constexpr double panelHeight = 250, top = 74, gap = 86, bottom = 58;
constexpr size_t maxPoints = 1200;

/// An axis of values: maps data to pixels, and positions the ticks.
class Axis {
public:
  Axis(double low, double high, double from, double to, bool logarithmic)
      : low(low), high(high), from(from), to(to), logarithmic(logarithmic) {}

  double at(double value) const {
    double a = scaled(low), b = scaled(high);
    double share = b > a ? (scaled(value) - a) / (b - a) : 0.5;
    return from + std::clamp(share, 0.0, 1.0) * (to - from);
  }

  std::vector<double> marks() const {
    std::vector<double> result;
    if (logarithmic) {
      auto first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
      auto last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
      int stride = std::max(1, (last - first + 5) / 6);
      for (int power = first; power <= last; power += stride)
        result.push_back(std::pow(10.0, power));
      return result;
    }
    double step = niceStep((high - low) / 6);
    for (double mark = std::ceil(low / step - 1e-9) * step;
         mark <= high + step * 1e-9; mark += step)
      result.push_back(std::fabs(mark) < step * 1e-9 ? 0.0 : mark);
    return result;
  }

  /// 1, 2 or 5 times a power of ten, not below `raw`.
  static double niceStep(double raw) {
    double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (double factor : {1.0, 2.0, 5.0})
      if (factor * power >= raw * (1 - 1e-9))
        return factor * power;
    return 10 * power;
  }

private:
  double scaled(double value) const {
    return logarithmic ? std::log10(value) : value;
  }
  double low, high, from, to;
  bool logarithmic;
};

std::string escaped(const std::string &text) {
  std::string result;
  for (char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      result += c;
  }
  return result;
}

/// At most as many points as a picture can show: means of neighbours if there
/// are more. `geometric` for a logarithmic axis.
std::vector<Point> thinned(const std::vector<Point> &points, bool geometric) {
  size_t bucket = (points.size() + maxPoints - 1) / maxPoints;
  if (bucket <= 1)
    return points;
  std::vector<Point> result;
  for (size_t i = 0; i < points.size(); i += bucket) {
    size_t end = std::min(i + bucket, points.size());
    double x = 0, y = 0;
    for (size_t j = i; j < end; ++j) {
      x += points[j].x;
      y += geometric ? std::log(points[j].y) : points[j].y;
    }
    double n = static_cast<double>(end - i);
    result.push_back({x / n, geometric ? std::exp(y / n) : y / n});
  }
  return result;
}

/// Prefix and suffix of a picture's first line.
constexpr std::string_view lineBegin =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" ";
constexpr std::string_view lineEnd =
    " font-family=\"system-ui, 'Helvetica Neue', Arial, sans-serif\">";

class Picture {
public:
  explicit Picture(double height) {
    svg += lineBegin;
    svg += format("width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\"",
                  width, height, width, height);
    svg += lineEnd;
    svg += "\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  }

  void text(double x, double y, const std::string &content, double size,
            const char *colour, const char *anchor = "start",
            bool bold = false) {
    svg +=
        format("<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" "
               "fill=\"%s\" text-anchor=\"%s\"%s>",
               x, y, size, colour, anchor, bold ? " font-weight=\"600\"" : "") +
        escaped(content) + "</text>\n";
  }

  void segment(double x1, double y1, double x2, double y2, const char *colour) {
    svg += format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                  "stroke=\"%s\"/>\n",
                  x1, y1, x2, y2, colour);
  }

  void curve(const std::vector<Point> &points, const Axis &x, const Axis &y,
             const char *colour, double thickness, double opacity) {
    if (points.empty())
      return;
    if (points.size() == 1) {
      svg += format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" "
                    "fill-opacity=\"%.2f\"/>\n",
                    x.at(points[0].x), y.at(points[0].y), 1 + thickness, colour,
                    opacity);
      return;
    }
    svg += format("<polyline fill=\"none\" stroke=\"%s\" "
                  "stroke-width=\"%.1f\" stroke-opacity=\"%.2f\" "
                  "stroke-linejoin=\"round\" points=\"",
                  colour, thickness, opacity);
    for (const Point &point : points)
      svg += format("%.1f,%.1f ", x.at(point.x), y.at(point.y));
    svg.back() = '"';
    svg += "/>\n";
  }

  void swatch(double x, double y, const char *colour) {
    svg += format("<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"4\" "
                  "rx=\"2\" fill=\"%s\"/>\n",
                  x, y, colour);
  }

  std::string finish() { return svg + "</svg>\n"; }

private:
  std::string svg;
};

constexpr char evalColour[] = "#c2510f";
constexpr char ink[] = "#1f2933", muted[] = "#67727e", grid[] = "#e6eaee";

/// Draws grid, ticks and title of a panel whose upper edge is at `y`.
void drawFrame(Picture &picture, double y, const std::string &title,
               const Axis &steps, const Axis &values, bool logarithmic) {
  picture.text(left, y - 14, title, 14, ink, "start", true);
  for (double mark : values.marks()) {
    double at = values.at(mark);
    picture.segment(left, at, width - right, at, grid);
    bool small = logarithmic && (mark < 1e-3 || mark > 1e4);
    std::string label =
        small ? format("1e%.0f", std::log10(mark)) : format("%g", mark);
    picture.text(left - 10, at + 4, label, 12, muted, "end");
  }
  for (double mark : steps.marks()) {
    double at = steps.at(mark);
    picture.segment(at, y + panelHeight, at, y + panelHeight + 5, "#aab4be");
    picture.text(at, y + panelHeight + 20, format("%g", mark), 12, muted,
                 "middle");
  }
  picture.segment(left, y + panelHeight, width - right, y + panelHeight,
                  "#aab4be");
  picture.text((left + width - right) / 2, y + panelHeight + 40, "step", 12,
               muted, "middle");
}

/// Of the values that the curves have.
Axis lossAxis(const std::vector<const std::vector<Point> *> &curves, double y) {
  // The first steps are far above the rest. They are shown all the same,
  // because a picture without a spike is misleading.
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const std::vector<Point> *points : curves)
    for (const Point &point : *points) {
      low = std::min(low, point.y);
      high = std::max(high, point.y);
    }
  if (low > high) {
    low = 0;
    high = 1;
  }
  double margin =
      high > low ? 0.05 * (high - low) : std::max(1e-3, 0.05 * std::fabs(high));
  // A loss that can only be positive starts its axis at zero if zero is near.
  low = low >= 0 && low - margin < 0.35 * high ? 0 : low - margin;
  return Axis(low, high + margin, y + panelHeight, y, false);
}

void drawLoss(Picture &picture, double y, const Axis &steps,
              const std::vector<Point> &loss, const std::vector<Point> &means,
              const std::vector<Point> &evaluated) {
  const Axis values = lossAxis({&loss, &evaluated}, y);
  drawFrame(picture, y,
            format("loss, and its mean over %zu steps", Metrics::meanSteps),
            steps, values, false);
  picture.curve(thinned(loss, false), steps, values, "#7fb0dd", 1.0, 0.75);
  picture.curve(thinned(means, false), steps, values, "#174a7e", 2.2, 1.0);
  picture.curve(thinned(evaluated, false), steps, values, evalColour, 2.2, 1.0);
  double meanAt = -1;
  if (!means.empty()) {
    meanAt = values.at(means.back().y) + 4;
    picture.text(width - right + 8, meanAt, formatLoss(means.back().y), 13,
                 "#174a7e", "start", true);
  }
  if (evaluated.empty())
    return;
  double evalAt = values.at(evaluated.back().y) + 4;
  // Avoids overlap with the other number.
  if (meanAt >= 0 && std::fabs(evalAt - meanAt) < 16)
    evalAt = evalAt < meanAt ? meanAt - 16 : meanAt + 16;
  picture.text(width - right + 8, evalAt, formatLoss(evaluated.back().y), 13,
               evalColour, "start", true);
  picture.text(width - right, y - 14, "evaluation", 12, ink, "end");
  picture.swatch(width - right - 88, y - 20, evalColour);
}

/// The losses of a run.
struct LossCurves {
  explicit LossCurves(const Metrics &metrics) {
    for (const StepMetrics &step : metrics.steps()) {
      const auto x = static_cast<double>(step.step);
      if (&step == &metrics.steps().front())
        first = x;
      last = x;
      if (std::isfinite(step.loss))
        loss.push_back({x, step.loss});
      if (std::isfinite(step.meanLoss))
        means.push_back({x, step.meanLoss});
      if (std::isfinite(step.evalLoss))
        evaluated.push_back({x, step.evalLoss});
    }
  }
  std::vector<Point> loss, means, evaluated;
  double first = 1, last = 1;
};

/// Steps count from 1; an axis from 0 has round ticks.
Axis stepAxis(double first, double last) {
  return Axis(first <= 1 ? 0 : first, std::max(last, first + 1), left,
              width - right, false);
}

/// Slots of one role, by the last part of their names.
struct Family {
  const char *suffix, *label, *light, *dark;
};
constexpr Family families[] = {
    {".input", "inputs", "#6aaede", "#1b6ca8"},
    {".weight", "weights", "#7cc49a", "#22794a"},
    {".grad_output", "output gradients", "#f0a06c", "#c2510f"},
    {"", "other", "#b9a3d9", "#6b46a3"}};

size_t familyOf(const std::string &slot) {
  size_t index = 0;
  for (const Family &family : families) {
    std::string suffix = family.suffix;
    if (slot.size() >= suffix.size() &&
        slot.compare(slot.size() - suffix.size(), suffix.size(), suffix) == 0)
      return index;
    ++index;
  }
  return index - 1;
}

void drawAmaxes(Picture &picture, double y, const Axis &steps,
                const Metrics &metrics) {
  size_t slots = metrics.slotNames().size();
  std::vector<std::vector<Point>> curves(slots);
  std::map<size_t, std::vector<Point>> medians;
  double low = HUGE_VAL, high = 0;
  for (const StepMetrics &step : metrics.steps()) {
    if (step.amaxes.size() != slots)
      continue;
    std::map<size_t, std::vector<double>> together;
    for (size_t i = 0; i < slots; ++i) {
      double amax = step.amaxes[i];
      if (!std::isfinite(amax) || amax <= 0)
        continue;
      low = std::min(low, amax);
      high = std::max(high, amax);
      curves[i].push_back({static_cast<double>(step.step), amax});
      together[familyOf(metrics.slotNames()[i])].push_back(amax);
    }
    for (auto &[family, values] : together) {
      auto middle = values.begin() + static_cast<long>(values.size() / 2);
      std::nth_element(values.begin(), middle, values.end());
      medians[family].push_back({static_cast<double>(step.step), *middle});
    }
  }
  if (high <= 0) {
    low = 0.1;
    high = 10;
  }
  Axis values(low / 1.6, high * 1.6, y + panelHeight, y, true);
  drawFrame(picture, y, "amax of each FP8 slot, and median", steps, values,
            true);
  std::map<size_t, size_t> counts;
  for (size_t i = 0; i < slots; ++i) {
    size_t family = familyOf(metrics.slotNames()[i]);
    ++counts[family];
    picture.curve(thinned(curves[i], true), steps, values,
                  families[family].light, 0.9, 0.55);
  }
  for (const auto &[family, points] : medians)
    picture.curve(thinned(points, true), steps, values, families[family].dark,
                  2.2, 1.0);
  double x = width - right;
  for (auto it = counts.rbegin(); it != counts.rend(); ++it) {
    std::string label =
        format("%s (%zu)", families[it->first].label, it->second);
    picture.text(x, y - 14, label, 12, ink, "end");
    x -= 7.0 * static_cast<double>(label.size()) + 4;
    picture.swatch(x - 14, y - 20, families[it->first].dark);
    x -= 32;
  }
}
} // namespace

std::string tert::training::plotRun(const Metrics &metrics,
                                    const std::string &title) {
  bool fp8 = !metrics.slotNames().empty();
  double height = top + panelHeight + (fp8 ? gap + panelHeight : 0) + bottom;
  Picture picture(height);
  picture.text(left, 30, title, 16, ink, "start", true);
  const LossCurves of(metrics);
  const Axis steps = stepAxis(of.first, of.last);
  drawLoss(picture, top, steps, of.loss, of.means, of.evaluated);
  if (fp8)
    drawAmaxes(picture, top + panelHeight + gap, steps, metrics);
  return picture.finish();
}

std::string tert::training::plotRuns(const std::vector<NamedRun> &runs) {
  constexpr const char *colours[] = {"#174a7e", "#c2510f", "#22794a",
                                     "#6b46a3"};
  std::vector<LossCurves> all;
  std::vector<const std::vector<Point> *> curves;
  double first = HUGE_VAL, last = 1;
  for (const NamedRun &run : runs) {
    all.emplace_back(*run.metrics);
    first = std::min(first, all.back().first);
    last = std::max(last, all.back().last);
  }
  for (const LossCurves &of : all)
    curves.insert(curves.end(), {&of.means, &of.evaluated});
  const Axis steps = stepAxis(first, last), values = lossAxis(curves, top);
  Picture picture(top + panelHeight + bottom);
  drawFrame(picture, top,
            format("mean loss over %zu steps (thin), and evaluation (thick)",
                   Metrics::meanSteps),
            steps, values, false);
  double x = left;
  for (size_t i = 0; i < all.size(); ++i) {
    const char *colour = colours[i % std::size(colours)];
    picture.curve(thinned(all[i].means, false), steps, values, colour, 1.4, 1);
    picture.curve(thinned(all[i].evaluated, false), steps, values, colour, 2.6,
                  1);
    picture.swatch(x, 24, colour);
    picture.text(x + 20, 30, runs[i].name, 14, ink, "start", true);
    x += 40 + 8.5 * static_cast<double>(runs[i].name.size());
  }
  return picture.finish();
}

bool tert::training::isPlot(std::string_view firstLine) {
  return firstLine.size() >= lineBegin.size() + lineEnd.size() &&
         firstLine.substr(0, lineBegin.size()) == lineBegin &&
         firstLine.substr(firstLine.size() - lineEnd.size()) == lineEnd;
}
