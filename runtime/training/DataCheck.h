// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looking through all data of a run before its first step, or, where that would
// take long, beside its steps.

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
  /// Up to how many bytes are looked through before the first step.
  static constexpr uint64_t mostAtOnce = uint64_t(256) << 20;

  using Findings = session::Expected<std::vector<std::string>>;

  /// Small data is looked through here. The source must outlive the check.
  explicit DataCheck(const BatchSource &source, uint64_t atOnce = mostAtOnce);
  ~DataCheck();
  DataCheck(const DataCheck &) = delete;
  DataCheck &operator=(const DataCheck &) = delete;

  /// What was found, once all of it is: warnings, or what will end the run when
  /// it comes to it. Each is told once.
  Findings take();

private:
  std::atomic<bool> stop{false}, done{false};
  std::unique_ptr<Findings> found;
  std::thread thread; ///< Of large data.
};

} // namespace tert::training

#endif // TERT_TRAINING_DATACHECK_H
