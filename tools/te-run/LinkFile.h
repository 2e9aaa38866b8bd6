// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What exchanges between ranks were measured to take, as the part of a
// cluster's description that te-compile --plan reads (docs/planning.md).

#ifndef TE_RUN_LINKFILE_H
#define TE_RUN_LINKFILE_H

#include "session/Error.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tert::run {

/// Of one kind of collective: seconds of a small one, in which bytes do not
/// count, and of a large one, of which each rank sends `sentBytes`.
struct LinkTimes {
  double smallSeconds = 0, largeSeconds = 0, sentBytes = 0;
};

/// `hosts` has an element for each rank, and says which kind of link was
/// measured: that of a host where all are on one, the network where each is on
/// its own. Fails for anything in between, which is some of both.
///
/// By the straight line that plans assume: start + steps * hop + sent /
/// bandwidth, with n-1 steps in an all_gather and twice as many in an
/// all_reduce. A reduce_scatter, which is not measured, takes what an
/// all_gather takes.
session::Expected<nlohmann::ordered_json>
describeLinks(const std::vector<std::string> &hosts, const LinkTimes &allReduce,
              const LinkTimes &allGather);

} // namespace tert::run

#endif // TE_RUN_LINKFILE_H
