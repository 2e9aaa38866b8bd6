// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HTML of texts and tables.

#ifndef TE_LIB_DRIVER_REPORT_HTML_H
#define TE_LIB_DRIVER_REPORT_HTML_H

#include "Table.h"

namespace mlir::te {

/// `text` as it stands in a text or an attribute of HTML or SVG: valid UTF-8,
/// without control characters.
std::string escapeHtml(llvm::StringRef text);

void writeHtmlTable(llvm::raw_ostream &os, const Table &table);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_REPORT_HTML_H
