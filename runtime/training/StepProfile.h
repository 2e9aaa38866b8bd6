// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work of a step, and its slow ops.

#ifndef TERT_TRAINING_STEPPROFILE_H
#define TERT_TRAINING_STEPPROFILE_H

#include "session/Session.h"

#include <functional>
#include <string>
#include <vector>

namespace tert::training {

struct StepProfile {
  struct Op {
    std::string op;       ///< "tert.matmul"
    std::string location; ///< In the model.
    double seconds = 0, flops = 0;
  };
  std::vector<Op> ops; ///< By their sites, slowest first.
  double seconds = 0;  ///< Of all.
  double flops = 0;    ///< Of all products; an addition and a product are two.
};

/// Runs `step`, which calls entries that have run twice before, and measures
/// its ops.
session::Expected<StepProfile>
profileStep(const session::Session &session,
            const std::function<session::Error()> &step);

/// The rate of products that a device like the session's has been measured to
/// reach, in FLOP/s, for the precision of the program; 0 if unknown.
double peakFlops(const session::Session &session);

/// Bytes that the session has allocated on its device, at most so far.
uint64_t peakMemory(const session::Session &session);

} // namespace tert::training

#endif // TERT_TRAINING_STEPPROFILE_H
