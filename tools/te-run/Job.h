// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run as one rank among many, or as the process that starts them all
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
  std::string secret;  ///< A file; empty: the user's default one.
  int64_t timeout = 60;
  int32_t maxRestarts = 0; ///< Requires `devices`.

  void addTo(CLI::App &command);
};

/// This rank in its job.
class Job : public training::Peers {
public:
  /// `begun` is set when its first step begins; `restarts`: the number of
  /// previous starts of the job.
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
  /// This rank's index, and thus its device, among the ranks of its host.
  int32_t localRank() const { return member.localRank(); }
  /// True if the failure was one of a collective.
  bool failedInCollective() const { return collectiveFailed; }

private:
  friend class JobConnection;
  session::Error connect(tert_context *opened, const session::Mesh &mesh);
  void disconnect();
  /// The reason why collectives fail on this rank; empty if they do not.
  std::string collectiveFailure() const;

  launch::Member &member;
  int64_t timeout;
  std::atomic<bool> *begun;
  int32_t numRestarts;
  tert_context *context = nullptr;
  bool collectiveFailed = false;
};

/// The maximum over all ranks, for each call; without a job, the argument.
session::Expected<std::vector<double>> slowest(Job *job,
                                               std::vector<double> seconds);

/// The calls of the rank with the longest total time; without a job, the
/// argument. If calls follow each other without a pause, a rank that ends one
/// late also starts the next one late: the maxima of single calls would count
/// such a delay once on one rank and again on the others.
session::Expected<std::vector<double>>
ofSlowestRank(Job *job, std::vector<double> seconds);

/// Connection of the ranks' devices, and its supervision. Ends before the
/// session does.
class JobConnection {
public:
  /// All ranks call it, before anything runs. Does nothing without a job.
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

/// Runs a command: `setup` has this rank's device, and `job` is null for a
/// single process. Returns the exit code; the reason of a failure is stored in
/// `failure` and printed to stderr.
using Work =
    std::function<int(const Setup &setup, Job *job, std::string &failure)>;

/// Conditions under which a single process may run a program of many ranks.
enum class Alone { Never, UnlessBatchesAreShared, Always };

/// Runs `work` in every rank requested by the flags or by the launcher of this
/// process: here, or in processes that this one starts and supervises. Their
/// number must be that of the artifact's mesh, if `setup` names an artifact.
int runInJob(const JobFlags &flags, const Setup &setup, const Work &work,
             Alone alone = Alone::Never);

/// reportError(), keeping the message for the other ranks.
int fail(const session::Error &error, std::string &failure);

} // namespace tert::run

#endif // TE_RUN_JOB_H
