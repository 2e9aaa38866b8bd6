// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report/ReportData.h"

using namespace mlir::te;

std::vector<ReportData::Entry> ReportData::getEntries() const {
  std::vector<Entry> entries;
  auto find = [&](llvm::StringRef name) -> Entry & {
    auto place = llvm::find_if(
        entries, [&](const Entry &entry) { return entry.name == name; });
    if (place != entries.end())
      return *place;
    entries.emplace_back().name = name.str();
    return entries.back();
  };
  for (const ReportProduct &product : products) {
    Entry &entry = find(product.entry);
    ++entry.products;
    entry.flops += product.flops;
    if (!product.isFp8)
      continue;
    ++entry.fp8Products;
    entry.fp8Flops += product.flops;
  }
  for (const EntryCosts &cost : costs)
    find(cost.entry).seconds = cost.getTotal().cost.seconds;
  if (memory)
    for (const MemorySummary::Entry &entry : memory->entries)
      find(entry.name).arena = entry.arena;
  return entries;
}

int64_t ReportData::getBytes() const {
  if (!memory)
    return 0;
  int64_t bytes = memory->getStateBytes();
  for (const MemorySummary::Entry &entry : memory->entries)
    bytes = std::max(bytes, memory->getBytes(entry));
  return bytes;
}
