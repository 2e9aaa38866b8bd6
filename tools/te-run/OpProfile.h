// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a call, op by op, and its lower bound.

#ifndef TE_RUN_OPPROFILE_H
#define TE_RUN_OPPROFILE_H

#include "Output.h"
#include "session/Session.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tert::run {

/// A kernel that an op ran on the device, per call of the entry.
struct KernelTime {
  std::string name;
  double calls = 0, seconds = 0;
};

/// Per call of the entry.
struct OpTime {
  std::string op, location; ///< no location in a sum over sites
  double calls = 0, seconds = 0;
  double floorSeconds = 0; ///< 0 if the device's peak rates are unknown
  double bytes = 0, flops = 0;
  std::vector<KernelTime> kernels; ///< empty if the device does not report them
};

/// One op of one call, in seconds since the first one.
struct OpSpan {
  std::string op, location;
  double begin, seconds, floorSeconds, bytes, flops;
};

/// One run of a kernel, with the same time origin.
struct KernelSpan {
  std::string name, op, location;
  double begin, seconds;
};

struct OpProfile {
  std::vector<OpTime> sites; ///< slowest first
  std::vector<OpSpan> spans; ///< in the order they ran
  std::vector<KernelSpan> kernels;

  /// Ops summed over all sites, slowest first.
  std::vector<OpTime> byOp() const;
  OpTime total() const;
};

/// Calls the entry with every op timed: a separate pass, because that slows it
/// down. At least one call must have run.
session::Expected<OpProfile> profileCalls(const session::Session &session,
                                          session::EntryCall &call,
                                          size_t iterations);

/// Contents of a profile's tables.
struct ProfileView {
  size_t sites = 15; ///< rows by site
  /// An op's kernels are listed if it has at least this many.
  size_t minKernels = 2;
};

/// Tables by op and by site.
void printProfile(const OpProfile &profile, const ProfileView &view);

/// An array of the ops or sites of a profile.
nlohmann::ordered_json toJson(const std::vector<OpTime> &ops);

/// Writes the spans as a file for Perfetto and chrome://tracing.
session::Error writeTrace(const OpProfile &profile, const std::string &program,
                          const std::string &path);
/// True if a file is such a trace.
bool isTrace(const std::string &path);

} // namespace tert::run

#endif // TE_RUN_OPPROFILE_H
