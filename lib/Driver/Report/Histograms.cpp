// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report/Histograms.h"

#include "Report/Html.h"

#include "llvm/Support/Format.h"

using namespace mlir::te;
using Tensor = ReportSensitivity::Tensor;

/// Pixels.
static constexpr int kBar = 7, kHeight = 28;

bool mlir::te::hasHistograms(const ReportData &data) {
  return llvm::any_of(data.sensitivity, [](const ReportSensitivity &layer) {
    return llvm::any_of(layer.tensors, [](const std::optional<Tensor> &tensor) {
      return tensor && !tensor->octaves.empty();
    });
  });
}

/// "2^-6 to 2^-4 of the amax: 12 %"
static std::string describeBin(size_t bin, size_t bins, double share) {
  const int upper = -2 * int(bin);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (bin + 1 == bins)
    os << "below 2^" << upper;
  else
    os << "2^" << upper - 2 << " to 2^" << upper;
  os << " of the amax: " << llvm::format("%.2g", 100 * share) << " %";
  return text;
}

static void writeHistogram(llvm::raw_ostream &os, const Tensor &tensor) {
  const size_t bins = tensor.octaves.size();
  const double most =
      bins ? *std::max_element(tensor.octaves.begin(), tensor.octaves.end())
           : 0;
  if (most > 0) {
    os << llvm::formatv("<svg class=\"histogram\" role=\"img\" width=\"{0}\" "
                        "height=\"{1}\"><line x1=\"0\" y1=\"{1}\" x2=\"{0}\" "
                        "y2=\"{1}\"/>",
                        bins * kBar, kHeight);
    // The largest values are on the right.
    for (auto [bin, share] : llvm::enumerate(tensor.octaves))
      if (share > 0)
        os << llvm::formatv(
            "<rect x=\"{0}\" y=\"{1:f1}\" width=\"{2}\" height=\"{3:f1}\">"
            "<title>{4}</title></rect>",
            (bins - 1 - bin) * kBar,
            kHeight - std::max(1.0, kHeight * share / most), kBar - 1,
            std::max(1.0, kHeight * share / most),
            escapeHtml(describeBin(bin, bins, share)));
    os << "</svg>";
  }
  os << "<div>amax " << llvm::format("%.3g", tensor.amax) << ", "
     << llvm::format("%.2g", 100 * tensor.flushed) << " % flushed</div>";
}

void mlir::te::writeHistograms(llvm::raw_ostream &os, const ReportData &data) {
  os << "<div class=\"scroll\"><table>\n<thead><tr>";
  for (const char *heading : {"layer", "input", "weight", "output gradient"})
    os << "<th scope=\"col\">" << heading << "</th>";
  os << "</tr></thead>\n<tbody>\n";
  for (const ReportSensitivity &layer : data.sensitivity) {
    os << "<tr><td><code>" << escapeHtml(layer.layer) << "</code></td>";
    for (const std::optional<Tensor> &tensor : layer.tensors) {
      os << "<td>";
      if (tensor)
        writeHistogram(os, *tensor);
      os << "</td>";
    }
    os << "</tr>\n";
  }
  os << "</tbody></table></div>\n";
}
