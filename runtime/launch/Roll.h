// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks of a job as their coordinator knows them, and when what it knows is
// the end of the job.

#ifndef TERT_LAUNCH_ROLL_H
#define TERT_LAUNCH_ROLL_H

#include "launch/Socket.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tert::launch {

/// What the main thread of a rank does.
enum class Phase : uint32_t {
  Starting,   ///< Opens its device, sets its states.
  Meeting,    ///< Waits in the store for the others.
  Data,       ///< Reads the data of a step.
  Step,       ///< Runs the program, waits for the others in a collective.
  Saving,     ///< Writes a checkpoint.
  Evaluating, ///< Runs the evaluation.
  Ending,     ///< Has done its work.
};

/// "in step 12", "saving after step 500".
std::string describe(Phase phase, uint64_t step);

/// Who a rank is, to a person.
struct Identity {
  uint64_t pid = 0;
  std::string host;
};

/// Why a job ends, and the rank to blame.
struct Verdict {
  int32_t rank;
  std::string reason;
};

class Roll {
public:
  using Time = Clock::time_point;

  /// `timeout`: how long a rank may be silent, be missing, or keep the others
  /// waiting for its data.
  Roll(int32_t size, std::chrono::milliseconds timeout, Time now);

  int32_t size() const { return static_cast<int32_t>(ranks.size()); }
  bool hasJoined(int32_t rank) const { return at(rank).joined; }
  /// Whether all have.
  bool isWhole() const;
  bool hasLeft(int32_t rank) const { return at(rank).left; }
  /// "rank 3 (pid 123 on host)".
  std::string name(int32_t rank) const;

  void join(int32_t rank, const Identity &identity, Time now);
  /// A sign of life: what the rank has been doing since when.
  void hear(int32_t rank, Phase phase, uint64_t step,
            std::chrono::milliseconds since, Time now);
  /// It has done its work.
  void leave(int32_t rank) { at(rank).left = true; }
  /// Its connection is gone.
  void lose(int32_t rank, Time now);
  /// It says that it failed; `byOthers`: in an exchange with the others.
  void fail(int32_t rank, const std::string &why, Time now,
            bool byOthers = false);
  /// The coordinator's own clock stood still (its process was stopped): nobody
  /// is to blame for the silence.
  void forgive(Time now);

  /// What ends the job, if something does. A rank that dies makes the
  /// collectives of others fail, and their word may come first; so the verdict
  /// on what happened waits a moment for what was before.
  std::optional<Verdict> judge(Time now) const;

  /// How long judge() waits, and how long if all it has is complaints of
  /// others: whoever is to blame may not have noticed yet, or be the only one
  /// that does not complain.
  static constexpr std::chrono::milliseconds settling{300};
  static constexpr std::chrono::milliseconds settlingComplaints{3000};

private:
  struct Rank {
    Identity identity;
    bool joined = false, left = false;
    Phase phase = Phase::Starting;
    uint64_t step = 0;
    Time heard, since;
    std::optional<Time> lost, failed;
    std::string why;
    bool byOthers = false;
  };
  Rank &at(int32_t rank) { return ranks[static_cast<size_t>(rank)]; }
  const Rank &at(int32_t rank) const {
    return ranks[static_cast<size_t>(rank)];
  }
  std::optional<Verdict> judgeEvents(Time now) const;
  std::string whoIsSilent(Time now) const;
  std::optional<Verdict> judgeSilence(Time now) const;
  std::optional<Verdict> judgeMissing(Time now) const;
  std::optional<Verdict> judgeDelay(Time now) const;

  std::vector<Rank> ranks;
  std::chrono::milliseconds timeout;
  Time began;
};

} // namespace tert::launch

#endif // TERT_LAUNCH_ROLL_H
