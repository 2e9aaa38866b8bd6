// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The coordinator's record of a job's ranks, and the decision when it ends the
// job.

#ifndef TERT_LAUNCH_RANKMONITOR_H
#define TERT_LAUNCH_RANKMONITOR_H

#include "launch/Socket.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tert::launch {

/// Current activity of a rank's main thread.
enum class Phase : uint32_t {
  Starting,   ///< Opening its device, initializing its states.
  Joining,    ///< Waiting in the store for the other ranks.
  Data,       ///< Reading the data of a step.
  Step,       ///< Running the program, including waits in collectives.
  Saving,     ///< Writing a checkpoint.
  Evaluating, ///< Running the evaluation.
  Ending,     ///< Finished.
};

/// "in step 12", "saving after step 500".
std::string describe(Phase phase, uint64_t step);

/// Identity of a rank, for messages.
struct Identity {
  uint64_t pid = 0;
  std::string host;
};

/// The reason of the job's end, and the rank that caused it.
struct JobEnd {
  int32_t rank;
  std::string reason;
};

class RankMonitor {
public:
  using Time = Clock::time_point;

  /// `timeout`: time that a rank may be silent, be missing, or keep the others
  /// waiting for its data.
  RankMonitor(int32_t size, std::chrono::milliseconds timeout, Time now);

  int32_t size() const { return static_cast<int32_t>(ranks.size()); }
  bool hasJoined(int32_t rank) const { return at(rank).joined; }
  /// True if all ranks have joined.
  bool isWhole() const;
  bool hasLeft(int32_t rank) const { return at(rank).left; }
  /// "rank 3 (pid 123 on host)".
  std::string name(int32_t rank) const;

  void join(int32_t rank, const Identity &identity, Time now);
  /// Records a heartbeat, with the rank's phase and its duration.
  void recordHeartbeat(int32_t rank, Phase phase, uint64_t step,
                       std::chrono::milliseconds since, Time now);
  /// Records that the rank has finished.
  void leave(int32_t rank) { at(rank).left = true; }
  /// Records that its connection was lost.
  void lose(int32_t rank, Time now);
  /// Records that it reported a failure; `inCollective`: of a collective.
  void fail(int32_t rank, const std::string &why, Time now,
            bool inCollective = false);
  /// Resets the times of silence after a pause of the coordinator's own
  /// process.
  void resetSilence(Time now);

  /// The reason to end the job, if there is one. A rank that dies makes the
  /// collectives of others fail, and their reports may arrive first, so the
  /// verdict waits a moment for earlier events.
  std::optional<JobEnd> findJobEnd(Time now) const;

  /// Time that judge() waits, normally, and if only failed collectives have
  /// been reported: the rank that caused them may not have noticed yet, or be
  /// the only one that reports none.
  static constexpr std::chrono::milliseconds settlingTime{300};
  static constexpr std::chrono::milliseconds collectiveSettlingTime{3000};

private:
  struct Rank {
    Identity identity;
    bool joined = false, left = false;
    Phase phase = Phase::Starting;
    uint64_t step = 0;
    Time heard, since;
    std::optional<Time> lost, failed;
    std::string why;
    bool inCollective = false;
  };
  Rank &at(int32_t rank) { return ranks[static_cast<size_t>(rank)]; }
  const Rank &at(int32_t rank) const {
    return ranks[static_cast<size_t>(rank)];
  }
  std::optional<JobEnd> findFailedRank(Time now) const;
  std::string silentRanks(Time now) const;
  std::optional<JobEnd> findSilentRank(Time now) const;
  std::optional<JobEnd> findMissingRank(Time now) const;
  std::optional<JobEnd> findDelayingRank(Time now) const;

  std::vector<Rank> ranks;
  std::chrono::milliseconds timeout;
  Time began;
};

} // namespace tert::launch

#endif // TERT_LAUNCH_RANKMONITOR_H
