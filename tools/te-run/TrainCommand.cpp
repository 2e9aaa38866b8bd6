// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of te-run train.

#include "Arguments.h"
#include "Choice.h"
#include "Commands.h"
#include "DataFlags.h"
#include "Output.h"
#include "Train.h"
#include "TrainFolder.h"
#include "command-line/CommandLine.h"
#include "command-line/Help.h"
#include "command-line/SettingsFile.h"
#include "training/Metrics.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>

using namespace tert;
using namespace tert::run;
using namespace tert::training;

/// Quotes an argument for a shell.
static std::string quoted(const std::string &argument) {
  if (!argument.empty() &&
      argument.find_first_not_of(
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
          "-_./=:,+") == std::string::npos)
    return argument;
  std::string text = "'";
  for (char c : argument)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// The command line that continues this run: a run that was rolled back
/// continues from its newest checkpoint.
static std::string continuation(const std::vector<std::string> &commandLine) {
  std::string again;
  for (const std::string &argument : commandLine)
    if (argument != "--rollback" && argument != "--resume")
      again += (again.empty() ? "" : " ") + quoted(argument);
  return again + " --resume";
}

namespace {
struct TrainCommandOptions {
  Setup setup;
  ModelFolder folder;
  JobFlags job;
  TrainingOptions training;
  bool isQuiet = false;
};

/// Adds the flag `label`, which sets a scalar of the entry.
CLI::Option *addScalar(CLI::App &command,
                       const std::shared_ptr<TrainCommandOptions> &options,
                       const char *label, const char *scalar,
                       const char *about) {
  return command
      .add_option_function<double>(
          label,
          [options, label, scalar](double value) {
            options->training.scalars.push_back({scalar, label, value});
          },
          about)
      ->check(notNegative());
}

/// With a decay rate of 1, AdamW divides by 0.
CLI::Validator belowOne() {
  return CLI::Validator(
      [](std::string &text) {
        double value = 0;
        return CLI::detail::lexical_cast(text, value) && value >= 1
                   ? "takes a number below 1, not '" + text + "'"
                   : std::string();
      },
      /*description=*/"");
}

/// A threshold of --watch for probes; null for others.
double *limitOfProbes(WatchOptions &watch, const std::string &name) {
  return name == "adds"      ? &watch.adds
         : name == "error"   ? &watch.error
         : name == "flushed" ? &watch.flushed
         : name == "gap"     ? &watch.gap
                             : nullptr;
}

/// Adds the thresholds of --watch.
CLI::Option *addWatch(CLI::App &command, WatchOptions &watch) {
  return command
      .add_option_function<std::vector<std::string>>(
          "--watch",
          [&watch](const std::vector<std::string> &settings) {
            for (const std::string &setting : settings) {
              const size_t equals = std::min(setting.find('='), setting.size());
              const std::string name = setting.substr(0, equals);
              const std::string text =
                  setting.substr(std::min(equals + 1, setting.size()));
              double value = 0;
              std::string problem = checkNumber(text);
              if (problem.empty())
                CLI::detail::lexical_cast(text, value);
              watch.isAsked |= name != "skipped" && !limitOfProbes(watch, name);
              if (name == "amax-jump" && value > 1)
                watch.amaxJump = value;
              else if (name == "saturation" && value >= 0 && value <= 1)
                watch.saturation = value;
              else if (name == "underflow" && value >= 0 && value <= 1)
                watch.underflow = value;
              else if (name == "zero" && value >= 0 && value <= 1)
                watch.zero = value;
              else if (double *limit = limitOfProbes(watch, name);
                       limit && value >= 0)
                *limit = value;
              else if (name == "skipped" && value >= 1 && value <= 1e9 &&
                       value == std::floor(value))
                watch.skipped = static_cast<uint64_t>(value);
              else
                throw CLI::ValidationError(
                    "--watch", "takes amax-jump=FACTOR above 1, "
                               "saturation=SHARE, underflow=SHARE or "
                               "zero=SHARE from 0 to 1, skipped=STEPS, or of "
                               "probes adds=SHARE, error=SHARE, flushed=SHARE "
                               "or gap=SHARE, not '" +
                                   setting + "'");
            }
          },
          "Warn, with the slot's or layer's name and what helps, and write to "
          "--metrics, "
          "when an FP8 slot was clipped in a share of the newest 50 steps "
          "(saturation=0.5, the default; 0 is off), when its small values "
          "became 0 (underflow=0.5, the default) or all of them were "
          "(zero=0.5, "
          "the default), when its amax grows by a factor in one step "
          "(amax-jump=8), when steps in a row were skipped (skipped=3); of "
          "probes, when a layer is estimated to add more than a share of the "
          "loss (adds=0.005), a product has a larger "
          "relative error (error=0.25), more of a slot is 0 in FP8 "
          "(flushed=0.5), or the loss in FP8 is more above that in bf16 "
          "(gap=0.01), all defaults; may be repeated")
      ->type_name("WHAT=NUMBER");
}

/// Adds a flag for scalars without a flag of their own.
CLI::Option *
addOtherScalar(CLI::App &command,
               const std::shared_ptr<TrainCommandOptions> &options) {
  return command
      .add_option_function<std::vector<std::string>>(
          "--scalar",
          [options](const std::vector<std::string> &settings) {
            for (const std::string &setting : settings) {
              const size_t equals = setting.find('=');
              double value = 0;
              if (equals == 0 || equals == std::string::npos ||
                  !checkNumber(setting.substr(equals + 1)).empty() ||
                  !CLI::detail::lexical_cast(setting.substr(equals + 1), value))
                throw CLI::ValidationError(
                    "--scalar", "takes NAME=NUMBER, the number finite in "
                                "float32, not '" +
                                    setting + "'");
              options->training.scalars.push_back(
                  {setting.substr(0, equals), "--scalar " + setting, value});
            }
          },
          "NAME=NUMBER: any scalar of the program's optimizer ('te-run info' "
          "lists them); may be repeated")
      ->type_name("NAME=NUMBER");
}

void addEvaluation(CLI::App &command, TrainingOptions &training) {
  CLI::Option *data =
      addDataFlag(command, "--eval-data", training.evaluation.data)
          ->description("Data that is not learned from, read "
                        "as --data is: the program needs an "
                        "'eval' entry");
  std::vector<CLI::Option *> flags = {
      data,
      command
          .add_option("--eval-every", training.evalEvery,
                      "Steps between evaluations, besides the one after the "
                      "last step; 0: that one alone")
          ->capture_default_str()
          ->needs(data),
      command
          .add_option("--eval-batches", training.evaluation.batches,
                      "The first batches of --eval-data only; without it all")
          ->needs(data),
      command
          .add_flag("--eval-ema", training.evaluatesAverages,
                    "Evaluate the averages of the parameters, which te-compile "
                    "--ema keeps, in place of the parameters")
          ->needs(data),
      command
          .add_option("--patience", training.patience,
                      "End the run, with a checkpoint, after so many "
                      "evaluations without a lower loss")
          ->check(positive())
          ->needs(data)};
  for (CLI::Option *flag : flags)
    flag->group("Evaluation");
}

void addProbes(CLI::App &command, ProbeOptions &probe,
               FallbackOptions &fallback) {
  CLI::Option *every =
      command
          .add_option("--probe-every", probe.every,
                      "Before every so many steps measure, on the step's "
                      "data, what FP8 costs: the loss in bf16 beside that of "
                      "the step, what each layer is estimated to add to it, "
                      "and shares of values that FP8 flushes to 0; into "
                      "--metrics, with warnings as --watch says. The program "
                      "needs a 'calibrate' entry; a probe takes about as "
                      "long as three steps")
          ->check(positive());
  CLI::Option *data =
      addDataFlag(command, "--probe-data", probe.data)
          ->description("Data of all probes, from its beginning, read as "
                        "--data is, instead of the steps' own")
          ->needs(every);
  std::vector<CLI::Option *> flags = {
      every, data,
      command
          .add_option("--fallback", fallback.program,
                      "Another program of the same model, with layers in high "
                      "precision or of another recipe: when --watch or a "
                      "probe finds FP8 to do harm in a layer that is not FP8 "
                      "there, the run saves a checkpoint and goes on with it")
          ->type_name("ARTIFACT")
          ->needs("--checkpoint"),
      command
          .add_option("--probe-batches", probe.batches,
                      "How many batches of --probe-data")
          ->capture_default_str()
          ->check(CLI::Range(uint64_t(1), mostCalibrationSteps))
          ->needs(data)};
  for (CLI::Option *flag : flags)
    flag->group("Evaluation");
}

void addOptimizer(CLI::App &command,
                  const std::shared_ptr<TrainCommandOptions> &options) {
  TrainingOptions &training = options->training;
  std::vector<CLI::Option *> flags = {
      addScalar(command, options, "--lr", "learning_rate",
                "Learning rate after the warm-up; without it the program's "
                "default"),
      command
          .add_option("--warmup", training.warmup,
                      "Steps over which the learning rate rises from 0")
          ->check(notNegative()),
      addChoice<Schedule::Kind>(
          command, "--schedule", training.schedule,
          {{"constant", Schedule::Kind::Constant},
           {"cosine", Schedule::Kind::Cosine},
           {"linear", Schedule::Kind::Linear},
           {"wsd", Schedule::Kind::WarmupStableDecay},
           {"inverse-sqrt", Schedule::Kind::InverseSqrt}},
          "After the warm-up: constant; falling to --min-lr at the last "
          "step, as a cosine, linearly, or after a constant part (wsd: "
          "warm-up, stable, decay); or as 1 / sqrt(step), not below --min-lr"),
      command
          .add_option("--decay-steps", training.decaySteps,
                      "Last steps, over which --schedule wsd falls linearly; "
                      "without it a tenth of --steps")
          ->check(positive()),
      command
          .add_option(
              "--schedule-file", training.scheduleFile,
              "Text with a step, from 1, and a factor of --lr on each line: "
              "linear between them, constant before the first and after the "
              "last")
          ->type_name("FILE")
          ->excludes("--schedule")
          ->excludes("--warmup"),
      command.add_option("--min-lr", training.minimumRate, "Default 0")
          ->check(notNegative()),
      addScalar(command, options, "--weight-decay", "weight_decay",
                "Of matrices, as the program's optimizer applies it"),
      addScalar(command, options, "--clip", "max_grad_norm",
                "Largest global norm of the gradients; 0 clips nothing"),
      addScalar(command, options, "--beta1", "beta1", "Of AdamW")
          ->check(belowOne()),
      addScalar(command, options, "--beta2", "beta2", "Of AdamW")
          ->check(belowOne()),
      addScalar(command, options, "--eps", "eps", "Of AdamW"),
      addScalar(command, options, "--momentum", "momentum", "Of SGD"),
      addScalar(command, options, "--dampening", "dampening", "Of SGD"),
      addScalar(command, options, "--ema-decay", "ema_decay",
                "Of the averages of parameters that te-compile --ema keeps")
          ->check(belowOne()),
      command
          .add_option_function<std::vector<std::string>>(
              "--group",
              [&training](const std::vector<std::string> &texts) {
                for (const std::string &text : texts) {
                  session::Expected<ParameterGroup> group = parseGroup(text);
                  if (!group)
                    throw CLI::ValidationError("--group",
                                               group.takeError().message());
                  training.groups.push_back(*group);
                }
              },
              "For a group of parameters of te-compile --group: factors of the "
              "learning rate and the weight decay (head:lr=0.1,decay=0), and "
              "for how many steps it is frozen (head:freeze=1000); may be "
              "repeated")
          ->type_name("NAME:SETTINGS"),
      addOtherScalar(command, options)};
  for (CLI::Option *flag : flags)
    flag->group("Optimizer");
}

void addRecords(CLI::App &command, TrainingOptions &training) {
  CLI::Option *folder =
      command
          .add_option("--checkpoint", training.checkpoints,
                      "Folder for checkpoints; step-00000500.safetensors and "
                      "so on, and "
                      "best.safetensors, the one with the lowest "
                      "evaluation loss; folders without the ending where "
                      "states are sharded")
          ->type_name("FOLDER");
  CLI::Option *resume =
      command
          .add_flag("--resume", training.resume,
                    "Continue from the newest checkpoint in --checkpoint, bit "
                    "for bit as if the run had not stopped")
          ->needs(folder);
  CLI::Option *rollback =
      command
          .add_flag("--rollback", training.rollback,
                    "After a loss that exploded: continue from the newest "
                    "checkpoint that later steps have shown to be good, with "
                    "the settings given now, such as a smaller --lr; later "
                    "checkpoints are removed")
          ->needs(folder)
          ->excludes(resume);
  std::vector<CLI::Option *> flags = {
      folder,
      command
          .add_option("--every", training.every,
                      "Steps between checkpoints; 0 saves only at the end")
          ->capture_default_str(),
      command
          .add_option("--keep", training.keep,
                      "How many of the newest checkpoints stay, besides those "
                      "that are known to be good; 0 keeps all")
          ->capture_default_str(),
      command
          .add_option("--milestones", training.milestones,
                      "Steps between checkpoints that stay whatever --keep "
                      "says")
          ->check(positive()),
      command.add_flag("!--no-best", training.keepBest,
                       "Write no best.safetensors"),
      resume,
      rollback,
      command
          .add_flag("--start-if-none", training.startIfNone,
                    "With --resume: start a new run where --checkpoint holds "
                    "no checkpoint, so that one command line does for both, as "
                    "what restarts jobs needs it")
          ->needs(resume),
      command
          .add_option("--stop-after", training.stopAfter,
                      "End after that step with a checkpoint, from which "
                      "--resume continues the schedule of --steps; for jobs of "
                      "limited time, or to go on in another precision")
          ->check(positive()),
      command.add_flag("--skip-damaged", training.skipDamaged,
                       "With --resume: step over damaged checkpoints to the "
                       "newest complete one"),
      command.add_flag("--allow-changes", training.allowChanges,
                       "With --resume: continue although the program, its "
                       "precision, the data or --weights are others than the "
                       "run had"),
      command
          .add_option("--metrics", training.metrics,
                      "Record of every step; JSON lines: step, loss, mean_loss "
                      "(over 50 steps), "
                      "eval_loss, grad_norm, lr, tokens_per_second, "
                      "seconds, amax of every FP8 slot. With --checkpoint "
                      "FOLDER it is FOLDER/metrics.jsonl unless this says "
                      "otherwise")
          ->type_name("FILE"),
      command
          .add_option("--plot", training.plot,
                      "SVG picture of loss, evaluation and amaxes")
          ->type_name("FILE"),
      command
          .add_option("--page", training.page,
                      "HTML page of the run, which reloads itself while it "
                      "runs: losses, amaxes, thresholds of --watch, slow ops, "
                      "memory")
          ->type_name("FILE"),
      command
          .add_option("--tensorboard", training.events,
                      "Folder for TensorBoard: losses, rates, amaxes")
          ->type_name("FOLDER"),
      command.add_flag("--force", training.replaceOthers,
                       "Let --metrics, --plot and --page replace files that "
                       "te-run did not write"),
      command
          .add_option("--amax-every", training.amaxEvery,
                      "Steps between samples of the amaxes; without it about "
                      "250 samples a run")
          ->check(positive()),
      addWatch(command, training.watch)};
  for (CLI::Option *flag : flags)
    flag->group("Checkpoints and records");
}
} // namespace

void run::addTrain(CLI::App &app, Run &run, const CommandLine &commandLine) {
  auto options = std::make_shared<TrainCommandOptions>();
  TrainingOptions &training = options->training;
  CLI::App *command =
      app.add_subcommand("train", "Trains a program with a 'train' entry");
  options->setup.addTo(*command);
  CLI::Option *artifact = command->get_option("ARTIFACT")->required(false);
  options->folder.addTo(*command);
  artifact->excludes("--model");
  options->job.addTo(*command);
  command
      ->add_option("--check-replicas", training.checkReplicas,
                   "Compare the states of all ranks after every so many steps, "
                   "too, and stop where they differ; without it before and "
                   "after the first step, and before each checkpoint; 0: never")
      ->check(CLI::NonNegativeNumber)
      ->group("Many ranks");
  command
      ->add_option("--max-restarts", options->job.maxRestarts,
                   "With --devices: when a rank has died, start all of them "
                   "again from the newest complete checkpoint, so many "
                   "times")
      ->check(CLI::Range(0, 1000))
      ->needs("--devices")
      ->group("Many ranks");
  command
      ->add_option(
          "--config", [](const CLI::results_t &) { return true; },
          "TOML file with options, by their names without dashes (steps = "
          "500); those of the command line have precedence. FOLDER/run.toml of "
          "--checkpoint is one")
      ->type_name("FILE")
      ->group("Running");
  CLI::Option *seed = command->get_option("--seed");
  addDataFlag(*command, "--data", training.data)->required();
  addFormatFlag(*command, "--tokens", "--data and --eval-data",
                training.format);
  addDocumentFlag(*command, allData(training));
  addChoice<DataOrder>(
      *command, "--order", training.order,
      {{"random", DataOrder::Shuffled}, {"epochs", DataOrder::Epochs}},
      "Windows of a stream of tokens: each drawn on its own, "
      "the default, or every one once in each epoch, in "
      "another order in each");
  command
      ->add_option("--steps", training.steps,
                   "Steps of the entire run, those before --resume included")
      ->required()
      ->check(positive());
  command
      ->add_option("--accumulate", training.accumulate,
                   "Microbatches of a step, each a batch of the program: their "
                   "gradients are summed, and the loss is the mean over all of "
                   "them. Without it as many as te-compile --microbatches said")
      ->check(positive());
  command->add_flag(
      "--calibrate,!--no-calibrate", training.calibrate,
      "Before the first step, run it without learning, so "
      "that FP8 scales fit the tensors from step 1 on; the default. Resumed "
      "runs have their scales, but for those of gradients where the checkpoint "
      "has them of a mean and the program of a sum, or the other way round");
  command
      ->add_option("--max-skipped-steps", training.maxSkippedSteps,
                   "Stop, with exit code 3, when so many steps in a row were "
                   "skipped because something was not finite; 0: never")
      ->capture_default_str();
  command->add_flag("--stop-on-divergence", training.stopOnDivergence,
                    "Stop, with exit code 4, when the loss is far above its "
                    "best, and name the checkpoint to go back to with "
                    "--rollback");
  command->add_flag("--quiet", options->isQuiet,
                    "Print warnings and results alone, no progress");
  addOptimizer(*command, options);
  addEvaluation(*command, training);
  addRecords(*command, training);
  addProbes(*command, training.probe, training.fallback);
  command->get_option("--max-restarts")->needs("--checkpoint");
  cli::makeCommon(*command,
                  {"--model", "--devices", "--lr", "--warmup", "--schedule",
                   "--clip", "--eval-data", "--checkpoint", "--resume",
                   "--metrics", "--plot"});
  for (const char *flag :
       {"--tokens", "--document-end", "--order", "--accumulate", "--calibrate",
        "--max-skipped-steps", "--stop-on-divergence"})
    command->get_option(flag)->group("Steps and data");
  command->footer(
      "Ctrl-C finishes the step, saves a checkpoint and says how to "
      "continue.\n"
      "Examples:\n"
      "  te-run train gpt.so --data input.txt --steps 500 --lr 1e-3\n"
      "  te-run train gpt.so --data tokens.bin --tokens u16 --steps 10000 \\\n"
      "         --lr 6e-4 --warmup 200 --schedule cosine --min-lr 6e-5 \\\n"
      "         --clip 1 --checkpoint run --metrics run/log.jsonl "
      "--plot run/loss.svg\n"
      "  te-run train gpt.so --data tokens.bin --steps 10000 --lr 6e-4 \\\n"
      "         --checkpoint run --resume\n"
      "  te-run train --model Llama-3.2-1B --data tokens.bin --steps 1000 \\\n"
      "         --lr 1e-5 --batch 4 --compile target=sm_90 --checkpoint run");
  command->callback([options, &run, seed, command, &commandLine] {
    TrainingOptions &training = options->training;
    if (options->setup.artifact.empty() && options->folder.model.empty())
      throw cli::UsageError("ARTIFACT is missing: The program that te-compile "
                            "wrote (model.so), or --model with a folder of "
                            "Hugging Face");
    training.evaluation.format = training.probe.format = training.format;
    training.initialization = options->setup.initialization;
    training.seedGiven = seed->count() > 0;
    training.resume |= training.rollback;
    if (training.metrics.empty() && !training.checkpoints.empty())
      training.metrics =
          (std::filesystem::path(training.checkpoints) / Metrics::fileName)
              .string();
    for (auto [flag, given] :
         {std::pair("--skip-damaged", training.skipDamaged),
          {"--allow-changes", training.allowChanges}})
      if (given && !training.resume)
        throw CLI::RequiresError(flag, "--resume or --rollback");
    const std::string again = continuation(commandLine.typed);
    training.record = cli::writeSettings(
        std::string(runRecordTitle) +
            ". 'te-run train --config FILE' repeats it, from the folder in "
            "which it was started.",
        *command, commandLine.read,
        {cli::settingsOption, "resume", "rollback", "start-if-none",
         "skip-damaged", "allow-changes"});
    run = [options, again] {
      if (!options->folder.model.empty())
        if (session::Error error =
                useFolder(options->folder, options->setup, options->training,
                          options->isQuiet))
          return reportError(error);
      return runInJob(options->job, options->setup,
                      [&](const Setup &setup, Job *job, std::string &failure) {
                        TrainingOptions training = options->training;
                        if (job && job->restarts()) {
                          training.resume = training.startIfNone =
                              training.skipDamaged = true;
                          training.rollback = false;
                        }
                        return train(setup, training, again,
                                     options->isQuiet ? Quiet::Yes : Quiet::No,
                                     job, failure);
                      });
    };
  });
}
