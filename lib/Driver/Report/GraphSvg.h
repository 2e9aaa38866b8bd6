// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph of an entry as a picture in a page.

#ifndef TE_LIB_DRIVER_REPORT_GRAPHSVG_H
#define TE_LIB_DRIVER_REPORT_GRAPHSVG_H

#include "Report/ReportData.h"

#include "llvm/Support/raw_ostream.h"

namespace mlir::te {

/// Writes an <svg> element, whose colours are those of the page's classes
/// (HtmlWriter.cpp).
void writeGraphSvg(llvm::raw_ostream &os, const ReportGraph &graph);

/// The classes of its boxes, explained.
void writeGraphLegend(llvm::raw_ostream &os);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_REPORT_GRAPHSVG_H
