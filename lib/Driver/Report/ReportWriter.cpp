// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report/ReportWriter.h"

#include "llvm/Support/Path.h"

using namespace mlir::te;

const ReportWriter &mlir::te::findReportWriter(llvm::StringRef path) {
  llvm::StringRef ending = llvm::sys::path::extension(path);
  if (ending.equals_insensitive(".json"))
    return getJsonWriter();
  if (ending.equals_insensitive(".html") || ending.equals_insensitive(".htm"))
    return getHtmlWriter();
  return getMarkdownWriter();
}

bool mlir::te::isReport(llvm::StringRef text) {
  return llvm::any_of(
      llvm::ArrayRef{&getMarkdownWriter(), &getJsonWriter(), &getHtmlWriter()},
      [&](const ReportWriter *writer) { return writer->hasWritten(text); });
}
