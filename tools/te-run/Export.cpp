// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run export: the parameters of a checkpoint for other programs.

#include "checkpoint/Export.h"

#include "Choice.h"
#include "Commands.h"
#include "ModelFolder.h"
#include "Output.h"
#include "States.h"
#include "artifact/Artifact.h"
#include "checkpoint/HuggingFaceFolder.h"
#include "support/ResultFile.h"

#include <CLI/CLI.hpp>
#include <memory>

using namespace tert;
using namespace tert::run;
using namespace tert::session;

namespace {
struct ExportCommandOptions {
  ExportOptions files;
  DType dtype = DType::F32;
  bool dtypeGiven = false, force = false;
  std::string program;
  bool isFolder = false;
  FolderExportOptions folder;
};

/// A folder for Hugging Face.
Error exportFolder(const ExportCommandOptions &options,
                   const Description *description,
                   const std::string &checkpoint) {
  FolderExportOptions folder = options.folder;
  if (folder.model.empty()) {
    Expected<ModelSource> source =
        readSource(ProgramFolder::ofCheckpoint(options.files.checkpoint));
    if (!source)
      return Error(source.takeError().message() +
                   "; say with --model which folder of Hugging Face the model "
                   "is from");
    folder.model = source->model;
    if (folder.adapter.empty())
      folder.adapter = source->adapter;
  }
  folder.checkpoint = checkpoint;
  folder.output = options.files.output;
  folder.averages = options.files.averages;
  folder.replaceOthers = options.force;
  if (options.dtypeGiven)
    folder.dtype = options.dtype;
  Expected<FolderExportSummary> summary =
      session::exportFolder(folder, description);
  if (!summary)
    return summary.takeError();
  if (!summary->warning.empty())
    reportWarning(summary->warning);
  std::printf("%s: %zu tensors of step %llu in %zu %s, %s\n",
              folder.output.c_str(), summary->tensors,
              static_cast<unsigned long long>(summary->step), summary->files,
              summary->files == 1 ? "file" : "files",
              formatBytes(static_cast<double>(summary->bytes)).c_str());
  return Error::success();
}

Error exportFile(const ExportCommandOptions &options) {
  if (!options.force && !options.isFolder)
    if (Error error = checkResultOverwrite(
            options.files.output, {options.files.checkpoint}, "--output"))
      return error;
  Description description;
  if (!options.program.empty()) {
    Expected<ArtifactFile> artifact = ArtifactFile::read(options.program);
    if (!artifact)
      return artifact.takeError();
    description = std::move(artifact->description);
  }
  ExportOptions files = options.files;
  if (Error error = findCheckpoint(files.checkpoint).moveTo(files.checkpoint))
    return error;
  const Description *program = options.program.empty() ? nullptr : &description;
  if (options.isFolder)
    return exportFolder(options, program, files.checkpoint);
  if (options.dtypeGiven)
    files.dtype = options.dtype;
  Expected<ExportSummary> summary = exportParameters(files, program);
  if (!summary)
    return summary.takeError();
  const std::string buffers =
      summary->buffers ? format(", %zu buffers", summary->buffers) : "";
  std::printf("%s: %zu parameters of step %llu under %zu names%s, %s\n",
              files.output.c_str(), summary->parameters,
              static_cast<unsigned long long>(summary->step), summary->names,
              buffers.c_str(),
              formatBytes(static_cast<double>(summary->bytes)).c_str());
  return Error::success();
}

/// "500MB" as a number of bytes above 0.
CLI::Validator sizeOfFiles() {
  return CLI::Validator(
      [](std::string &text) {
        std::string number = text;
        try {
          if (CLI::AsSizeValue(/*kb_is_1000=*/true)(number).empty() &&
              number != "0") {
            text = number;
            return std::string();
          }
        } catch (const CLI::ValidationError &) {
          // Of a unit that does not exist.
        }
        return "takes a size, such as 500MB or 5GB, not '" + text + "'";
      },
      /*description=*/"");
}
} // namespace

void run::addExport(CLI::App &app, Run &run) {
  auto options = std::make_shared<ExportCommandOptions>();
  CLI::App *command = app.add_subcommand(
      "export", "The parameters of a checkpoint, for PyTorch and others");
  command
      ->add_option("CHECKPOINT", options->files.checkpoint,
                   "run/step-00000500.safetensors, or the folder of a run (its "
                   "newest)")
      ->required();
  command
      ->add_option("-o,--output", options->files.output,
                   "The safetensors file to write, or with --hf the folder")
      ->type_name("FILE")
      ->required();
  command->add_flag("--force", options->force,
                    "Replace a file that te-run did not write");
  CLI::Option *dtype = addChoice<DType>(
      *command, "--dtype", options->dtype,
      {{"f32", DType::F32}, {"bf16", DType::BF16}},
      "bf16 is rounded to nearest; without it as they were trained");
  command->add_flag("--trained", options->files.trainedOnly,
                    "Leave out what was frozen: of a LoRA model the adapters "
                    "remain");
  command->add_flag("--ema", options->files.averages,
                    "The averages of parameters that te-compile --ema keeps, "
                    "in place of the parameters");
  command->add_option("--remove", options->files.removed,
                      "Text to take out of names (.default, for PEFT)");
  command
      ->add_option("--program", options->program,
                   "The program that the checkpoint is of (gpt.so); only "
                   "for checkpoints of older versions, and for programs "
                   "that do not know their tied names")
      ->type_name("FILE");
  FolderExportOptions &folder = options->folder;
  CLI::Option *asFolder =
      command
          ->add_flag(
              "--hf", options->isFolder,
              "A folder that from_pretrained of Hugging Face loads: "
              "weights under their original names and in their original "
              "types, configuration, tokenizer. Of a model with --adapter "
              "the adapters, for PEFT")
          ->excludes("--trained")
          ->excludes("--remove");
  command
      ->add_option("--model", folder.model,
                   "With --hf: the folder that the model is from; without it "
                   "that of te-run train --model")
      ->type_name("FOLDER")
      ->needs(asFolder);
  command
      ->add_option("--adapter", folder.adapter,
                   "With --model: the folder that its adapters are from")
      ->type_name("FOLDER")
      ->needs("--model");
  command
      ->add_option("--max-shard-size", folder.shardBytes,
                   "With --hf: the most bytes in a file of weights (500MB, "
                   "5GB)")
      ->transform(sizeOfFiles())
      ->type_name("SIZE")
      ->default_str("5GB")
      ->needs(asFolder);
  command->footer(
      "Optimizer, scales and counters stay behind. Parameters and persistent "
      "buffers have the names that they have in PyTorch; one with several "
      "names (tied weights) is written under each, so that "
      "model.load_state_dict(load_file(...)) "
      "finds every key.\n"
      "Example:\n"
      "  te-run export run/best.safetensors -o model.safetensors --dtype bf16\n"
      "A model of Hugging Face, as it was before training but for its "
      "weights:\n"
      "  te-run export --hf run -o Llama-tuned\n"
      "The adapters of a LoRA model, as PEFT reads them:\n"
      "  te-run export run --trained --remove .default -o "
      "adapter_model.safetensors");
  command->callback([options, &run, dtype] {
    options->dtypeGiven = dtype->count() > 0;
    run = [options] {
      Error error = exportFile(*options);
      return error ? reportError(error) : 0;
    };
  });
}
