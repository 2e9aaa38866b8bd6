// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinkFile.h"

#include <algorithm>
#include <set>

using namespace tert::run;
using namespace tert::session;

Expected<nlohmann::ordered_json>
tert::run::describeLinks(const std::vector<std::string> &hosts,
                         const LinkTimes &allReduce,
                         const LinkTimes &allGather) {
  const size_t distinct =
      std::set<std::string>(hosts.begin(), hosts.end()).size();
  if (distinct != 1 && distinct != hosts.size())
    return Error("the ranks are on " + std::to_string(distinct) +
                 " hosts, some of them on one; to measure a link for --links, "
                 "start all on one host, or one on each");
  const double steps = static_cast<double>(hosts.size()) - 1;
  const double hop =
      std::clamp((allReduce.smallSeconds - allGather.smallSeconds) / steps, 0.0,
                 allGather.smallSeconds / steps);
  const double start = allGather.smallSeconds - steps * hop;
  auto bandwidth = [&](const LinkTimes &times, double laps) {
    const double latency = start + laps * steps * hop;
    // If the large collective took no longer than the small one, all of its
    // time counts as transfer.
    const double moving = times.largeSeconds > latency
                              ? times.largeSeconds - latency
                              : times.largeSeconds;
    return times.sentBytes / moving / 1e9;
  };
  const double gather = bandwidth(allGather, 1);
  return nlohmann::ordered_json{
      {"links",
       {{"start_us", start * 1e6},
        {distinct == 1 ? "host" : "network",
         {{"hop_us", hop * 1e6},
          {"all_reduce_gbytes_per_s", bandwidth(allReduce, 2)},
          {"all_gather_gbytes_per_s", gather},
          {"reduce_scatter_gbytes_per_s", gather}}}}}};
}
