// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/Coordinator.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace tert::launch;
using namespace std::chrono_literals;

namespace {
constexpr size_t maxValuesBytes = size_t(1) << 30;
constexpr size_t maxKeyBytes = 1024;
constexpr const char *nonsense = "what it sent is not what a rank sends";
/// Longest time that a rank may report for a phase.
constexpr uint64_t maxMilliseconds = uint64_t(365) * 24 * 3600 * 1000;
/// Time to send the reason of the job's end to all ranks.
constexpr auto flushTime = 2s;

/// Every connection is a file, and the usual limit is below a thousand ranks.
void raiseFileLimit(int32_t size) {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return;
  rlim_t wanted =
      static_cast<rlim_t>(size) + Acceptor::maxPendingConnections + 256;
  if (limit.rlim_cur >= wanted)
    return;
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}
} // namespace

Key tert::launch::coordinatorKey(const JobOptions &options) {
  return keyOf(options.secret, "coordinator of the job " + options.job);
}

std::chrono::milliseconds
tert::launch::heartbeat(std::chrono::milliseconds timeout) {
  return std::clamp<std::chrono::milliseconds>(timeout / 10, 50ms, 2s);
}

std::unique_ptr<Coordinator> Coordinator::start(Socket listener, int32_t size,
                                                const JobOptions &options) {
  raiseFileLimit(size);
  std::unique_ptr<Coordinator> coordinator(
      new Coordinator(std::move(listener), size, options));
  // Signals are handled by the main thread.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  coordinator->thread =
      std::thread([that = coordinator.get()] { that->serve(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return coordinator;
}

Coordinator::Coordinator(Socket listener, int32_t size,
                         const JobOptions &options)
    : options(options),
      acceptor(std::move(listener), coordinatorKey(options), options.warn),
      monitor(size, options.timeout, Clock::now()),
      ofRank(static_cast<size_t>(size)), answered(static_cast<size_t>(size)) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {
    wakeEnd = Socket(ends[0]);
    wake = Socket(ends[1]);
  }
}

Coordinator::~Coordinator() {
  stopping = true;
  wake.close();
  thread.join();
}

void Coordinator::serve() {
  Time lastHeartbeat = Clock::now(), before = lastHeartbeat;
  while (!stopping) {
    await(Clock::now());
    Time now = Clock::now();
    if (now - before > options.timeout / 2)
      monitor.resetSilence(now);
    before = now;
    if (now - lastHeartbeat >= heartbeat(options.timeout)) {
      sendToAll(Packer().frame(Kind::Alive));
      lastHeartbeat = now;
    }
    if (ended)
      continue;
    if (std::optional<JobEnd> verdict = monitor.findJobEnd(now))
      end(*verdict);
  }
  flush(/*exceptRank=*/-1);
}

/// One round of receiving from and sending to the connections.
void Coordinator::await(Time now) {
  std::vector<pollfd> polled = {{wakeEnd.get(), POLLIN, 0}};
  std::vector<Connection *> inOrder;
  for (Connection &connection : connections) {
    polled.push_back(
        {connection.channel.socket.get(),
         static_cast<short>(POLLIN | (connection.out.empty() ? 0 : POLLOUT)),
         0});
    inOrder.push_back(&connection);
  }
  acceptor.addTo(polled);
  ::poll(polled.data(), polled.size(),
         static_cast<int>(Acceptor::tick.count()));
  for (size_t i = 0; i < inOrder.size(); ++i)
    if (polled[i + 1].revents & ~POLLOUT)
      read(*inOrder[i], now);
  for (Acceptor::Arrival &arrival : acceptor.take(now)) {
    connections.push_back({std::move(arrival.channel), {}});
    hello(connections.back(), arrival.hello, now);
  }
  for (auto it = connections.begin(); it != connections.end();) {
    Connection &connection = *it;
    write(connection);
    if (connection.channel.socket &&
        !(connection.closing && connection.out.empty())) {
      ++it;
      continue;
    }
    drop(connection, now);
    it = connections.erase(it);
  }
}

void Coordinator::drop(Connection &connection, Time now) {
  if (connection.rank < 0)
    return;
  ofRank[static_cast<size_t>(connection.rank)] = nullptr;
  monitor.lose(connection.rank, now);
}

void Coordinator::read(Connection &connection, Time now) {
  Channel &channel = connection.channel;
  if (!channel.socket || connection.closing)
    return;
  bool open = channel.socket.receive(channel.in.bytes);
  while (std::optional<Message> message = channel.in.next(mostBytes)) {
    // Messages before the welcome are ignored.
    if (connection.rank >= 0)
      handle(connection, *message, now);
    if (connection.closing)
      return;
  }
  if (channel.in.isBad())
    refuse(connection, nonsense);
  else if (!open)
    channel.socket.close();
}

void Coordinator::write(Connection &connection) {
  Socket &socket = connection.channel.socket;
  if (!socket || connection.out.empty())
    return;
  ssize_t count = ::send(socket.get(), connection.out.data(),
                         connection.out.size(), MSG_NOSIGNAL);
  if (count > 0)
    connection.out.erase(0, static_cast<size_t>(count));
  else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
    socket.close();
}

void Coordinator::refuse(Connection &connection, const std::string &why) {
  if (connection.rank >= 0)
    monitor.fail(connection.rank, why, Clock::now());
  connection.send(Packer().text(why).frame(Kind::Refused));
  connection.closing = true;
}

void Coordinator::hello(Connection &connection, const std::string &payload,
                        Time now) {
  Unpacker unpacker(payload);
  uint64_t rank = unpacker.number(), size = unpacker.number();
  Identity identity;
  identity.pid = unpacker.number();
  identity.host = printable(unpacker.text());
  std::string version = printable(unpacker.text());
  if (!unpacker.isWhole())
    return refuse(connection, nonsense);
  std::string who = "rank " + std::to_string(rank) + " (pid " +
                    std::to_string(identity.pid) + " on " + identity.host + ")";
  std::string why = endReason;
  if (ended)
    return refuse(connection, why);
  if (version != options.version)
    why = who + " runs te-run " + version + ", and rank 0 te-run " +
          options.version + "; install one version on all hosts";
  else if (size != static_cast<uint64_t>(monitor.size()))
    why = who + " was started as one of " + std::to_string(size) +
          " ranks, and rank 0 as one of " + std::to_string(monitor.size());
  else if (rank >= size)
    why = who + " does not exist among " + std::to_string(size) + " ranks";
  else if (monitor.hasJoined(static_cast<int32_t>(rank)))
    why = who + " is there twice: " + monitor.name(static_cast<int32_t>(rank)) +
          " came first";
  if (!why.empty()) {
    // One of our ranks, started wrongly: the job will never be complete.
    refuse(connection, why);
    return end({0, why});
  }
  connection.rank = static_cast<int32_t>(rank);
  ofRank[rank] = &connection;
  monitor.join(connection.rank, identity, now);
  connection.send(Packer().frame(Kind::Welcome));
  if (monitor.isWhole())
    acceptor.close();
}

void Coordinator::handle(Connection &connection, const Message &message,
                         Time now) {
  const int32_t rank = connection.rank;
  Unpacker unpacker(message.payload);
  switch (message.kind) {
  case Kind::Alive: {
    auto phase = static_cast<Phase>(unpacker.number());
    uint64_t step = unpacker.number(), age = unpacker.number();
    if (!unpacker.isWhole() || age > maxMilliseconds)
      return refuse(connection, nonsense);
    monitor.recordHeartbeat(rank, phase, step, std::chrono::milliseconds(age),
                            now);
    return;
  }
  case Kind::Set: {
    std::string key = unpacker.text(), value = unpacker.text();
    valueBytes += value.size();
    if (!unpacker.isWhole() || key.size() > maxKeyBytes ||
        valueBytes > maxValuesBytes)
      return refuse(connection, "the job's store is full");
    for (const Waiting &waiter : waiting[key])
      sendTo(waiter.rank,
             Packer().number(waiter.request).text(value).frame(Kind::Value));
    waiting.erase(key);
    std::string &kept = values[key];
    valueBytes -= kept.size();
    kept = std::move(value);
    return;
  }
  case Kind::Get: {
    uint64_t request = unpacker.number();
    std::string key = unpacker.text();
    if (!unpacker.isWhole() || key.size() > maxKeyBytes)
      return refuse(connection, nonsense);
    if (auto it = values.find(key); it != values.end())
      connection.send(
          Packer().number(request).text(it->second).frame(Kind::Value));
    else
      waiting[key].push_back({rank, request});
    return;
  }
  case Kind::Gather:
    return gather(connection, message, now);
  case Kind::Failed: {
    std::string why = printable(unpacker.text());
    const bool inCollective = unpacker.number() != 0;
    if (!unpacker.isWhole())
      return refuse(connection, nonsense);
    return monitor.fail(rank, why, now, inCollective);
  }
  case Kind::Leave:
    return leave(rank);
  case Kind::WantStop:
    if (!halting) {
      halting = true;
      sendToAll(Packer().frame(Kind::Halt));
    }
    return;
  case Kind::Begun: {
    const uint64_t begun = unpacker.number();
    if (!unpacker.isWhole())
      return refuse(connection, nonsense);
    return agreeToStop(rank, begun);
  }
  default:
    return refuse(connection, nonsense);
  }
}

void Coordinator::gather(Connection &connection, const Message &message,
                         Time now) {
  Unpacker unpacker(message.payload);
  uint64_t request = unpacker.number();
  std::string key = unpacker.text(), value = unpacker.text();
  auto size = static_cast<size_t>(monitor.size());
  auto rank = static_cast<size_t>(connection.rank);
  if (!unpacker.isWhole() || key.size() > maxKeyBytes ||
      value.size() > mostBytes / size)
    return refuse(connection, nonsense);
  PendingGather &pending = pendingGathers[key];
  if (pending.count == 0) {
    pending.values.resize(size);
    pending.requests.resize(size);
    pending.present.resize(size);
  }
  if (pending.present[rank])
    return refuse(connection, nonsense);
  for (int32_t other = 0; other < monitor.size(); ++other)
    if (monitor.hasLeft(other))
      monitor.fail(connection.rank,
                   "it waits for rank " + std::to_string(other) +
                       ", which has done its work, to meet in '" + key + "'",
                   now);
  pending.present[rank] = true;
  pending.values[rank] = std::move(value);
  pending.requests[rank] = request;
  if (++pending.count < monitor.size())
    return;
  for (size_t i = 0; i < size; ++i)
    sendTo(static_cast<int32_t>(i), Packer()
                                        .number(pending.requests[i])
                                        .texts(pending.values)
                                        .frame(Kind::Value));
  pendingGathers.erase(key);
}

/// All ranks have reported the number of steps they have begun, and begin no
/// more: the largest of these numbers is one that all can reach.
void Coordinator::agreeToStop(int32_t rank, uint64_t begun) {
  answered[static_cast<size_t>(rank)] = true;
  stopAt = std::max(stopAt, begun);
  for (int32_t i = 0; i < monitor.size(); ++i)
    if (!answered[static_cast<size_t>(i)] && !monitor.hasLeft(i))
      return;
  if (stopIsKnown)
    return;
  stopIsKnown = true;
  sendToAll(Packer().number(stopAt).frame(Kind::StopAt));
}

void Coordinator::leave(int32_t rank) {
  monitor.leave(rank);
  for (int32_t i = 0; i < monitor.size(); ++i)
    if (!monitor.hasLeft(i))
      return;
  sendToAll(Packer().frame(Kind::Goodbye));
}

void Coordinator::sendTo(int32_t rank, const std::string &frame) {
  Connection *connection = ofRank[static_cast<size_t>(rank)];
  if (connection && !connection->closing)
    connection->send(frame);
}

void Coordinator::sendToAll(const std::string &frame) {
  for (int32_t rank = 0; rank < monitor.size(); ++rank)
    sendTo(rank, frame);
}

/// Rank 0, whose process this is, is notified after the others.
void Coordinator::end(const JobEnd &verdict) {
  ended = true;
  endReason = verdict.reason;
  std::string frame = Packer()
                          .number(static_cast<uint64_t>(verdict.rank))
                          .text(verdict.reason)
                          .frame(Kind::End);
  for (int32_t rank = 1; rank < monitor.size(); ++rank)
    sendTo(rank, frame);
  flush(/*exceptRank=*/0);
  sendTo(0, frame);
}

void Coordinator::flush(int32_t exceptRank) {
  Time deadline = Clock::now() + flushTime;
  for (Connection &connection : connections)
    while (connection.rank != exceptRank && connection.channel.socket &&
           !connection.out.empty() &&
           waitFor(connection.channel.socket.get(), POLLOUT, deadline))
      write(connection);
}
