// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/Channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <thread>

using namespace tert::launch;
using namespace std::chrono_literals;

namespace {
constexpr size_t bytesOfChallenge = 16;
/// Time that an unauthenticated connection may be silent: normally, and while
/// the limit of such connections is reached.
constexpr auto pendingTimeout = 10s, pendingTimeoutWhenFull = 1s;
/// Pause between two attempts.
constexpr auto retryPause = 100ms;
constexpr const char *refusal = "refuses this rank: ";

std::string challengeFrame(const std::string &challenge) {
  return Packer()
      .text(challenge)
      .number(protocolVersion)
      .frame(Kind::Challenge);
}

/// The other side's first message, and its protocol.
struct Challenge {
  std::string text;
  uint64_t protocol = 0;
};
std::optional<Challenge> readChallenge(const Message &message) {
  Unpacker unpacker(message.payload);
  Challenge challenge;
  challenge.text = unpacker.text();
  challenge.protocol = unpacker.number();
  if (message.kind != Kind::Challenge ||
      challenge.text.size() != bytesOfChallenge)
    return std::nullopt;
  return challenge;
}

/// The codes of messages to, or from, the listening side.
FrameAuthenticator authenticatorFor(const Key &key, const char *direction,
                                    const std::string &listens,
                                    const std::string &connects) {
  return FrameAuthenticator(
      keyOf({reinterpret_cast<const char *>(key.data()), key.size()},
            direction + listens + connects));
}
constexpr const char *toListener = "to the listener", *fromListener = "from it";

/// Result of reading the next frame; takes no more bytes from the connection
/// than it has.
enum class Read { Frame, Closed, Bad, Late };
Read readFrame(Channel &channel, Message &message, Clock::time_point deadline) {
  while (true) {
    if (std::optional<Message> next = channel.in.next(maxHelloBytes)) {
      message = std::move(*next);
      return Read::Frame;
    }
    if (channel.in.isBad())
      return Read::Bad;
    if (!waitFor(channel.socket.get(), POLLIN, deadline))
      return Read::Late;
    if (!channel.socket.receive(channel.in.bytes, channel.in.missing()))
      return Read::Closed;
  }
}

/// A channel, or the reason of failure and whether to try again.
struct Attempt {
  std::optional<Channel> channel;
  std::string failure;
  bool isFinal = true;
};

Attempt tryToConnect(Socket socket, const Key &key, const Packer &hello,
                     Clock::time_point deadline) {
  auto fail = [](const std::string &why) {
    return Attempt{std::nullopt, why, true};
  };
  auto closed = [] {
    return Attempt{std::nullopt, "has closed the connection", false};
  };
  Channel channel = {std::move(socket), Inbox(), FrameAuthenticator(key)};
  const std::string own = randomBytes(bytesOfChallenge);
  if (channel.socket.send(challengeFrame(own), deadline))
    return closed();
  Message message;
  Read read = readFrame(channel, message, deadline);
  if (read == Read::Closed)
    return closed();
  std::optional<Challenge> challenge;
  if (read == Read::Frame)
    challenge = readChallenge(message);
  if (!challenge)
    return fail("is no rank of te-run");
  if (challenge->protocol != protocolVersion)
    return fail("is a te-run of another version; install one version on all "
                "hosts");
  channel.out = authenticatorFor(key, toListener, challenge->text, own);
  channel.in.seal = authenticatorFor(key, fromListener, challenge->text, own);
  if (channel.socket.send(channel.sealed(hello.frame(Kind::Hello)), deadline))
    return closed();
  read = readFrame(channel, message, deadline);
  if (read == Read::Frame && message.kind == Kind::Welcome)
    return {std::move(channel), {}, true};
  if (read == Read::Frame && message.kind == Kind::Refused)
    return fail(refusal + printable(Unpacker(message.payload).text()));
  // A message without a code is only a hint.
  if (channel.in.bytes == Packer().frame(Kind::Refused))
    return fail("does not know this rank: it has another secret, or is of "
                "another job. Give all ranks the same --secret FILE");
  if (read == Read::Closed)
    return closed();
  return fail("does not prove that it is of this job");
}
} // namespace

