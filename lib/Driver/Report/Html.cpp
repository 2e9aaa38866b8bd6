// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report/Html.h"

#include "llvm/Support/JSON.h"

using namespace mlir::te;

std::string mlir::te::escapeHtml(llvm::StringRef text) {
  std::string escaped;
  for (char character : llvm::json::fixUTF8(text)) {
    switch (character) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    case '\'':
      escaped += "&#39;";
      break;
    default:
      // A NUL and its like are errors in HTML.
      escaped +=
          uint8_t(character) < ' ' || character == '\x7f' ? ' ' : character;
    }
  }
  return escaped;
}

/// Sizes and formats, whose arrows are not to be broken.
static std::string withArrows(std::string text) {
  static constexpr llvm::StringLiteral arrow = "-&gt;";
  for (size_t place; (place = text.find(arrow)) != text.npos;)
    text.replace(place, arrow.size(), "→");
  return text;
}

/// Names are isolated: one written from right to left turns nothing around it.
static void writeHtmlLine(llvm::raw_ostream &os, const TableLine &line) {
  os << "<div>";
  if (!line.label.empty())
    os << "<code>" << escapeHtml(line.label) << "</code> ";
  std::string text = escapeHtml(line.text);
  switch (line.style) {
  case TableLine::Style::Text:
    os << withArrows(std::move(text));
    break;
  case TableLine::Style::Code:
    // Long paths may be broken behind their parts.
    os << "<code>";
    for (char character : text) {
      os << character;
      if (character == '.' || character == '/')
        os << "<wbr>";
    }
    os << "</code>";
    break;
  case TableLine::Style::Fp8:
    os << "<b class=\"fp8\">FP8</b> " << withArrows(std::move(text));
    break;
  case TableLine::Style::High:
    os << "<b class=\"high\">high</b> " << withArrows(std::move(text));
    break;
  }
  os << "</div>";
}

void mlir::te::writeHtmlTable(llvm::raw_ostream &os, const Table &table) {
  Table::Contents contents = table.getContents();
  auto writeClass = [&](const Table::Column &column) {
    if (column.isRight)
      os << " class=\"right\"";
  };
  os << "<div class=\"scroll\"><table>\n<thead><tr>";
  for (const Table::Column &column : contents.columns) {
    os << "<th scope=\"col\"";
    writeClass(column);
    os << ">" << escapeHtml(column.heading) << "</th>";
  }
  os << "</tr></thead>\n<tbody>\n";
  for (const Table::Row &row : contents.rows) {
    os << "<tr>";
    for (auto [column, cell] : llvm::zip_equal(contents.columns, row)) {
      os << "<td";
      writeClass(column);
      os << ">";
      if (cell.share > 0)
        os << llvm::formatv("<div class=\"bar\"><span><i "
                            "style=\"width:{0:f1}%\"></i></span>",
                            100 * std::min(cell.share, 1.0));
      for (const TableLine &line : cell.lines)
        writeHtmlLine(os, line);
      if (cell.share > 0)
        os << "</div>";
      os << "</td>";
    }
    os << "</tr>\n";
  }
  os << "</tbody></table></div>\n";
}
