// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Sensitivity.h"

#include "training/DropoutSeed.h"
#include "training/Loss.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

using namespace tert::session;
using namespace tert::training;
using json = nlohmann::ordered_json;

namespace {
constexpr const char *entryName = "calibrate";
constexpr const char *outputName = "sensitivity";

/// What a product reads, as the columns are named.
const std::vector<std::string> &rolesOf(const std::string &product) {
  static const std::map<std::string, std::vector<std::string>> roles = {
      {"fprop", {"input", "weight"}},
      {"dgrad", {"grad_output", "weight"}},
      {"wgrad", {"grad_output", "input"}}};
  static const std::vector<std::string> none;
  auto found = roles.find(product);
  return found == roles.end() ? none : found->second;
}

/// The values of one figure, step by step.
class Series {
public:
  void add(double value) {
    ++count;
    sum += value;
    squares += value * value;
    most = std::max(most, value);
  }
  double total() const { return sum; }
  double largest() const { return most; }
  Estimate estimate() const {
    const double n = static_cast<double>(count), mean = sum / n;
    const double variance =
        count > 1 ? std::max(0.0, squares - n * mean * mean) / (n - 1) : 0.0;
    return {mean, std::sqrt(variance / n)};
  }

private:
  uint64_t count = 0;
  double sum = 0.0, squares = 0.0, most = 0.0;
};

/// numerator / denominator, 0 of nothing.
double ratio(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : 0.0;
}

/// The figures of one product, by name.
class Row {
public:
  Row(const std::vector<std::string> &names, const float *values)
      : names(names), values(values) {}
  double operator[](const std::string &name) const { return *find(name); }
  /// Null if there is no such figure.
  const float *find(const std::string &name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? nullptr : values + (found - names.begin());
  }

private:
  const std::vector<std::string> &names;
  const float *values;
};

/// The sums of a product over the steps.
struct ProductSums {
  bool isFinite = true;
  Series firstOrder, secondOrder;
  double errorDot = 0.0, errorSquares = 0.0, resultSquares = 0.0;
  struct Operand {
    Series amax, flushed, nonzero;
    std::vector<double> octaves; ///< numbers of values

    std::vector<double> shares() const {
      const double all = std::accumulate(octaves.begin(), octaves.end(), 0.0);
      std::vector<double> result;
      for (double count : octaves)
        result.push_back(ratio(count, all));
      return result;
    }
  };
  std::map<std::string, Operand> operands;

  /// `labels` is the number N of terms of the mean loss; gradients are those of
  /// their sum if `lossIsSum`.
  void add(const Row &row, const std::string &product, double labels,
           bool lossIsSum) {
    // The gradient of the sum is N times that of the mean.
    const double toMean = lossIsSum ? 1.0 / labels : 1.0;
    firstOrder.add(row["error_dot"] * toMean);
    secondOrder.add(0.5 * labels * row["error_dot_squares"] * toMean * toMean);
    errorDot += row["error_dot"];
    errorSquares += row["error_squares"];
    resultSquares += row["result_squares"];
    for (const std::string &role : rolesOf(product)) {
      Operand &operand = operands[role];
      operand.amax.add(row[role + "_amax"]);
      operand.flushed.add(row[role + "_flushed"]);
      operand.nonzero.add(row[role + "_nonzero"]);
      for (size_t i = 0;; ++i) {
        const float *count = row.find(role + "_octaves_" + std::to_string(i));
        if (!count)
          break;
        operand.octaves.resize(std::max(operand.octaves.size(), i + 1));
        operand.octaves[i] += *count;
      }
    }
  }

  ProductSensitivity
  finish(const SensitivityDescription::Product &product) const {
    ProductSensitivity result;
    result.layer = product.layer;
    result.product = product.product;
    result.isFinite = isFinite;
    result.relativeError = std::sqrt(ratio(errorSquares, resultSquares));
    if (result.isForward()) {
      result.firstOrder = firstOrder.estimate();
      result.secondOrder = secondOrder.estimate();
    } else {
      result.bias = ratio(errorDot, resultSquares);
    }
    for (const auto &[role, operand] : operands)
      result.operands.push_back(
          {role, operand.amax.largest(),
           ratio(operand.flushed.total(), operand.nonzero.total()),
           operand.shares()});
    return result;
  }
};
} // namespace

