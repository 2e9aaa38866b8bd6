// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run compare: differences between the tensors of two files.

#include "Arguments.h"
#include "Commands.h"
#include "CompareRuns.h"
#include "Output.h"
#include "checkpoint/TensorFiles.h"
#include "training/Inputs.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

using namespace tert;
using namespace tert::run;
using namespace tert::session;
using namespace tert::training;

namespace {
struct CompareOptions {
  std::string a, b, plot;
  double tolerance = 0.0;
  bool toleranceGiven = false;
  double absoluteBelow = 1e-6;
  std::vector<std::string> mapping;
  size_t rows = 0;
};

/// Norms over the elements of a pair of tensors, in float64.
struct Norms {
  double difference = 0.0; ///< ‖a − b‖
  double reference = 0.0;  ///< ‖b‖
  double largestDifference = 0.0;
  double largestReference = 0.0;
  bool nonfinite = false;
};

/// Equal elements differ by zero, including equal infinities and NaN against
/// NaN; any other non-finite element makes the difference infinite.
Norms measure(const StoredTensor &a, const StoredTensor &b) {
  constexpr int64_t piece = int64_t(1) << 20; // elements read at a time
  Norms norms;
  const size_t sizeA = sizeOf(a.dtype()), sizeB = sizeOf(b.dtype());
  const int64_t count = b.elements();
  std::vector<char> bytesA, bytesB;
  double squares = 0.0, referenceSquares = 0.0;
  for (int64_t first = 0; first < count; first += piece) {
    const int64_t size = std::min(piece, count - first);
    bytesA.resize(static_cast<size_t>(size) * sizeA);
    bytesB.resize(static_cast<size_t>(size) * sizeB);
    a.read(first, size, bytesA.data());
    b.read(first, size, bytesB.data());
    for (size_t i = 0; i < static_cast<size_t>(size); ++i) {
      double x = readAsDouble(a.dtype(), &bytesA[i * sizeA]);
      double y = readAsDouble(b.dtype(), &bytesB[i * sizeB]);
      if (!std::isfinite(x) || !std::isfinite(y)) {
        norms.nonfinite |= !(x == y || (std::isnan(x) && std::isnan(y)));
        continue;
      }
      squares += (x - y) * (x - y);
      referenceSquares += y * y;
      norms.largestDifference =
          std::max(norms.largestDifference, std::fabs(x - y));
      norms.largestReference = std::max(norms.largestReference, std::fabs(y));
    }
  }
  norms.difference = std::sqrt(squares);
  norms.reference = std::sqrt(referenceSquares);
  return norms;
}

struct Row {
  std::string name, type;
  Norms norms;
  double error = 0.0;
  bool absolute = false;
};

/// A row's error is ‖a − b‖ / ‖b‖, or, if the reference is zero up to rounding,
/// max|a − b| / (the largest max|b| of the file).
void setErrors(std::vector<Row> &rows, double absoluteBelow) {
  double scale = 0.0;
  for (const Row &row : rows)
    scale = std::max(scale, row.norms.largestReference);
  for (Row &row : rows) {
    row.absolute = row.norms.largestReference <= absoluteBelow * scale;
    if (row.norms.nonfinite)
      row.error = std::numeric_limits<double>::infinity();
    else if (row.norms.largestDifference == 0.0)
      row.error = 0.0;
    else if (row.absolute)
      row.error = scale > 0.0 ? row.norms.largestDifference / scale
                              : std::numeric_limits<double>::infinity();
    else
      row.error = row.norms.difference / row.norms.reference;
  }
}

void printNames(const char *title, const std::vector<std::string> &names) {
  if (names.empty())
    return;
  std::printf("%s:\n", title);
  for (const std::string &name : names)
    std::printf("  %s\n", name.c_str());
}

Expected<bool> compare(const CompareOptions &options, const NameMap &names) {
  Expected<TensorFiles> a = TensorFiles::open(options.a);
  if (!a)
    return a.takeError();
  Expected<TensorFiles> b = TensorFiles::open(options.b);
  if (!b)
    return b.takeError();

  std::vector<Row> rows;
  std::vector<std::string> onlyA, onlyB, shapes;
  std::set<std::string> taken;
  for (const auto &[name, tensor] : a->tensors()) {
    auto mapped = names.find(name);
    std::string other = mapped == names.end() ? name : mapped->second;
    const StoredTensor *reference = b->find(other);
    std::string label = other == name ? name : name + " = " + other;
    if (!reference) {
      onlyA.push_back(label);
      continue;
    }
    taken.insert(other);
    if (reference->shape() != tensor.shape()) {
      shapes.push_back(label + ": " + toString(tensor.shape()) + " and " +
                       toString(reference->shape()));
      continue;
    }
    Row row;
    row.name = label;
    row.type = std::string(nameOf(tensor.dtype()));
    if (tensor.dtype() != reference->dtype())
      row.type += "/" + std::string(nameOf(reference->dtype()));
    row.type += " " + toString(tensor.shape());
    row.norms = measure(tensor, *reference);
    rows.push_back(std::move(row));
  }
  for (const auto &[name, tensor] : b->tensors())
    if (!taken.count(name))
      onlyB.push_back(name);
  for (const auto &[from, to] : names)
    if (!a->find(from))
      return Error("--map names '" + from + "', which '" + options.a +
                   "' does not have");

  setErrors(rows, options.absoluteBelow);
  std::sort(rows.begin(), rows.end(), [](const Row &x, const Row &y) {
    return x.error != y.error ? x.error > y.error : x.name < y.name;
  });
  using Align = Table::Align;
  Table table({{"tensor"},
               {"type"},
               {"error", Align::Right},
               {"max |a-b|", Align::Right},
               {"max |b|", Align::Right},
               {""}});
  size_t above = 0, shown = 0;
  for (const Row &row : rows) {
    bool bad = options.toleranceGiven && !(row.error <= options.tolerance);
    above += bad;
    if (options.rows && shown++ >= options.rows)
      continue;
    std::vector<std::string> cells = {
        row.name,
        row.type,
        row.error == 0.0 ? "0" : format("%.3e", row.error),
        row.norms.largestDifference == 0.0
            ? "0"
            : format("%.3e", row.norms.largestDifference),
        format("%.3e", row.norms.largestReference),
        row.norms.nonfinite ? "not finite"
        : row.absolute      ? "absolute"
                            : ""};
    if (bad)
      table.add(std::move(cells), Colour::Red);
    else
      table.add(std::move(cells));
  }
  if (!table.empty())
    table.print(stdout, "");
  if (options.rows && rows.size() > options.rows)
    std::printf("and %zu more\n", rows.size() - options.rows);
  printNames("of different shapes", shapes);
  printNames(("only in " + options.a).c_str(), onlyA);
  printNames(("only in " + options.b).c_str(), onlyB);

  if (rows.empty()) {
    std::printf("no tensor to compare\n");
    return false;
  }
  bool alike = above == 0 && shapes.empty();
  std::string verdict =
      format("%zu tensors, worst error %.3e", rows.size(), rows.front().error);
  if (options.toleranceGiven)
    verdict += format(", %zu above %g", above, options.tolerance);
  std::printf(
      "%s\n",
      coloured(stdout, alike ? Colour::Green : Colour::Red, verdict).c_str());
  return alike;
}

int runCompare(const CompareOptions &options) {
  if (isRun(options.a) && isRun(options.b)) {
    Error error = compareRuns(options.a, options.b, options.plot);
    return error ? reportError(error) : 0;
  }
  if (!options.plot.empty())
    return reportUsage("--plot is for two runs: their folders, or their files "
                       "of --metrics",
                       "compare");
  NameMap names;
  for (const std::string &item : options.mapping) {
    size_t equals = item.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == item.size())
      return reportUsage("--map takes A=B, not '" + item + "'", "compare");
    names[item.substr(0, equals)] = item.substr(equals + 1);
  }
  Expected<bool> alike = compare(options, names);
  if (!alike)
    return reportError(alike.takeError());
  return *alike ? 0 : exitFailure;
}
} // namespace

