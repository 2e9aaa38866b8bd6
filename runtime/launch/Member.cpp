// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/Member.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

using namespace tert::launch;
using namespace std::chrono_literals;

/// Time that a failed rank waits for the others to be notified.
static constexpr auto failureReportTimeout = 5s;

static std::string hostName() {
  char name[256] = "";
  if (::gethostname(name, sizeof(name) - 1) != 0 || !*name)
    return "unknown";
  return name;
}

Expected<std::unique_ptr<Member>> Member::join(const Placement &place,
                                               const JobOptions &options,
                                               OnEnd onEnd, Socket listener) {
  std::unique_ptr<Member> member(new Member(place, options, std::move(onEnd)));
  Endpoint endpoint = place.rendezvous;
  if (place.rank == 0) {
    if (!listener) {
      Expected<Socket> opened = Socket::listen(endpoint);
      if (!opened)
        return Error("rank 0 " + opened.takeError().message() +
                     ". Where another program has the port, give another one "
                     "with --rendezvous HOST:PORT");
      listener = std::move(*opened);
    }
    // Its own coordinator is here, whatever name the others use for this host.
    endpoint = listener.local();
    member->coordinator =
        Coordinator::start(std::move(listener), place.size, options);
  }
  if (Error error = member->connect(endpoint))
    return error;
  if (Error error = member->meet())
    return error;
  return member;
}

/// Sends the hello, and starts the receiving thread.
Error Member::connect(const Endpoint &endpoint) {
  Packer hello;
  hello.number(static_cast<uint64_t>(place.rank))
      .number(static_cast<uint64_t>(place.size))
      .number(static_cast<uint64_t>(::getpid()))
      .text(hostName())
      .text(options.version);
  if (Error error = connectTo(endpoint, "rank 0", coordinatorKey(options),
                              hello, Clock::now() + options.timeout)
                        .moveTo(channel))
    return error;
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
    return Error(std::string("cannot make a pipe: ") + std::strerror(errno));
  wakeEnd = Socket(ends[0]);
  wake = Socket(ends[1]);
  // Signals are handled by the main thread.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread = std::thread([this] { serve(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return Error::success();
}

/// Exchanges the hosts of all ranks.
Error Member::meet() {
  Expected<std::vector<std::string>> gathered = gather("start", hostName());
  if (!gathered)
    return gathered.takeError();
  for (const std::string &host : *gathered)
    hostNames.push_back(printable(host));
  locals = 0;
  for (int32_t other = 0; other < size(); ++other)
    if (hostNames[static_cast<size_t>(other)] ==
        hostNames[static_cast<size_t>(rank())]) {
      if (other == rank())
        local = locals;
      ++locals;
    }
  local = place.localRank.value_or(local);
  return Error::success();
}

Member::~Member() {
  bool silent = false;
  {
    std::lock_guard lock(mutex);
    silent = !leaving && !failing;
  }
  if (thread.joinable()) {
    if (silent)
      fail("it ended early");
    stopping = true;
    wake.close();
    thread.join();
  }
}

Error Member::send(const std::string &frame) {
  std::lock_guard lock(sending);
  if (Error error = channel->socket.send(channel->sealed(frame),
                                         Clock::now() + options.timeout))
    return Error("the connection to rank 0 at " + place.rendezvous.text() +
                 " broke: " + error.message());
  return Error::success();
}

Expected<std::string> Member::ask(Kind kind, const Packer &packer,
                                  uint64_t request, const std::string &what,
                                  bool limited) {
  {
    std::lock_guard lock(mutex);
    replies[request];
  }
  if (Error error = send(packer.frame(kind)))
    return error;
  std::unique_lock lock(mutex);
  auto answered = [&] { return replies[request].present || ended; };
  if (!limited)
    changed.wait(lock, answered);
  else if (!changed.wait_for(lock, options.timeout, answered))
    return Error("no rank has said '" + what + "' within " +
                 std::to_string(options.timeout.count() / 1000) + " s");
  if (!replies[request].present)
    return Error(ended->reason);
  std::string payload = std::move(replies[request].payload);
  replies.erase(request);
  return payload;
}

Error Member::set(const std::string &key, const std::string &value) {
  return send(Packer().text(key).text(value).frame(Kind::Set));
}

