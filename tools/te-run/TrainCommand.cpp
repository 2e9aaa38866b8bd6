// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of te-run train.

#include "Commands.h"
#include "TrainOptions.h"

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

using namespace tert;
using namespace tert::run;

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

void run::addTrain(CLI::App &app, Run &run,
                   const std::vector<std::string> &commandLine) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App *command =
      app.add_subcommand("train", "Trains a program with a 'train' entry");
  options->setup.addTo(*command);
  CLI::Option *seed = command->get_option("--seed");
  command
      ->add_option("--data", options->data,
                   "Text (bytes as tokens), a token stream (.bin), or batches "
                   "(.safetensors, tensors named after the inputs, batches "
                   "along the first dimension)")
      ->required();
  command
      ->add_option("--tokens", options->format,
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
  command
      ->add_option("--steps", options->steps,
                   "Steps of the whole run, those before --resume included")
      ->required()
      ->check(CLI::PositiveNumber);

  const char *optimizer = "Optimizer";
  command
      ->add_option("--lr", options->rate,
                   "Learning rate after the warm-up; without it the "
                   "program's default")
      ->check(CLI::NonNegativeNumber)
      ->group(optimizer);
  command
      ->add_option("--warmup", options->warmup,
                   "Steps over which the learning rate rises from 0")
      ->check(CLI::NonNegativeNumber)
      ->group(optimizer);
  command
      ->add_option("--schedule", options->schedule,
                   "After the warm-up: constant, or falling to --min-lr at the "
                   "last step as a cosine or linearly")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Schedule::Kind>{
              {"constant", Schedule::Kind::Constant},
              {"cosine", Schedule::Kind::Cosine},
              {"linear", Schedule::Kind::Linear}},
          CLI::ignore_case))
      ->type_name("constant|cosine|linear")
      ->group(optimizer);
  command->add_option("--min-lr", options->minimumRate, "Default 0")
      ->check(CLI::NonNegativeNumber)
      ->group(optimizer);
  command
      ->add_option("--weight-decay", options->weightDecay,
                   "Decoupled, of matrices only")
      ->check(CLI::NonNegativeNumber)
      ->group(optimizer);
  command
      ->add_option("--clip", options->clip,
                   "Largest global norm of the gradients; 0 clips nothing")
      ->check(CLI::NonNegativeNumber)
      ->group(optimizer);
  command->add_option("--beta1", options->beta1, "Of AdamW")
      ->check(CLI::Range(0.0, 1.0))
      ->group(optimizer);
  command->add_option("--beta2", options->beta2, "Of AdamW")
      ->check(CLI::Range(0.0, 1.0))
      ->group(optimizer);
  command->add_option("--eps", options->epsilon, "Of AdamW")
      ->check(CLI::NonNegativeNumber)
      ->group(optimizer);

  const char *files = "Checkpoints and records";
  CLI::Option *folder =
      command
          ->add_option("--checkpoint", options->checkpoints,
                       "Folder for step-00000500.safetensors and so on")
          ->group(files);
  command
      ->add_option("--every", options->every,
                   "Steps between checkpoints; 0 saves only at the end")
      ->capture_default_str()
      ->group(files);
  command
      ->add_option("--keep", options->keep,
                   "How many of the newest checkpoints stay; 0 keeps all")
      ->capture_default_str()
      ->group(files);
  command
      ->add_flag("--resume", options->resume,
                 "Continue from the newest checkpoint in --checkpoint, bit for "
                 "bit as if the run had not stopped")
      ->needs(folder)
      ->group(files);
  command
      ->add_flag("--skip-damaged", options->skipDamaged,
                 "With --resume: step over damaged checkpoints to the newest "
                 "whole one")
      ->needs("--resume")
      ->group(files);
  command
      ->add_option("--metrics", options->metrics,
                   "JSON lines: step, loss, grad_norm, lr, tokens_per_second, "
                   "seconds, amax of every FP8 slot")
      ->group(files);
  command
      ->add_option("--plot", options->plot,
                   "SVG picture of the loss and the amaxes")
      ->group(files);
  command
      ->add_option("--amax-every", options->amaxEvery,
                   "Steps between samples of the amaxes; without it about 250 "
                   "samples a run")
      ->check(CLI::PositiveNumber)
      ->group(files);
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
    options->seedGiven = seed->count() > 0;
    for (const std::string &argument : commandLine)
      options->again += (options->again.empty() ? "" : " ") + quoted(argument);
    if (!options->resume)
      options->again += " --resume";
    run = [options] { return train(*options); };
  });
}
