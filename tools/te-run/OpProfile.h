// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the time of a call goes, op by op, beside the least it could take.

#ifndef TE_RUN_OPPROFILE_H
#define TE_RUN_OPPROFILE_H

#include "Output.h"
#include "session/Session.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tert::run {

/// What an op ran on the device, per call of the entry.
struct KernelTime {
  std::string name;
  double calls = 0, seconds = 0;
};

/// Per call of the entry.
struct OpTime {
  std::string op, location; ///< no location in a sum over places
  double calls = 0, seconds = 0;
  double floorSeconds = 0; ///< 0 where the device's ceilings are not known
  double bytes = 0, flops = 0;
  std::vector<KernelTime> kernels; ///< none where the device does not tell
};

/// One op of one call, in seconds since the first one.
struct OpSpan {
  std::string op, location;
  double begin, seconds, floorSeconds, bytes, flops;
};

/// One run of a kernel, on the same time line.
struct KernelSpan {
  std::string name, op, location;
  double begin, seconds;
};

struct OpProfile {
  std::vector<OpTime> sites; ///< the slowest first
  std::vector<OpSpan> spans; ///< in the order they ran
  std::vector<KernelSpan> kernels;

  /// Ops of all sites, the slowest first.
  std::vector<OpTime> byOp() const;
  OpTime total() const;
};

/// Calls the entry with every op timed: a pass of its own, because that slows
/// it down. At least one call must have run.
session::Expected<OpProfile> profileCalls(const session::Session &session,
                                          session::EntryCall &call,
                                          size_t iterations);

/// What the tables of a profile show.
struct ProfileView {
  size_t sites = 15; ///< rows by site
  /// Of how many kernels an op is that has them listed below it.
  size_t minKernels = 2;
};

/// Tables by op and by site.
void printProfile(const OpProfile &profile, const ProfileView &view);

/// An array of the ops or sites of a profile.
nlohmann::ordered_json toJson(const std::vector<OpTime> &ops);

/// The spans as a file that Perfetto and chrome://tracing open.
session::Error writeTrace(const OpProfile &profile, const std::string &program,
                          const std::string &path);
/// Whether a file is one of these.
bool isTrace(const std::string &path);

} // namespace tert::run

#endif // TE_RUN_OPPROFILE_H
