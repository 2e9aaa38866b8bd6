// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report.h"

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
    std::string text = remark.getRemarkName().str();
    StringRef separator = ": ";
    for (const remark::detail::Remark::Arg &arg : remark.getArgs()) {
      // The path stands in front of the line already.
      if (arg.key == "module")
        continue;
      text += separator;
      // Sentences stand for themselves, figures need their name.
      if (arg.key != "Remark" && arg.key != "Reason" && arg.key != "Suggestion")
        text += arg.key + " ";
      text += arg.val;
      separator = ", ";
    }
    report.entries.push_back(
        {remark.getCategoryName().str(), remark.getRemarkTypeString().str(),
         getModulePath(remark.getLocation()).str(), std::move(text)});
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

void Report::write(llvm::raw_ostream &os,
                   const llvm::json::Object &description) const {
  os << "# " << description.getString("source").value_or("") << " for "
     << description.getString("target").value_or("") << "\n";

  // Equal remarks (of several entries, say) are told once, with their number.
  llvm::MapVector<StringRef, llvm::MapVector<StringRef, int>> sections;
  std::vector<std::string> lines;
  lines.reserve(entries.size());
  for (const Entry &entry : entries) {
    lines.push_back(llvm::formatv("{0,-8} {1,-32}  {2}", entry.kind,
                                  entry.path.empty() ? "-" : entry.path,
                                  entry.text));
    ++sections[entry.category][lines.back()];
  }
  for (auto &[category, remarks] : sections) {
    os << "\n## " << category << "\n";
    for (auto &[line, count] : remarks) {
      os << line;
      if (count > 1)
        os << " (" << count << " times)";
      os << "\n";
    }
  }

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
