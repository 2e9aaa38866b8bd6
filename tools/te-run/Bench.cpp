// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run bench and te-run profile: the time of a call, in total and per op.

#include "Arguments.h"
#include "Commands.h"
#include "Job.h"
#include "OpProfile.h"
#include "Output.h"
#include "Setup.h"
#include "Timing.h"
#include "support/ResultFile.h"
#include "training/Data.h"
#include "training/RandomInputs.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>

using namespace tert;
using namespace tert::run;
using namespace tert::session;
using namespace tert::training;

namespace {
struct BenchOptions {
  Setup setup;
  JobFlags job;
  std::string entry;
  std::string trace; ///< for profile
  size_t iterations = 20, warmup = 3, profiled = 5;
  ProfileView view;
  bool kernels = false, json = false, force = false;
};

/// Bytes on the device once the entry has run.
struct Memory {
  size_t states, arena, arguments, temporary, peak;
};

struct Report {
  Report(const CallTimes &times, OpProfile profile, const Memory &memory)
      : times(times), profile(std::move(profile)), memory(memory) {}

  CallTimes times;
  OpProfile profile;
  Memory memory;
  int32_t ranks = 1;
  Workload work; ///< Work of a call, on all ranks.
};

Expected<Memory> memoryOf(const Session &session,
                          const EntryDescription &entry) {
  tert_device_info info = {};
  if (tert_status status = tert_device_read_info(session.context(), &info))
    return session.failure(status, "cannot ask about the device's memory");
  MemoryNeed need = memoryNeed(session.description(), &entry);
  return Memory{need.states, need.arena, need.arguments, info.temporary_bytes,
                info.peak_bytes + info.temporary_bytes};
}

std::string milliseconds(double seconds) {
  return format("%.3f ms", seconds * 1e3);
}

void printText(const BenchOptions &options, const EntryDescription &entry,
               const Report &report) {
  const Times &times = report.times.device;
  std::printf("%s, entry %s, %zu calls", options.setup.artifact.c_str(),
              entry.name.c_str(), options.iterations);
  if (report.ranks > 1)
    std::printf(" on %d ranks, times of the slowest", report.ranks);
  std::printf("\n");
  Table summary({{""}, {"", Table::Align::Right}, {""}});
  auto bytes = [](size_t count) {
    return formatBytes(static_cast<double>(count));
  };
  summary.add({"median", milliseconds(times.median()),
               "p10 " + milliseconds(times.percentile(0.1)) + ", p90 " +
                   milliseconds(times.percentile(0.9))});
  summary.add({"fastest", milliseconds(times.min()),
               "mean " + milliseconds(times.mean())});
  if (double floor = report.profile.total().floorSeconds; floor > 0)
    summary.add(
        {"floor", milliseconds(floor),
         format("%.0f %% of the median", 100 * floor / times.median())});
  summary.add(
      {"host", milliseconds(report.times.host.median()), "to start a call"});
  summary.add(
      {report.work.unit + "/s",
       formatCount(static_cast<double>(report.work.perCall) / times.median()),
       ""});
  const Memory &memory = report.memory;
  summary.add({"peak memory", bytes(memory.peak),
               "states " + bytes(memory.states) + ", arena " +
                   bytes(memory.arena) + ", inputs and outputs " +
                   bytes(memory.arguments) + ", temporary " +
                   bytes(memory.temporary)});
  summary.print(stdout);
  ProfileView view = options.view;
  if (options.kernels)
    view.minKernels = 1;
  printProfile(report.profile, view);
}

nlohmann::ordered_json toJson(const Times &times) {
  return {{"median", times.median()},
          {"min", times.min()},
          {"mean", times.mean()},
          {"p10", times.percentile(0.1)},
          {"p90", times.percentile(0.9)}};
}

void printJson(const BenchOptions &options, const EntryDescription &entry,
               const Report &report) {
  const Times &times = report.times.device;
  nlohmann::ordered_json root = {
      {"artifact", options.setup.artifact},
      {"entry", entry.name},
      {"iterations", options.iterations},
      {"seconds", toJson(times)},
      {"host_seconds", toJson(report.times.host)},
      {"ranks", report.ranks},
      {report.work.unit, report.work.perCall},
      {report.work.unit + "_per_second",
       static_cast<double>(report.work.perCall) / times.median()},
      {"state_bytes", report.memory.states},
      {"arena_bytes", report.memory.arena},
      {"argument_bytes", report.memory.arguments},
      {"temporary_bytes", report.memory.temporary},
      {"peak_bytes", report.memory.peak}};
  if (double floor = report.profile.total().floorSeconds; floor > 0)
    root["floor_seconds"] = floor;
  root["call_seconds"] = times.calls();
  root["ops"] = run::toJson(report.profile.byOp());
  root["sites"] = run::toJson(report.profile.sites);
  std::printf(
      "%s\n",
      root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
          .c_str());
}

Error bench(const BenchOptions &options, const Setup &setup, Job *job) {
  if (!options.trace.empty() && !options.force)
    if (Error error =
            checkOverwrite(options.trace, {setup.artifact}, "--trace", isTrace))
      return error;
  Expected<std::unique_ptr<Session>> session = setup.open();
  if (!session)
    return session.takeError();
  Expected<JobConnection> connection = JobConnection::open(job, **session);
  if (!connection)
    return connection.takeError();
  const Description &description = (*session)->description();
  // The first entry that does not only prepare another.
  std::string name = options.entry;
  for (const EntryDescription &entry : description.entries)
    if (name.empty() && entry.name != "init")
      name = entry.name;
  if (name.empty())
    return Error("'" + options.setup.artifact + "' has no entry to time");
  Expected<EntryCall> call = EntryCall::create(**session, name);
  if (!call)
    return call.takeError();
  if (Error error = setup.initialize(**session))
    return error;
  const int32_t rank = job ? job->rank() : 0;
  const auto share = static_cast<uint64_t>(description.mesh.shareOf(rank));
  if (Error error = setRandomInputs(*call, setup.initialization.seed + share))
    return error;
  // Otherwise one rank's first call would wait for another's preparations.
  if (job)
    if (Error error = job->gather("bench", {}).takeError())
      return error;
  Expected<CallTimes> times =
      timeCalls(**session, *call, options.warmup, options.iterations,
                [job](std::vector<double> own) {
                  return ofSlowestRank(job, std::move(own));
                });
  if (!times)
    return times.takeError();
  if (rank == 0)
    Setup::reportNotices(**session);
  OpProfile ops;
  if (options.profiled) {
    if (Error error =
            profileCalls(**session, *call, options.profiled).moveTo(ops))
      return error;
  }
  Expected<Memory> memory = memoryOf(**session, call->description());
  if (!memory)
    return memory.takeError();
  if (rank != 0)
    return Error::success();
  if (!options.trace.empty())
    if (Error error = writeTrace(ops, options.setup.artifact, options.trace))
      return error;
  Report report(*times, std::move(ops), *memory);
  report.ranks = job ? job->size() : 1;
  report.work = workloadOf(call->description());
  report.work.perCall *= job ? description.mesh.shares() : 1;
  (options.json ? printJson : printText)(options, call->description(), report);
  return Error::success();
}

/// Flags of both commands.
CLI::App *addCommand(CLI::App &app, Run &run, const char *name,
                     const char *about,
                     const std::shared_ptr<BenchOptions> &options) {
  CLI::App *command = app.add_subcommand(name, about);
  options->setup.addTo(*command);
  options->job.addTo(*command);
  command->add_option("--entry", options->entry,
                      "Which entry; without it the first");
  command->add_option("--iterations", options->iterations, "Timed calls")
      ->check(positive())
      ->capture_default_str();
  command->add_option("--warmup", options->warmup, "Calls before those")
      ->capture_default_str();
  command
      ->add_option("--sites", options->view.sites,
                   "Rows of the table by site, slowest first")
      ->capture_default_str();
  command->add_flag("--kernels", options->kernels,
                    "Below every op the kernels that it ran on a GPU");
  command->add_flag("--json", options->json, "As JSON, for programs");
  command->callback([options, &run] {
    run = [options] {
      return runInJob(options->job, options->setup,
                      [&](const Setup &setup, Job *job, std::string &failure) {
                        Error error = bench(*options, setup, job);
                        return error ? fail(error, failure) : 0;
                      });
    };
  });
  return command;
}
} // namespace

