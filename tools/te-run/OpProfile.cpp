// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpProfile.h"

#include "ModuleSpans.h"

#include "support/File.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace tert;
using namespace tert::run;
using namespace tert::session;

/// Slowest first; ties by `key`, so that runs can be compared.
template <typename T, typename Key>
static void sortBySeconds(std::vector<T> &times, const Key &key) {
  std::sort(times.begin(), times.end(), [&](const T &a, const T &b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : key(a) < key(b);
  });
}

static void sortBySeconds(std::vector<OpTime> &ops) {
  sortBySeconds(ops,
                [](const OpTime &op) { return std::tie(op.op, op.location); });
  for (OpTime &op : ops)
    sortBySeconds(op.kernels, [](const KernelTime &kernel) -> const auto & {
      return kernel.name;
    });
}

static void add(std::vector<KernelTime> &sum, const KernelTime &part) {
  auto known =
      std::find_if(sum.begin(), sum.end(), [&](const KernelTime &kernel) {
        return kernel.name == part.name;
      });
  if (known == sum.end()) {
    sum.push_back(part);
    return;
  }
  known->calls += part.calls;
  known->seconds += part.seconds;
}

static void add(OpTime &sum, const OpTime &part) {
  sum.calls += part.calls;
  sum.seconds += part.seconds;
  sum.floorSeconds += part.floorSeconds;
  sum.bytes += part.bytes;
  sum.flops += part.flops;
  for (const KernelTime &kernel : part.kernels)
    add(sum.kernels, kernel);
}

std::vector<OpTime> OpProfile::byOp() const {
  std::map<std::string, OpTime> ops;
  for (const OpTime &site : sites) {
    OpTime &op = ops[site.op];
    op.op = site.op;
    add(op, site);
  }
  std::vector<OpTime> result;
  for (auto &[name, op] : ops)
    result.push_back(std::move(op));
  sortBySeconds(result);
  return result;
}

OpTime OpProfile::total() const {
  OpTime sum;
  sum.op = "all";
  for (const OpTime &site : sites)
    add(sum, site);
  return sum;
}

static std::string opOf(const tert_site *site) {
  return site && site->op ? site->op : "?";
}

static std::string locationOf(const tert_site *site) {
  return site && site->location ? site->location : "";
}

/// All items of one of the runtime's reading functions.
template <typename T, typename Read>
static Expected<std::vector<T>> readAll(const Session &session,
                                        const Read &read) {
  size_t count = 0;
  if (tert_status status = read(session.context(), nullptr, 0, &count))
    return session.failure(status, "cannot read the profile");
  std::vector<T> items(count);
  if (tert_status status = read(session.context(), items.data(), count, &count))
    return session.failure(status, "cannot read the profile");
  return items;
}

Expected<OpProfile> run::profileCalls(const Session &session, EntryCall &call,
                                      size_t iterations) {
  tert_context *context = session.context();
  // Nothing can be recorded while the context profiles: run the call once more,
  // which records the entry if it has run only once so far.
  if (Error error = call.run())
    return error;
  if (tert_status status = tert_profile_start(context))
    return session.failure(status, "cannot start profiling");
  Error failed = Error::success();
  for (size_t i = 0; i < iterations && !failed; ++i)
    failed = call.run();
  tert_status stopped = tert_profile_stop(context);
  if (failed)
    return failed;
  if (stopped)
    return session.failure(stopped, "cannot profile");
  auto records = readAll<tert_profile_record>(session, tert_profile_read);
  if (!records)
    return records.takeError();
  auto spans = readAll<tert_profile_span>(session, tert_profile_read_spans);
  if (!spans)
    return spans.takeError();
  auto kernels =
      readAll<tert_profile_kernel>(session, tert_profile_read_kernels);
  if (!kernels)
    return kernels.takeError();
  auto kernelSpans = readAll<tert_profile_kernel_span>(
      session, tert_profile_read_kernel_spans);
  if (!kernelSpans)
    return kernelSpans.takeError();

  auto perCall = [&](double value) {
    return value / static_cast<double>(iterations);
  };
  std::map<const tert_site *, std::vector<KernelTime>> kernelsOf;
  for (const tert_profile_kernel &kernel : *kernels)
    kernelsOf[kernel.site].push_back(
        {kernel.name, perCall(static_cast<double>(kernel.calls)),
         perCall(kernel.seconds)});
  OpProfile profile;
  for (const tert_profile_record &record : *records)
    profile.sites.push_back(
        {opOf(record.site), locationOf(record.site),
         perCall(static_cast<double>(record.calls)), perCall(record.seconds),
         perCall(record.floor_seconds), perCall(record.bytes),
         perCall(record.flops), std::move(kernelsOf[record.site])});
  sortBySeconds(profile.sites);
  for (const tert_profile_span &span : *spans)
    profile.spans.push_back({opOf(span.site), locationOf(span.site), span.begin,
                             span.seconds, span.floor_seconds, span.bytes,
                             span.flops});
  for (const tert_profile_kernel_span &span : *kernelSpans)
    profile.kernels.push_back({span.name, opOf(span.site),
                               locationOf(span.site), span.begin,
                               span.seconds});
  return profile;
}

