// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/tcp/Connections.h"

#include "collectives/tcp/Address.h"
#include "launch/Channel.h"

#include <poll.h>

using namespace tert;
using launch::Acceptor;
using launch::Channel;
using launch::Clock;
using launch::Endpoint;
using launch::Key;
using launch::Kind;
using launch::Packer;
using launch::Socket;
using session::Expected;

namespace {
/// If the job has no secret, members wait for the first one's key: anyone who
/// can read the store's values could impersonate them.
Key keyFor(const Group &group, const Rendezvous &rendezvous,
           const Store &store) {
  std::string secret = rendezvous.secret;
  if (secret.empty()) {
    if (group.rank == 0)
      store.set("secret", launch::randomBytes(sizeof(Key)));
    secret = store.get("secret");
  }
  return launch::keyOf(secret, "exchange of the group " + group.key);
}

std::string positionText(const std::string &what, int32_t place) {
  return what + "/" + std::to_string(place);
}

/// Hello of a member to one at an earlier index.
Packer makeHello(int32_t place, int32_t own) {
  return Packer()
      .number(static_cast<uint64_t>(place))
      .number(static_cast<uint64_t>(own));
}

/// Index of the arriving member; nothing unless it is one that is missing.
std::optional<size_t> placeOf(const Acceptor::Arrival &arrival,
                              const Group &group,
                              const std::vector<Socket> &sockets) {
  launch::Unpacker unpacker(arrival.hello);
  const uint64_t wanted = unpacker.number(), place = unpacker.number();
  if (!unpacker.isWhole() || wanted != static_cast<uint64_t>(group.rank) ||
      place <= wanted || place >= sockets.size() || sockets[place])
    return std::nullopt;
  return static_cast<size_t>(place);
}

void acceptAll(Socket listener, const Group &group, const Key &key,
               Clock::time_point deadline, std::vector<Socket> &sockets) {
  const std::string address = listener.local().text();
  Acceptor acceptor(std::move(listener), key);
  for (int32_t place = group.rank + 1; place < group.size();) {
    if (sockets[size_t(place)]) {
      ++place;
      continue;
    }
    if (Clock::now() >= deadline)
      throw Error(TERT_PEER_ERROR, group.name(place) + " does not connect to " +
                                       address + ", though it was there");
    std::vector<pollfd> polled;
    acceptor.addTo(polled);
    ::poll(polled.data(), polled.size(),
           static_cast<int>(Acceptor::tick.count()));
    for (Acceptor::Arrival &arrival : acceptor.take(Clock::now())) {
      std::optional<size_t> from = placeOf(arrival, group, sockets);
      Channel &channel = arrival.channel;
      const std::string answer = channel.sealed(
          from ? Packer().frame(Kind::Welcome)
               : Packer().text("it is not expected").frame(Kind::Refused));
      if (!channel.socket.send(answer, deadline) && from)
        sockets[*from] = std::move(channel.socket);
    }
  }
}
} // namespace

std::vector<Socket> tcp::connectAll(const Group &group,
                                    const Rendezvous &rendezvous) {
  const Store store = rendezvous.store.under("tcp");
  const Clock::time_point deadline = Clock::now() + rendezvous.timeout;
  const Key key = keyFor(group, rendezvous, store);
  std::vector<Socket> sockets(size_t(group.size()));
  Socket listener;
  const std::string address = addressFor(group, store);
  if (group.rank + 1 < group.size()) {
    Expected<Socket> opened = Socket::listen({address, 0});
    if (!opened)
      throw Error(TERT_PEER_ERROR, opened.takeError().message());
    listener = std::move(*opened);
    store.set(positionText("place", group.rank),
              Endpoint{address, listener.port()}.text());
  }
  for (int32_t place = 0; place < group.rank; ++place) {
    const std::string where = store.get(positionText("place", place));
    Expected<Endpoint> endpoint = launch::parseEndpoint(where);
    if (!endpoint)
      throw Error(TERT_PEER_ERROR,
                  group.name(place) + " is not at its announced address");
    Expected<Channel> channel =
        launch::connectTo(*endpoint, group.name(place), key,
                          makeHello(place, group.rank), deadline);
    if (!channel)
      throw Error(TERT_PEER_ERROR,
                  "from " + address + ", " + channel.takeError().message());
    sockets[size_t(place)] = std::move(channel->socket);
  }
  acceptAll(std::move(listener), group, key, deadline, sockets);
  return sockets;
}