Expected<Channel> tert::launch::connectTo(const Endpoint &endpoint,
                                          const std::string &who,
                                          const Key &key, const Packer &hello,
                                          Clock::time_point deadline) {
  while (true) {
    Expected<Socket> socket = Socket::connect(endpoint, deadline);
    if (!socket)
      return Error("it does not reach " + who + ": " +
                   socket.takeError().message());
    Attempt attempt = tryToConnect(std::move(*socket), key, hello, deadline);
    if (attempt.channel)
      return std::move(*attempt.channel);
    if (attempt.isFinal || Clock::now() + retryPause >= deadline)
      return Error((attempt.failure.rfind(refusal, 0) == 0
                        ? who + " at " + endpoint.text() + " "
                        : "what answers at " + endpoint.text() + ", where " +
                              who + " should be, ") +
                   attempt.failure);
    std::this_thread::sleep_for(retryPause);
  }
}

Acceptor::Acceptor(Socket listener, const Key &key,
                   std::function<void(const std::string &)> warn)
    : listener(std::move(listener)), key(key), warn(std::move(warn)) {}

void Acceptor::addTo(std::vector<pollfd> &polled) const {
  // poll() ignores a descriptor of -1: connections that wait while the limit is
  // reached would only keep the thread busy.
  polled.push_back({isFull() ? -1 : listener.get(), POLLIN, 0});
  for (const PendingConnection &stranger : pendingConnections)
    polled.push_back({stranger.socket.get(), POLLIN, 0});
}

void Acceptor::close() {
  listener.close();
  pendingConnections.clear();
}

void Acceptor::accept(Clock::time_point now) {
  while (listener && !isFull()) {
    Socket socket = listener.accept();
    if (!socket)
      return;
    PendingConnection stranger = {std::move(socket), Inbox(),
                                  randomBytes(bytesOfChallenge), std::nullopt,
                                  now};
    // A send buffer has space for this, unless the connection is closed
    // already.
    if (!stranger.socket.send(challengeFrame(stranger.challenge), now))
      pendingConnections.push_back(std::move(stranger));
  }
}

void Acceptor::refuse(PendingConnection &stranger, const std::string &why) {
  if (!warned && warn)
    warn("a connection from " + stranger.socket.peer() +
         " was refused: " + why + "; later ones are not reported");
  warned = true;
  [[maybe_unused]] Error error =
      stranger.socket.send(Packer().frame(Kind::Refused), Clock::now());
}

/// Returns false if the connection must be dropped.
bool Acceptor::listenTo(PendingConnection &stranger,
                        std::vector<Arrival> &arrivals) {
  constexpr const char *nonsense = "what it sent is not what a rank sends";
  // At most a challenge and a hello.
  for (int frames = 0; frames < 2;) {
    const bool open = stranger.socket.receive(
        stranger.in.bytes, std::min(stranger.in.missing(), maxHelloBytes));
    std::optional<Message> message = stranger.in.next(maxHelloBytes);
    if (stranger.in.isBad()) {
      refuse(stranger, stranger.out
                           ? "it has another secret, or is of another job"
                           : nonsense);
      return false;
    }
    if (!message) {
      if (!open)
        return false;
      pollfd more = {stranger.socket.get(), POLLIN, 0};
      if (::poll(&more, 1, 0) <= 0)
        return true;
      continue;
    }
    ++frames;
    if (!stranger.out) {
      std::optional<Challenge> challenge = readChallenge(*message);
      if (!challenge || challenge->protocol != protocolVersion) {
        refuse(stranger,
               challenge ? "it is a te-run of another version" : nonsense);
        return false;
      }
      stranger.out = authenticatorFor(key, fromListener, stranger.challenge,
                                      challenge->text);
      stranger.in.seal = authenticatorFor(key, toListener, stranger.challenge,
                                          challenge->text);
      continue;
    }
    if (message->kind != Kind::Hello)
      return false;
    arrivals.push_back(
        {{std::move(stranger.socket), std::move(stranger.in), *stranger.out},
         std::move(message->payload)});
    return false;
  }
  return false;
}

std::vector<Acceptor::Arrival> Acceptor::take(Clock::time_point now) {
  accept(now);
  const auto limit = isFull() ? pendingTimeoutWhenFull : pendingTimeout;
  std::vector<Arrival> arrivals;
  for (auto it = pendingConnections.begin(); it != pendingConnections.end();)
    if (listenTo(*it, arrivals) && now - it->opened <= limit)
      ++it;
    else
      it = pendingConnections.erase(it);
  return arrivals;
}