namespace {
/// Columns shared by a profile's tables.
class TimeColumns {
public:
  explicit TimeColumns(const OpTime &total)
      : total(total), hasFloor(total.floorSeconds > 0) {}

  std::vector<Table::Column> titles() const {
    std::vector<Table::Column> columns = {right("ms"), right("share")};
    if (hasFloor) {
      columns.push_back(right("floor ms"));
      columns.push_back(right("x floor"));
    }
    columns.push_back(right("GB/s"));
    columns.push_back(right("TFLOP/s"));
    return columns;
  }

  std::vector<std::string> cells(const OpTime &time) const {
    double seconds = time.seconds, floor = time.floorSeconds;
    std::vector<std::string> cells = timeCells(seconds);
    if (hasFloor) {
      cells.push_back(floor > 0 ? format("%.3f", floor * 1e3) : "");
      cells.push_back(floor > 0 ? format("%.1f", seconds / floor) : "");
    }
    auto rate = [&](double amount, double unit) {
      return amount > 0 && seconds > 0 ? format("%.4g", amount / seconds / unit)
                                       : "";
    };
    cells.push_back(rate(time.bytes, 1e9));
    cells.push_back(rate(time.flops, 1e12));
    return cells;
  }

  /// A kernel is compared with the lower bound of its entire op, because its
  /// share of the op's bytes and operations is unknown.
  std::vector<std::string> cells(const KernelTime &kernel,
                                 const OpTime &op) const {
    std::vector<std::string> cells = timeCells(kernel.seconds);
    if (hasFloor) {
      cells.push_back("");
      cells.push_back(op.floorSeconds > 0
                          ? format("%.1f", kernel.seconds / op.floorSeconds)
                          : "");
    }
    cells.resize(titles().size());
    return cells;
  }

private:
  std::vector<std::string> timeCells(double seconds) const {
    return {format("%.3f", seconds * 1e3),
            format("%.1f %%",
                   total.seconds > 0 ? 100 * seconds / total.seconds : 0.0)};
  }
  static Table::Column right(const char *title) {
    return {title, Table::Align::Right};
  }
  OpTime total;
  bool hasFloor;
};

template <typename T>
std::vector<T> joined(std::vector<T> first, std::vector<T> second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}
} // namespace

/// Libraries' kernels have names of a hundred letters.
static std::string kernelLabel(const std::string &name) {
  constexpr size_t longest = 48;
  return "  " +
         (name.size() > longest ? name.substr(0, longest - 1) + "…" : name);
}

