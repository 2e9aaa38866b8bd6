// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timing of an entry's calls.

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
  /// Interpolates between neighbours.
  double percentile(double share) const;
  /// In the order of the calls.
  const std::vector<double> &calls() const { return inOrder; }

private:
  std::vector<double> inOrder;
  std::vector<double> sorted;
};

struct CallTimes {
  /// Time from the end of one call to the end of the next, by the device's
  /// clock, if the host does not wait between calls.
  Times device;
  /// Time that the host takes to start a call; the entire call if the host
  /// computes.
  Times host;
};

/// Applied to measurements, in order, before they are evaluated.
using Combine =
    std::function<session::Expected<std::vector<double>>(std::vector<double>)>;

session::Expected<CallTimes> timeCalls(session::Session &session,
                                       session::EntryCall &call, size_t warmup,
                                       size_t iterations,
                                       const Combine &combine = {});

} // namespace tert::run

#endif // TE_RUN_TIMING_H
