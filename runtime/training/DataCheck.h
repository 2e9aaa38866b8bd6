// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks all data of a run before its first step, or, if that would take long,
// concurrently with its steps.

#ifndef TERT_TRAINING_DATACHECK_H
#define TERT_TRAINING_DATACHECK_H

#include "training/Data.h"

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace tert::training {

class DataCheck {
public:
  /// Largest data, in bytes, that is checked before the first step.
  static constexpr uint64_t maxImmediateBytes = uint64_t(256) << 20;

  using Findings = session::Expected<std::vector<std::string>>;

  /// Checks small data immediately. The source must outlive the check.
  explicit DataCheck(const BatchSource &source,
                     uint64_t atOnce = maxImmediateBytes);
  ~DataCheck();
  DataCheck(const DataCheck &) = delete;
  DataCheck &operator=(const DataCheck &) = delete;

  /// The result, once complete: warnings, or the error that will end the run
  /// when it reaches the data. Each is returned once.
  Findings take();

private:
  std::atomic<bool> stop{false}, done{false};
  std::unique_ptr<Findings> found;
  std::thread thread; ///< For large data.
};

} // namespace tert::training

#endif // TERT_TRAINING_DATACHECK_H
