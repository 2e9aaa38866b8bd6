// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/DataCheck.h"

using namespace tert::training;
using namespace tert::session;

DataCheck::DataCheck(const BatchSource &source, uint64_t atOnce) {
  auto look = [this, &source] {
    found = std::make_unique<Findings>(source.scan(stop));
    done = true;
  };
  if (source.bytesToScan() <= atOnce)
    look();
  else
    thread = std::thread(look);
}

DataCheck::~DataCheck() {
  stop = true;
  if (thread.joinable())
    thread.join();
}

DataCheck::Findings DataCheck::take() {
  if (!done || !found)
    return std::vector<std::string>();
  Findings result = std::move(*found);
  found.reset();
  return result;
}
