// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report as one page: no scripts, nothing from elsewhere. The policy in its
// head forbids both, whatever a name in a model says.

#include "PlanText.h"
#include "Report/GraphSvg.h"
#include "Report/Histograms.h"
#include "Report/Html.h"
#include "Report/ReportTables.h"
#include "Report/ReportWriter.h"

#include "support/Text.h"

using namespace mlir::te;
using llvm::StringRef;
using ::tert::session::formatBytes;

static constexpr llvm::StringLiteral kHtmlMark =
    "<!DOCTYPE html>\n<!-- Written by te-compile";

static constexpr llvm::StringLiteral kStyle = R"css(
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1c2430; --soft: #5a6675; --line: #d8dee6;
  --panel: #f5f7fa; --fprop: #1c5fb8; --dgrad: #a8480a; --wgrad: #17713a;
  --on: #ffffff; --bar: #8fb4e3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --text: #e3e8ef; --soft: #9aa7b6; --line: #323b47;
    --panel: #1a2029; --fprop: #74aef5; --dgrad: #f0a35e; --wgrad: #62c98c;
    --on: #0d1117; --bar: #355f94;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1.2rem 3rem; max-width: 100rem;
  background: var(--page); color: var(--text);
  font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0.4rem 0 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 0.6rem; padding-top: 0.5rem;
  border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.2rem 0 0.4rem; }
p { margin: 0.4rem 0; max-width: 50rem; }
.soft { color: var(--soft); }
code, svg .name { font-family: ui-monospace, monospace; }
code { font-size: 0.92em; unicode-bidi: isolate; overflow-wrap: break-word; }
.facts { display: flex; flex-wrap: wrap; gap: 0.7rem; margin: 1rem 0; padding: 0;
  list-style: none; }
.facts li { background: var(--panel); border: 1px solid var(--line);
  border-radius: 8px; padding: 0.6rem 0.9rem; min-width: 9rem; }
.facts strong { display: block; font-size: 1.35rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.88rem; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.7rem 0.3rem 0;
  border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
td { min-width: 3rem; max-width: 32rem; }
.right { text-align: right; font-variant-numeric: tabular-nums; }
b.fp8, b.high { font-size: 0.78rem; border-radius: 4px; padding: 0 0.35em;
  border: 1px solid var(--text); }
b.fp8 { background: var(--text); color: var(--page); }
.bar { display: flex; justify-content: flex-end; align-items: center;
  gap: 0.7rem; }
.bar span { flex: 0 0 8rem; background: var(--panel); border-radius: 3px; }
.bar i { display: block; height: 7px; min-width: 1px; border-radius: 3px;
  background: var(--bar); }
.graphs { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
figure { margin: 0; max-width: 100%; overflow-x: auto; }
figcaption { font-weight: 600; margin-bottom: 0.3rem; }
.legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem; padding: 0;
  list-style: none; font-size: 0.85rem; color: var(--soft); }
.legend svg { vertical-align: -2px; }
svg text { font: 11px system-ui, sans-serif; fill: var(--text); }
svg .name { font-size: 11px; }
svg .head, svg .count { font-weight: 600; fill: var(--soft); }
svg .end { text-anchor: end; }
svg .block { fill: var(--panel); stroke: var(--line); }
svg.histogram { display: block; }
svg.histogram rect { fill: var(--bar); } svg.histogram line { stroke: var(--line); }
svg .way { stroke: var(--line); stroke-width: 2; }
svg .op rect { fill: var(--page); stroke: var(--line); }
svg .op text { fill: var(--soft); }
.fprop { --of: var(--fprop); } .dgrad { --of: var(--dgrad); }
.wgrad { --of: var(--wgrad); }
svg .fp8 rect { fill: var(--of); } svg .fp8 text { fill: var(--on); }
svg .high rect { fill: var(--page); stroke: var(--of); stroke-width: 1.5;
  stroke-dasharray: 4 2; }
svg .high text { fill: var(--of); }
summary { cursor: pointer; font-weight: 600; margin: 0.6rem 0 0.4rem; }
@media print { body { max-width: none; } }
)css";

namespace {
class HtmlWriter : public ReportWriter {
public:
  void write(llvm::raw_ostream &os, const ReportData &data) const override;
  bool hasWritten(StringRef text) const override {
    return text.starts_with(kHtmlMark);
  }
};
} // namespace

static void writeFact(llvm::raw_ostream &os, StringRef figure, StringRef what) {
  os << "<li><strong>" << escapeHtml(figure) << "</strong> " << escapeHtml(what)
     << "</li>\n";
}

/// The step: of the first entry with products.
static void writeFacts(llvm::raw_ostream &os, const ReportData &data) {
  os << "<ul class=\"facts\">\n";
  for (const ReportData::Entry &entry : data.getEntries()) {
    if (!entry.products)
      continue;
    writeFact(
        os,
        llvm::formatv("{0} of {1}", entry.fp8Products, entry.products).str(),
        "products of " + entry.name + " in FP8");
    if (entry.flops > 0)
      writeFact(
          os,
          llvm::formatv("{0:f1} %", 100 * entry.fp8Flops / entry.flops).str(),
          "of their operations in FP8");
    if (entry.seconds)
      writeFact(os, formatSeconds(*entry.seconds),
                entry.name + " on " + data.device + ", predicted");
    break;
  }
  if (data.plan && data.plan->hasTimes && data.plan->ranks > 1)
    writeFact(os, formatSeconds(data.plan->seconds),
              "a step on " + std::to_string(data.plan->ranks) +
                  " ranks, predicted");
  if (data.memory)
    writeFact(os, formatBytes(double(data.getBytes())), "of memory");
  os << "</ul>\n";
}

