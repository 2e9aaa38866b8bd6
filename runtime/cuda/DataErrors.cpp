// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/DataErrors.h"

#include "cuda/Error.h"

using namespace tert;
using namespace tert::cuda;

DataErrors::DataErrors() {
  // With unified addressing, kernels use the same address.
  check(cudaHostAlloc(reinterpret_cast<void **>(&record), sizeof(*record),
                      cudaHostAllocDefault),
        "allocating page-locked memory");
  *record = {};
}

DataErrors::~DataErrors() { cudaFreeHost(record); }

DataErrorSink DataErrors::sink(const tert_site &site, Describe describe) {
  std::string op = site.op ? site.op : "unnamed op";
  std::string location = site.location ? site.location : "";
  auto [entry, isNew] = indices.try_emplace(
      {op, location, site.index}, static_cast<int32_t>(sources.size()));
  if (isNew)
    sources.push_back({location.empty() ? op : op + " at " + location, {}});
  sources[entry->second].describe = std::move(describe);
  return {record, entry->second};
}

void DataErrors::throwIfReported() {
  volatile DataErrorRecord *reported = record;
  if (!reported->claimed)
    return;
  int32_t index = reported->source;
  int64_t value = reported->value, position = reported->position;
  reported->claimed = 0;
  const Source &source = sources.at(index);
  throw Error::located(TERT_INVALID_DATA,
                       source.where + ": " + source.describe(value, position));
}