Expected<Sensitivity> Sensitivity::create(Session &session,
                                          const SensitivityOptions &options,
                                          SharedArena arena) {
  const Description &description = session.description();
  if (!description.findEntry(entryName)) {
    std::string entries;
    for (const EntryDescription &entry : description.entries)
      if (entry.name != "init" &&
          entry.name != "accumulate") // come by themselves
        entries += entry.name + ",";
    return Error("'" + session.path() + "' has no entry 'calibrate'; it has: " +
                 description.entryNames() +
                 ". Compile the model again with te-compile --entry " +
                 entries + entryName);
  }
  Expected<EntryCall> call =
      EntryCall::create(session, entryName, std::move(arena));
  if (!call)
    return call.takeError();
  Sensitivity result(std::move(*call));
  result.options = options;
  for (const char *output : {"loss", "count"})
    if (Expected<float> value = result.call.readScalar(output); !value)
      return value.takeError();
  const SensitivityDescription &measured = description.sensitivity;
  result.output = result.call.description().find(
      ArgumentDescription::Role::Output, outputName);
  const Shape shape = {static_cast<int64_t>(measured.products.size()),
                       static_cast<int64_t>(measured.figures.size())};
  std::vector<std::string> needed = {"error_dot", "error_dot_squares",
                                     "error_squares", "result_squares"};
  for (const char *role : {"input", "weight", "grad_output"})
    for (const char *figure : {"_amax", "_flushed", "_nonzero"})
      needed.push_back(std::string(role) + figure);
  const bool isKnown =
      std::all_of(needed.begin(), needed.end(), [&](const std::string &name) {
        return std::count(measured.figures.begin(), measured.figures.end(),
                          name) == 1;
      });
  if (!result.output || result.output->type.dtype != TERT_F32 ||
      result.output->type.shape != shape || !isKnown)
    return Error(
        "the entry 'calibrate' of '" + session.path() +
        "' returns other figures than this te-run reads (compiled by " +
        description.compiler + "); compile the model again");
  Expected<std::unique_ptr<BatchSource>> data = openData(
      options.data, options.format, options.seed, result.call, options.order);
  if (!data)
    return data.takeError();
  result.data = std::move(*data);
  if (options.skipped)
    result.data = shareOf(std::move(result.data), {options.skipped, 0, 1});
  return result;
}

Expected<SensitivityResult>
Sensitivity::run(uint64_t first, const std::function<void(uint64_t)> &done) {
  const SensitivityDescription &measured = call.program().sensitivity;
  const bool lossIsSum = Loss::of(call.program()).isSum;
  const size_t columns = measured.figures.size();
  std::vector<float> values(measured.products.size() * columns);
  std::vector<ProductSums> sums(measured.products.size());
  Series losses;
  double labels = 0, labelLoss = 0;
  for (uint64_t step = 0; step < options.steps; ++step) {
    const std::string where = "step " + std::to_string(step + 1) + ": ";
    const uint64_t batch = first + step;
    if (Error error = data->fill(batch, call))
      return error;
    if (Error error =
            setDropoutSeed(call, options.seed,
                           {batch / options.perStep, batch % options.perStep}))
      return error;
    if (Error error = call.run())
      return error;
    Expected<float> loss = call.readScalar("loss");
    Expected<float> count = call.readScalar("count");
    if (!loss || !count)
      return loss ? count.takeError() : loss.takeError();
    if (!(*count > 0))
      return Error(where + "no label of the batch counts, so there is no loss "
                           "to measure by; use data with labels");
    if (!std::isfinite(*loss))
      return Error(where + "the loss is " + std::to_string(*loss) +
                   "; sensitivity is that of a model that works: give a sound "
                   "checkpoint");
    if (Error error = call.readOutput(*output, values.data()))
      return error;
    for (size_t i = 0; i < sums.size(); ++i) {
      const float *row = values.data() + i * columns;
      const SensitivityDescription::Product &product = measured.products[i];
      if (std::all_of(row, row + columns,
                      [](float x) { return std::isfinite(x); }))
        sums[i].add(Row(measured.figures, row), product.product, *count,
                    lossIsSum);
      else
        sums[i].isFinite = false;
    }
    const double mean = lossIsSum ? *loss / *count : *loss;
    losses.add(mean);
    labelLoss += mean * *count;
    labels += *count;
    if (done)
      done(step + 1);
  }
  SensitivityResult result;
  result.loss = losses.estimate();
  result.labelLoss = labelLoss / labels;
  result.steps = options.steps;
  result.labels = static_cast<uint64_t>(labels);
  for (size_t i = 0; i < sums.size(); ++i)
    result.products.push_back(sums[i].finish(measured.products[i]));
  return result;
}

static json toJson(const Estimate &estimate) {
  return {{"mean", estimate.mean}, {"error", estimate.error}};
}

std::string tert::training::describeSensitivity(const SensitivityResult &result,
                                                const Description &program,
                                                const std::string &checkpoint) {
  json root = {{"format", calibrationFormat},
               {"version", 1},
               {"model", program.model},
               {"source", program.source}};
  root["checkpoint"] = checkpoint.empty() ? json() : json(checkpoint);
  root["steps"] = result.steps;
  root["labels"] = result.labels;
  root["loss"] = toJson(result.loss);
  json products = json::array();
  for (const ProductSensitivity &product : result.products) {
    json entry = {{"layer", product.layer}, {"product", product.product}};
    if (product.isForward()) {
      entry["second_order"] = toJson(product.secondOrder);
      entry["first_order"] = toJson(product.firstOrder);
    }
    entry["relative_error"] = product.relativeError;
    if (!product.isForward())
      entry["bias"] = product.bias;
    for (const OperandSensitivity &operand : product.operands) {
      json &tensor = entry[operand.role];
      tensor = {{"amax", operand.amax}, {"flushed", operand.flushed}};
      if (!operand.octaves.empty())
        tensor["octaves"] = operand.octaves;
    }
    products.push_back(std::move(entry));
  }
  root["products"] = std::move(products);
  return root.dump(2, ' ', /*ensure_ascii=*/false,
                   json::error_handler_t::replace) +
         "\n";
}
