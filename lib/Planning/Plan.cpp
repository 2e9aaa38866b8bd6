// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Planning/Plan.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TERT/IR/CallWork.h"

#include "llvm/Support/MathExtras.h"

#include <map>
#include <tuple>

using namespace mlir;
using namespace mlir::te;
namespace json = llvm::json;

/// Parts of a program of which a plan has the memory in use.
static constexpr unsigned kNumMemorySamples = 16;

/// Tokens of the batch of a call of the entry, counted as in te-run: the
/// elements of its first input of integers, or the rows of its first input.
static int64_t countTokens(const json::Object &entry) {
  int64_t rows = 0;
  for (const json::Value &value : *entry.getArray("arguments")) {
    const json::Object &argument = *value.getAsObject();
    if (argument.getString("role") != "input")
      continue;
    int64_t elements = 1, last = 1;
    for (const json::Value &size : *argument.getArray("shape"))
      elements *= last = size.getAsInteger().value_or(0);
    if (argument.getString("dtype")->starts_with("i"))
      return elements;
    if (rows == 0 && last != 0)
      rows = elements / last;
  }
  return rows == 0 ? 1 : rows;
}

/// Calls of an entry in a training step: all microbatches but the last call
/// `accumulate`.
static int64_t callsPerStep(StringRef entry, int64_t microbatches) {
  return entry == "train" ? 1 : entry == "accumulate" ? microbatches - 1 : 0;
}

static std::string namesOf(int32_t meshAxes, ArrayRef<MeshAxis> axes) {
  std::string names;
  for (auto [number, axis] : llvm::enumerate(axes))
    if (meshAxes >> number & 1)
      names += (names.empty() ? "" : ", ") + axis.name;
  return names;
}

/// Adds the collectives of an entry, grouped by likeness, in the order of each
/// group's first in the program.
static void groupCollectives(const Plan::Entry &entry, ArrayRef<MeshAxis> axes,
                             std::vector<CollectiveGroup> &groups) {
  std::map<std::tuple<int, int32_t, std::string, int64_t, double, bool>, size_t>
      known;
  for (const Collective &collective : entry.timeline.collectives) {
    auto [place, isNew] = known.try_emplace(
        {int(collective.kind), collective.meshAxes, collective.dtypes,
         collective.tensors, collective.wholeBytes, collective.isAsync},
        groups.size());
    if (isNew) {
      CollectiveGroup group;
      group.entry = entry.timeline.entry;
      group.axes = namesOf(collective.meshAxes, axes);
      group.each = collective;
      group.perCall = 1;
      groups.push_back(std::move(group));
      continue;
    }
    CollectiveGroup &group = groups[place->second];
    group.each.overlappedCalls += collective.overlappedCalls;
    group.each.overlappedSeconds += collective.overlappedSeconds;
    group.each.exposedSeconds += collective.exposedSeconds;
    ++group.perCall;
  }
  for (auto &[key, place] : known) {
    CollectiveGroup &group = groups[place];
    group.perStep = group.perCall * entry.perStep;
    group.each.overlappedCalls /= group.perCall;
    group.each.overlappedSeconds /= double(group.perCall);
    group.each.exposedSeconds /= double(group.perCall);
  }
}

FailureOr<Plan> mlir::te::makePlan(ModuleOp module,
                                   const json::Object &description,
                                   CostModelAttrInterface costs,
                                   const Cluster &cluster,
                                   int64_t microbatches) {
  Plan plan;
  plan.cluster = cluster;
  plan.microbatches = microbatches;
  FailureOr<std::optional<Mesh>> mesh = Mesh::get(module);
  if (failed(mesh))
    return failure();
  if (*mesh) {
    llvm::append_range(plan.axes, (*mesh)->getAxes());
    plan.ranks = (*mesh)->getNumRanks();
  }
  plan.hosts = int64_t(llvm::divideCeil(plan.ranks, cluster.hostSize));
  TimeModel model(costs, cluster);
  plan.hasTimes = model.isKnown();

  plan.memory = summarizeMemory(description);
  plan.bytes = plan.memory.getBytes();

  for (auto function : module.getOps<func::FuncOp>()) {
    auto name = function->getAttrOfType<StringAttr>(kEntryAttr);
    if (!name)
      continue;
    FailureOr<Timeline> timeline = computeTimeline(function, plan.axes, model);
    if (failed(timeline))
      return failure();
    timeline->entry = name.str();
    FailureOr<MemoryProfile> memory =
        computeMemoryProfile(function, kNumMemorySamples);
    if (failed(memory))
      return failure();
    Plan::Entry entry{std::move(*timeline), callsPerStep(name, microbatches),
                      std::move(*memory)};
    groupCollectives(entry, plan.axes, plan.collectives);
    const double times = double(entry.perStep);
    plan.flops += times * entry.timeline.flops;
    plan.computeSeconds += times * entry.timeline.computeSeconds;
    plan.seconds += times * entry.timeline.seconds;
    for (const Collective &collective : entry.timeline.collectives) {
      plan.sentBytes += times * collective.sentBytes;
      plan.collectiveSeconds += times * collective.seconds;
      plan.exposedSeconds += times * collective.exposedSeconds;
    }
    plan.entries.push_back(std::move(entry));
  }

  int64_t batches = microbatches;
  for (const MeshAxis &axis : plan.axes)
    if (hasOwnBatches(axis.name))
      batches *= axis.size;
  for (const json::Value &value : *description.getArray("entries"))
    if (const json::Object &entry = *value.getAsObject();
        entry.getString("name") == "train")
      plan.tokens = batches * countTokens(entry);
  return plan;
}
