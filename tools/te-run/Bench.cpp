// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run bench: how long a call takes, and where the time goes.

#include "Commands.h"
#include "Data.h"
#include "Output.h"
#include "RandomInputs.h"
#include "Setup.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

using namespace tert;
using namespace tert::run;
using namespace tert::session;

namespace {
struct Options {
  Setup setup;
  std::string entry;
  size_t iterations = 20, warmup = 3, profiled = 5, sites = 15;
  bool json = false;
};

struct Times {
  std::vector<double> sorted; ///< Seconds, ascending.

  double min() const { return sorted.front(); }
  double median() const { return percentile(0.5); }
  double mean() const {
    return std::accumulate(sorted.begin(), sorted.end(), 0.0) /
           static_cast<double>(sorted.size());
  }
  /// Between neighbours where the rank falls between two.
  double percentile(double share) const {
    double rank = share * static_cast<double>(sorted.size() - 1);
    auto below = static_cast<size_t>(rank);
    size_t above = std::min(below + 1, sorted.size() - 1);
    double weight = rank - static_cast<double>(below);
    return sorted[below] * (1 - weight) + sorted[above] * weight;
  }
};

struct Site {
  std::string op, location;
  double calls = 0, seconds = 0; ///< Per iteration.
};

struct CallTimes {
  Times whole;
  Times host; ///< Until the call was started; all of it on a CPU.
};

Expected<CallTimes> timeCalls(EntryCall &call, size_t warmup,
                              size_t iterations) {
  using Seconds = std::chrono::duration<double>;
  CallTimes times;
  for (size_t i = 0; i < warmup + iterations; ++i) {
    auto began = std::chrono::steady_clock::now();
    if (Error error = call.enqueue())
      return error;
    auto started = std::chrono::steady_clock::now();
    if (Error error = call.wait())
      return error;
    if (i < warmup)
      continue;
    times.host.sorted.push_back(Seconds(started - began).count());
    times.whole.sorted.push_back(
        Seconds(std::chrono::steady_clock::now() - began).count());
  }
  std::sort(times.host.sorted.begin(), times.host.sorted.end());
  std::sort(times.whole.sorted.begin(), times.whole.sorted.end());
  return times;
}

/// Sites with the most time first. Its own pass, because measuring every op
/// slows a call down.
Expected<std::vector<Site>> profileCalls(const Session &session,
                                         EntryCall &call, size_t iterations) {
  tert_context *context = session.context();
  if (tert_status status = tert_profile_start(context))
    return session.failure(status, "cannot start profiling");
  Error failed = Error::success();
  for (size_t i = 0; i < iterations && !failed; ++i)
    failed = call.run();
  tert_profile_stop(context);
  if (failed)
    return failed;
  size_t count = 0;
  if (tert_status status = tert_profile_read(context, nullptr, 0, &count))
    return session.failure(status, "cannot read the profile");
  std::vector<tert_profile_record> records(count);
  if (tert_status status =
          tert_profile_read(context, records.data(), count, &count))
    return session.failure(status, "cannot read the profile");
  std::vector<Site> sites;
  for (const tert_profile_record &record : records) {
    Site site;
    site.op = record.site && record.site->op ? record.site->op : "?";
    site.location =
        record.site && record.site->location ? record.site->location : "";
    site.calls =
        static_cast<double>(record.calls) / static_cast<double>(iterations);
    site.seconds = record.seconds / static_cast<double>(iterations);
    sites.push_back(std::move(site));
  }
  std::sort(sites.begin(), sites.end(),
            [](const Site &a, const Site &b) { return a.seconds > b.seconds; });
  return sites;
}

std::vector<Site> sumByOp(const std::vector<Site> &sites) {
  std::map<std::string, Site> ops;
  for (const Site &site : sites) {
    Site &op = ops[site.op];
    op.op = site.op;
    op.calls += site.calls;
    op.seconds += site.seconds;
  }
  std::vector<Site> result;
  for (auto &[name, op] : ops)
    result.push_back(std::move(op));
  std::sort(result.begin(), result.end(),
            [](const Site &a, const Site &b) { return a.seconds > b.seconds; });
  return result;
}

std::string milliseconds(double seconds) {
  return format("%.3f", seconds * 1e3);
}

void printText(const Options &options, const Session &session,
               const EntryDescription &entry, const CallTimes &calls,
               const std::vector<Site> &sites) {
  const Times &times = calls.whole;
  using Align = Table::Align;
  auto tokens = static_cast<double>(tokensPerCall(entry));
  std::printf("%s, entry %s, %zu calls\n", options.setup.artifact.c_str(),
              entry.name.c_str(), options.iterations);
  Table summary({{""}, {"", Align::Right}});
  summary.add({"median", milliseconds(times.median()) + " ms"});
  summary.add({"fastest", milliseconds(times.min()) + " ms"});
  summary.add({"p90", milliseconds(times.percentile(0.9)) + " ms"});
  summary.add({"host", milliseconds(calls.host.median()) + " ms"});
  summary.add({"tokens/s", formatCount(tokens / times.median())});
  summary.add(
      {"states", formatBytes(static_cast<double>(session.stateBytes()))});
  summary.add({"arena", formatBytes(static_cast<double>(entry.arenaBytes))});
  summary.print(stdout);
  if (sites.empty())
    return;

  double total = 0;
  for (const Site &site : sites)
    total += site.seconds;
  auto share = [&](double seconds) {
    return format("%.1f %%", total > 0 ? 100 * seconds / total : 0.0);
  };
  std::printf("\n%s\n",
              coloured(stdout, Colour::Bold, "time by op, per call").c_str());
  Table ops({{"op"},
             {"calls", Align::Right},
             {"ms", Align::Right},
             {"share", Align::Right}});
  for (const Site &op : sumByOp(sites))
    ops.add({op.op, format("%g", op.calls), milliseconds(op.seconds),
             share(op.seconds)});
  ops.add({"all", "", milliseconds(total), ""});
  ops.print(stdout);

  if (options.sites == 0)
    return;
  std::printf("\n%s\n",
              coloured(stdout, Colour::Bold, "time by site, per call").c_str());
  Table places({{"op"}, {"ms", Align::Right}, {"share", Align::Right}, {"at"}});
  for (size_t i = 0; i < std::min(options.sites, sites.size()); ++i)
    places.add({sites[i].op, milliseconds(sites[i].seconds),
                share(sites[i].seconds), sites[i].location});
  places.print(stdout);
  if (sites.size() > options.sites)
    std::printf("  and %zu more (--sites)\n", sites.size() - options.sites);
}

void printJson(const Options &options, const Session &session,
               const EntryDescription &entry, const CallTimes &calls,
               const std::vector<Site> &sites) {
  const Times &times = calls.whole;
  auto listOf = [](const std::vector<Site> &from, bool location) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Site &site : from) {
      nlohmann::ordered_json item = {{"op", site.op}};
      if (location)
        item["location"] = site.location;
      item["calls"] = site.calls;
      item["seconds"] = site.seconds;
      list.push_back(std::move(item));
    }
    return list;
  };
  int64_t tokens = tokensPerCall(entry);
  nlohmann::ordered_json root = {
      {"artifact", options.setup.artifact},
      {"entry", entry.name},
      {"iterations", options.iterations},
      {"seconds",
       {{"median", times.median()},
        {"min", times.min()},
        {"mean", times.mean()},
        {"p90", times.percentile(0.9)},
        {"host_median", calls.host.median()}}},
      {"tokens", tokens},
      {"tokens_per_second", static_cast<double>(tokens) / times.median()},
      {"state_bytes", session.stateBytes()},
      {"arena_bytes", entry.arenaBytes},
      {"ops", listOf(sumByOp(sites), false)},
      {"sites", listOf(sites, true)}};
  std::printf(
      "%s\n",
      root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
          .c_str());
}

