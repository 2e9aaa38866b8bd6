// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured times of collectives between ranks, as the links section of the
// cluster description that te-compile --plan reads (docs/planning.md).

#ifndef TE_RUN_LINKFILE_H
#define TE_RUN_LINKFILE_H

#include "support/Error.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tert::run {

/// Times of one kind of collective: seconds of a small one, for which the bytes
/// are negligible, and of a large one, for which each rank sends `sentBytes`.
struct LinkTimes {
  double smallSeconds = 0, largeSeconds = 0, sentBytes = 0;
};

/// `hosts` has an element for each rank and determines the kind of link
/// measured: within a host if all are on one, the network if each is on its
/// own. Fails otherwise, as the measurement mixes both.
///
/// Uses the linear model of plans: start + steps * hop + sent / bandwidth, with
/// n-1 steps in an all_gather and twice as many in an all_reduce. A
/// reduce_scatter, which is not measured, takes as long as an all_gather.
session::Expected<nlohmann::ordered_json>
describeLinks(const std::vector<std::string> &hosts, const LinkTimes &allReduce,
              const LinkTimes &allGather);

} // namespace tert::run

#endif // TE_RUN_LINKFILE_H
