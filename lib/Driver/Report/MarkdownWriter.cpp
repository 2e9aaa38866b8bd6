// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlanText.h"
#include "Report/ReportTables.h"
#include "Report/ReportWriter.h"

using namespace mlir::te;

static constexpr llvm::StringLiteral kMarkdownMark =
    "<!-- Written by te-compile";

namespace {
class MarkdownWriter : public ReportWriter {
public:
  void write(llvm::raw_ostream &os, const ReportData &data) const override;
  bool hasWritten(llvm::StringRef text) const override {
    // Those of older versions have no mark.
    return text.starts_with(kMarkdownMark) ||
           (text.starts_with("# ") &&
            text.contains("\n\n## Linear layers\n\n"));
  }
};
} // namespace

static void writeSection(llvm::raw_ostream &os, const llvm::Twine &title,
                         const Table &table, llvm::StringRef text = "") {
  os << "\n## " << title << "\n\n";
  if (!text.empty())
    os << text << "\n\n";
  table.writeMarkdown(os);
}

static void writeLayers(llvm::raw_ostream &os, const ReportData &data) {
  if (data.products.empty())
    return;
  int64_t all = 0, fp8 = 0;
  for (const ReportData::Entry &entry : data.getEntries()) {
    all += entry.products;
    fp8 += entry.fp8Products;
  }
  writeSection(os, "Linear layers", makeLayerTable(data, /*detailed=*/false),
               llvm::formatv("{0} of {1} products are FP8.", fp8, all).str());
  Table high = makeHighTable(data);
  if (high.empty())
    return;
  os << "\n### In high precision\n\n";
  high.writeMarkdown(os);
}

void MarkdownWriter::write(llvm::raw_ostream &os,
                           const ReportData &data) const {
  os << kMarkdownMark << " " << data.version << ". -->\n\n";
  os << "# " << data.source << " for " << data.target << "\n";
  Table entries = makeEntryTable(data);
  if (!entries.empty())
    writeSection(os, "Entries", entries);
  if (!data.parameters.frozen.empty())
    writeSection(os, "Parameters", makeFrozenTable(data.parameters),
                 describeParameters(data.parameters));
  writeLayers(os, data);
  if (!data.sensitivity.empty())
    writeSection(os, "Loss", makeSensitivityTable(data),
                 describeSensitivity(data));
  for (const auto &[pass, table] : makeDecisionTables(data))
    writeSection(os, "Decisions of " + pass, table);
  for (const EntryCosts &entry : data.costs)
    writeSection(os,
                 "Time of " + entry.entry + " on " + data.device +
                     ", by the cost model",
                 makeCostTable(entry));
  if (data.plan && !data.plan->collectives.empty())
    writeSection(os, "Collectives", makeCollectiveTable(*data.plan),
                 describeCollectiveTimes(*data.plan));
  if (data.memory) {
    writeSection(os, "Memory", makeStateTable(*data.memory));
    os << "\n";
    makeArenaTable(*data.memory).writeMarkdown(os);
    if (data.plan) {
      for (const Plan::Entry &entry : data.plan->entries)
        if (entry.perStep > 0) {
          os << "\n" << describeProfile(*data.plan, entry) << "\n\n";
          makeProfileTable(entry).writeMarkdown(os);
        }
      if (!data.plan->alternatives.empty())
        writeSection(os, "What memory costs",
                     makeAlternativesTable(*data.plan));
    }
  }
  if (!data.slots.empty())
    writeSection(os, "Slots", makeSlotTable(data.slots));
}

const ReportWriter &mlir::te::getMarkdownWriter() {
  static const MarkdownWriter writer;
  return writer;
}
