// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report/GraphSvg.h"

#include "PlanText.h"
#include "Report/GraphRows.h"
#include "Report/Html.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir::te;
using llvm::StringRef;

// In pixels.
static constexpr int kMargin = 6, kNameWidth = 192, kBoxWidth = 158, kGap = 10;
static constexpr int kRowHeight = 26, kBoxHeight = 21, kBandHeight = 24;

/// Characters that fit: of names, and in boxes.
static constexpr size_t kNameLength = 28, kBoxLength = 23;

/// Without the beginning, or the end, if it is too long; not cut within a
/// character.
static std::string shorten(StringRef text, size_t length, bool keepsEnd) {
  std::string fixed = llvm::json::fixUTF8(text);
  if (fixed.size() <= length)
    return fixed;
  size_t cut = keepsEnd ? fixed.size() - length + 1 : length - 1;
  while (cut < fixed.size() && (uint8_t(fixed[cut]) & 0xC0) == 0x80)
    ++cut;
  return keepsEnd ? "…" + fixed.substr(cut) : fixed.substr(0, cut) + "…";
}

namespace {
class GraphDrawing {
public:
  explicit GraphDrawing(const ReportGraph &graph) : rows(makeGraphRows(graph)) {
    for (const GraphBlock &block : rows.blocks)
      for (const GraphRow &row : block.rows)
        for (size_t place = 0; place < row.boxes.size(); ++place)
          if (row.boxes[place].op)
            places = std::max(places, place + 1);
  }
  void write(llvm::raw_ostream &os, StringRef entry);

private:
  int getWidth() const {
    return 2 * kMargin + kNameWidth + int(places) * (kBoxWidth + kGap);
  }
  static int getLeft(size_t place) {
    return kMargin + kNameWidth + kGap / 2 + int(place) * (kBoxWidth + kGap);
  }
  void drawHeadings();
  void drawBlock(const GraphBlock &block);
  void drawRow(const GraphRow &row, StringRef name);
  void drawBox(const GraphBox &box, int left);
  void drawUpdate();
  void drawText(int x, int y, StringRef style, StringRef text) {
    body << "<text x=\"" << x << "\" y=\"" << y << "\" class=\"" << style
         << "\">" << escapeHtml(text) << "</text>\n";
  }

  GraphRows rows;
  size_t places = 1;
  std::string text;
  llvm::raw_string_ostream body{text};
  int y = 0;
  /// Where the boxes of the passes begin and end.
  std::array<int, 2> top = {-1, -1}, bottom = {-1, -1};
};
} // namespace

void GraphDrawing::drawHeadings() {
  y = 16;
  static constexpr StringRef headings[] = {"forward ↓ fprop",
                                           "backward ↑ dgrad", "wgrad"};
  for (size_t place = 0; place < places; ++place)
    drawText(getLeft(place), y, "head", headings[place]);
  y += 8;
}

/// "transformer.h.{0-11}." of all names that there are, up to a point.
static std::string findPrefix(const GraphBlock &block) {
  std::optional<std::string> prefix;
  for (const GraphRow &row : block.rows) {
    if (row.name.empty())
      continue;
    std::string name = row.name + ".";
    if (!prefix)
      prefix = name;
    size_t length = 0;
    while (length < std::min(prefix->size(), name.size()) &&
           (*prefix)[length] == name[length])
      ++length;
    prefix->resize(length);
    prefix->resize(prefix->rfind('.') + 1);
  }
  // That of one row is its name.
  return prefix && block.rows.size() > 1 ? *prefix : "";
}

static std::string describeTime(const GraphBox &box) {
  if (!box.op->seconds)
    return "";
  return formatSeconds(*box.op->seconds * double(box.count));
}

void GraphDrawing::drawBox(const GraphBox &box, int left) {
  const ReportOp &op = *box.op;
  const bool isProduct = !op.product.empty();
  StringRef label = op.kernel;
  if (isProduct)
    label = StringRef(op.formats).split(op.isFp8 ? " -> " : " x ").first;
  std::string times = box.count > 1 ? " ×" + std::to_string(box.count) : "";
  std::string time = describeTime(box);
  std::string title = isProduct ? op.product + " of " + op.path + ": " +
                                      (op.isFp8 ? "FP8, " : "high, ") +
                                      op.formats + ", " + op.shape
                                : op.kernel + " of " + op.path;
  if (!time.empty())
    title += ", " + time;
  const int boxTop = y + (kRowHeight - kBoxHeight) / 2;
  std::string style =
      isProduct ? op.product + (op.isFp8 ? " fp8" : " high") : "op";
  body << "<g class=\"" << style << "\"><title>" << escapeHtml(title)
       << "</title><rect x=\"" << left << "\" y=\"" << boxTop << "\" width=\""
       << kBoxWidth << "\" height=\"" << kBoxHeight << "\" rx=\""
       << (isProduct ? 3 : kBoxHeight / 2) << "\"/>";
  const size_t length =
      kBoxLength - std::min<size_t>(time.size() + times.size(), 16);
  body << "<text x=\"" << left + 8 << "\" y=\"" << boxTop + 15 << "\">"
       << escapeHtml(shorten(label, length, /*keepsEnd=*/false)) << times
       << "</text>";
  if (!time.empty())
    body << "<text x=\"" << left + kBoxWidth - 8 << "\" y=\"" << boxTop + 15
         << "\" class=\"end\">" << escapeHtml(time) << "</text>";
  body << "</g>\n";
}