Expected<std::string> Member::get(const std::string &key) {
  uint64_t request = 0;
  {
    std::lock_guard lock(mutex);
    request = ++requests;
  }
  Expected<std::string> payload =
      ask(Kind::Get, Packer().number(request).text(key), request, key,
          /*limited=*/true);
  if (!payload)
    return payload;
  return Unpacker(*payload).text();
}

Expected<std::vector<std::string>> Member::gather(const std::string &what,
                                                  const std::string &value) {
  uint64_t request = 0;
  std::string key;
  Phase before = Phase::Starting;
  {
    std::lock_guard lock(mutex);
    request = ++requests;
    // Ranks that called this in different orders would wait for each other
    // forever.
    key = what + " (" + std::to_string(++meetings) + ")";
    before = phase;
  }
  note(Phase::Joining, step);
  Expected<std::string> payload =
      ask(Kind::Gather, Packer().number(request).text(key).text(value), request,
          what, /*limited=*/false);
  if (!payload)
    return payload.takeError();
  note(before, step);
  Unpacker unpacker(*payload);
  std::vector<std::string> values = unpacker.texts();
  if (values.size() != static_cast<size_t>(size()))
    return Error("rank 0 at " + place.rendezvous.text() +
                 " sent what no rank 0 sends");
  return values;
}

void Member::note(Phase now, uint64_t at) {
  std::lock_guard lock(mutex);
  phase = now;
  step = at;
  since = Clock::now();
}

bool Member::stopTogether(uint64_t done, bool wanted) {
  std::unique_lock lock(mutex);
  if (wanted && !stopRequestedByRank) {
    stopRequestedByRank = true;
    lock.unlock();
    // If it cannot be sent, the job is about to end anyway.
    if (Error error = send(Packer().frame(Kind::WantStop)))
      return true;
    lock.lock();
    // Until the coordinator asks, no step begins here.
    begun = done;
    changed.wait(lock, [&] { return stopIsKnown || ended; });
  }
  if (halting)
    changed.wait(lock, [&] { return stopIsKnown || ended; });
  if (ended || (stopIsKnown && done >= stopAt))
    return true;
  begun = done + 1;
  return false;
}

void Member::watch(std::function<std::string()> check) {
  std::lock_guard lock(watching);
  collectiveFailure = std::move(check);
}

/// Reports a failed collective to the coordinator, if there is one.
bool Member::reportedCollectiveFailure() {
  std::lock_guard lock(watching);
  std::string why = collectiveFailure ? collectiveFailure() : std::string();
  if (why.empty())
    return false;
  collectiveFailure = nullptr;
  Error sent = send(Packer().text(why).number(1).frame(Kind::Failed));
  return !sent;
}

std::string Member::fail(const std::string &why, bool inCollective) {
  {
    std::lock_guard lock(mutex);
    failing = true;
  }
  Error sent =
      send(Packer().text(why).number(inCollective).frame(Kind::Failed));
  std::unique_lock lock(mutex);
  if (!sent)
    changed.wait_for(lock, failureReportTimeout,
                     [&] { return ended.has_value(); });
  return ended && ended->rank != rank() ? ended->reason : std::string();
}

Error Member::leave() {
  {
    std::lock_guard lock(mutex);
    leaving = true;
    phase = Phase::Ending;
  }
  if (Error error = send(Packer().frame(Kind::Leave)))
    return error;
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return goodbye || ended; });
  return ended && !goodbye ? Error(ended->reason) : Error::success();
}

void Member::sendHeartbeat() {
  Packer packer;
  {
    std::lock_guard lock(mutex);
    auto age = std::chrono::duration_cast<std::chrono::milliseconds>(
        Clock::now() - since);
    packer.number(static_cast<uint64_t>(phase))
        .number(step)
        .number(static_cast<uint64_t>(age.count()));
  }
  // A few bytes fit the send buffer unless the connection is broken, which
  // reading reports.
  std::unique_lock lock(sending, std::try_to_lock);
  if (lock) [[maybe_unused]]
    Error error = channel->socket.send(
        channel->sealed(packer.frame(Kind::Alive)), Clock::now() + 1s);
}

