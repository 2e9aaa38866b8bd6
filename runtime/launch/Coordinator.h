// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 0's side of a job's connections: a key-value store, rendezvous of all
// ranks, and failure detection. Runs on one thread, which no computation
// blocks.

#ifndef TERT_LAUNCH_COORDINATOR_H
#define TERT_LAUNCH_COORDINATOR_H

#include "launch/Channel.h"
#include "launch/RankMonitor.h"

#include <atomic>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace tert::launch {

/// Options shared by all ranks of a job.
struct JobOptions {
  std::string job;     ///< Placement::job.
  std::string secret;  ///< Known to this job's ranks only.
  std::string version; ///< Version of the program; all ranks run the same one.
  /// Time that a rank may be silent, missing, or waited for.
  std::chrono::milliseconds timeout{60000};
  /// Called on another thread with messages for the user that do not end the
  /// job, such as an unauthenticated connection.
  std::function<void(const std::string &)> warn;
};

/// The key with which ranks and coordinator authenticate each other.
Key coordinatorKey(const JobOptions &options);

/// Interval of heartbeats between ranks and coordinator.
std::chrono::milliseconds heartbeat(std::chrono::milliseconds timeout);

class Coordinator {
public:
  /// Serves `size` ranks that connect to `listener`, until destroyed.
  static std::unique_ptr<Coordinator> start(Socket listener, int32_t size,
                                            const JobOptions &options);
  ~Coordinator();

private:
  using Time = Clock::time_point;
  /// An authenticated connection.
  struct Connection {
    Channel channel;
    std::string out;
    int32_t rank = -1;    ///< -1 if it was refused.
    bool closing = false; ///< Close once `out` is empty.

    void send(const std::string &frame) { out += channel.sealed(frame); }
  };
  struct PendingGather {
    std::vector<std::string> values;
    std::vector<uint64_t> requests;
    std::vector<bool> present;
    int32_t count = 0;
  };
  struct Waiting {
    int32_t rank;
    uint64_t request;
  };

  Coordinator(Socket listener, int32_t size, const JobOptions &options);
  void serve();
  void await(Time now);
  void read(Connection &connection, Time now);
  void write(Connection &connection);
  void hello(Connection &connection, const std::string &payload, Time now);
  void refuse(Connection &connection, const std::string &why);
  void handle(Connection &connection, const Message &message, Time now);
  void gather(Connection &connection, const Message &message, Time now);
  void agreeToStop(int32_t rank, uint64_t begun);
  void leave(int32_t rank);
  void drop(Connection &connection, Time now);
  void sendTo(int32_t rank, const std::string &frame);
  void sendToAll(const std::string &frame);
  void end(const JobEnd &verdict);
  void flush(int32_t exceptRank);

  const JobOptions options;
  Acceptor acceptor;    ///< Open until all ranks have joined.
  Socket wakeEnd, wake; ///< A pipe; the destructor closes `wake`.
  RankMonitor monitor;
  std::list<Connection> connections;
  std::vector<Connection *> ofRank;
  std::map<std::string, std::string> values;
  std::map<std::string, std::vector<Waiting>> waiting;
  size_t valueBytes = 0;
  std::map<std::string, PendingGather> pendingGathers;
  bool halting = false;
  std::vector<bool> answered; ///< The ranks that have reported their number of
                              ///< begun steps.
  uint64_t stopAt = 0;
  bool stopIsKnown = false;
  bool ended = false;
  std::string endReason;
  std::atomic<bool> stopping{false};
  std::thread thread;
};

} // namespace tert::launch

#endif // TERT_LAUNCH_COORDINATOR_H