void run::printProfile(const OpProfile &profile, const ProfileView &view) {
  if (profile.sites.empty())
    return;
  const OpTime total = profile.total();
  const TimeColumns columns(total);
  auto forKernels = [&](const OpTime &op, const auto &print) {
    if (op.kernels.size() >= view.minKernels)
      for (const KernelTime &kernel : op.kernels)
        print(kernel, columns.cells(kernel, op));
  };
  heading("time by op, per call");
  Table ops(joined({{"op"}, {"calls", Table::Align::Right}}, columns.titles()));
  for (const OpTime &op : profile.byOp()) {
    ops.add(joined({op.op, format("%g", op.calls)}, columns.cells(op)));
    forKernels(op, [&](const KernelTime &kernel, const auto &cells) {
      ops.add(joined({kernelLabel(kernel.name), format("%g", kernel.calls)},
                     cells));
    });
  }
  ops.add(joined({"all", format("%g", total.calls)}, columns.cells(total)));
  ops.print(stdout);
  if (view.sites == 0)
    return;
  heading("time by site, per call");
  Table places(joined(joined({{"op"}}, columns.titles()), {{"at"}}));
  for (size_t i = 0; i < std::min(view.sites, profile.sites.size()); ++i) {
    const OpTime &site = profile.sites[i];
    places.add(joined(joined({site.op}, columns.cells(site)), {site.location}));
    forKernels(site, [&](const KernelTime &kernel, const auto &cells) {
      places.add(joined(joined({kernelLabel(kernel.name)}, cells), {""}));
    });
  }
  places.print(stdout);
  if (profile.sites.size() > view.sites)
    std::printf("  and %zu more (--sites)\n",
                profile.sites.size() - view.sites);
}

nlohmann::ordered_json run::toJson(const std::vector<OpTime> &ops) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const OpTime &op : ops) {
    nlohmann::ordered_json item = {{"op", op.op}};
    if (!op.location.empty())
      item["location"] = op.location;
    item["calls"] = op.calls;
    item["seconds"] = op.seconds;
    if (op.floorSeconds > 0)
      item["floor_seconds"] = op.floorSeconds;
    item["bytes"] = op.bytes;
    item["flops"] = op.flops;
    for (const KernelTime &kernel : op.kernels)
      item["kernels"].push_back({{"name", kernel.name},
                                 {"calls", kernel.calls},
                                 {"seconds", kernel.seconds}});
    list.push_back(std::move(item));
  }
  return list;
}

Error run::writeTrace(const OpProfile &profile, const std::string &program,
                      const std::string &path) {
  using Json = nlohmann::ordered_json;
  enum Track { Ops = 1, Kernels, Modules };
  auto named = [](const char *what, Track track, const std::string &name) {
    return Json{{"name", what},
                {"ph", "M"},
                {"pid", 1},
                {"tid", int(track)},
                {"args", {{"name", name}}}};
  };
  Json events = Json::array(
      {named("process_name", Ops, program), named("thread_name", Ops, "ops")});
  auto addSpan = [&](Track track, const char *category, const auto &span,
                     const std::string &name, Json details) {
    events.push_back({{"name", name},
                      {"cat", category},
                      {"ph", "X"},
                      {"ts", span.begin * 1e6},
                      {"dur", span.seconds * 1e6},
                      {"pid", 1},
                      {"tid", int(track)},
                      {"args", std::move(details)}});
  };
  for (const OpSpan &span : profile.spans) {
    Json details = {{"location", span.location},
                    {"bytes", span.bytes},
                    {"flops", span.flops}};
    if (span.floorSeconds > 0)
      details["floor_us"] = span.floorSeconds * 1e6;
    addSpan(Ops, "op", span, span.op, std::move(details));
  }
  if (!profile.kernels.empty())
    events.push_back(named("thread_name", Kernels, "kernels"));
  const std::vector<ModuleSpan> modules = spansOfModules(profile.spans);
  if (!modules.empty())
    events.push_back(named("thread_name", Modules, "modules"));
  for (const ModuleSpan &span : modules)
    addSpan(Modules, "module", span, span.name, {{"module", span.module}});
  for (const KernelSpan &span : profile.kernels)
    addSpan(Kernels, "kernel", span, span.name,
            {{"op", span.op}, {"location", span.location}});
  Json root = {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ns"}};
  return writeFile(
      path, root.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

bool run::isTrace(const std::string &path) {
  // Prefix of every such file.
  constexpr std::string_view begin =
      R"({"traceEvents":[{"name":"process_name","ph":"M")";
  Expected<MappedFile> file = MappedFile::open(path);
  return file &&
         std::string_view(file->data(), file->size()).substr(0, begin.size()) ==
             begin;
}
