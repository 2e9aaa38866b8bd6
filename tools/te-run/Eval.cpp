// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run eval: the loss of a model on data.

#include "Commands.h"
#include "DataFlags.h"
#include "Job.h"
#include "Output.h"
#include "Progress.h"
#include "States.h"
#include "support/InputFile.h"
#include "training/Agreement.h"
#include "training/Evaluation.h"
#include "training/Loss.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

using namespace tert;
using namespace tert::run;
using namespace tert::session;
using namespace tert::training;

namespace {
struct EvalOptions {
  Setup setup;
  JobFlags job;
  EvaluationOptions evaluation;
  std::string checkpoint;
  bool json = false, isQuiet = false;
};

void print(const EvalOptions &options, const EvaluationResult &result,
           const Loss &loss) {
  if (options.json) {
    nlohmann::ordered_json root = {{"loss", nullptr}};
    root[loss.counts] = result.labels;
    root["batches"] = result.batches;
    if (!std::isnan(result.accuracy))
      root["accuracy"] = result.accuracy;
    if (std::isfinite(result.loss))
      root["loss"] = result.loss;
    std::printf("%s\n", root.dump(2).c_str());
    return;
  }
  if (result.labels == 0) {
    std::printf("no label of the data counts, so there is no loss\n");
    return;
  }
  std::string text = "loss " + formatLoss(result.loss);
  if (loss.isLogLikelihood)
    text += ", perplexity " + format("%.4g", std::exp(result.loss));
  if (!std::isnan(result.accuracy))
    text += format(", accuracy %.2f %%", 100 * result.accuracy);
  text += ", over ";
  if (loss.counts != "batches")
    text += std::to_string(result.labels) + " " + loss.counts + " in ";
  std::printf("%s%llu batches\n", text.c_str(),
              static_cast<unsigned long long>(result.batches));
}

/// Ranks with other data, or fewer batches, would wait for each other forever,
/// or compute a meaningless loss.
Error agreeOnOptions(const EvalOptions &options, const Evaluation &evaluation,
                     Job *job) {
  if (!job)
    return Error::success();
  Expected<std::string> data =
      digestOfData(options.evaluation.data, options.evaluation.format);
  if (!data)
    return data.takeError();
  nlohmann::ordered_json settings = {
      {"--data", *data + ", " + evaluation.describe()},
      {"--batches", options.evaluation.batches},
      {"--checkpoint", !options.checkpoint.empty()},
      {"--weights", !options.setup.initialization.weights.empty()},
      {"--seed", options.setup.initialization.seed}};
  return agreeOn(job, settings.dump());
}

Error evaluate(const EvalOptions &options, const Setup &setup, Job *job) {
  Expected<std::unique_ptr<Session>> session = setup.open();
  if (!session)
    return session.takeError();
  Expected<JobConnection> connection = JobConnection::open(job, **session);
  if (!connection)
    return connection.takeError();
  const Description &description = (*session)->description();
  Expected<Evaluation> evaluation =
      Evaluation::create(**session, options.evaluation);
  if (!evaluation)
    return evaluation.takeError();
  if (Error error = agreeOnOptions(options, *evaluation, job))
    return error;
  Ranks ranks(job, description.mesh);
  if (Error error =
          loadStates(setup, **session, options.checkpoint, ranks).takeError())
    return error;
  if (Error error =
          warnOfFreshScales(**session, *description.findEntry("eval"), ranks))
    return error;
  std::optional<Progress> progress;
  if (ranks.isFirst() && !options.isQuiet)
    progress.emplace(0, evaluation->batches(), "batch");
  Expected<EvaluationResult> result =
      evaluation->run(ranks, [&](uint64_t done) {
        if (progress)
          progress->update(done, {{"evaluated"}});
      });
  progress.reset();
  if (!result)
    return result.takeError();
  if (!ranks.isFirst())
    return Error::success();
  Setup::reportNotices(**session);
  print(options, *result, Loss::of(description));
  return Error::success();
}
} // namespace

void run::addEval(CLI::App &app, Run &run) {
  auto options = std::make_shared<EvalOptions>();
  CLI::App *command = app.add_subcommand(
      "eval", "The loss on data, of a program with an 'eval' entry");
  options->setup.addTo(*command);
  options->job.addTo(*command);
  addDataFlag(*command, "--data", options->evaluation.data)->required();
  addFormatFlag(*command, "--tokens", "--data", options->evaluation.format);
  addDocumentFlag(*command, {&options->evaluation.data});
  command->add_option("--batches", options->evaluation.batches,
                      "The first of the data only; without it all");
  command
      ->add_option("--checkpoint", options->checkpoint,
                   "Of a training: a file, or the folder of a run (its "
                   "newest); without it the program's first values")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "As JSON, for programs");
  command->add_flag("--quiet", options->isQuiet,
                    "Print warnings and the result alone, no progress");
  command->footer(
      "Data is read from its beginning, every token once; what fills no whole "
      "batch at its end is left out. The loss is the mean over all labels.\n"
      "Examples:\n"
      "  te-compile gpt.onnx --entry train,eval -o gpt.so\n"
      "  te-run eval gpt.so --data held-out.txt --checkpoint "
      "run/best.safetensors\n"
      "  te-run eval gpt4.so --devices 4 --data held-out.txt --checkpoint run");
  command->callback([options, &run] {
    run = [options] {
      return runInJob(
          options->job, options->setup,
          [&](const Setup &setup, Job *job, std::string &failure) {
            Error error = evaluate(*options, setup, job);
            return error ? fail(error, failure) : 0;
          },
          Alone::UnlessBatchesAreShared);
    };
  });
}