void run::addBench(CLI::App &app, Run &run) {
  auto options = std::make_shared<BenchOptions>();
  options->view.minKernels = SIZE_MAX;
  CLI::App *command = addCommand(
      app, run, "bench", "Times a program on random inputs, and every op in it",
      options);
  command
      ->add_option("--profile", options->profiled,
                   "Calls of a second pass that times every op; 0 leaves the "
                   "tables out")
      ->capture_default_str();
  command->footer(
      "Integer inputs are uniform in the range that the program declares, or "
      "else 0 to 255; floats are normal. Calls follow each other without a "
      "pause, on a GPU as one recorded graph each. The floor is the time that "
      "the bytes and matrix products of every op take at the fastest that "
      "such a device was seen to go.\n"
      "Examples:\n"
      "  te-run bench gpt.so\n"
      "  te-run bench gpt.so --entry forward --iterations 100 --json");
}

void run::addProfile(CLI::App &app, Run &run) {
  auto options = std::make_shared<BenchOptions>();
  options->profiled = 3;
  options->iterations = 10;
  CLI::App *command =
      addCommand(app, run, "profile",
                 "Where the time of a program goes, op by op", options);
  command
      ->add_option("--calls", options->profiled,
                   "Calls that are profiled, after those that are timed as one")
      ->check(positive())
      ->capture_default_str();
  command
      ->add_option("--trace", options->trace,
                   "Writes every op and kernel of those calls here, with "
                   "place in the model, bytes and operations, as a trace "
                   "that ui.perfetto.dev opens")
      ->type_name("FILE");
  command->add_flag("--force", options->force,
                    "Let --trace replace a file that te-run did not write");
  command->footer(
      "On a GPU, an op of several kernels has them listed below it, "
      "each set against the floor of the op; --kernels lists "
      "those of all ops.\nExample:\n"
      "  te-run profile gpt.so --trace trace.json --sites 40");
}
