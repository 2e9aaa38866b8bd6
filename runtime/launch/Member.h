// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank's side of a job's connections. Rank 0 also runs the coordinator.

#ifndef TERT_LAUNCH_MEMBER_H
#define TERT_LAUNCH_MEMBER_H

#include "launch/Coordinator.h"
#include "launch/LaunchEnvironment.h"
#include "tert/job.h"

#include <condition_variable>
#include <functional>
#include <mutex>

namespace tert::launch {

class Member {
public:
  /// Called once, from another thread, if the job ends although this rank has
  /// neither failed nor left, with the reason. To end a process whose main
  /// thread may be waiting in a collective, end it here. All waiting calls
  /// return the same text as an error afterwards.
  using OnEnd = std::function<void(const std::string &why)>;

  /// Joins the other ranks at `place.rendezvous`; fails unless all of them join
  /// within the timeout. `listener`: on rank 0, a socket that listens there
  /// already.
  static Expected<std::unique_ptr<Member>> join(const Placement &place,
                                                const JobOptions &options,
                                                OnEnd onEnd,
                                                Socket listener = Socket());
  /// Counts as a failure of the rank if it has neither failed nor left.
  ~Member();
  Member(const Member &) = delete;
  Member &operator=(const Member &) = delete;

  int32_t rank() const { return place.rank; }
  int32_t size() const { return place.size; }
  /// Rank within its host, and the number of ranks there.
  int32_t localRank() const { return local; }
  int32_t localSize() const { return locals; }
  /// Indexed by rank.
  const std::vector<std::string> &hosts() const { return hostNames; }

  /// A store of small values, visible to all ranks.
  Error set(const std::string &key, const std::string &value);
  /// Waits for the key; fails after the timeout.
  Expected<std::string> get(const std::string &key);
  /// The store as a tert_store, without the values of earlier ones; valid as
  /// long as this object, or until the next one. All ranks call it equally
  /// often.
  tert_store store();
  /// The key for connections between the ranks' devices.
  const Key &transportKey() const { return exchange; }
  /// A rendezvous: waits for every rank, as long as all are alive, and returns
  /// all values, indexed by rank. All ranks call it in the same order.
  Expected<std::vector<std::string>> gather(const std::string &what,
                                            const std::string &value);

  /// Sets the main thread's current phase, for messages.
  void note(Phase phase, uint64_t step);
  /// Returns whether to stop here, between two steps, after `done` of them. If
  /// any rank requests it, all stop after the same step, at most one later.
  /// Causes no communication before that.
  bool stopTogether(uint64_t done, bool wanted);

  /// Sets a function that another thread polls for failures of this rank's
  /// collectives; it returns an empty text if there are none. A failure ends
  /// the job, even if the main thread waits forever. An empty function ends
  /// polling: none is running when this returns.
  void watch(std::function<std::string()> collectiveFailure);

  /// Reports that this rank failed, and waits briefly until the others are
  /// notified. Returns the reason if another rank's end is the cause.
  /// `inCollective`: a collective failed, so that another rank is more likely
  /// to be the cause.
  std::string fail(const std::string &why, bool inCollective = false);
  /// Waits until all ranks have finished.
  Error leave();

private:
  struct Reply {
    bool present = false;
    std::string payload;
  };
  Member(const Placement &place, const JobOptions &options, OnEnd onEnd)
      : place(place), options(options), onEnd(std::move(onEnd)),
        exchange(keyOf(options.secret, "exchanges of the job " + options.job)) {
  }
  Error connect(const Endpoint &endpoint);
  Error meet();
  Error send(const std::string &frame);
  Expected<std::string> ask(Kind kind, const Packer &packer, uint64_t request,
                            const std::string &what, bool limited);
  void serve();
  void hear(const Message &message);
  void sendHeartbeat();
  bool reportedCollectiveFailure();
  void endJob(int32_t rank, const std::string &why);
  std::string keyInStore(const char *key) const {
    return "runtime/" + std::to_string(numStores) + "/" + key;
  }

  const Placement place;
  const JobOptions options;
  const OnEnd onEnd;
  uint64_t numStores = 0; ///< store() was called.
  const Key exchange;
  std::unique_ptr<Coordinator> coordinator;
  std::optional<Channel> channel;
  Socket wakeEnd, wake;
  int32_t local = 0, locals = 1;
  std::vector<std::string> hostNames;
  uint64_t meetings = 0;

  std::mutex watching;
  std::function<std::string()> collectiveFailure;

  std::mutex sending;
  std::mutex mutex; ///< Guards all members below.
  std::condition_variable changed;
  uint64_t requests = 0;
  std::map<uint64_t, Reply> replies;
  Phase phase = Phase::Starting;
  uint64_t step = 0;
  Clock::time_point since = Clock::now();
  bool halting = false, stopIsKnown = false, stopRequestedByRank = false;
  uint64_t begun = 0, stopAt = 0;
  bool failing = false, leaving = false, goodbye = false;
  std::optional<JobEnd> ended;

  std::atomic<bool> stopping{false};
  std::thread thread;
};

} // namespace tert::launch

#endif // TERT_LAUNCH_MEMBER_H
