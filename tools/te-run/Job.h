// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run as one rank among many, or as what starts them all
// (docs/distributed.md).

#ifndef TE_RUN_JOB_H
#define TE_RUN_JOB_H

#include "Setup.h"
#include "launch/Member.h"
#include "training/Peers.h"

#include <functional>
#include <string>
#include <vector>

namespace tert::run {

/// The flags of commands that run in a job.
struct JobFlags {
  launch::LaunchFlags launch;
  std::string devices; ///< "8" or "0,1"; empty: this process is one rank.
  int64_t timeout = 60;

  void addTo(CLI::App &command);
};

/// This rank in its job.
class Job : public training::Peers {
public:
  Job(launch::Member &member, int64_t timeout)
      : member(member), timeout(timeout) {}

  int32_t rank() const override { return member.rank(); }
  int32_t size() const override { return member.size(); }
  session::Expected<std::vector<std::string>>
  gather(const std::string &what, const std::string &value) override {
    return member.gather(what, value);
  }
  bool stopTogether(uint64_t done, bool wanted) override {
    return member.stopTogether(done, wanted);
  }
  void note(Doing doing, uint64_t step) override;

  const std::vector<std::string> &hosts() const { return member.hosts(); }
  /// Connects the ranks' devices; all ranks call it, before anything runs.
  session::Error connect(session::Session &session);

private:
  launch::Member &member;
  int64_t timeout;
};

/// Does the work of a command: `setup` says which device is this rank's, and
/// `job` is null for a process that is alone. Returns the exit code, having
/// put the reason of a failure into `failure` and on stderr.
using Work =
    std::function<int(const Setup &setup, Job *job, std::string &failure)>;

/// Runs `work` in every rank that the flags, or what launched this process,
/// ask for: here, or in processes that this one starts and watches over.
int runInJob(const JobFlags &flags, const Setup &setup, const Work &work);

/// reportError(), keeping the message for the other ranks.
int fail(const session::Error &error, std::string &failure);

} // namespace tert::run

#endif // TE_RUN_JOB_H
