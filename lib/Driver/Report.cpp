// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Driver/Report.h"

#include "MarkdownTable.h"
#include "PlanText.h"
#include "te/Analysis/CostModel.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Planning/MemorySummary.h"

#include "support/Text.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::te;
using ::tert::session::formatBytes;

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

class Report::Streamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Streamer(Report &report) : report(report) {}
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    Entry entry;
    entry.category = remark.getCategoryName().str();
    entry.name = remark.getRemarkName().str();
    entry.passed = remark.getRemarkTypeString() == "Passed";
    entry.path = getModulePath(remark.getLocation()).str();
    if (entry.category == "memory" && entry.name == "Arena") {
      describeArena(entry, remark);
    } else {
      for (const remark::detail::Remark::Arg &arg : remark.getArgs())
        add(entry, arg.key, arg.val);
    }
    report.entries.push_back(std::move(entry));
  }

private:
  static void append(std::string &list, StringRef text) {
    list += (list.empty() ? "" : ", ") + text.str();
  }

  /// Its figures as a sentence.
  static void describeArena(Entry &entry,
                            const remark::detail::Remark &remark) {
    llvm::StringMap<int64_t> figures;
    for (const remark::detail::Remark::Arg &arg : remark.getArgs())
      if (int64_t value; !StringRef(arg.val).getAsInteger(10, value))
        figures[arg.key] = value;
    entry.path = remark.getFunction().str();
    entry.passed = true;
    entry.text = llvm::formatv(
        "{0} buffers of {1} together lie in an arena of {2}; at most {3} of "
        "them hold values at the same time",
        figures.lookup("Buffers"),
        formatBytes(double(figures.lookup("BufferBytes"))),
        formatBytes(double(figures.lookup("ArenaBytes"))),
        formatBytes(double(figures.lookup("LiveBytes"))));
  }

  /// "ArenaBytes" as "arena bytes".
  static std::string inWords(StringRef key) {
    std::string words;
    for (char character : key) {
      if (llvm::isUpper(character) && !words.empty())
        words += ' ';
      words += llvm::toLower(character);
    }
    return words;
  }

  void add(Entry &entry, StringRef key, StringRef value) {
    if (key == "layer" || key == "module")
      entry.path = value.str();
    else if (key == "product")
      entry.product = value.str();
    else if (key == "shape")
      entry.shape = value.str();
    else if (key == "flops") // the sizes say it
      return;
    else if (key == "Suggestion")
      append(entry.suggestion, value);
    // Times of two ways to do it: CostComparison.
    else if (key.consume_back("Microseconds"))
      append(entry.figures, key.lower() + " " + value.str() + " us");
    else if (key == "Figures" || key == "range")
      append(entry.figures, value);
    // Sentences stand for themselves, figures need their name.
    else if (key == "Remark" || key == "Reason")
      append(entry.text, value);
    else
      append(entry.text, value.str() + " " + inWords(key));
  }

  Report &report;
};

FailureOr<std::unique_ptr<Report>> Report::collect(MLIRContext &context) {
  auto report = std::make_unique<Report>();
  // The engine takes remarks from one thread, and their order is the report's.
  context.disableMultithreading();
  remark::RemarkCategories categories;
  // The engine looks at a kind of remark only when it is named itself.
  categories.passed = categories.missed = categories.analysis = ".*";
  if (failed(remark::enableOptimizationRemarks(
          context, std::make_unique<Streamer>(*report),
          std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)))
    return failure();
  return report;
}