Error bench(const Options &options) {
  Expected<std::unique_ptr<Session>> session = options.setup.open();
  if (!session)
    return session.takeError();
  const Description &description = (*session)->description();
  // The first entry that is not there to prepare another.
  std::string name = options.entry;
  for (const EntryDescription &entry : description.entries)
    if (name.empty() && entry.name != "init")
      name = entry.name;
  if (name.empty())
    return Error("'" + options.setup.artifact + "' has no entry to time");
  Expected<EntryCall> call = EntryCall::create(**session, name);
  if (!call)
    return call.takeError();
  if (Error error = options.setup.initialize(**session))
    return error;
  if (Error error = setRandomInputs(*call, options.setup.seed))
    return error;
  Expected<CallTimes> times =
      timeCalls(*call, options.warmup, options.iterations);
  if (!times)
    return times.takeError();
  options.setup.reportRefusedPlans(**session);
  std::vector<Site> sites;
  if (options.profiled) {
    Expected<std::vector<Site>> profile =
        profileCalls(**session, *call, options.profiled);
    if (!profile)
      return profile.takeError();
    sites = std::move(*profile);
  }
  (options.json ? printJson : printText)(options, **session,
                                         call->description(), *times, sites);
  return Error::success();
}
} // namespace

void run::addBench(CLI::App &app, Run &run) {
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand(
      "bench", "Times a program on random inputs, and every op in it");
  options->setup.addTo(*command);
  command->add_option("--entry", options->entry,
                      "Which entry; without it the first");
  command->add_option("--iterations", options->iterations, "Timed calls")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--warmup", options->warmup, "Calls before those")
      ->capture_default_str();
  command
      ->add_option("--profile", options->profiled,
                   "Calls of a second pass that times every op; 0 leaves the "
                   "tables out")
      ->capture_default_str();
  command
      ->add_option("--sites", options->sites,
                   "Rows of the table by site, slowest first")
      ->capture_default_str();
  command->add_flag("--json", options->json, "As JSON, for programs");
  command->footer("Integer inputs are uniform in the range that the program "
                  "declares, or else 0 to 255; floats are normal.\n"
                  "Examples:\n"
                  "  te-run bench gpt.so\n"
                  "  te-run bench gpt.so --entry forward --iterations 100 "
                  "--json");
  command->callback([options, &run] {
    run = [options] {
      Error error = bench(*options);
      return error ? reportError(error) : 0;
    };
  });
}
