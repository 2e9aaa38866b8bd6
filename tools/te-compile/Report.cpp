// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report.h"

#include "te/Analysis/CostModel.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::te;

class Report::Streamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Streamer(Report &report) : report(report) {}
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string text = remark.getRemarkName().str(), figures;
    StringRef separator = ": ";
    std::string path = getModulePath(remark.getLocation()).str();
    for (const remark::detail::Remark::Arg &arg : remark.getArgs()) {
      // What the remark is about stands in front of the line.
      if (arg.key == "layer") {
        path = arg.val;
        continue;
      }
      // Times of two ways to do it: CostComparison.
      StringRef way = arg.key;
      if (way.consume_back("Microseconds")) {
        figures += way.lower() + " " + arg.val + " us, ";
        continue;
      }
      if (arg.key == "Figures") {
        figures += arg.val;
        continue;
      }
      text += separator;
      // Sentences stand for themselves, figures need their name.
      if (arg.key != "Remark" && arg.key != "Reason" && arg.key != "Suggestion")
        text += arg.key + " ";
      text += arg.val;
      separator = ", ";
    }
    report.entries.push_back(
        {remark.getCategoryName().str(), remark.getRemarkTypeString().str(),
         std::move(path), std::move(text), std::move(figures)});
  }

private:
  Report &report;
};

FailureOr<std::unique_ptr<Report>> Report::collect(MLIRContext &context) {
  auto report = std::make_unique<Report>();
  remark::RemarkCategories categories;
  // The engine looks at a kind of remark only when it is named itself.
  categories.passed = categories.missed = categories.analysis = ".*";
  if (failed(remark::enableOptimizationRemarks(
          context, std::make_unique<Streamer>(*report),
          std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)))
    return failure();
  return report;
}

static std::string formatBytes(int64_t bytes) {
  if (bytes < 1024)
    return llvm::formatv("{0} B", bytes);
  if (bytes < 1024 * 1024)
    return llvm::formatv("{0:f1} KiB", bytes / 1024.0);
  return llvm::formatv("{0:f1} MiB", bytes / 1048576.0);
}

void Report::addCosts(ModuleOp module) {
  if (CostModel model{module})
    device = model.get().getDeviceName().str();
  costs = summarizeCosts(module);
}

namespace {
/// Lines under headings; equal ones (of several entries, say) are told once,
/// with their number.
class Sections {
public:
  void add(StringRef heading, const std::string &line) {
    Section &section = sections[heading];
    auto [place, isNew] =
        section.places.try_emplace(line, section.lines.size());
    if (isNew)
      section.lines.emplace_back(line, 0);
    ++section.lines[place->second].second;
  }
  void write(llvm::raw_ostream &os) const {
    for (auto &[heading, section] : sections) {
      os << "\n## " << heading << "\n";
      for (auto &[line, count] : section.lines) {
        os << line;
        if (count > 1)
          os << " (" << count << " times)";
        os << "\n";
      }
    }
  }

private:
  struct Section {
    std::vector<std::pair<std::string, int>> lines;
    llvm::StringMap<size_t> places;
  };
  llvm::MapVector<StringRef, Section> sections;
};
} // namespace

void Report::writeRemarks(llvm::raw_ostream &os) const {
  Sections remarks, decisions;
  std::string heading = "Decisions by time on " + device;
  for (const Entry &entry : entries) {
    StringRef path = entry.path.empty() ? "-" : StringRef(entry.path);
    remarks.add(entry.category, llvm::formatv("{0,-8} {1,-32}  {2}", entry.kind,
                                              path, entry.text));
    if (!entry.figures.empty())
      decisions.add(heading,
                    llvm::formatv("{0,-8} {1,-32}  {2,-56}  {3}",
                                  entry.kind == "Passed" ? "done" : "not done",
                                  path, entry.figures, entry.text));
  }
  remarks.write(os);
  decisions.write(os);
}

void Report::writeCosts(llvm::raw_ostream &os) const {
  for (const EntryCosts &entry : costs) {
    os << "\n## Time of " << entry.entry << " on " << device
       << ", by the cost model\n";
    auto line = [&](StringRef name, const KernelCosts &kernel) {
      os << llvm::formatv("{0,-24} {1,5} calls {2,10:f1} us  floor {3,10:f1} us"
                          "  {4}",
                          name, kernel.calls, kernel.cost.getMicroseconds(),
                          kernel.floorSeconds * 1e6,
                          getSourceName(kernel.cost));
      if (kernel.unknownCalls)
        os << ", without " << kernel.unknownCalls << " calls it does not know";
      os << "\n";
    };
    for (const KernelCosts &kernel : entry.kernels)
      line(kernel.kernel, kernel);
    line("total", entry.getTotal());
  }
}

void Report::write(llvm::raw_ostream &os,
                   const llvm::json::Object &description) const {
  os << "# " << description.getString("source").value_or("") << " for "
     << description.getString("target").value_or("") << "\n";

  writeRemarks(os);
  writeCosts(os);

  os << "\n## Memory\n";
  if (const llvm::json::Array *list = description.getArray("entries"))
    for (const llvm::json::Value &value : *list)
      os << llvm::formatv(
          "{0,-8} arena {1}\n",
          value.getAsObject()->getString("name").value_or(""),
          formatBytes(
              value.getAsObject()->getInteger("arena_bytes").value_or(0)));

  const llvm::json::Array *slots = description.getArray("slots");
  if (!slots || slots->empty())
    return;
  os << "\n## Slots\n";
  for (auto [index, slot] : llvm::enumerate(*slots))
    os << llvm::formatv("{0,4}  {1,-5} {2}\n", index,
                        slot.getAsObject()->getString("format").value_or(""),
                        slot.getAsObject()->getString("name").value_or(""));
}
