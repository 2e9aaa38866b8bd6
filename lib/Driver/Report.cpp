// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Driver/Report.h"

#include "Report/ReportWriter.h"
#include "te/Analysis/Calibration.h"
#include "te/Analysis/CostModel.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Planning/MemorySummary.h"

#include "support/Text.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
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
    entry.function = remark.getFunction().str();
    entry.path = getModulePath(remark.getLocation()).str();
    for (const remark::detail::Remark::Arg &arg : remark.getArgs())
      entry.arguments.emplace_back(arg.key, arg.val);
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
    else if (key == "flops")
      value.getAsDouble(entry.flops);
    else if (key == "Suggestion")
      append(entry.suggestion, value);
    // Times of two ways to do it: CostComparison.
    else if (key.consume_back("Microseconds"))
      append(entry.figures, key.lower() + " " + value.str() + " us");
    else if (key == "Figures" || key == "range" || key == "calibration")
      append(entry.figures, value);
    // In a table of its own.
    else if (key == "fp8Quality")
      return;
    // Sentences stand for themselves, figures need their name.
    else if (key == "Remark" || key == "Reason")
      append(entry.text, value);
    else
      append(entry.text, value.str() + " " + inWords(key));
  }

  Report &report;
};

FailureOr<std::unique_ptr<Report>> Report::collect(MLIRContext &context) {
  std::unique_ptr<Report> report(new Report);
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

Report::Report() : program(std::make_unique<ReportData>()) {}
Report::~Report() = default;

void Report::addCosts(ModuleOp module) {
  if (CostModel model{module})
    program->device = model.get().getDeviceName().str();
  program->costs = summarizeCosts(module);
}

void Report::addProgram(ModuleOp module) {
  addCosts(module);
  program->graphs = collectGraphs(module);
}

void Report::addCalibration(Calibration known) {
  calibration = std::make_unique<Calibration>(std::move(known));
}

void Report::addPlan(const Plan &plan) { program->plan = &plan; }

//===----------------------------------------------------------------------===//
// Products of layers
//===----------------------------------------------------------------------===//

/// Remarks that are about a product of a layer.
static constexpr StringRef kProducts = "te-partition";

Report::Products Report::getProducts() const {
  Products products;
  llvm::StringSet<> inFp8; // layers, which several entries may have
  for (const Entry &entry : entries) {
    if (entry.category != kProducts || entry.shape.empty())
      continue;
    ++products.all;
    products.fp8 += entry.passed;
    products.flops += entry.flops;
    products.fp8Flops += entry.passed ? entry.flops : 0;
    if (const Calibration::Layer *layer =
            calibration && entry.passed && entry.product == "fprop"
                ? calibration->find(entry.path)
                : nullptr;
        layer && inFp8.insert(entry.path).second)
      if (const Calibration::Product *fprop = layer->find(MatmulRole::Fprop))
        products.addsToLoss = products.addsToLoss.value_or(0) +
                              fprop->lossIncrease / calibration->getLoss();
    if (entry.passed || llvm::is_contained(products.high, entry.path))
      continue;
    if (products.high.empty())
      products.why = entry.text;
    products.high.push_back(entry.path);
  }
  return products;
}

std::optional<Report::Prediction> Report::predict(StringRef entry) const {
  auto known = llvm::find_if(program->costs, [&](const EntryCosts &each) {
    return each.entry == entry;
  });
  if (known == program->costs.end())
    return std::nullopt;
  const double seconds = known->getTotal().cost.seconds;
  double saved = 0;
  bool hasTimes = false;
  for (const Entry &decision : entries) {
    if (decision.category != kProducts || !decision.passed ||
        decision.function != entry)
      continue;
    for (const auto &[key, value] : decision.arguments) {
      double microseconds = 0;
      if (StringRef(value).getAsDouble(microseconds))
        continue;
      if (key == "HighMicroseconds")
        saved += microseconds;
      else if (key == "FP8Microseconds")
        saved -= microseconds;
      else
        continue;
      hasTimes = true;
    }
  }
  if (!hasTimes)
    return std::nullopt;
  return Prediction{seconds, seconds + saved * 1e-6};
}

/// Adds what the program says about a product: one that was split is several
/// operations.
static void addOperations(ReportProduct &product, const ReportGraph &graph) {
  std::optional<double> seconds;
  bool isKnown = true;
  for (const ReportOp &op : graph.ops) {
    if (op.path != product.layer || op.product != product.product)
      continue;
    product.formats = op.formats;
    isKnown &= op.seconds.has_value();
    seconds = seconds.value_or(0) + op.seconds.value_or(0);
  }
  if (isKnown)
    product.seconds = seconds;
}

void Report::addProducts(ReportData &data) const {
  llvm::StringMap<const ReportGraph *> graphs;
  for (const ReportGraph &graph : data.graphs)
    graphs[graph.entry] = &graph;
  auto make = [](const std::string &entry, const auto &from,
                 const Entry *decision) {
    ReportProduct product;
    product.entry = entry;
    product.layer = from.path;
    product.product = from.product;
    product.shape = from.shape;
    product.flops = from.flops;
    if (decision) {
      product.decision = decision->name;
      product.reason = decision->text;
      product.suggestion = decision->suggestion;
      product.figures = decision->figures;
      product.arguments = decision->arguments;
    }
    return product;
  };
  llvm::StringSet<> decided;
  for (const Entry &entry : entries) {
    if (entry.category != kProducts || entry.shape.empty())
      continue;
    decided.insert(entry.function);
    ReportProduct product = make(entry.function, entry, &entry);
    product.isFp8 = entry.passed;
    if (const ReportGraph *graph = graphs.lookup(product.entry))
      addOperations(product, *graph);
    data.products.push_back(std::move(product));
  }
  // Where nothing was decided, as without FP8, or something about the entry as
  // a whole, the program says what there is.
  for (const ReportGraph &graph : data.graphs) {
    if (decided.contains(graph.entry))
      continue;
    auto decision = llvm::find_if(entries, [&](const Entry &entry) {
      return entry.category == kProducts && entry.function == graph.entry;
    });
    for (const ReportOp &op : graph.ops) {
      if (op.product.empty())
        continue;
      ReportProduct product = make(
          graph.entry, op, decision == entries.end() ? nullptr : &*decision);
      product.isFp8 = op.isFp8;
      product.formats = op.formats;
      product.seconds = op.seconds;
      data.products.push_back(std::move(product));
    }
  }
}

//===----------------------------------------------------------------------===//
// Everything
//===----------------------------------------------------------------------===//

void Report::addDecisions(ReportData &data) const {
  for (const Entry &entry : entries) {
    if (entry.category == kProducts && !entry.shape.empty())
      continue;
    const bool isOfEntry = entry.category == kProducts && entry.path.empty();
    data.decisions.push_back(
        {entry.category, isOfEntry ? entry.function : entry.path, entry.name,
         entry.passed, entry.text, entry.suggestion, entry.figures,
         entry.arguments});
  }
}

/// The layers that were measured, those that add most to the loss first.
void Report::addSensitivity(ReportData &data) const {
  if (!calibration)
    return;
  llvm::StringSet<> seen;
  for (const ReportProduct &product : data.products) {
    const Calibration::Layer *known = calibration->find(product.layer);
    if (product.product != "fprop" || !known ||
        !seen.insert(product.layer).second)
      continue;
    ReportSensitivity layer;
    layer.layer = product.layer;
    layer.isFp8 = product.isFp8;
    layer.decision = product.decision;
    for (auto [to, from] : llvm::zip_equal(layer.products, known->products))
      if (from)
        to = {from->lossIncrease / calibration->getLoss(), from->relativeError};
    for (auto [to, from] : llvm::zip_equal(layer.tensors, known->tensors))
      if (from)
        to = {from->amax,
              from->flushed,
              {from->octaves.begin(), from->octaves.end()}};
    for (const auto &[key, value] : product.arguments)
      if (key == "fp8Quality")
        layer.quality = value;
    data.sensitivity.push_back(std::move(layer));
  }
  llvm::stable_sort(data.sensitivity,
                    [](const ReportSensitivity &a, const ReportSensitivity &b) {
                      return a.getAddsToLoss() > b.getAddsToLoss();
                    });
}

static ReportParameters findParameters(const llvm::json::Array &states) {
  ReportParameters parameters;
  for (const llvm::json::Value &value : states) {
    const llvm::json::Object &state = *value.getAsObject();
    if (state.getString("kind") != "parameter")
      continue;
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
    if (state.getBoolean("frozen").value_or(false)) {
      parameters.frozenElements += size;
      parameters.frozen.push_back(
          {state.getString("name").value_or("").str(), sizes});
    } else {
      parameters.trainedElements += size;
      ++parameters.trained;
    }
  }
  return parameters;
}

static std::vector<ReportSlot> findSlots(const llvm::json::Array &slots) {
  std::vector<ReportSlot> found;
  for (const llvm::json::Value &value : slots) {
    const llvm::json::Object &slot = *value.getAsObject();
    found.push_back({slot.getString("name").value_or("").str(),
                     slot.getString("format").value_or("").str()});
  }
  return found;
}

void Report::write(llvm::raw_ostream &os, StringRef path, StringRef source,
                   StringRef target,
                   const llvm::json::Object &description) const {
  ReportData data = *program;
  data.version = TE_VERSION;
  data.source = source.str();
  data.target = target.str();
  addProducts(data);
  addDecisions(data);
  addSensitivity(data);
  if (const llvm::json::Array *states = description.getArray("states"))
    data.parameters = findParameters(*states);
  if (description.getArray("entries"))
    data.memory = summarizeMemory(description);
  if (const llvm::json::Array *slots = description.getArray("slots"))
    data.slots = findSlots(*slots);
  findReportWriter(path).write(os, data);
}
