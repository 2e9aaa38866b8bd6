// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlanText.h"

#include "Table.h"
#include "support/Text.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::te;
using ::tert::session::formatBytes;

/// A number of these units with three digits or so: "1.50 ms".
static std::string withUnit(double value, ArrayRef<StringRef> units,
                            double step) {
  size_t unit = 0;
  for (; value >= step && unit + 1 < units.size(); ++unit)
    value /= step;
  const char *format = value >= 100  ? "{0:f0} {1}"
                       : value >= 10 ? "{0:f1} {1}"
                                     : "{0:f2} {1}";
  return llvm::formatv(false, format, value, units[unit]);
}

std::string mlir::te::formatSeconds(double seconds) {
  return withUnit(seconds * 1e6, {"us", "ms", "s"}, 1000);
}

static std::string formatCount(double count) {
  if (count < 1000)
    return llvm::formatv("{0:f0}", count);
  return withUnit(count / 1000, {"thousand", "million", "billion"}, 1000);
}

static std::string meshOf(const Plan &plan) {
  if (plan.axes.empty())
    return "one rank";
  std::string text;
  for (const MeshAxis &axis : plan.axes)
    text +=
        (text.empty() ? "" : ",") + axis.name + "=" + std::to_string(axis.size);
  return text + ": " + std::to_string(plan.ranks) +
         (plan.ranks == 1 ? " rank" : " ranks");
}

/// What computation is there to hide a collective behind.
static std::string besideOf(const CollectiveGroup &group, bool hasTimes) {
  const Collective &each = group.each;
  if (!each.isAsync || each.overlappedCalls == 0)
    return "nothing";
  std::string text = std::to_string(each.overlappedCalls) +
                     (each.overlappedCalls == 1 ? " call" : " calls");
  if (hasTimes)
    text += ", " + formatSeconds(each.overlappedSeconds);
  return text;
}

Table mlir::te::makeCollectiveTable(const Plan &plan) {
  Table table({"entry", "collective", "along", "of", "tensors>",
               "a rank sends>", "a step>", "beside", "takes>",
               "of it exposed>"});
  for (const CollectiveGroup &group : plan.collectives) {
    const Collective &each = group.each;
    // Entries that are no part of a step are called by themselves.
    std::string often = group.perStep
                            ? std::to_string(group.perStep)
                            : std::to_string(group.perCall) + " a call";
    table.add({group.entry, stringifyEnum(each.kind),
               group.axes + " (" + std::to_string(each.ranks) + ")",
               each.dtypes, std::to_string(each.tensors),
               formatBytes(each.sentBytes), often,
               besideOf(group, plan.hasTimes),
               plan.hasTimes ? formatSeconds(each.seconds) : "",
               plan.hasTimes ? formatSeconds(each.exposedSeconds) : ""});
  }
  return table;
}

std::string mlir::te::describeCollectiveTimes(const Plan &plan) {
  if (!plan.hasTimes)
    return "";
  return llvm::formatv("Times are estimates for {0}, {1} ranks on a host.",
                       plan.cluster.name, plan.cluster.hostSize);
}

static void writePlanCollectives(llvm::raw_ostream &os, const Plan &plan) {
  if (plan.collectives.empty())
    return;
  os << "\n## Collectives\n\n";
  if (plan.hasTimes)
    os << describeCollectiveTimes(plan) << "\n\n";
  makeCollectiveTable(plan).writeMarkdown(os);
}

static void writePlanMemory(llvm::raw_ostream &os, const Plan &plan) {
  os << "\n## Memory of a rank\n\n";
  Table table({"", "number>", "size>"});
  for (const MemorySummary::Kind &kind : plan.memory.kinds)
    table.add({kind.name, std::to_string(kind.count),
               formatBytes(double(kind.bytes))});
  for (const MemorySummary::Entry &entry : plan.memory.entries) {
    table.add({"arena of " + entry.name, "", formatBytes(double(entry.arena))});
    if (entry.arguments > 0)
      table.add({"inputs and outputs of " + entry.name, "",
                 formatBytes(double(entry.arguments))});
  }
  table.add({"at most, with one entry's", "", formatBytes(double(plan.bytes))});
  if (plan.memory.hostBytes)
    table.add({"beside it, in the host's memory", "",
               formatBytes(double(plan.memory.hostBytes))});
  table.writeMarkdown(os);
  if (!plan.cluster.device)
    return;
  const double has = plan.cluster.device->memory;
  os << "\n"
     << plan.cluster.device->name << " has " << formatBytes(has) << ": "
     << (double(plan.bytes) <= has ? "it fits" : "it does not fit") << ".\n";
}

static void writeStep(llvm::raw_ostream &os, const Plan &plan) {
  os << "\n## A step\n\n";
  Table table({"", ">", ""});
  table.add({"tokens", formatCount(double(plan.tokens)), "on all ranks"});
  table.add({"products", llvm::formatv("{0:f2} TFLOP", plan.flops / 1e12),
             "on each rank"});
  if (plan.sentBytes > 0)
    table.add({"communicated", formatBytes(plan.sentBytes),
               "sent by each rank, and received"});
  if (plan.hasTimes) {
    table.add({"computation", formatSeconds(plan.computeSeconds), ""});
    if (plan.collectiveSeconds > 0)
      table.add({"collectives", formatSeconds(plan.collectiveSeconds),
                 formatSeconds(plan.exposedSeconds) + " of it exposed"});
    table.add(
        {"a step", formatSeconds(plan.seconds),
         plan.collectiveSeconds > 0
             ? "with what collectives take from the computation beside them"
             : ""});
    table.add({"tokens a second", formatCount(plan.getTokensPerSecond()),
               formatCount(plan.getTokensPerSecond() / double(plan.ranks)) +
                   " on each rank"});
    table.add({"utilization",
               llvm::formatv("{0:f1} %", 100 * plan.getUtilization()),
               llvm::formatv("of {0:f0} TFLOP/s, the peak for bf16",
                             plan.cluster.device->peak / 1e12)});
  }
  table.writeMarkdown(os);
}

void mlir::te::writePlan(llvm::raw_ostream &os, llvm::StringRef source,
                         const Plan &plan) {
  os << "# Plan of " << source << " for " << meshOf(plan) << " on "
     << plan.hosts << (plan.hosts == 1 ? " host" : " hosts") << " of "
     << plan.cluster.name << "\n";
  if (plan.microbatches > 1)
    os << "\nA step has " << plan.microbatches << " microbatches.\n";
  writePlanMemory(os, plan);
  writePlanCollectives(os, plan);
  writeStep(os, plan);
}
