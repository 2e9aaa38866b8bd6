// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run calibrate: what FP8 would change in each product of a model.

#include "Commands.h"
#include "DataFlags.h"
#include "Output.h"
#include "Progress.h"
#include "Setup.h"
#include "States.h"
#include "support/File.h"
#include "support/Json.h"
#include "support/ResultFile.h"
#include "training/Loss.h"
#include "training/Sensitivity.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <optional>

using namespace tert;
using namespace tert::run;
using namespace tert::session;
using namespace tert::training;

namespace {
struct CalibrateOptions {
  Setup setup;
  SensitivityOptions sensitivity;
  std::string checkpoint, output;
  bool isQuiet = false;
};

/// The rows of the table, most of a model's layers being harmless.
constexpr size_t mostRows = 10;
constexpr size_t widestName = 32;

/// The end of a long name says more than its beginning.
std::string shorten(const std::string &name) {
  return name.size() <= widestName
             ? name
             : "..." + name.substr(name.size() - (widestName - 3));
}

std::string percent(double share) { return format("%.2g %%", 100 * share); }

/// The products of a layer, by their names.
using Layer = std::map<std::string, const ProductSensitivity *>;

void print(const SensitivityResult &result) {
  std::map<std::string, Layer> layers;
  double increase = 0;
  for (const ProductSensitivity &product : result.products) {
    layers[product.layer][product.product] = &product;
    increase += product.secondOrder.mean;
  }
  std::vector<std::pair<std::string, Layer>> sorted(layers.begin(),
                                                    layers.end());
  auto increaseOf = [](const Layer &layer) {
    auto forward = layer.find("fprop");
    return forward == layer.end() ? 0.0 : forward->second->secondOrder.mean;
  };
  std::sort(sorted.begin(), sorted.end(), [&](const auto &a, const auto &b) {
    return increaseOf(a.second) > increaseOf(b.second);
  });
  const double loss = result.loss.mean;
  std::printf("loss %s +- %s over %llu steps; FP8 in all %zu layers is "
              "estimated to add %s\n",
              formatLoss(loss).c_str(),
              format("%.1g", result.loss.error).c_str(),
              static_cast<unsigned long long>(result.steps), layers.size(),
              percent(increase / loss).c_str());
  using Align = Table::Align;
  Table table({{"layer"},
               {"adds to loss", Align::Right},
               {"fprop", Align::Right},
               {"dgrad", Align::Right},
               {"wgrad", Align::Right}});
  for (size_t i = 0; i < std::min(sorted.size(), mostRows); ++i) {
    const auto &[name, layer] = sorted[i];
    std::vector<std::string> cells = {shorten(name),
                                      percent(increaseOf(layer) / loss)};
    for (const char *product : {"fprop", "dgrad", "wgrad"}) {
      auto found = layer.find(product);
      cells.push_back(
          found == layer.end() ? "-" : percent(found->second->relativeError));
    }
    table.add(std::move(cells));
  }
  table.print(stdout);
  if (sorted.size() > mostRows)
    std::printf("  and %zu layers that add less\n", sorted.size() - mostRows);
  std::printf("fprop, dgrad, wgrad: relative errors of the products\n");
}

/// A file of an earlier calibration may be replaced.
bool isCalibration(const std::string &path) {
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return false;
  auto root = parseJson(std::string_view(file->data(), file->size()));
  const auto format = root.is_object() ? root.find("format") : root.end();
  return format != root.end() && *format == calibrationFormat;
}

void warn(const CalibrateOptions &options, const Description &description) {
  if (options.checkpoint.empty() &&
      options.setup.initialization.weights.empty())
    reportWarning("the weights are the program's first ones. If they are not "
                  "those of a trained model, they say little: sensitivity "
                  "changes in the first hundreds of steps. Train some in bf16 "
                  "and give its --checkpoint");
  if (const Loss loss = Loss::of(description);
      !loss.isLogLikelihood && !loss.isClassification)
    reportWarning("the loss is no negative log-likelihood of labels, for which "
                  "the estimate of its increase is made: take it for a ranking "
                  "of the layers");
}

Error calibrate(const CalibrateOptions &options) {
  std::vector<std::string> inputs = {options.checkpoint,
                                     options.setup.initialization.weights,
                                     options.setup.artifact};
  Expected<std::vector<std::string>> files =
      filesOf(options.sensitivity.data, options.sensitivity.format);
  if (!files)
    return files.takeError();
  inputs.insert(inputs.end(), files->begin(), files->end());
  if (Error error = checkOverwrite(options.output, inputs, "-o", isCalibration))
    return error;
  Expected<std::unique_ptr<Session>> session = options.setup.open();
  if (!session)
    return session.takeError();
  const Description &description = (*session)->description();
  Expected<Sensitivity> sensitivity =
      Sensitivity::create(**session, options.sensitivity);
  if (!sensitivity)
    return sensitivity.takeError();
  Ranks ranks(nullptr, description.mesh);
  Expected<CheckpointInfo> loaded =
      loadStates(options.setup, **session, options.checkpoint, ranks);
  if (!loaded)
    return loaded.takeError();
  warn(options, description);
  std::optional<Progress> progress;
  if (!options.isQuiet) {
    std::printf("%s\n", sensitivity->describe().c_str());
    progress.emplace(0, options.sensitivity.steps);
  }
  Expected<SensitivityResult> result = sensitivity->run(0, [&](uint64_t done) {
    if (progress)
      progress->update(done, {{"measured"}});
  });
  progress.reset();
  if (!result)
    return result.takeError();
  for (const ProductSensitivity &product : result->products)
    if (!product.isFinite)
      return Error("the figures of '" + product.layer + "', " +
                   product.product +
                   ", are not finite: its operands or its error overflow. "
                   "Keep the layer in high precision: te-compile --policy '" +
                   product.layer + "=high'");
  Setup::reportNotices(**session);
  print(*result);
  return writeFile(options.output, describeSensitivity(*result, description,
                                                       options.checkpoint));
}
} // namespace

