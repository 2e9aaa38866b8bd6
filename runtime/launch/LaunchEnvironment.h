// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which rank of which job a process is, as its launcher says: torchrun, mpirun
// and srun tell it by environment variables (docs/distributed.md).

#ifndef TERT_LAUNCH_LAUNCHENVIRONMENT_H
#define TERT_LAUNCH_LAUNCHENVIRONMENT_H

#include "launch/Endpoint.h"

#include <functional>
#include <optional>
#include <string>

namespace tert::launch {

/// What a rank knows of its job before it has met the others.
struct Placement {
  int32_t rank = 0, size = 1;
  /// Its place among the ranks of its host, if the launcher says.
  std::optional<int32_t> localRank;
  /// Where rank 0 listens.
  Endpoint rendezvous;
  /// The same text in all ranks of the job, and in those of no other as far as
  /// the launcher tells jobs apart.
  std::string job;
  /// By which its ranks know each other; empty: the launcher gives none.
  std::string secret;
  std::string launcher; ///< For messages: "torchrun".
};

/// What the user says; it wins over what the launcher does.
struct LaunchFlags {
  std::optional<int32_t> rank, size;
  std::string rendezvous; ///< HOST:PORT; empty: not given.
};

/// The value of an environment variable, if it is set and not empty.
using Lookup = std::function<std::optional<std::string>(const char *)>;
std::optional<std::string> lookUpInProcess(const char *name);

/// Nothing for a process that nobody launched as a rank of a job. Errors name
/// the flags or variables that are wrong, missing or contradict each other.
Expected<std::optional<Placement>>
findPlacement(const LaunchFlags &flags, const Lookup &lookUp = lookUpInProcess);

/// The first host of Slurm's list: "node01" of "node[01-04,7],other"; empty if
/// it is malformed.
std::string firstHost(const std::string &slurmList);

} // namespace tert::launch

#endif // TERT_LAUNCH_LAUNCHENVIRONMENT_H
