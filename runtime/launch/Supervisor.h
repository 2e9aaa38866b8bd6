// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ranks of a job on this host, without a launcher: a process forks one for
// each and watches over them.

#ifndef TERT_LAUNCH_SUPERVISOR_H
#define TERT_LAUNCH_SUPERVISOR_H

#include "launch/LaunchEnvironment.h"
#include "launch/Socket.h"

#include <atomic>
#include <optional>
#include <string>

namespace tert::launch {

/// What a process is after forkRanks().
struct Forked {
  /// In a rank: its place in the job.
  std::optional<Placement> place;
  Socket listener; ///< In rank 0: for Member::join.
  /// In a rank, to be set when it has begun its work.
  std::atomic<bool> *begun = nullptr;

  /// In the supervisor, once all ranks have ended: the code of the one that
  /// ended first with another than 0, 1 if a signal ended it, or 0.
  int exitCode = 0;
  /// Which one that was, and how it ended; empty if none failed.
  std::string failure;
  bool diedOfSignal = false; ///< So that it could not say anything itself.
  bool hasBegun = false;     ///< A rank has set `begun`.
  /// The supervisor was asked to end the ranks.
  bool wasSignalled = false;
};

/// Forks `count` ranks of this process, before it has threads or an open
/// device. Rank 0 keeps the terminal; the others write nothing to stdout, and
/// their lines on stderr appear with the rank before them. SIGINT, SIGTERM and
/// SIGHUP to the supervisor reach every rank once, Ctrl-Z stops them all. When
/// a rank fails, the others have some seconds to end themselves. Ranks do not
/// outlive their supervisor, however it ends.
Expected<Forked> forkRanks(int32_t count);

} // namespace tert::launch

#endif // TERT_LAUNCH_SUPERVISOR_H