void run::addCalibrate(CLI::App &app, Run &run) {
  auto options = std::make_shared<CalibrateOptions>();
  CLI::App *command = app.add_subcommand(
      "calibrate",
      "What FP8 would change in each layer, of a program with a 'calibrate' "
      "entry");
  options->setup.addTo(*command);
  addDataFlag(*command, "--data", options->sensitivity.data)->required();
  addFormatFlag(*command, "--tokens", "--data", options->sensitivity.format);
  addDocumentFlag(*command, {&options->sensitivity.data});
  command
      ->add_option("--steps", options->sensitivity.steps,
                   "Batches that are measured, at most 50 (default 16)")
      ->check(CLI::Range(uint64_t(1), mostCalibrationSteps));
  command
      ->add_option("--checkpoint", options->checkpoint,
                   "Of a training: a file, or the folder of a run (its "
                   "newest); without it the program's first values")
      ->type_name("FILE");
  command
      ->add_option("-o,--output", options->output,
                   "Where to write the figures (JSON), for te-compile "
                   "--calibration")
      ->type_name("FILE")
      ->required();
  command->add_flag("--quiet", options->isQuiet,
                    "Print warnings and the result alone, no progress");
  command->footer(
      "Loss and gradients are computed in bf16, and every product that could "
      "be FP8 a second time in FP8. The table has the layers whose error adds "
      "most to the loss, by the curvature of the loss.\n"
      "Example:\n"
      "  te-compile gpt.onnx --precision bf16 --entry train,calibrate -o "
      "gpt.so\n"
      "  te-run train gpt.so --data text.txt --steps 500 --checkpoint run\n"
      "  te-run calibrate gpt.so --data text.txt --checkpoint run -o "
      "calibration.json\n"
      "  te-compile gpt.onnx --calibration calibration.json --quality 0.1% -o "
      "gpt8.so");
  command->callback([options, &run] {
    run = [options] {
      Error error = calibrate(*options);
      return error ? reportError(error) : 0;
    };
  });
}
