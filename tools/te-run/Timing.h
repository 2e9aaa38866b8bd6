// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long calls of an entry take.

#ifndef TE_RUN_TIMING_H
#define TE_RUN_TIMING_H

#include "session/Session.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace tert::run {

/// Measurements in seconds; at least one.
class Times {
public:
  explicit Times(std::vector<double> seconds);

  double min() const { return sorted.front(); }
  double median() const { return percentile(0.5); }
  double mean() const;
  /// Between neighbours where the rank falls between two.
  double percentile(double share) const;
  /// One by one, as they came.
  const std::vector<double> &calls() const { return inOrder; }

private:
  std::vector<double> inOrder;
  std::vector<double> sorted;
};

struct CallTimes {
  /// From the end of one call to the end of the next, by the device's clock,
  /// when calls follow each other without the host waiting in between.
  Times device;
  /// What starting a call costs the host; all of it where the host computes.
  Times host;
};

/// What becomes of measurements before they are looked at, in their order.
using Combine =
    std::function<session::Expected<std::vector<double>>(std::vector<double>)>;

session::Expected<CallTimes> timeCalls(session::Session &session,
                                       session::EntryCall &call, size_t warmup,
                                       size_t iterations,
                                       const Combine &combine = {});

} // namespace tert::run

#endif // TE_RUN_TIMING_H