void Report::addCosts(ModuleOp module) {
  if (CostModel model{module})
    device = model.get().getDeviceName().str();
  costs = summarizeCosts(module);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Remarks that are about a product of a layer.
static constexpr StringRef kProducts = "te-partition";

Report::Products Report::getProducts() const {
  Products products;
  for (const Entry &entry : entries) {
    if (entry.category != kProducts || entry.shape.empty())
      continue;
    ++products.all;
    products.fp8 += entry.passed;
    if (entry.passed || llvm::is_contained(products.high, entry.path))
      continue;
    if (products.high.empty())
      products.why = entry.text;
    products.high.push_back(entry.path);
  }
  return products;
}

void Report::writeLayers(llvm::raw_ostream &os) const {
  // A layer's products side by side. Equal ones are of several entries.
  static const StringRef roles[] = {"fprop", "dgrad", "wgrad", ""};
  llvm::MapVector<StringRef, std::array<SmallVector<std::string>, 4>> layers;
  MarkdownTable high(
      {"layer", "product", "sizes", "why not FP8", "to change it"});
  high.foldLayers(0);
  size_t fp8 = 0, all = 0;
  for (const Entry &entry : entries) {
    if (entry.category != kProducts || entry.shape.empty())
      continue;
    const StringRef *role = llvm::find(roles, entry.product);
    size_t column =
        std::min<size_t>(role - std::begin(roles), std::size(roles) - 1);
    std::string cell = (entry.passed ? "FP8 " : "high ") + entry.shape;
    auto &cells = layers[entry.path][column];
    if (!llvm::is_contained(cells, cell))
      cells.push_back(std::move(cell));
    ++all;
    fp8 += entry.passed;
    if (!entry.passed)
      high.add({markdownCode(entry.path), entry.product, entry.shape,
                entry.text, entry.suggestion});
  }
  if (all == 0)
    return;
  os << "\n## Linear layers\n\n"
     << fp8 << " of " << all << " products are FP8.\n\n";
  MarkdownTable table({"layer", "fprop", "dgrad", "wgrad", "product"});
  table.foldLayers(0);
  for (auto &[path, cells] : layers) {
    std::vector<std::string> row{markdownCode(path.empty() ? "-" : path)};
    for (const SmallVector<std::string> &cell : cells)
      row.push_back(llvm::join(cell, "<br>"));
    table.add(std::move(row));
  }
  table.write(os);
  if (high.empty())
    return;
  os << "\n### In high precision\n\n";
  high.write(os);
}

void Report::writeDecisions(llvm::raw_ostream &os) const {
  llvm::MapVector<StringRef, MarkdownTable> passes;
  const std::string time = device.empty() ? "time" : "time on " + device;
  for (const Entry &entry : entries) {
    if (entry.category == kProducts && !entry.shape.empty())
      continue;
    auto place = passes.find(entry.category);
    if (place == passes.end()) {
      place = passes
                  .insert({entry.category,
                           MarkdownTable({"where", "what", "done", "why",
                                          "to change it", time})})
                  .first;
      place->second.foldLayers(0);
    }
    place->second.add({markdownCode(entry.path), entry.name,
                       entry.passed ? "yes" : "no", entry.text,
                       entry.suggestion, entry.figures});
  }
  for (auto &[pass, table] : passes) {
    os << "\n## Decisions of " << pass << "\n\n";
    table.write(os);
  }
}

void Report::writeCosts(llvm::raw_ostream &os) const {
  for (const EntryCosts &entry : costs) {
    os << "\n## Time of " << entry.entry << " on " << device
       << ", by the cost model\n\n";
    MarkdownTable table({"kernel", "calls>", "us>", "floor, us>", "figures"});
    auto add = [&](StringRef name, const KernelCosts &kernel) {
      std::string source = getSourceName(kernel.cost).str();
      if (kernel.unknownCalls)
        source += ", without " + std::to_string(kernel.unknownCalls) +
                  " calls it does not know";
      table.add({name.str(), std::to_string(kernel.calls),
                 llvm::formatv("{0:f1}", kernel.cost.getMicroseconds()),
                 llvm::formatv("{0:f1}", kernel.floorSeconds * 1e6),
                 std::move(source)});
    };
    for (const KernelCosts &kernel : entry.kernels)
      add(kernel.kernel, kernel);
    add("total", entry.getTotal());
    table.write(os);
  }
}

/// What is there all the time, by kind, and what each entry needs besides.
/// Entries run one after the other and share one arena, the largest.
static void writeMemory(llvm::raw_ostream &os, const MemorySummary &memory) {
  os << "\n## Memory\n\n";
  MarkdownTable kindTable({"states", "number>", "size>"});
  for (const MemorySummary::Kind &kind : memory.kinds)
    kindTable.add({kind.name, std::to_string(kind.count),
                   formatBytes(double(kind.bytes))});
  kindTable.write(os);
  os << "\n";
  MarkdownTable table({"entry", "arena>"});
  for (const MemorySummary::Entry &entry : memory.entries)
    table.add({entry.name, formatBytes(double(entry.arena))});
  table.write(os);
}

static void writeSlots(llvm::raw_ostream &os, const llvm::json::Array &slots) {
  os << "\n## Slots\n\n";
  MarkdownTable table({"slot>", "format", "tensor"});
  table.foldLayers(2, /*numbers=*/0);
  for (auto [index, value] : llvm::enumerate(slots)) {
    const llvm::json::Object &slot = *value.getAsObject();
    table.add({std::to_string(index),
               slot.getString("format").value_or("").str(),
               markdownCode(slot.getString("name").value_or(""))});
  }
  table.write(os);
}

/// What is trained, where that is not everything.
static void writeParameters(llvm::raw_ostream &os,
                            const llvm::json::Array &states) {
  MarkdownTable table({"frozen", "sizes"});
  int64_t count[2] = {}, elements[2] = {};
  for (const llvm::json::Value &value : states) {
    const llvm::json::Object &state = *value.getAsObject();
    if (state.getString("kind") != "parameter")
      continue;
    const bool isFrozen = state.getBoolean("frozen").value_or(false);
    const llvm::json::Object *shard = state.getObject("shard");
    const llvm::json::Array &shape =
        *(shard ? *shard : state).getArray("shape");
    int64_t size = 1;
    std::string sizes;
    for (const llvm::json::Value &dim : shape) {
      size *= dim.getAsInteger().value_or(1);
      sizes += (sizes.empty() ? "" : "x") +
               std::to_string(dim.getAsInteger().value_or(1));
    }
    ++count[isFrozen];
    elements[isFrozen] += size;
    if (isFrozen)
      table.add({markdownCode(state.getString("name").value_or("")), sizes});
  }
  if (!count[true])
    return;
  os << "\n## Parameters\n\n"
     << count[false] << " of " << count[false] + count[true]
     << " parameters are trained, " << elements[false] << " of "
     << elements[false] + elements[true]
     << " elements. The others are frozen: they have no gradients and no "
        "optimizer states.\n\n";
  table.write(os);
}

void Report::write(llvm::raw_ostream &os, StringRef source, StringRef target,
                   const llvm::json::Object &description) const {
  os << "# " << source << " for " << target << "\n";
  if (const llvm::json::Array *states = description.getArray("states"))
    writeParameters(os, *states);
  writeLayers(os);
  writeDecisions(os);
  writeCosts(os);
  if (plan)
    writeCollectives(os, *plan);
  if (description.getArray("entries"))
    writeMemory(os, summarizeMemory(description));
  const llvm::json::Array *slots = description.getArray("slots");
  if (slots && !slots->empty())
    writeSlots(os, *slots);
}
