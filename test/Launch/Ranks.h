// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job whose ranks are threads of the test.

#ifndef TE_TEST_LAUNCH_RANKS_H
#define TE_TEST_LAUNCH_RANKS_H

#include "launch/Member.h"

#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <thread>

namespace test {

using namespace tert::launch;

class Ranks {
public:
  Ranks(int32_t count, std::chrono::milliseconds timeout) {
    Expected<Socket> opened = Socket::listen({"localhost", 0});
    EXPECT_TRUE(opened);
    listener = std::move(*opened);
    options.job = "test";
    options.secret = "known to the ranks";
    options.version = "1";
    options.timeout = timeout;
    Placement place;
    place.size = count;
    place.job = options.job;
    place.rendezvous = {"localhost", listener.port()};
    for (place.rank = 0; place.rank < count; ++place.rank)
      places.push_back(place);
  }

  /// Joins all, and runs `work` in each that could; `leave`: as one that has
  /// done its work.
  void run(const std::function<void(Member &)> &work, bool leave = true) {
    errors.assign(places.size(), {});
    std::vector<std::thread> threads;
    for (size_t i = 0; i < places.size(); ++i)
      threads.emplace_back([&, i] {
        if (beforeJoin)
          beforeJoin(static_cast<int32_t>(i));
        Expected<std::unique_ptr<Member>> member = Member::join(
            places[i], optionsOf(i), [&](const std::string &) { ++ended; },
            i == 0 ? std::move(listener) : Socket());
        if (!member) {
          errors[i] = member.takeError().message();
          return;
        }
        work(**member);
        if (leave)
          (void)(*member)->leave().message();
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  void join() {
    run([](Member &) {});
  }

  /// How many ranks have heard that the job ends.
  int endings() const { return ended; }

  JobOptions options;
  /// What a rank is told instead, if it is.
  std::map<size_t, JobOptions> others;
  /// What a rank does first.
  std::function<void(int32_t)> beforeJoin;
  std::vector<Placement> places;
  std::vector<std::string> errors; ///< Of joining, by rank.
  Socket listener;

private:
  const JobOptions &optionsOf(size_t rank) const {
    auto other = others.find(rank);
    return other == others.end() ? options : other->second;
  }

  std::atomic<int> ended{0};
};

} // namespace test

#endif // TE_TEST_LAUNCH_RANKS_H
