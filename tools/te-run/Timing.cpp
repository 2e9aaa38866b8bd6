// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Timing.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>

using namespace tert::run;
using namespace tert::session;

Times::Times(std::vector<double> seconds)
    : inOrder(std::move(seconds)), sorted(inOrder) {
  std::sort(sorted.begin(), sorted.end());
}

double Times::mean() const {
  return std::accumulate(sorted.begin(), sorted.end(), 0.0) /
         static_cast<double>(sorted.size());
}

double Times::percentile(double share) const {
  double rank = share * static_cast<double>(sorted.size() - 1);
  auto below = static_cast<size_t>(rank);
  size_t above = std::min(below + 1, sorted.size() - 1);
  double weight = rank - static_cast<double>(below);
  return sorted[below] * (1 - weight) + sorted[above] * weight;
}

/// Times the start of calls on an idle device, so that no queue delays them.
static Expected<Times> timeStarts(EntryCall &call, size_t iterations) {
  std::vector<double> seconds;
  for (size_t i = 0; i < iterations; ++i) {
    auto began = std::chrono::steady_clock::now();
    if (Error error = call.enqueue())
      return error;
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - began;
    seconds.push_back(took.count());
    if (Error error = call.wait())
      return error;
  }
  return Times(std::move(seconds));
}

Expected<CallTimes> tert::run::timeCalls(Session &session, EntryCall &call,
                                         size_t warmup, size_t iterations,
                                         const Combine &combine) {
  for (size_t i = 0; i < warmup; ++i)
    if (Error error = call.run())
      return error;
  tert_timer *created = nullptr;
  if (tert_status status = tert_timer_create(session.context(), &created))
    return session.failure(status, "cannot make a timer");
  std::unique_ptr<tert_timer, void (*)(tert_timer *)> timer(created,
                                                            tert_timer_release);
  auto mark = [&]() -> Error {
    tert_status status = tert_timer_mark(timer.get());
    return status == TERT_OK ? Error::success()
                             : session.failure(status, "cannot take the time");
  };
  if (Error error = mark())
    return error;
  for (size_t i = 0; i < iterations; ++i) {
    if (Error error = call.enqueue())
      return error;
    if (Error error = mark())
      return error;
  }
  if (Error error = call.wait())
    return error;
  std::vector<double> seconds(iterations);
  size_t count = 0;
  if (tert_status status =
          tert_timer_read(timer.get(), seconds.data(), seconds.size(), &count))
    return session.failure(status, "cannot read the time");
  if (combine) {
    if (Error error = combine(std::move(seconds)).moveTo(seconds))
      return error;
  }
  Times device(std::move(seconds));
  if (session.artifact().defaultDevice() == "cpu")
    return CallTimes{device, device};
  Expected<Times> host = timeStarts(call, iterations);
  if (!host)
    return host.takeError();
  return CallTimes{std::move(device), std::move(*host)};
}
