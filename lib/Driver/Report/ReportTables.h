// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of a report for people.

#ifndef TE_LIB_DRIVER_REPORT_REPORTTABLES_H
#define TE_LIB_DRIVER_REPORT_REPORTTABLES_H

#include "Report/ReportData.h"
#include "Table.h"
#include "te/Planning/Plan.h"

namespace mlir::te {

/// Products, operations, time and arena of each entry.
Table makeEntryTable(const ReportData &data);

/// A row for each layer, with its products side by side: precision and sizes,
/// of each entry where entries differ. With `detailed` also formats, operations
/// and times.
Table makeLayerTable(const ReportData &data, bool detailed);

/// What a calibration says of the layers, and its sums.
Table makeSensitivityTable(const ReportData &data);
std::string describeSensitivity(const ReportData &data);

/// The products in high precision, with the reasons.
Table makeHighTable(const ReportData &data);

/// A table of decisions for each pass.
std::vector<std::pair<std::string, Table>>
makeDecisionTables(const ReportData &data);

/// The kernels of an entry.
Table makeCostTable(const EntryCosts &entry);

/// What there is all the time, by kind.
Table makeStateTable(const MemorySummary &memory);
/// What each entry needs besides. Entries run one after the other and share one
/// arena, the largest.
Table makeArenaTable(const MemorySummary &memory);

/// What the arena of an entry holds in the course of a call.
Table makeProfileTable(const Plan::Entry &entry);
/// What less memory costs, if programs were compiled to find out.
Table makeAlternativesTable(const Plan &plan);
/// "The arena of train takes 4.59 GiB, of which up to 4.55 GiB are in use at a
/// time."
std::string describeProfile(const Plan &plan, const Plan::Entry &entry);

Table makeFrozenTable(const ReportParameters &parameters);
/// "2 of 5 parameters are trained, 10 of 40 elements…"; empty if all are.
std::string describeParameters(const ReportParameters &parameters);

Table makeSlotTable(const std::vector<ReportSlot> &slots);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_REPORT_REPORTTABLES_H
