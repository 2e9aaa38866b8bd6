// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpProfile.h"

#include "session/File.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace tert;
using namespace tert::run;
using namespace tert::session;

static void sortBySeconds(std::vector<OpTime> &times) {
  // Of equals by name, so that runs compare.
  auto key = [](const OpTime &time) {
    return std::tie(time.op, time.location);
  };
  std::sort(times.begin(), times.end(), [&](const OpTime &a, const OpTime &b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : key(a) < key(b);
  });
}

static void add(OpTime &sum, const OpTime &part) {
  sum.calls += part.calls;
  sum.seconds += part.seconds;
  sum.floorSeconds += part.floorSeconds;
  sum.bytes += part.bytes;
  sum.flops += part.flops;
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

/// All that one of the runtime's reading functions has.
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
  OpProfile profile;
  auto perCall = [&](double value) {
    return value / static_cast<double>(iterations);
  };
  for (const tert_profile_record &record : *records)
    profile.sites.push_back({opOf(record.site), locationOf(record.site),
                             perCall(static_cast<double>(record.calls)),
                             perCall(record.seconds),
                             perCall(record.floor_seconds),
                             perCall(record.bytes), perCall(record.flops)});
  sortBySeconds(profile.sites);
  for (const tert_profile_span &span : *spans)
    profile.spans.push_back({opOf(span.site), locationOf(span.site), span.begin,
                             span.seconds, span.floor_seconds, span.bytes,
                             span.flops});
  return profile;
}

namespace {
/// The columns that a profile's tables share.
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
    std::vector<std::string> cells = {
        format("%.3f", seconds * 1e3),
        format("%.1f %%",
               total.seconds > 0 ? 100 * seconds / total.seconds : 0.0)};
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

private:
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

void heading(const char *text) {
  std::printf("\n%s\n", coloured(stdout, Colour::Bold, text).c_str());
}
} // namespace

void run::printProfile(const OpProfile &profile, size_t sites) {
  if (profile.sites.empty())
    return;
  const OpTime total = profile.total();
  const TimeColumns columns(total);
  heading("time by op, per call");
  Table ops(joined({{"op"}, {"calls", Table::Align::Right}}, columns.titles()));
  for (const OpTime &op : profile.byOp())
    ops.add(joined({op.op, format("%g", op.calls)}, columns.cells(op)));
  ops.add(joined({"all", format("%g", total.calls)}, columns.cells(total)));
  ops.print(stdout);
  if (sites == 0)
    return;
  heading("time by site, per call");
  Table places(joined(joined({{"op"}}, columns.titles()), {{"at"}}));
  for (size_t i = 0; i < std::min(sites, profile.sites.size()); ++i) {
    const OpTime &site = profile.sites[i];
    places.add(joined(joined({site.op}, columns.cells(site)), {site.location}));
  }
  places.print(stdout);
  if (profile.sites.size() > sites)
    std::printf("  and %zu more (--sites)\n", profile.sites.size() - sites);
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
    list.push_back(std::move(item));
  }
  return list;
}

Error run::writeTrace(const OpProfile &profile, const std::string &program,
                      const std::string &path) {
  using Json = nlohmann::ordered_json;
  auto named = [](const char *what, const std::string &name) {
    return Json{{"name", what},
                {"ph", "M"},
                {"pid", 1},
                {"tid", 1},
                {"args", {{"name", name}}}};
  };
  Json events = Json::array(
      {named("process_name", program), named("thread_name", "ops")});
  for (const OpSpan &span : profile.spans) {
    Json details = {{"location", span.location},
                    {"bytes", span.bytes},
                    {"flops", span.flops}};
    if (span.floorSeconds > 0)
      details["floor_us"] = span.floorSeconds * 1e6;
    events.push_back({{"name", span.op},
                      {"cat", "op"},
                      {"ph", "X"},
                      {"ts", span.begin * 1e6},
                      {"dur", span.seconds * 1e6},
                      {"pid", 1},
                      {"tid", 1},
                      {"args", std::move(details)}});
  }
  Json root = {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ns"}};
  return writeFile(
      path, root.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}
