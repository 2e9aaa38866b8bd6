// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuning of a device that offers several plans.
#ifndef TERT_PROGRAM_TUNER_H
#define TERT_PROGRAM_TUNER_H

#include "tert/tuning.h"

#include <string>

namespace tert {

struct TuningRecord {
  std::string problem, plan;
  double firstSeconds = 0, bestSeconds = 0;
};

/// The methods correspond to the functions of tert/tuning.h.
class Tuner {
public:
  virtual ~Tuner() = default;
  virtual const std::string &device() const = 0;
  virtual void load(const std::string &problem, const std::string &plan) = 0;
  virtual tert_tuning_usage usage() const = 0;
  virtual TuningRecord search(size_t index) = 0;
};

} // namespace tert

#endif // TERT_PROGRAM_TUNER_H