void Member::serve() {
  auto heard = Clock::now(), said = heard, before = heard;
  auto beat = heartbeat(options.timeout);
  while (!stopping) {
    pollfd polled[] = {{channel->socket.get(), POLLIN, 0},
                       {wakeEnd.get(), POLLIN, 0}};
    ::poll(polled, 2, static_cast<int>(beat.count() / 2));
    auto now = Clock::now();
    // After a pause of this process, the silence is not the coordinator's
    // fault.
    if (now - before > options.timeout / 2)
      heard = now;
    before = now;
    if (polled[0].revents) {
      Inbox &inbox = channel->in;
      bool open = channel->socket.receive(inbox.bytes);
      while (std::optional<Message> message = inbox.next(mostBytes))
        hear(*message);
      heard = now;
      if (!open || inbox.isBad())
        return endJob(0, "the connection to rank 0 at " +
                             place.rendezvous.text() +
                             " broke: rank 0 was killed, it crashed, or the "
                             "network between the hosts broke");
    }
    if (now - heard > options.timeout)
      return endJob(
          0,
          "rank 0 at " + place.rendezvous.text() +
              " has not been heard of for " +
              std::to_string(
                  std::chrono::duration_cast<std::chrono::seconds>(now - heard)
                      .count()) +
              " s. It is stopped, or the network between the hosts is down");
    if (now - said >= beat) {
      sendHeartbeat();
      reportedCollectiveFailure();
      said = now;
    }
  }
}

void Member::endJob(int32_t rank, const std::string &why) {
  bool isNews = false;
  {
    std::lock_guard lock(mutex);
    isNews = !ended && !goodbye && !failing;
    if (!ended)
      ended = JobEnd{rank, why};
  }
  if (isNews && !stopping && onEnd)
    onEnd(why);
  changed.notify_all();
}

void Member::hear(const Message &message) {
  Unpacker unpacker(message.payload);
  if (message.kind == Kind::End) {
    auto rank = static_cast<int32_t>(unpacker.number());
    return endJob(rank, printable(unpacker.text()));
  }
  std::unique_lock lock(mutex);
  switch (message.kind) {
  case Kind::Value: {
    auto reply = replies.find(unpacker.number());
    // Unrequested replies are dropped.
    if (reply == replies.end())
      return;
    reply->second.payload = message.payload.substr(
        std::min<size_t>(message.payload.size(), sizeof(uint64_t)));
    reply->second.present = true;
    break;
  }
  case Kind::Goodbye:
    goodbye = true;
    break;
  case Kind::Halt: {
    halting = true;
    std::string frame = Packer().number(begun).frame(Kind::Begun);
    lock.unlock();
    [[maybe_unused]] Error error = send(frame);
    return;
  }
  case Kind::StopAt:
    stopAt = unpacker.number();
    stopIsKnown = true;
    break;
  default: // A heartbeat.
    return;
  }
  lock.unlock();
  changed.notify_all();
}

/// Error of a C function: copies the message, truncated to `size`.
static tert_status report(const Error &error, char *message, size_t size) {
  if (size) {
    size_t length = std::min(size - 1, error.message().size());
    std::memcpy(message, error.message().data(), length);
    message[length] = '\0';
  }
  return TERT_DEVICE_ERROR;
}

tert_store Member::store() {
  ++numStores;
  tert_store store = {};
  store.data = this;
  store.set = [](void *data, const char *key, const void *value, size_t bytes,
                 char *message, size_t size) -> tert_status {
    Error error = static_cast<Member *>(data)->set(
        static_cast<Member *>(data)->keyInStore(key),
        std::string(static_cast<const char *>(value), bytes));
    return error ? report(error, message, size) : TERT_OK;
  };
  store.get = [](void *data, const char *key, void *value, size_t capacity,
                 size_t *bytes, char *message, size_t size) -> tert_status {
    Expected<std::string> found = static_cast<Member *>(data)->get(
        static_cast<Member *>(data)->keyInStore(key));
    if (!found)
      return report(found.takeError(), message, size);
    *bytes = found->size();
    std::memcpy(value, found->data(), std::min(capacity, found->size()));
    return TERT_OK;
  };
  return store;
}
