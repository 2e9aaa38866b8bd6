// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run info: contents of an artifact.

#include "Commands.h"
#include "Output.h"
#include "artifact/Artifact.h"
#include "session/MemoryNeed.h"
#include "support/Json.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>

using namespace tert;
using namespace tert::run;
using namespace tert::session;

namespace {
struct InfoOptions {
  std::string artifact;
  bool json = false;
  bool all = false;
};

struct Total {
  size_t count = 0;
  size_t bytes = 0; ///< Per rank.
  int64_t elements = 0;
  size_t totalBytes = 0; ///< Total over the ranks, each shard counted once.
};

struct Totals {
  std::map<std::string, Total> byKind;
  Total frozen; ///< The frozen ones among the parameters.
  Total all;
  MemoryNeed memory; ///< For the entry that requires the most.
};

Totals totalsOf(const Description &description) {
  Totals totals;
  for (const StateDescription &state : description.states)
    for (Total *total : {&totals.byKind[state.kind], &totals.all,
                         state.isFrozen ? &totals.frozen : nullptr}) {
      if (!total)
        continue;
      ++total->count;
      total->bytes += state.type.bytes();
      total->elements += state.globalType().elements();
      total->totalBytes += state.globalType().bytes();
    }
  totals.memory = memoryNeed(description, nullptr);
  for (const EntryDescription &entry : description.entries)
    totals.memory = std::max(totals.memory, memoryNeed(description, &entry),
                             [](const MemoryNeed &a, const MemoryNeed &b) {
                               return a.total() < b.total();
                             });
  return totals;
}

const char *roleName(ArgumentDescription::Role role) {
  switch (role) {
  case ArgumentDescription::Role::Input:
    return "input";
  case ArgumentDescription::Role::Scalar:
    return "scalar";
  case ArgumentDescription::Role::State:
    return "state";
  case ArgumentDescription::Role::Output:
    return "output";
  }
  return "";
}

std::string initText(const StateInit &init) {
  switch (init.kind) {
  case StateInit::Kind::Data:
    return "data";
  case StateInit::Kind::Constant:
    return format("%g", init.first);
  case StateInit::Kind::Normal:
    return format("normal(%g, %g)", init.first, init.second);
  case StateInit::Kind::Uniform:
    return format("uniform(%g, %g)", init.first, init.second);
  case StateInit::Kind::Derived:
    return "derived";
  }
  return "";
}

std::string listOf(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// "f32 [1152]", followed by the full tensor of a shard.
std::string typeText(const StateDescription &state) {
  std::string text = toString(state.type);
  if (!state.shard || state.shard->layout.parts() == 1)
    return text;
  const StateShard &shard = *state.shard;
  text += " of " + toString(state.globalShape());
  if (!shard.dimAxes.empty())
    text += format(", dimension %lld over %s",
                   static_cast<long long>(shard.layout.cut().dim),
                   listOf(shard.dimAxes).c_str());
  if (!shard.flatAxes.empty())
    text += ", flat over " + listOf(shard.flatAxes);
  return text;
}

nlohmann::ordered_json shardJson(const StateShard &shard) {
  const ShardSplit &cut = shard.layout.cut();
  nlohmann::ordered_json root = {{"shape", cut.shape},
                                 {"parts", shard.layout.parts()}};
  if (!shard.dimAxes.empty()) {
    root["dim"] = cut.dim;
    root["dim_axes"] = shard.dimAxes;
    if (!cut.blocks.empty())
      root["blocks"] = cut.blocks;
  }
  if (!shard.flatAxes.empty())
    root["flat_axes"] = shard.flatAxes;
  return root;
}

nlohmann::ordered_json parsed(const std::string &text) {
  return text.empty() ? nlohmann::ordered_json(nullptr)
                      : parseJson<nlohmann::ordered_json>(text);
}

void printJson(const ArtifactFile &artifact) {
  const Description &description = artifact.description;
  Totals totals = totalsOf(description);
  nlohmann::ordered_json root = {{"artifact", artifact.path},
                                 {"compiler", description.compiler},
                                 {"target", description.target},
                                 {"source", description.source},
                                 {"fingerprint", description.fingerprint},
                                 {"options", parsed(description.options)},
                                 {"loss", parsed(description.loss)},
                                 {"recipe", parsed(description.recipe)},
                                 {"memory",
                                  {{"states", totals.memory.states},
                                   {"arena", totals.memory.arena},
                                   {"arguments", totals.memory.arguments},
                                   {"peak", totals.memory.total()}}}};
  if (totals.memory.host)
    root["memory"]["host"] = totals.memory.host;
  if (!description.mesh.axes.empty()) {
    root["mesh"] = nlohmann::ordered_json::array();
    for (const MeshAxis &axis : description.mesh.axes)
      root["mesh"].push_back({{"axis", axis.name}, {"size", axis.size}});
  }
  if (!description.tied.empty())
    root["tied"] = description.tied;
  const Total &parameters = totals.byKind["parameter"];
  root["parameters"] = {
      {"count", parameters.count},
      {"elements", parameters.elements},
      {"trained", parameters.count - totals.frozen.count},
      {"trained_elements", parameters.elements - totals.frozen.elements}};
  root["states"] = nlohmann::ordered_json::array();
  for (const StateDescription &state : description.states) {
    root["states"].push_back({{"name", state.name},
                              {"kind", state.kind},
                              {"dtype", descriptionName(state.type.dtype)},
                              {"shape", state.type.shape},
                              {"bytes", state.type.bytes()},
                              {"init", initText(state.init)}});
    if (state.isParameter())
      root["states"].back()["frozen"] = state.isFrozen;
    if (state.shard)
      root["states"].back()["shard"] = shardJson(*state.shard);
  }
  root["slots"] = nlohmann::ordered_json::array();
  for (const SlotDescription &slot : description.slots)
    root["slots"].push_back(
        {{"name", slot.name},
         {"format", slot.format == TERT_F8E5M2 ? "e5m2" : "e4m3"}});
  root["entries"] = nlohmann::ordered_json::array();
  for (const EntryDescription &entry : description.entries) {
    nlohmann::ordered_json arguments = nlohmann::ordered_json::array();
    for (const ArgumentDescription &argument : entry.arguments) {
      nlohmann::ordered_json item = {
          {"name", argument.name},
          {"role", roleName(argument.role)},
          {"dtype", descriptionName(argument.type.dtype)},
          {"shape", argument.type.shape}};
      if (argument.defaultValue)
        item["default"] = *argument.defaultValue;
      if (argument.range)
        item["range"] = {argument.range->first, argument.range->second};
      arguments.push_back(std::move(item));
    }
    root["entries"].push_back({{"name", entry.name},
                               {"arena_bytes", entry.arenaBytes},
                               {"arguments", std::move(arguments)}});
  }
  std::printf(
      "%s\n",
      root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
          .c_str());
}

void printText(const ArtifactFile &artifact, bool all) {
  using Align = Table::Align;
  const Description &description = artifact.description;
  Totals totals = totalsOf(description);
  heading(artifact.path);
  Table facts({{""}, {""}});
  facts.add({"compiled from", description.source});
  facts.add({"compiler", description.compiler});
  facts.add({"target", description.target});
  if (!description.mesh.axes.empty())
    facts.add({"mesh", description.mesh.text() + " (" +
                           std::to_string(description.mesh.ranks()) +
                           " ranks)"});
  if (!description.options.empty())
    facts.add({"options", description.options});
  if (!description.loss.empty())
    facts.add({"loss", description.loss});
  if (!description.recipe.empty())
    facts.add({"recipe", description.recipe});
  if (totals.frozen.count) {
    const Total &parameters = totals.byKind["parameter"];
    facts.add(
        {"trained",
         format(
             "%zu of %zu parameters, %s of %s elements; the others are "
             "frozen",
             parameters.count - totals.frozen.count, parameters.count,
             formatCount(static_cast<double>(parameters.elements -
                                             totals.frozen.elements))
                 .c_str(),
             formatCount(static_cast<double>(parameters.elements)).c_str())});
  }
  facts.add({"fingerprint", description.fingerprint});
  facts.print(stdout);

  for (const EntryDescription &entry : description.entries) {
    heading("entry " + entry.name);
    Table table({{"argument"}, {"role"}, {"type"}, {"default"}});
    size_t states = 0;
    for (const ArgumentDescription &argument : entry.arguments) {
      if (argument.role == ArgumentDescription::Role::State && !all) {
        ++states;
        continue;
      }
      std::string note =
          argument.defaultValue ? format("%g", *argument.defaultValue) : "";
      if (argument.range)
        note = format("%lld to %lld",
                      static_cast<long long>(argument.range->first),
                      static_cast<long long>(argument.range->second - 1));
      table.add({argument.name, roleName(argument.role),
                 toString(argument.type), note});
    }
    table.print(stdout);
    if (states)
      std::printf("  and %zu states\n", states);
    std::printf("  arena %s\n",
                formatBytes(static_cast<double>(entry.arenaBytes)).c_str());
  }

  heading("states");
  const bool inParts = totals.all.bytes != totals.all.totalBytes;
  std::vector<Table::Column> columns = {{"kind"},
                                        {"count", Align::Right},
                                        {"elements", Align::Right},
                                        {"size", Align::Right}};
  if (inParts)
    columns.push_back({"of a rank", Align::Right});
  Table kinds(std::move(columns));
  auto addTotal = [&](const std::string &name, const Total &total) {
    std::vector<std::string> cells = {
        name, std::to_string(total.count),
        formatCount(static_cast<double>(total.elements)),
        formatBytes(static_cast<double>(total.totalBytes))};
    if (inParts)
      cells.push_back(formatBytes(static_cast<double>(total.bytes)));
    kinds.add(std::move(cells));
  };
  for (const auto &[kind, total] : totals.byKind)
    addTotal(kind, total);
  addTotal("all", totals.all);
  kinds.print(stdout);
  if (all) {
    heading("every state");
    Table table({{"state"}, {"kind"}, {"type"}, {"starts as"}});
    for (const StateDescription &state : description.states)
      table.add({state.name, state.isFrozen ? "frozen parameter" : state.kind,
                 typeText(state), initText(state.init)});
    table.print(stdout);
  }

  if (!description.slots.empty()) {
    size_t e5m2 = static_cast<size_t>(
        std::count_if(description.slots.begin(), description.slots.end(),
                      [](const SlotDescription &slot) {
                        return slot.format == TERT_F8E5M2;
                      }));
    heading(format("FP8 slots: %zu in E4M3, %zu in E5M2",
                   description.slots.size() - e5m2, e5m2));
    if (all) {
      Table table({{"slot"}, {"format"}});
      for (const SlotDescription &slot : description.slots)
        table.add({slot.name, slot.format == TERT_F8E5M2 ? "e5m2" : "e4m3"});
      table.print(stdout);
    }
  }

  heading(inParts ? "memory of a rank" : "memory");
  Table memory({{""}, {"", Align::Right}});
  auto bytes = [](uint64_t count) {
    return formatBytes(static_cast<double>(count));
  };
  memory.add({"states", bytes(totals.memory.states)});
  memory.add({"arena", bytes(totals.memory.arena)});
  memory.add({"inputs and outputs", bytes(totals.memory.arguments)});
  memory.add({"peak", bytes(totals.memory.total())});
  if (totals.memory.host)
    memory.add({"in the host's memory", bytes(totals.memory.host)});
  memory.print(stdout);
  if (!all)
    std::printf("\nAdd --all for every state and slot.\n");
}

int runInfo(const InfoOptions &options) {
  Expected<ArtifactFile> artifact = ArtifactFile::read(options.artifact);
  if (!artifact)
    return reportError(artifact.takeError());
  if (options.json)
    printJson(*artifact);
  else
    printText(*artifact, options.all);
  return 0;
}
} // namespace

void run::addInfo(CLI::App &app, Run &run) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App *command = app.add_subcommand(
      "info", "What a program is: entries, arguments, states, slots, memory");
  command->add_option("ARTIFACT", options->artifact, "model.so")->required();
  command->add_flag("--json", options->json, "As JSON, for programs");
  command->add_flag("--all", options->all, "Every state and slot by name");
  command->footer("Examples:\n"
                  "  te-run info model.so\n"
                  "  te-run info model.so --json | jq .memory");
  command->callback(
      [options, &run] { run = [options] { return runInfo(*options); }; });
}