void run::addCompare(CLI::App &app, Run &run) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App *command = app.add_subcommand(
      "compare",
      "Relative error per tensor of two safetensors files, or checkpoints; "
      "settings, results and losses of two runs");
  command
      ->add_option("A", options->a,
                   "What is judged: a file, or the folder of a checkpoint or "
                   "of a run (--checkpoint)")
      ->required();
  command->add_option("B", options->b, "The reference")->required();
  CLI::Option *tolerance =
      command
          ->add_option("--tolerance", options->tolerance,
                       "Largest error that passes; above it the exit code is "
                       "1")
          ->check(notNegative());
  command
      ->add_option("--absolute-below", options->absoluteBelow,
                   "A tensor of B whose max|b| is at most this share of the "
                   "largest max|b| of the file counts as zero but for "
                   "rounding: its error is max|a-b| over that largest")
      ->check(notNegative())
      ->capture_default_str();
  command->add_option("--map", options->mapping,
                      "A=B: compare tensor A of the first file with tensor B "
                      "of the second; may be repeated");
  command
      ->add_option("--plot", options->plot,
                   "Of two runs: SVG picture of their losses")
      ->type_name("FILE");
  command->add_option("--rows", options->rows,
                      "Print only so many tensors, the worst");
  command->footer(
      "The error is |a-b| / |b| (Euclidean norms, float64 arithmetic). Tensors "
      "that one file lacks are listed and do not count.\n"
      "Exit code 1: an error above --tolerance, a shape that differs, or "
      "nothing to compare.\n"
      "Example:\n  te-run compare ours.safetensors reference.safetensors "
      "--tolerance 1e-5\n"
      "  te-run compare run-a run-b --plot losses.svg");
  command->callback([options, &run, tolerance] {
    options->toleranceGiven = tolerance->count() > 0;
    run = [options] { return runCompare(*options); };
  });
}
