// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The measured ranges of tensors as small pictures.

#ifndef TE_LIB_DRIVER_REPORT_HISTOGRAMS_H
#define TE_LIB_DRIVER_REPORT_HISTOGRAMS_H

#include "Report/ReportData.h"

namespace mlir::te {

/// Whether a calibration has histograms.
bool hasHistograms(const ReportData &data);

/// A table in HTML: a row for each layer, and a picture for each tensor.
void writeHistograms(llvm::raw_ostream &os, const ReportData &data);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_REPORT_HISTOGRAMS_H
