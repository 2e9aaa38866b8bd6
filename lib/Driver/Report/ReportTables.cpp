// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report/ReportTables.h"

#include "PlanText.h"
#include "te/Analysis/CostModel.h"

#include "support/Text.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::te;
using ::tert::session::formatBytes;
using Style = TableLine::Style;

/// "1.25 TFLOP"
static std::string formatFlops(double flops) {
  std::string text = ::tert::session::formatCount(flops);
  const size_t digits =
      StringRef(text)
          .take_while([](char character) { return !llvm::isAlpha(character); })
          .size();
  return text.substr(0, digits) + " " + text.substr(digits) + "FLOP";
}

Table mlir::te::makeEntryTable(const ReportData &data) {
  Table table({"entry", "products>", "FP8>", "operations>", "FP8, %>", "time>",
               "arena>"});
  for (const ReportData::Entry &entry : data.getEntries()) {
    Table::Row row{TableCell::code(entry.name)};
    if (entry.products) {
      row.insert(row.end(),
                 {std::to_string(entry.products),
                  std::to_string(entry.fp8Products), formatFlops(entry.flops),
                  entry.flops > 0
                      ? TableCell(llvm::formatv("{0:f1}", 100 * entry.fp8Flops /
                                                              entry.flops))
                      : TableCell()});
    } else {
      row.resize(5);
    }
    row.push_back(entry.seconds ? formatSeconds(*entry.seconds) : "");
    row.push_back(entry.arena ? formatBytes(double(*entry.arena)) : "");
    table.add(std::move(row));
  }
  return table;
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

namespace {
/// Products of a layer in one role, of several entries, that look alike.
struct AlikeProducts {
  std::vector<TableLine> lines;
  std::vector<std::string> entries;
};
using ProductCell = std::vector<AlikeProducts>;

} // namespace

static void addProduct(ProductCell &cell, const ReportProduct &product,
                       bool detailed) {
  const Style style = product.isFp8 ? Style::Fp8 : Style::High;
  std::vector<TableLine> lines;
  if (detailed) {
    lines.push_back({product.formats, style, ""});
    lines.push_back({product.shape, Style::Text, ""});
  } else {
    lines.push_back({product.shape, style, ""});
  }
  auto alike = llvm::find_if(cell, [&](const AlikeProducts &other) {
    return llvm::equal(lines, ArrayRef(other.lines).take_front(lines.size()),
                       [](const TableLine &a, const TableLine &b) {
                         return a.text == b.text && a.style == b.style;
                       });
  });
  if (alike != cell.end()) {
    if (!llvm::is_contained(alike->entries, product.entry))
      alike->entries.push_back(product.entry);
    return;
  }
  if (detailed) {
    std::string work = formatFlops(product.flops);
    if (product.seconds)
      work += ", " + formatSeconds(*product.seconds);
    lines.push_back({std::move(work), Style::Text, ""});
  }
  cell.push_back({std::move(lines), {product.entry}});
}

/// The lines of all entries, which are named where they differ.
static TableCell makeProductCell(ProductCell &cell) {
  std::vector<TableLine> lines;
  for (AlikeProducts &alike : cell) {
    if (cell.size() > 1)
      alike.lines.front().label = llvm::join(alike.entries, ", ");
    llvm::append_range(lines, alike.lines);
  }
  return lines;
}

Table mlir::te::makeLayerTable(const ReportData &data, bool detailed) {
  static const StringRef roles[] = {"fprop", "dgrad", "wgrad"};
  llvm::MapVector<StringRef, std::array<ProductCell, 4>> layers;
  for (const ReportProduct &product : data.products)
    addProduct(layers[product.layer]
                     [llvm::find(roles, product.product) - std::begin(roles)],
               product, detailed);
  Table table({"layer", "fprop", "dgrad", "wgrad", "product"});
  table.foldLayers(0);
  for (auto &[path, cells] : layers) {
    Table::Row row{TableCell::code(path.empty() ? "-" : path)};
    for (ProductCell &cell : cells)
      row.push_back(makeProductCell(cell));
    table.add(std::move(row));
  }
  return table;
}

static std::string formatShare(double share) {
  return llvm::formatv("{0}", llvm::format("%.2g", 100 * share)).str();
}

Table mlir::te::makeSensitivityTable(const ReportData &data) {
  Table table({"layer", "computed in", "adds to loss, %>",
               "FP8 from --quality>", "error of fprop, %>", "dgrad>",
               "wgrad>"});
  double most = 0;
  for (const ReportSensitivity &layer : data.sensitivity)
    most = std::max(most, layer.getAddsToLoss());
  for (const ReportSensitivity &layer : data.sensitivity) {
    Table::Row row{TableCell::code(layer.layer),
                   layer.isFp8 ? "FP8" : "high (" + layer.decision + ")"};
    row.push_back(formatShare(layer.getAddsToLoss()));
    if (most > 0)
      row.back().share = layer.getAddsToLoss() / most;
    row.push_back(layer.quality);
    for (const auto &product : layer.products)
      row.push_back(product ? formatShare(product->relativeError) : "");
    table.add(std::move(row));
  }
  return table;
}

std::string mlir::te::describeSensitivity(const ReportData &data) {
  double inFp8 = 0, all = 0;
  for (const ReportSensitivity &layer : data.sensitivity) {
    all += layer.getAddsToLoss();
    inFp8 += layer.isFp8 ? layer.getAddsToLoss() : 0;
  }
  return "FP8 is predicted to add " + formatShare(inFp8) +
         " % to the loss; all of these layers in FP8 would add " +
         formatShare(all) +
         " %. With the --quality of its row, or more, a layer is FP8; a rule "
         "of --policy decides before it, as 'LAYER=high' does.";
}

Table mlir::te::makeHighTable(const ReportData &data) {
  Table table(
      {"layer", "product", "sizes", "why not FP8", "to change it", "figures"});
  table.foldLayers(0);
  for (const ReportProduct &product : data.products)
    if (!product.isFp8 && !product.decision.empty())
      table.add({TableCell::code(product.layer), product.product, product.shape,
                 product.reason, product.suggestion, product.figures});
  return table;
}

//===----------------------------------------------------------------------===//
// Other decisions, costs, memory
//===----------------------------------------------------------------------===//

std::vector<std::pair<std::string, Table>>
mlir::te::makeDecisionTables(const ReportData &data) {
  llvm::MapVector<StringRef, Table> passes;
  const std::string time =
      data.device.empty() ? "time" : "time on " + data.device;
  for (const ReportDecision &decision : data.decisions) {
    auto place = passes.find(decision.pass);
    if (place == passes.end()) {
      place = passes
                  .insert({decision.pass, Table({"where", "what", "done", "why",
                                                 "to change it", time})})
                  .first;
      place->second.foldLayers(0);
    }
    place->second.add({TableCell::code(decision.where), decision.what,
                       decision.isDone ? "yes" : "no", decision.text,
                       decision.suggestion, decision.figures});
  }
  std::vector<std::pair<std::string, Table>> tables;
  for (auto &[pass, table] : passes)
    tables.emplace_back(pass.str(), std::move(table));
  return tables;
}

Table mlir::te::makeCostTable(const EntryCosts &entry) {
  Table table({"kernel", "calls>", "us>", "floor, us>", "figures"});
  const KernelCosts total = entry.getTotal();
  auto add = [&](StringRef name, const KernelCosts &kernel, bool isPart) {
    std::string source = getSourceName(kernel.cost).str();
    if (kernel.unknownCalls)
      source += ", without " + std::to_string(kernel.unknownCalls) +
                " calls it does not know";
    TableCell time(llvm::formatv("{0:f1}", kernel.cost.getMicroseconds()));
    if (isPart && total.cost.seconds > 0)
      time.share = kernel.cost.seconds / total.cost.seconds;
    table.add({name, std::to_string(kernel.calls), std::move(time),
               llvm::formatv("{0:f1}", kernel.floorSeconds * 1e6),
               std::move(source)});
  };
  for (const KernelCosts &kernel : entry.kernels)
    add(kernel.kernel, kernel, /*isPart=*/true);
  add("total", total, /*isPart=*/false);
  return table;
}

/// A size, as a share of the memory that a program needs at most.
static TableCell makeSizeCell(int64_t bytes, int64_t all) {
  TableCell cell(formatBytes(double(bytes)));
  if (all > 0)
    cell.share = double(bytes) / double(all);
  return cell;
}

static int64_t getMostBytes(const MemorySummary &memory) {
  int64_t bytes = memory.getStateBytes();
  for (const MemorySummary::Entry &entry : memory.entries)
    bytes = std::max(bytes, memory.getBytes(entry));
  return bytes;
}

Table mlir::te::makeStateTable(const MemorySummary &memory) {
  Table table({"states", "number>", "size>"});
  for (const MemorySummary::Kind &kind : memory.kinds)
    table.add({kind.name, std::to_string(kind.count),
               makeSizeCell(kind.bytes, getMostBytes(memory))});
  if (memory.hostBytes)
    table.add({"in the host's memory", "",
               TableCell(formatBytes(double(memory.hostBytes)))});
  return table;
}

Table mlir::te::makeArenaTable(const MemorySummary &memory) {
  Table table({"entry", "arena>"});
  for (const MemorySummary::Entry &entry : memory.entries)
    table.add({entry.name, makeSizeCell(entry.arena, getMostBytes(memory))});
  return table;
}

Table mlir::te::makeProfileTable(const Plan::Entry &entry) {
  Table table({"part of " + entry.timeline.entry, "activations kept>",
               "gradients>", "others>", "in use>"});
  const MemoryProfile &profile = entry.memory;
  auto add = [&](const std::string &name, const MemoryProfile::Sample &sample) {
    auto cell = [&](int64_t bytes) {
      return makeSizeCell(bytes, profile.peak.getBytes());
    };
    table.add({name, cell(sample.activations), cell(sample.gradients),
               cell(sample.others), cell(sample.getBytes())});
  };
  for (auto [i, sample] : llvm::enumerate(profile.samples))
    add(llvm::formatv("{0} %", i * 100 / profile.samples.size()), sample);
  add("at most", profile.peak);
  return table;
}

std::string mlir::te::describeProfile(const Plan &plan,
                                      const Plan::Entry &entry) {
  const std::string &name = entry.timeline.entry;
  const MemorySummary::Entry *memory = plan.memory.findEntry(name);
  return llvm::formatv(
      "The arena of {0} takes {1}, of which up to {2} are in use at a time. By "
      "the position in the program, counted in operations:",
      name, formatBytes(memory ? double(memory->arena) : 0),
      formatBytes(double(entry.memory.peak.getBytes())));
}

Table mlir::te::makeAlternativesTable(const Plan &plan) {
  Table table({"memory>", "a step takes>", "longer for a GiB less>"});
  const Plan::Alternative *more = nullptr;
  for (const Plan::Alternative &one : llvm::reverse(plan.alternatives)) {
    std::string price;
    if (more)
      price = formatSeconds((one.seconds - more->seconds) *
                            double(int64_t(1) << 30) /
                            double(more->bytes - one.bytes));
    table.add(
        {formatBytes(double(one.bytes)), formatSeconds(one.seconds), price});
    more = &one;
  }
  return table;
}

Table mlir::te::makeFrozenTable(const ReportParameters &parameters) {
  Table table({"frozen", "sizes"});
  for (const ReportParameters::Parameter &parameter : parameters.frozen)
    table.add({TableCell::code(parameter.name), parameter.sizes});
  return table;
}

std::string mlir::te::describeParameters(const ReportParameters &parameters) {
  if (parameters.frozen.empty())
    return "";
  return llvm::formatv(
      "{0} of {1} parameters are trained, {2} of {3} elements. The others are "
      "frozen: they have no gradients and no optimizer states.",
      parameters.trained,
      parameters.trained + int64_t(parameters.frozen.size()),
      parameters.trainedElements,
      parameters.trainedElements + parameters.frozenElements);
}

Table mlir::te::makeSlotTable(const std::vector<ReportSlot> &slots) {
  Table table({"slot>", "format", "tensor"});
  table.foldLayers(2, /*numbers=*/0);
  for (auto [index, slot] : llvm::enumerate(slots))
    table.add({std::to_string(index), slot.format, TableCell::code(slot.name)});
  return table;
}
