// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs all ranks of a job on this host, without a launcher: a process forks and
// supervises one for each.

#ifndef TERT_LAUNCH_SUPERVISOR_H
#define TERT_LAUNCH_SUPERVISOR_H

#include "launch/LaunchEnvironment.h"
#include "launch/Socket.h"

#include <atomic>
#include <optional>
#include <string>

namespace tert::launch {

/// Role of a process after forkRanks().
struct Forked {
  /// In a rank: its placement in the job.
  std::optional<Placement> place;
  Socket listener; ///< In rank 0: argument of Member::join.
  /// In a rank: to be set when it has begun its work.
  std::atomic<bool> *begun = nullptr;

  /// In the supervisor, once all ranks have ended: the first nonzero exit code,
  /// 1 if a signal ended that rank, or 0.
  int exitCode = 0;
  /// The rank that failed first, and how it ended; empty if none failed.
  std::string failure;
  bool diedOfSignal = false; ///< So it could not report anything itself.
  bool hasBegun = false;     ///< A rank has set `begun`.
  /// The supervisor received a signal to end the ranks.
  bool wasSignalled = false;
};

/// Forks `count` ranks of this process, before it has threads or an open
/// device. Rank 0 keeps the terminal. The others write nothing to stdout, and
/// their lines on stderr are prefixed with the rank. SIGINT, SIGTERM and SIGHUP
/// to the supervisor reach every rank once; Ctrl-Z stops them all. If a rank
/// fails, the others have some seconds to end themselves. Ranks do not outlive
/// their supervisor, however it ends.
Expected<Forked> forkRanks(int32_t count);

} // namespace tert::launch

#endif // TERT_LAUNCH_SUPERVISOR_H
