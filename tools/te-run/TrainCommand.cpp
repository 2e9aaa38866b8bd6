// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of te-run train.

#include "Commands.h"
#include "Train.h"

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

using namespace tert;
using namespace tert::run;
using namespace tert::training;

/// As a shell would take it back.
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

namespace {
struct Options {
  Setup setup;
  TrainingOptions training;
};

/// The flag `label` sets a scalar of the entry.
CLI::Option *addScalar(CLI::App &command,
                       const std::shared_ptr<Options> &options,
                       const char *label, const char *scalar,
                       const char *about) {
  return command
      .add_option_function<double>(
          label,
          [options, label, scalar](double value) {
            options->training.scalars.push_back({scalar, label, value});
          },
          about)
      ->check(CLI::NonNegativeNumber);
}

/// Sets a scalar that has no flag of its own.
CLI::Option *addOtherScalar(CLI::App &command,
                            const std::shared_ptr<Options> &options) {
  return command
      .add_option_function<std::vector<std::string>>(
          "--scalar",
          [options](const std::vector<std::string> &settings) {
            for (const std::string &setting : settings) {
              const size_t equals = setting.find('=');
              double value = 0;
              if (equals == 0 || equals == std::string::npos ||
                  !CLI::detail::lexical_cast(setting.substr(equals + 1), value))
                throw CLI::ValidationError(
                    "--scalar", "takes NAME=NUMBER, not '" + setting + "'");
              options->training.scalars.push_back(
                  {setting.substr(0, equals), "--scalar " + setting, value});
            }
          },
          "NAME=NUMBER: any scalar of the program's optimizer ('te-run info' "
          "lists them); may be repeated")
      ->type_name("NAME=NUMBER");
}

void addData(CLI::App &command, TrainingOptions &training) {
  command
      .add_option("--data", training.data,
                  "Text (bytes as tokens), a token stream (.bin), or batches "
                  "(.safetensors, tensors named after the inputs, batches "
                  "along the first dimension)")
      ->required();
  command
      .add_option("--tokens", training.format,
                  "How to read --data: bytes, u16, u32 or safetensors; "
                  "without it by the file's name, .bin as u16")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, DataFormat>{
              {"bytes", DataFormat::Bytes},
              {"u16", DataFormat::U16},
              {"u32", DataFormat::U32},
              {"safetensors", DataFormat::Safetensors}},
          CLI::ignore_case))
      ->type_name("FORMAT");
}

void addOptimizer(CLI::App &command, const std::shared_ptr<Options> &options) {
  TrainingOptions &training = options->training;
  std::vector<CLI::Option *> flags = {
      addScalar(command, options, "--lr", "learning_rate",
                "Learning rate after the warm-up; without it the program's "
                "default"),
      command
          .add_option("--warmup", training.warmup,
                      "Steps over which the learning rate rises from 0")
          ->check(CLI::NonNegativeNumber),
      command
          .add_option("--schedule", training.schedule,
                      "After the warm-up: constant, or falling to --min-lr at "
                      "the last step as a cosine or linearly")
          ->transform(CLI::CheckedTransformer(
              std::map<std::string, Schedule::Kind>{
                  {"constant", Schedule::Kind::Constant},
                  {"cosine", Schedule::Kind::Cosine},
                  {"linear", Schedule::Kind::Linear}},
              CLI::ignore_case))
          ->type_name("constant|cosine|linear"),
      command.add_option("--min-lr", training.minimumRate, "Default 0")
          ->check(CLI::NonNegativeNumber),
      addScalar(command, options, "--weight-decay", "weight_decay",
                "Of matrices, as the program's optimizer applies it"),
      addScalar(command, options, "--clip", "max_grad_norm",
                "Largest global norm of the gradients; 0 clips nothing"),
      addScalar(command, options, "--beta1", "beta1", "Of AdamW")
          ->check(CLI::Range(0.0, 1.0)),
      addScalar(command, options, "--beta2", "beta2", "Of AdamW")
          ->check(CLI::Range(0.0, 1.0)),
      addScalar(command, options, "--eps", "eps", "Of AdamW"),
      addScalar(command, options, "--momentum", "momentum", "Of SGD"),
      addScalar(command, options, "--dampening", "dampening", "Of SGD"),
      addOtherScalar(command, options)};
  for (CLI::Option *flag : flags)
    flag->group("Optimizer");
}

void addRecords(CLI::App &command, TrainingOptions &training) {
  CLI::Option *folder =
      command.add_option("--checkpoint", training.checkpoints,
                         "Folder for step-00000500.safetensors and so on");
  CLI::Option *resume =
      command
          .add_flag("--resume", training.resume,
                    "Continue from the newest checkpoint in --checkpoint, bit "
                    "for bit as if the run had not stopped")
          ->needs(folder);
  std::vector<CLI::Option *> flags = {
      folder,
      command
          .add_option("--every", training.every,
                      "Steps between checkpoints; 0 saves only at the end")
          ->capture_default_str(),
      command
          .add_option("--keep", training.keep,
                      "How many of the newest checkpoints stay; 0 keeps all")
          ->capture_default_str(),
      resume,
      command
          .add_flag("--skip-damaged", training.skipDamaged,
                    "With --resume: step over damaged checkpoints to the "
                    "newest whole one")
          ->needs(resume),
      command.add_option("--metrics", training.metrics,
                         "JSON lines: step, loss, mean_loss (over 50 steps), "
                         "grad_norm, lr, tokens_per_second, seconds, amax of "
                         "every FP8 slot"),
      command.add_option("--plot", training.plot,
                         "SVG picture of the loss and the amaxes"),
      command
          .add_option("--amax-every", training.amaxEvery,
                      "Steps between samples of the amaxes; without it about "
                      "250 samples a run")
          ->check(CLI::PositiveNumber)};
  for (CLI::Option *flag : flags)
    flag->group("Checkpoints and records");
}
} // namespace

void run::addTrain(CLI::App &app, Run &run,
                   const std::vector<std::string> &commandLine) {
  auto options = std::make_shared<Options>();
  TrainingOptions &training = options->training;
  CLI::App *command =
      app.add_subcommand("train", "Trains a program with a 'train' entry");
  options->setup.addTo(*command);
  CLI::Option *seed = command->get_option("--seed");
  addData(*command, training);
  command
      ->add_option("--steps", training.steps,
                   "Steps of the whole run, those before --resume included")
      ->required()
      ->check(CLI::PositiveNumber);
  addOptimizer(*command, options);
  addRecords(*command, training);
  command->footer(
      "Ctrl-C finishes the step, saves a checkpoint and says how to "
      "continue.\n"
      "Examples:\n"
      "  te-run train gpt.so --data input.txt --steps 500 --lr 1e-3\n"
      "  te-run train gpt.so --data tokens.bin --tokens u16 --steps 10000 \\\n"
      "         --lr 6e-4 --warmup 200 --schedule cosine --min-lr 6e-5 \\\n"
      "         --clip 1 --checkpoint run --metrics run/log.jsonl "
      "--plot run/loss.svg\n"
      "  te-run train gpt.so --data tokens.bin --steps 10000 --lr 6e-4 "
      "--checkpoint run --resume");
  command->callback([options, &run, seed, commandLine] {
    TrainingOptions &training = options->training;
    training.initialization = options->setup.initialization;
    training.seedGiven = seed->count() > 0;
    std::string again;
    for (const std::string &argument : commandLine)
      again += (again.empty() ? "" : " ") + quoted(argument);
    if (!training.resume)
      again += " --resume";
    run = [options, again] {
      return train(options->setup, options->training, again);
    };
  });
}
