// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run forward, vjp, grad: one call of an entry.

#include "Commands.h"
#include "Job.h"
#include "Output.h"
#include "States.h"
#include "checkpoint/Checkpoint.h"
#include "support/InputFile.h"
#include "support/ResultFile.h"
#include "training/Agreement.h"
#include "training/Calibration.h"
#include "training/GradientUnit.h"
#include "training/Inputs.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

using namespace tert;
using namespace tert::run;
using namespace tert::session;
using namespace tert::training;

namespace {
struct CallOptions {
  Setup setup;
  JobFlags job;
  std::string entry, inputs, outputs, state, checkpoint;
  bool calibrate = false, force = false;
  std::vector<std::string> mapping;
};

/// Writes every output of the entry to a file.
Error writeOutputs(const EntryCall &call, const std::string &path) {
  std::vector<const ArgumentDescription *> outputs;
  std::vector<SafetensorsWriter::Entry> entries;
  for (const ArgumentDescription &argument : call.description().arguments)
    if (argument.role == ArgumentDescription::Role::Output) {
      outputs.push_back(&argument);
      entries.push_back({argument.name, toFileDType(argument.type.dtype),
                         argument.type.shape});
    }
  Expected<SafetensorsWriter> writer =
      SafetensorsWriter::create(path, entries, resultMetadata());
  if (!writer)
    return writer.takeError();
  std::vector<char> bytes;
  for (size_t index : writer->order()) {
    bytes.resize(outputs[index]->type.bytes());
    if (Error error = call.readOutput(*outputs[index], bytes.data()))
      return error;
    if (Error error = writer->append(bytes.data(), bytes.size()))
      return error;
  }
  if (Error error = writer->commit())
    return error;
  std::printf("%s: %zu tensors\n", path.c_str(), outputs.size());
  return Error::success();
}

/// Calibrates scales that have never been updated, and those of gradients if a
/// checkpoint has them in another unit or indicates that there are such.
Error prepareScales(const CallOptions &options, Session &session,
                    EntryCall &call, Ranks &ranks,
                    const std::string &otherGradients) {
  Expected<bool> fresh = hasFreshScales(session, call.description());
  if (!fresh)
    return fresh.takeError();
  const bool gradientsAlone = !*fresh && !otherGradients.empty();
  if (gradientsAlone && !options.calibrate) {
    if (ranks.isFirst())
      reportWarning("the FP8 scales of gradients do not fit, because " +
                    otherGradients + ". " +
                    (updatesScales(session.description(), call.description())
                         ? "Add --calibrate to measure"
                         : "Compile this entry alone, so that --calibrate "
                           "measures") +
                    " them on these inputs first");
    return Error::success();
  }
  if (!options.calibrate || !(*fresh || gradientsAlone))
    return warnOfFreshScales(session, call.description(), ranks);
  CalibrationSteps steps;
  steps.onAllRanks = [&](bool own) { return ranks.onAll("calibration", own); };
  Expected<Calibration> calibration =
      gradientsAlone ? calibrateGradients(session, call, steps)
                     : calibrate(session, call, steps);
  if (!calibration)
    return calibration.takeError();
  if (ranks.isFirst())
    std::printf("FP8 scales %scalibrated on these inputs, %zu passes\n",
                gradientsAlone ? "of gradients " : "", calibration->passes);
  return Error::success();
}

/// Ranks that process one batch together require the same one.
Error agreeOnOptions(const CallOptions &options, Job *job) {
  if (!job)
    return Error::success();
  Expected<std::string> inputs = digestOf(options.inputs);
  if (!inputs)
    return inputs.takeError();
  nlohmann::ordered_json settings = {
      {"--inputs", *inputs},
      {"--input", options.mapping},
      {"--state", !options.state.empty()},
      {"--checkpoint", !options.checkpoint.empty()},
      {"--weights", !options.setup.initialization.weights.empty()},
      {"--seed", options.setup.initialization.seed},
      {"--calibrate", options.calibrate}};
  return agreeOn(job, settings.dump());
}

/// Only outputs of a forward pass are replicated on every rank.
Error checkOutputsReplicated(const CallOptions &options,
                             const Session &session) {
  const Description &description = session.description();
  if (options.entry == "forward" || !description.sharesBatches())
    return Error::success();
  return Error("the gradients that '" + options.entry + "' of '" +
               session.path() +
               "' returns are those of what each rank holds (" +
               description.mesh.text() +
               "), and te-run does not put them together. Compile the model "
               "without --mesh");
}

/// Initializes the states; returns the metadata of their file, and in `kept`
/// the metadata for --state.
Expected<CheckpointInfo> prepareStates(const CallOptions &options,
                                       Session &session, Ranks &ranks,
                                       CheckpointInfo &kept) {
  kept.seed = options.setup.initialization.seed;
  std::error_code code;
  Expected<uint64_t> exists = ranks.fromFirst(
      "state",
      !options.state.empty() && std::filesystem::exists(options.state, code));
  if (!exists)
    return exists.takeError();
  if (!*exists)
    return loadStates(options.setup, session, options.checkpoint, ranks);
  if (!options.setup.initialization.weights.empty() ||
      !options.checkpoint.empty())
    return Error("'" + options.state +
                 "' exists and holds every state, so "
                 "--weights and --checkpoint would have no effect; give one "
                 "of them");
  Expected<CheckpointInfo> loaded = loadCheckpoint(
      session, options.state, CheckpointCoverage::Whole, ranks.asGather());
  if (loaded)
    kept = *loaded;
  return loaded;
}

Error call(const CallOptions &options, const NameMap &names, const Setup &setup,
           Job *job) {
  if (!options.force)
    if (Error error = checkResultOverwrite(
            options.outputs,
            {options.inputs, options.state, options.checkpoint,
             options.setup.initialization.weights},
            "--outputs"))
      return error;
  Expected<SafetensorsFile> inputs = SafetensorsFile::open(options.inputs);
  if (!inputs)
    return inputs.takeError();
  Expected<std::unique_ptr<Session>> session = setup.open();
  if (!session)
    return session.takeError();
  if (Error error = checkOutputsReplicated(options, **session))
    return error;
  Expected<JobConnection> connection = JobConnection::open(job, **session);
  if (!connection)
    return connection.takeError();
  Expected<EntryCall> call = EntryCall::create(**session, options.entry);
  if (!call)
    return call.takeError();
  if (Error error = setInputs(*call, *inputs, names))
    return error;
  if (Error error = agreeOnOptions(options, job))
    return error;
  Ranks ranks(job, (*session)->description().mesh);
  CheckpointInfo kept;
  Expected<CheckpointInfo> loaded =
      prepareStates(options, **session, ranks, kept);
  if (!loaded)
    return loaded.takeError();
  const std::string gradients =
      gradientUnit((*session)->description(), call->description());
  const std::string otherGradients = differentUnit(*loaded, gradients);
  if (Error error =
          prepareScales(options, **session, *call, ranks, otherGradients))
    return error;
  kept.gradients = otherGradients.empty() || options.calibrate
                       ? gradients
                       : loaded->gradients;

  if (Error error = call->run())
    return error;
  const bool savesShards = (*session)->description().hasShardedStates();
  if (ranks.isFirst()) {
    Setup::reportNotices(**session);
    if (call->description().find(ArgumentDescription::Role::Output, "loss"))
      if (Expected<float> loss = call->readScalar("loss"))
        std::printf("loss %.9g\n", *loss);
    if (Error error = writeOutputs(*call, options.outputs))
      return error;
  }
  if (options.state.empty() || !(ranks.isFirst() || savesShards))
    return Error::success();
  return saveCheckpoint(**session, options.state, kept, StateCheck::None,
                        savesShards ? ranks.asGather() : Gather());
}

int runCall(const CallOptions &options) {
  NameMap names;
  for (const std::string &item : options.mapping) {
    size_t equals = item.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == item.size())
      return reportUsage("--input takes NAME=TENSOR, not '" + item + "'",
                         options.entry);
    names[item.substr(0, equals)] = item.substr(equals + 1);
  }
  return runInJob(
      options.job, options.setup,
      [&](const Setup &setup, Job *job, std::string &failure) {
        Error error = call(options, names, setup, job);
        return error ? fail(error, failure) : 0;
      },
      options.entry == "forward" ? Alone::UnlessBatchesAreShared
                                 : Alone::Always);
}

