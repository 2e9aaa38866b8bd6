// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Planning/Plan.h"

using namespace mlir::te;
namespace json = llvm::json;

static json::Object toJson(const MemoryProfile::Sample &sample) {
  return json::Object{{"activation_bytes", sample.activations},
                      {"gradient_bytes", sample.gradients},
                      {"other_bytes", sample.others}};
}

static json::Object toJson(const Plan &plan, const MemorySummary &memory) {
  json::Array kinds, entries, profiles, alternatives;
  for (const Plan::Entry &entry : plan.entries) {
    json::Array samples;
    for (const MemoryProfile::Sample &sample : entry.memory.samples)
      samples.push_back(toJson(sample));
    profiles.push_back(json::Object{{"entry", entry.timeline.entry},
                                    {"peak", toJson(entry.memory.peak)},
                                    {"parts", std::move(samples)}});
  }
  for (const Plan::Alternative &one : plan.alternatives)
    alternatives.push_back(
        json::Object{{"bytes", one.bytes}, {"seconds", one.seconds}});
  for (const MemorySummary::Kind &kind : memory.kinds)
    kinds.push_back(json::Object{
        {"kind", kind.name}, {"count", kind.count}, {"bytes", kind.bytes}});
  for (const MemorySummary::Entry &entry : memory.entries)
    entries.push_back(json::Object{{"entry", entry.name},
                                   {"arena_bytes", entry.arena},
                                   {"argument_bytes", entry.arguments},
                                   {"bytes", memory.getBytes(entry)}});
  json::Object object{{"bytes", plan.bytes},
                      {"state_bytes", memory.getStateBytes()},
                      {"states", std::move(kinds)},
                      {"entries", std::move(entries)},
                      {"profiles", std::move(profiles)}};
  if (!alternatives.empty())
    object["alternatives"] = std::move(alternatives);
  if (memory.hostBytes)
    object["host_bytes"] = memory.hostBytes;
  return object;
}

static json::Object toJson(const CollectiveGroup &group, bool hasTimes) {
  const Collective &each = group.each;
  json::Object object{{"entry", group.entry},
                      {"kind", stringifyEnum(each.kind)},
                      {"axes", group.axes},
                      {"ranks", each.ranks},
                      {"dtypes", each.dtypes},
                      {"tensors", each.tensors},
                      {"whole_bytes", each.wholeBytes},
                      {"sent_bytes", each.sentBytes},
                      {"per_call", group.perCall},
                      {"per_step", group.perStep},
                      {"begun", each.isAsync},
                      {"calls_beside", each.overlappedCalls}};
  if (hasTimes) {
    object["seconds_beside"] = each.overlappedSeconds;
    object["seconds"] = each.seconds;
    object["exposed_seconds"] = each.exposedSeconds;
  }
  return object;
}

json::Object mlir::te::toJson(const Plan &plan) {
  json::Array mesh, collectives;
  for (const MeshAxis &axis : plan.axes)
    mesh.push_back(json::Object{{"axis", axis.name}, {"size", axis.size}});
  for (const CollectiveGroup &group : plan.collectives)
    collectives.push_back(::toJson(group, plan.hasTimes));
  json::Object step{{"tokens", plan.tokens},
                    {"flops_per_rank", plan.flops},
                    {"sent_bytes_per_rank", plan.sentBytes}};
  if (plan.hasTimes) {
    step["seconds"] = plan.seconds;
    step["compute_seconds"] = plan.computeSeconds;
    step["collective_seconds"] = plan.collectiveSeconds;
    step["exposed_seconds"] = plan.exposedSeconds;
    step["tokens_per_second"] = plan.getTokensPerSecond();
    step["utilization"] = plan.getUtilization();
  }
  return json::Object{{"format", "te-plan"},
                      {"version", 1},
                      {"cluster", plan.cluster.name},
                      {"device", plan.cluster.device
                                     ? json::Value(plan.cluster.device->name)
                                     : json::Value(nullptr)},
                      {"host_size", plan.cluster.hostSize},
                      {"mesh", std::move(mesh)},
                      {"ranks", plan.ranks},
                      {"hosts", plan.hosts},
                      {"microbatches", plan.microbatches},
                      {"memory", ::toJson(plan, plan.memory)},
                      {"collectives", std::move(collectives)},
                      {"step", std::move(step)}};
}
