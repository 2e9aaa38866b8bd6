// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank's side of a job's connections. Rank 0 serves the coordinator, too.

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
  /// Called once, from another thread, when the job ends although this rank
  /// has neither failed nor left; says why. A process that is to end even if
  /// its main thread waits for a collective ends here. Everything that waits
  /// returns the same text as an error afterwards.
  using OnEnd = std::function<void(const std::string &why)>;

  /// Meets the other ranks at `place.rendezvous`; fails if they are not all
  /// there within the timeout. `listener`: of rank 0, a socket that listens
  /// there already.
  static Expected<std::unique_ptr<Member>> join(const Placement &place,
                                                const JobOptions &options,
                                                OnEnd onEnd,
                                                Socket listener = Socket());
  /// One that has neither failed nor left does fail.
  ~Member();
  Member(const Member &) = delete;
  Member &operator=(const Member &) = delete;

  int32_t rank() const { return place.rank; }
  int32_t size() const { return place.size; }
  /// Its place among the ranks of its host, and how many these are.
  int32_t localRank() const { return local; }
  int32_t localSize() const { return locals; }
  /// By rank.
  const std::vector<std::string> &hosts() const { return hostNames; }

  /// Small values by name that all ranks see.
  Error set(const std::string &key, const std::string &value);
  /// Waits for the key; fails after the timeout.
  Expected<std::string> get(const std::string &key);
  /// The same as the runtime takes it; lives as long as this.
  tert_store store();
  /// What the ranks' devices know each other by.
  const Key &exchangeKey() const { return exchange; }
  /// Waits until every rank has come here, as long as they live, and returns
  /// what each brought, by rank. Ranks meet in the same order.
  Expected<std::vector<std::string>> gather(const std::string &what,
                                            const std::string &value);

  /// What the main thread does from now on, for messages.
  void note(Phase phase, uint64_t step);
  /// Between two steps, of which `done` are done: whether to stop here. If any
  /// rank wants to, all stop after the same step, which is at most one later.
  /// Costs no exchange before that.
  bool stopTogether(uint64_t done, bool wanted);

  /// What this rank's exchanges suffer from, asked by another thread from time
  /// to time; no text while nothing is wrong. The answer ends the job, even if
  /// the main thread waits for ever. An empty function: nothing is asked, and
  /// none runs when this returns.
  void watch(std::function<std::string()> exchangeFailure);

  /// Tells the others that this rank failed, and waits a moment until they
  /// know. If the cause is another rank's end, returns that. `byOthers`: what
  /// failed was an exchange, so that another rank is likelier to be the cause.
  std::string fail(const std::string &why, bool byOthers = false);
  /// Waits until all ranks have done their work.
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
  void sayAlive();
  bool hasComplained();
  void endJob(int32_t rank, const std::string &why);

  const Placement place;
  const JobOptions options;
  const OnEnd onEnd;
  const Key exchange;
  std::unique_ptr<Coordinator> coordinator;
  std::optional<Channel> channel;
  Socket wakeEnd, wake;
  int32_t local = 0, locals = 1;
  std::vector<std::string> hostNames;
  uint64_t meetings = 0;

  std::mutex watching;
  std::function<std::string()> exchangeFailure;

  std::mutex sending;
  std::mutex mutex; ///< Of all below.
  std::condition_variable changed;
  uint64_t requests = 0;
  std::map<uint64_t, Reply> replies;
  Phase phase = Phase::Starting;
  uint64_t step = 0;
  Clock::time_point since = Clock::now();
  bool halting = false, stopIsKnown = false, stopWanted = false;
  uint64_t begun = 0, stopAt = 0;
  bool failing = false, leaving = false, goodbye = false;
  std::optional<Verdict> ended;

  std::atomic<bool> stopping{false};
  std::thread thread;
};

} // namespace tert::launch

#endif // TERT_LAUNCH_MEMBER_H