void GraphDrawing::drawRow(const GraphRow &row, StringRef name) {
  drawText(kMargin + 6, y + 17, "name",
           shorten(name, kNameLength, /*keepsEnd=*/true));
  for (auto [place, box] : llvm::enumerate(row.boxes)) {
    if (!box.op)
      continue;
    drawBox(box, getLeft(place));
    if (place == GraphRow::Wgrad)
      continue;
    if (top[place] < 0)
      top[place] = y;
    bottom[place] = y + kRowHeight;
  }
  y += kRowHeight;
}

/// The name of a row beside its boxes: without the block's, and nothing for a
/// cast of a layer, whose row is beside it.
static StringRef getRowName(const GraphBlock &block, const GraphRow &row,
                            StringRef prefix) {
  StringRef name = row.name;
  const bool isOfLayer = llvm::any_of(block.rows, [&](const GraphRow &other) {
    return !isLayer(row) && isLayer(other) && other.name == row.name;
  });
  return isOfLayer || !name.consume_front(prefix) ? "" : name;
}

void GraphDrawing::drawBlock(const GraphBlock &block) {
  y += 4;
  std::string prefix = block.count > 1 ? findPrefix(block) : "";
  const int begin = y;
  if (block.count > 1) {
    const int height = kBandHeight + int(block.rows.size()) * kRowHeight + 4;
    body << "<rect x=\"" << kMargin << "\" y=\"" << begin << "\" width=\""
         << getWidth() - 2 * kMargin << "\" height=\"" << height
         << "\" rx=\"6\" class=\"block\"/>\n";
    drawText(kMargin + 6, y + 16, "count", "× " + std::to_string(block.count));
    if (!prefix.empty())
      drawText(kMargin + 48, y + 16, "name",
               shorten(StringRef(prefix).drop_back(), 80, /*keepsEnd=*/true));
    y += kBandHeight;
  }
  for (const GraphRow &row : block.rows)
    drawRow(row, getRowName(block, row, prefix));
  y += block.count > 1 ? 4 : 0;
}

void GraphDrawing::drawUpdate() {
  if (rows.update.empty())
    return;
  y += 12;
  drawText(kMargin + 6, y + 17, "head", "after the gradients");
  for (auto [index, box] : llvm::enumerate(rows.update)) {
    const size_t place = index % places;
    if (index > 0 && place == 0)
      y += kRowHeight;
    drawBox(box, getLeft(place));
  }
  y += kRowHeight;
}

void GraphDrawing::write(llvm::raw_ostream &os, StringRef entry) {
  drawHeadings();
  for (const GraphBlock &block : rows.blocks)
    drawBlock(block);
  drawUpdate();
  y += kMargin;
  os << "<svg role=\"img\" viewBox=\"0 0 " << getWidth() << " " << y
     << "\" width=\"" << getWidth() << "\" height=\"" << y << "\">\n<title>"
     << escapeHtml(("Graph of " + entry).str()) << "</title>\n";
  // Under the boxes: the way of the activations, and of their gradients.
  for (size_t place = 0; place < top.size(); ++place)
    if (top[place] >= 0) {
      const int x = getLeft(place) + kBoxWidth / 2;
      os << "<line x1=\"" << x << "\" y1=\"" << top[place] + 4 << "\" x2=\""
         << x << "\" y2=\"" << bottom[place] - 4 << "\" class=\"way\"/>\n";
    }
  os << body.str() << "</svg>\n";
}

void mlir::te::writeGraphSvg(llvm::raw_ostream &os, const ReportGraph &graph) {
  GraphDrawing(graph).write(os, graph.entry);
}

void mlir::te::writeGraphLegend(llvm::raw_ostream &os) {
  static constexpr std::pair<StringRef, StringRef> classes[] = {
      {"fprop fp8", "fprop in FP8"},
      {"dgrad fp8", "dgrad in FP8"},
      {"wgrad fp8", "wgrad in FP8"},
      {"fprop high", "fprop in high precision"},
      {"dgrad high", "dgrad in high precision"},
      {"wgrad high", "wgrad in high precision"},
      {"op", "other operation"}};
  os << "<ul class=\"legend\">";
  for (auto [style, text] : classes)
    os << "<li><svg width=\"26\" height=\"14\" aria-hidden=\"true\"><g class=\""
       << style << "\"><rect x=\"1\" y=\"1\" width=\"24\" height=\"12\" rx=\""
       << (style == "op" ? 6 : 3) << "\"/></g></svg> " << text << "</li>";
  os << "</ul>\n";
}