static void writeHeading(llvm::raw_ostream &os, StringRef text) {
  os << "<h2>" << escapeHtml(text) << "</h2>\n";
}

static void writeDetails(llvm::raw_ostream &os, StringRef summary,
                         const Table &table, bool isOpen = false) {
  os << (isOpen ? "<details open>" : "<details>") << "<summary>"
     << escapeHtml(summary) << "</summary>\n";
  writeHtmlTable(os, table);
  os << "</details>\n";
}

static void writeGraphs(llvm::raw_ostream &os, const ReportData &data) {
  if (data.graphs.empty())
    return;
  writeHeading(os, "Graph");
  os << "<p class=\"soft\">Layers in the order of the forward pass, each with "
        "its gradients beside it; the backward pass goes upwards. Blocks that "
        "are alike are drawn once. "
     << (data.device.empty() ? "" : "Times are predicted. ")
     << "A pointer on a box shows its sizes.</p>\n";
  writeGraphLegend(os);
  os << "<div class=\"graphs\">\n";
  for (const ReportGraph &graph : data.graphs) {
    os << "<figure><figcaption><code>" << escapeHtml(graph.entry)
       << "</code></figcaption>\n";
    writeGraphSvg(os, graph);
    os << "</figure>\n";
  }
  os << "</div>\n";
}

void HtmlWriter::write(llvm::raw_ostream &os, const ReportData &data) const {
  const std::string title = data.source + " for " + data.target;
  os << kHtmlMark << " " << escapeHtml(data.version) << ". -->\n"
     << "<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<title>"
     << escapeHtml(title) << "</title>\n<style>" << kStyle
     << "</style></head>\n<body>\n<h1>" << escapeHtml(title)
     << "</h1>\n<p class=\"soft\">Compiled by te-compile "
     << escapeHtml(data.version) << "</p>\n";
  writeFacts(os, data);
  Table entries = makeEntryTable(data);
  if (!entries.empty())
    writeHtmlTable(os, entries);
  if (!data.parameters.frozen.empty()) {
    os << "<p>" << describeParameters(data.parameters) << "</p>\n";
    writeDetails(os, "Frozen parameters", makeFrozenTable(data.parameters));
  }
  writeGraphs(os, data);
  if (!data.products.empty()) {
    writeHeading(os, "Linear layers");
    writeHtmlTable(os, makeLayerTable(data, /*detailed=*/true));
    Table high = makeHighTable(data);
    if (!high.empty()) {
      os << "<h3>In high precision</h3>\n";
      writeHtmlTable(os, high);
    }
  }
  if (!data.sensitivity.empty()) {
    writeHeading(os, "Loss");
    os << "<p>" << escapeHtml(describeSensitivity(data)) << "</p>\n";
    writeHtmlTable(os, makeSensitivityTable(data));
    if (hasHistograms(data)) {
      os << "<h3>Ranges</h3>\n<p class=\"soft\">Values that are not 0, as "
            "measured: each bar is two octaves, the rightmost up to the amax, "
            "the leftmost with all that is smaller. A pointer on a bar shows "
            "its share. E4M3 keeps about 18 octaves, nine bars; E5M2 32.</p>\n";
      writeHistograms(os, data);
    }
  }
  if (!data.costs.empty()) {
    writeHeading(os, "Time on " + data.device + ", by the cost model");
    for (const EntryCosts &entry : data.costs)
      writeDetails(os, entry.entry, makeCostTable(entry),
                   &entry == &data.costs.front());
  }
  if (data.plan && !data.plan->collectives.empty()) {
    writeHeading(os, "Collectives");
    os << "<p>" << escapeHtml(describeCollectiveTimes(*data.plan)) << "</p>\n";
    writeHtmlTable(os, makeCollectiveTable(*data.plan));
  }
  if (data.memory) {
    writeHeading(os, "Memory");
    writeHtmlTable(os, makeStateTable(*data.memory));
    os << "<p></p>\n";
    writeHtmlTable(os, makeArenaTable(*data.memory));
    if (data.plan) {
      for (const Plan::Entry &entry : data.plan->entries)
        if (entry.perStep > 0) {
          os << "<p>" << escapeHtml(describeProfile(*data.plan, entry))
             << "</p>\n";
          writeHtmlTable(os, makeProfileTable(entry));
        }
      if (!data.plan->alternatives.empty()) {
        writeHeading(os, "What memory costs");
        writeHtmlTable(os, makeAlternativesTable(*data.plan));
      }
    }
  }
  auto decisions = makeDecisionTables(data);
  if (!decisions.empty())
    writeHeading(os, "Decisions");
  for (const auto &[pass, table] : decisions)
    writeDetails(os, pass, table);
  if (!data.slots.empty()) {
    writeHeading(os, "Slots");
    os << "<p>Tensors that are cast to FP8.</p>\n";
    writeDetails(os, std::to_string(data.slots.size()) + " slots",
                 makeSlotTable(data.slots));
  }
  os << "</body></html>\n";
}

const ReportWriter &mlir::te::getHtmlWriter() {
  static const HtmlWriter writer;
  return writer;
}