void addEntry(CLI::App &app, Run &run, const std::string &entry,
              const std::string &about, const std::string &more) {
  auto options = std::make_shared<CallOptions>();
  options->entry = entry;
  CLI::App *command = app.add_subcommand(entry, about);
  options->setup.addTo(*command);
  options->job.addTo(*command);
  command
      ->add_option("--inputs", options->inputs,
                   "Inputs by name, or with 'input.' before it. Integers may "
                   "have any width, floats be F64, F32, F16 or BF16: they are "
                   "rounded where the program takes BF16, else converted when "
                   "every value stays the same")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--outputs", options->outputs,
                   "Where to write the results (safetensors)")
      ->type_name("FILE")
      ->required();
  command->add_flag("--force", options->force,
                    "Let --outputs replace a file that te-run did not write");
  command
      ->add_option("--state", options->state,
                   "Read every state from this file if it exists, and write "
                   "them back after the call: keeps FP8 scales and "
                   "histories between calls")
      ->type_name("FILE");
  command
      ->add_option("--checkpoint", options->checkpoint,
                   "Read the states from a checkpoint of a training, which "
                   "stays as it is: a file, or the folder of a run (its "
                   "newest). The program takes what it has by name")
      ->type_name("FILE");
  command->add_flag("--calibrate", options->calibrate,
                    "If the FP8 scales have never been updated, measure them "
                    "on these inputs first; and those of gradients, if the "
                    "checkpoint has them in another unit: of a sum of losses "
                    "rather than the mean");
  command->add_option("--input", options->mapping,
                      "NAME=TENSOR: take input NAME from the tensor of that "
                      "name in --inputs; may be repeated");
  command->footer(more);
  command->callback(
      [options, &run] { run = [options] { return runCall(*options); }; });
}
} // namespace

void run::addCall(CLI::App &app, Run &run) {
  addEntry(app, run, "forward", "One forward pass",
           "Example:\n  te-run forward gpt.so --inputs batch.safetensors "
           "--outputs logits.safetensors\n"
           "In a job all ranks take the same inputs, and the first writes the "
           "outputs.");
  addEntry(app, run, "vjp",
           "Outputs, and gradients for given cotangents of them",
           "The cotangent of output y is the input 'cotangent.y'.\n"
           "Example:\n  te-run vjp layer.so --inputs step0.safetensors \\\n"
           "         --outputs out.safetensors --state layer.state");
  addEntry(app, run, "grad", "Loss and gradients",
           "Results: 'loss', and 'grad.NAME' for every parameter and float "
           "input.\n"
           "Example:\n  te-run grad gpt.so --inputs reference.safetensors "
           "--outputs ours.safetensors\n"
           "  te-run compare ours.safetensors reference.safetensors");
}
