// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the rank and the job of a process from the environment variables of its
// launcher: torchrun, mpirun or srun (docs/distributed.md).

#ifndef TERT_LAUNCH_LAUNCHENVIRONMENT_H
#define TERT_LAUNCH_LAUNCHENVIRONMENT_H

#include "launch/Endpoint.h"

#include <functional>
#include <optional>
#include <string>

namespace tert::launch {

/// Properties of a rank's job that are known before the rendezvous.
struct Placement {
  int32_t rank = 0, size = 1;
  /// Rank within its host, if the launcher gives it.
  std::optional<int32_t> localRank;
  /// Address at which rank 0 listens.
  Endpoint rendezvous;
  /// Identical on all ranks of the job, and different from other jobs as far as
  /// the launcher distinguishes jobs.
  std::string job;
  /// Authenticates the ranks; empty if the launcher gives none.
  std::string secret;
  std::string launcher; ///< For messages: "torchrun".
};

/// The user's flags, which override the launcher's environment.
struct LaunchFlags {
  std::optional<int32_t> rank, size;
  std::string rendezvous; ///< HOST:PORT; empty if not given.
};

/// Returns the value of an environment variable that is set and not empty.
using Lookup = std::function<std::optional<std::string>(const char *)>;
std::optional<std::string> lookUpInProcess(const char *name);

/// Nothing for a process that was not launched as a rank of a job. Errors name
/// the flags or variables that are wrong, missing or contradictory.
Expected<std::optional<Placement>>
findPlacement(const LaunchFlags &flags, const Lookup &lookUp = lookUpInProcess);

/// The first host of Slurm's list: "node01" of "node[01-04,7],other"; empty if
/// it is malformed.
std::string firstHost(const std::string &slurmList);

} // namespace tert::launch

#endif // TERT_LAUNCH_LAUNCHENVIRONMENT_H
