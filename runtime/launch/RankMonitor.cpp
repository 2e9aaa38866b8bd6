// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/RankMonitor.h"

#include <algorithm>

using namespace tert::launch;
using std::chrono::milliseconds;

constexpr milliseconds RankMonitor::settlingTime,
    RankMonitor::collectiveSettlingTime;

/// "40 s", "1.5 s".
static std::string seconds(Clock::duration duration) {
  auto tenths =
      std::chrono::duration_cast<milliseconds>(duration).count() / 100;
  std::string text = std::to_string(tenths / 10);
  return (tenths < 100 && tenths % 10 ? text + "." + std::to_string(tenths % 10)
                                      : text) +
         " s";
}

std::string tert::launch::describe(Phase phase, uint64_t step) {
  const std::string number = std::to_string(step);
  switch (phase) {
  case Phase::Starting:
    return "starting";
  case Phase::Joining:
    return step ? "waiting for the others after step " + number
                : "waiting for the others to start";
  case Phase::Data:
    return "reading the data of step " + number;
  case Phase::Step:
    return "in step " + number;
  case Phase::Saving:
    return "saving after step " + number;
  case Phase::Evaluating:
    return "evaluating after step " + number;
  case Phase::Ending:
    return "done";
  }
  return "busy";
}

RankMonitor::RankMonitor(int32_t size, milliseconds timeout, Time now)
    : ranks(static_cast<size_t>(size)), timeout(timeout), began(now) {}

std::string RankMonitor::name(int32_t rank) const {
  const Identity &identity = at(rank).identity;
  return "rank " + std::to_string(rank) + " (pid " +
         std::to_string(identity.pid) + " on " + identity.host + ")";
}

bool RankMonitor::isWhole() const {
  return std::all_of(ranks.begin(), ranks.end(),
                     [](const Rank &rank) { return rank.joined; });
}

void RankMonitor::join(int32_t rank, const Identity &identity, Time now) {
  Rank &joined = at(rank);
  joined.identity = identity;
  joined.joined = true;
  joined.heard = joined.since = now;
}

void RankMonitor::recordHeartbeat(int32_t rank, Phase phase, uint64_t step,
                                  milliseconds since, Time now) {
  Rank &heard = at(rank);
  heard.heard = now;
  heard.phase = phase;
  heard.step = step;
  heard.since = now - since;
}

void RankMonitor::lose(int32_t rank, Time now) {
  if (!at(rank).left && !at(rank).lost)
    at(rank).lost = now;
}

void RankMonitor::fail(int32_t rank, const std::string &why, Time now,
                       bool inCollective) {
  if (at(rank).failed)
    return;
  at(rank).inCollective = inCollective;
  at(rank).failed = now;
  at(rank).why = why;
}

void RankMonitor::resetSilence(Time now) {
  for (Rank &rank : ranks)
    rank.heard = rank.since = now;
  began = now;
}

std::optional<JobEnd> RankMonitor::findJobEnd(Time now) const {
  for (auto findJobEnd :
       {&RankMonitor::findFailedRank, &RankMonitor::findSilentRank,
        &RankMonitor::findMissingRank, &RankMonitor::findDelayingRank})
    if (std::optional<JobEnd> verdict = (this->*findJobEnd)(now))
      return verdict;
  return std::nullopt;
}

/// The silent ranks, other than those that report failures of others.
std::string RankMonitor::silentRanks(Time now) const {
  constexpr int most = 4;
  std::string text;
  int count = 0;
  for (int32_t i = 0; i < size(); ++i)
    if (!at(i).failed && !at(i).left && ++count <= most)
      text += "; " + name(i) + " does not complain: it was last seen " +
              describe(at(i).phase, at(i).step) + ", for " +
              seconds(now - at(i).since);
  return count == size() ? std::string() : text;
}

/// Among several events, a vanished rank outweighs reports by others, and a
/// rank's own failure outweighs a failed collective; otherwise the first one
/// counts.
std::optional<JobEnd> RankMonitor::findFailedRank(Time now) const {
  enum Weight { Complaint, Failure, Vanished };
  std::optional<int32_t> cause;
  Weight causePriority = Complaint;
  Time first = Time::max(), causeTime = first;
  for (int32_t i = 0; i < size(); ++i) {
    const Rank &rank = at(i);
    if (!rank.lost && !rank.failed)
      continue;
    // A failed rank may close its connection afterwards.
    Weight weight = !rank.failed        ? Vanished
                    : rank.inCollective ? Complaint
                                        : Failure;
    Time time = rank.failed ? *rank.failed : *rank.lost;
    first = std::min(first, time);
    if (!cause || weight > causePriority ||
        (weight == causePriority && time < causeTime)) {
      cause = i;
      causePriority = weight;
      causeTime = time;
    }
  }
  if (!cause ||
      now - first <
          (causePriority == Complaint ? collectiveSettlingTime : settlingTime))
    return std::nullopt;
  const Rank &rank = at(*cause);
  if (causePriority == Complaint)
    return JobEnd{*cause,
                  name(*cause) + " failed: " + rank.why + silentRanks(now)};
  if (causePriority == Failure)
    return JobEnd{*cause, name(*cause) + " failed: " + rank.why};
  return JobEnd{*cause, name(*cause) + " ended without a word (last seen " +
                            describe(rank.phase, rank.step) +
                            "): it was killed, it crashed, or the network "
                            "between the hosts broke"};
}

std::optional<JobEnd> RankMonitor::findSilentRank(Time now) const {
  for (int32_t i = 0; i < size(); ++i) {
    const Rank &rank = at(i);
    if (rank.joined && !rank.left && now - rank.heard > timeout)
      return JobEnd{i, name(i) + " has not been heard of for " +
                           seconds(now - rank.heard) + "; it was " +
                           describe(rank.phase, rank.step) +
                           ". It is stopped, or the network between the "
                           "hosts is cut"};
  }
  return std::nullopt;
}

std::optional<JobEnd> RankMonitor::findMissingRank(Time now) const {
  if (now - began <= timeout)
    return std::nullopt;
  std::vector<int32_t> missing;
  for (int32_t i = 0; i < size(); ++i)
    if (!hasJoined(i))
      missing.push_back(i);
  if (missing.empty())
    return std::nullopt;
  constexpr size_t most = 8;
  std::string list;
  for (size_t i = 0; i < std::min(missing.size(), most); ++i)
    list += (i ? ", " : "") + std::to_string(missing[i]);
  if (missing.size() > most)
    list += " and " + std::to_string(missing.size() - most) + " more";
  return JobEnd{missing.front(),
                std::to_string(missing.size()) + " of " +
                    std::to_string(size()) + " ranks did not come within " +
                    seconds(now - began) + ": " + list +
                    ". Were they started, and can their hosts reach this "
                    "one?"};
}

/// A rank that still reads its data while others wait for it in the step.
std::optional<JobEnd> RankMonitor::findDelayingRank(Time now) const {
  auto waits = [&](Phase phase) {
    for (int32_t i = 0; i < size(); ++i)
      if (at(i).joined && !at(i).left && at(i).phase == phase &&
          now - at(i).since > timeout)
        return i;
    return int32_t(-1);
  };
  int32_t late = waits(Phase::Data), waiting = waits(Phase::Step);
  if (late < 0 || waiting < 0)
    return std::nullopt;
  return JobEnd{late, name(late) + " is " +
                          describe(Phase::Data, at(late).step) + " for " +
                          seconds(now - at(late).since) + ", and rank " +
                          std::to_string(waiting) + " waits for it in step " +
                          std::to_string(at(waiting).step)};
}
