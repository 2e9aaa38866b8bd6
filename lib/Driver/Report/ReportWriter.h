// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms of a report.

#ifndef TE_LIB_DRIVER_REPORT_REPORTWRITER_H
#define TE_LIB_DRIVER_REPORT_REPORTWRITER_H

#include "Report/ReportData.h"

#include "llvm/Support/raw_ostream.h"

namespace mlir::te {

class ReportWriter {
public:
  virtual ~ReportWriter() = default;

  virtual void write(llvm::raw_ostream &os, const ReportData &data) const = 0;
  /// Whether this writer, in any version, has written `text`.
  virtual bool hasWritten(llvm::StringRef text) const = 0;
};

const ReportWriter &getMarkdownWriter();
const ReportWriter &getJsonWriter();
const ReportWriter &getHtmlWriter();

/// The writer for a file of this name: by its ending, ".json", ".html" or
/// ".htm"; Markdown for any other.
const ReportWriter &findReportWriter(llvm::StringRef path);

/// Whether a writer has written `text`.
bool isReport(llvm::StringRef text);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_REPORT_REPORTWRITER_H
