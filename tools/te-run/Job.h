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

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace tert::run {

/// The flags of commands that run in a job.
struct JobFlags {
  launch::LaunchFlags launch;
  std::string devices; ///< "8" or "0,1"; empty: this process is one rank.
  std::string secret;  ///< A file; empty: the user's own.
  int64_t timeout = 60;
  int32_t maxRestarts = 0; ///< With `devices`.

  void addTo(CLI::App &command);
};

/// This rank in its job.
class Job : public training::Peers {
public:
  /// `begun`: told when its first step begins; `restarts`: how often the job
  /// was started before.
  Job(launch::Member &member, int64_t timeout,
      std::atomic<bool> *begun = nullptr, int32_t restarts = 0)
      : member(member), timeout(timeout), begun(begun), numRestarts(restarts) {}

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

  int32_t restarts() const { return numRestarts; }
  const std::vector<std::string> &hosts() const { return member.hosts(); }
  /// Which device this rank takes among those of its host.
  int32_t localRank() const { return member.localRank(); }
  /// Whether what went wrong was an exchange with the others.
  bool isBrokenByOthers() const { return brokenByOthers; }

private:
  friend class JobConnection;
  session::Error connect(tert_context *opened, const session::Mesh &mesh);
  void disconnect();
  /// Why exchanges fail on this rank; empty while they do not.
  std::string exchangeFailure() const;

  launch::Member &member;
  int64_t timeout;
  std::atomic<bool> *begun;
  int32_t numRestarts;
  tert_context *context = nullptr;
  bool brokenByOthers = false;
};

/// The longest of all ranks, call by call; without a job what it is given.
session::Expected<std::vector<double>> slowest(Job *job,
                                               std::vector<double> seconds);

/// The calls of the rank that all of them together took longest; without a job
/// what it is given. Where calls follow each other without a pause, a rank that
/// ends one late starts the next one late: the longest times of single calls
/// would count such a delay on one rank and then again on the others.
session::Expected<std::vector<double>>
ofSlowestRank(Job *job, std::vector<double> seconds);

/// The ranks' devices are connected, and watched. Ends before the session does.
class JobConnection {
public:
  /// All ranks call it, before anything runs. Nothing without a job.
  static session::Expected<JobConnection> open(Job *job,
                                               session::Session &session);
  static session::Expected<JobConnection> open(Job *job, tert_context *context,
                                               const session::Mesh &mesh);
  JobConnection(JobConnection &&other) noexcept
      : job(std::exchange(other.job, nullptr)) {}
  JobConnection &operator=(JobConnection &&) = delete;
  ~JobConnection() {
    if (job)
      job->disconnect();
  }

private:
  explicit JobConnection(Job *job) : job(job) {}
  Job *job;
};

/// Does the work of a command: `setup` says which device is this rank's, and
/// `job` is null for a process that is alone. Returns the exit code, having
/// put the reason of a failure into `failure` and on stderr.
using Work =
    std::function<int(const Setup &setup, Job *job, std::string &failure)>;

/// Whether a process that is alone may do the work with a program of many
/// ranks.
enum class Alone { Never, UnlessBatchesAreShared, Always };

/// Runs `work` in every rank that the flags, or what launched this process,
/// ask for: here, or in processes that this one starts and watches over. Their
/// number has to be that of the artifact's mesh, if `setup` names an artifact.
int runInJob(const JobFlags &flags, const Setup &setup, const Work &work,
             Alone alone = Alone::Never);

/// reportError(), keeping the message for the other ranks.
int fail(const session::Error &error, std::string &failure);

} // namespace tert::run

#endif // TE_RUN_JOB_H
