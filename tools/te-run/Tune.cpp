// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run tune: searches plans for a program's problems and stores them.

#include "Commands.h"
#include "Interrupt.h"
#include "Output.h"
#include "Progress.h"
#include "Setup.h"
#include "program/Targets.h"
#include "support/File.h"
#include "support/ResultFile.h"
#include "training/RandomInputs.h"
#include "tuning/TuningDatabase.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

using namespace tert;
using namespace tert::run;
using namespace tert::session;
using namespace tert::training;

namespace {
struct TuneOptions {
  Setup setup;
  std::string database;
  bool json = false, force = false, isQuiet = false;
};

struct Row {
  std::string problem;
  double first, best;

  double gain() const { return first > 0 ? 1 - best / first : 0; }
};

/// Zeros the states, because only shapes matter here.
Error clearStates(Session &session) {
  const std::vector<char> zeros(size_t(16) << 20);
  const std::vector<StateDescription> &states = session.description().states;
  for (size_t index = 0; index < states.size(); ++index)
    for (size_t offset = 0, size = states[index].type.bytes(); offset < size;
         offset += zeros.size())
      if (Error error =
              session.writeState(index, zeros.data(),
                                 std::min(zeros.size(), size - offset), offset))
        return error;
  return Error::success();
}

/// Runs every entry once, so that the device sees the problems.
Error runEntries(Session &session, uint64_t seed) {
  if (Error error = clearStates(session))
    return error;
  for (const EntryDescription &entry : session.description().entries) {
    Expected<EntryCall> call = EntryCall::create(session, entry.name);
    if (!call)
      return call.takeError();
    if (Error error = setRandomInputs(*call, seed))
      return error;
    if (Error error = call->run())
      return error;
  }
  return Error::success();
}

/// True if a file is a database, valid or not.
bool isDatabase(const std::string &path) {
  Expected<MappedFile> file = MappedFile::open(path);
  return file && std::string_view(file->data(), file->size())
                         .substr(0, 100)
                         .find("\"te-mlir-tuning\"") != std::string_view::npos;
}

/// Existing plans of the file are kept, unless it is invalid.
TuningDatabase existing(const std::string &path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code))
    return {};
  Expected<TuningDatabase> read = TuningDatabase::read(path);
  if (read)
    return std::move(*read);
  reportWarning("'" + path + "' is replaced: " + read.takeError().message());
  return {};
}

std::string milliseconds(double seconds) {
  return format("%.4f", seconds * 1e3);
}

void printText(const std::string &device, const std::vector<Row> &rows) {
  using Align = Table::Align;
  std::printf("%s\n", device.c_str());
  Table table({{"problem"},
               {"first ms", Align::Right},
               {"best ms", Align::Right},
               {"gain", Align::Right}});
  double first = 0, best = 0;
  for (const Row &row : rows) {
    table.add({row.problem, milliseconds(row.first), milliseconds(row.best),
               format("%.1f %%", 100 * row.gain())});
    first += row.first;
    best += row.best;
  }
  table.add({"all, once each", milliseconds(first), milliseconds(best),
             format("%.1f %%", first > 0 ? 100 * (1 - best / first) : 0.0)});
  table.print(stdout);
}

void printJson(const std::string &device, const std::string &path,
               const std::vector<Row> &rows) {
  nlohmann::ordered_json root = {{"device", device},
                                 {"database", path},
                                 {"problems", nlohmann::ordered_json::array()}};
  for (const Row &row : rows)
    root["problems"].push_back({{"problem", row.problem},
                                {"first_seconds", row.first},
                                {"best_seconds", row.best}});
  std::printf("%s\n", root.dump(2).c_str());
}

Expected<int> tune(const TuneOptions &options) {
  std::string path = options.database.empty()
                         ? defaultTuningPath(options.setup.artifact)
                         : options.database;
  if (!options.force)
    if (Error error = checkOverwrite(path, {options.setup.artifact},
                                     "--database", isDatabase))
      return error;
  Expected<std::unique_ptr<Session>> session = options.setup.open();
  if (!session)
    return session.takeError();
  tert_context *context = (*session)->context();
  const char *device = "";
  if (tert_status status = tert_tuning_device(context, &device))
    return (*session)->failure(status, "cannot ask the device about tuning");
  if (!*device)
    return Error("there is nothing to tune on this device: plans are searched "
                 "for GPUs. Compile with --target " +
                 std::string(findTargetOf("cuda")->name) + " and run on one");
  if (Error error = runEntries(**session, options.setup.initialization.seed))
    return error;
  tert_tuning_usage usage = {};
  if (tert_status status = tert_tuning_read_usage(context, &usage))
    return (*session)->failure(status, "cannot ask for the problems");

  TuningDatabase database = existing(path);
  std::vector<Row> rows;
  bool interrupted = false;
  {
    Interrupt interrupt;
    Progress progress(0, usage.problems, "step",
                      options.isQuiet ? Quiet::Yes : Quiet::No);
    for (size_t i = 0; i < usage.problems && !interrupted; ++i) {
      tert_tuning_record found = {};
      if (tert_status status = tert_tuning_search(context, i, &found))
        return (*session)->failure(status, "tuning failed");
      database.put(device, found.problem,
                   {found.plan, found.first_seconds, found.best_seconds});
      rows.push_back({found.problem, found.first_seconds, found.best_seconds});
      progress.update(i + 1, {{rows.back().problem}});
      interrupted = interrupt.requested() && i + 1 < usage.problems;
    }
  }
  if (Error error = database.write(path))
    return error;
  if (options.json)
    printJson(device, path, rows);
  else
    printText(device, rows);
  std::fprintf(stderr, "%s: %zu of %zu problems tuned%s\n", path.c_str(),
               rows.size(), usage.problems, interrupted ? ", interrupted" : "");
  return interrupted ? exitInterrupted : 0;
}
} // namespace

void run::addTune(CLI::App &app, Run &run) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App *command = app.add_subcommand(
      "tune", "Searches the fastest algorithms for a program on this GPU");
  options->setup.addTo(*command, Setup::Untuned);
  command
      ->add_option("--database", options->database,
                   "Where to keep them; without it ARTIFACT's name with "
                   ".tuning.json, where "
                   "the other commands find them. Plans of other programs and "
                   "GPUs in it "
                   "stay")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "As JSON, for programs");
  command->add_flag("--quiet", options->isQuiet,
                    "Print warnings and results alone, no progress");
  command->add_flag("--force", options->force,
                    "Replace a file that te-run did not write");
  command->footer(
      "Each matrix product is timed with every algorithm that the library "
      "proposes, on random operands that are not in the cache. Results differ "
      "from untuned ones by rounding; with one database they are the same in "
      "every run.\n"
      "Examples:\n"
      "  te-run tune gpt.so\n"
      "  te-run tune gpt.so --database h200.json\n"
      "  te-run bench gpt.so --tuning h200.json");
  command->callback([options, &run] {
    run = [options] {
      Expected<int> code = tune(*options);
      return code ? *code : reportError(code.takeError());
    };
  });
}
