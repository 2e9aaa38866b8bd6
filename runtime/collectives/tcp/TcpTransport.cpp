// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/tcp/TcpTransport.h"

#include "collectives/tcp/Connections.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>

using namespace tert;
using namespace tert::tcp;
using launch::Clock;
using launch::Socket;
using std::chrono::milliseconds;

TcpTransport::TcpTransport(Group members, const Rendezvous &rendezvous)
    : group(std::move(members)), timeout(rendezvous.timeout),
      sockets(connectAll(group, rendezvous)) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
    throw Error(TERT_DEVICE_ERROR,
                std::string("cannot make a pipe: ") + std::strerror(errno));
  wakeEnd = Socket(ends[0]);
  wake = Socket(ends[1]);
}

//===-- Rounds ------------------------------------------------------------===//

namespace {
/// Precedes the bytes of a message.
struct Header {
  uint64_t number; ///< of the round
  uint64_t bytes;
};

/// A message in one direction, and its progress.
struct Message {
  Header header = {0, 0};  ///< sent, or expected
  Header arrived = {0, 0}; ///< received
  char *data = nullptr;
  size_t done = 0; ///< of header and data
  bool isOpen = false;

  void begin(uint64_t number, const void *bytes, size_t count) {
    header = {number, count};
    data = static_cast<char *>(const_cast<void *>(bytes));
    isOpen = true;
  }
  /// The remainder of the header and the data.
  int pieces(Header &begin, iovec (&list)[2]) {
    int count = 0;
    if (done < sizeof(Header))
      list[count++] = {reinterpret_cast<char *>(&begin) + done,
                       sizeof(Header) - done};
    const size_t ofData = done < sizeof(Header) ? 0 : done - sizeof(Header);
    if (ofData < header.bytes)
      list[count++] = {data + ofData, size_t(header.bytes) - ofData};
    return count;
  }
  void advance(size_t bytes) {
    done += bytes;
    isOpen = done < sizeof(Header) + header.bytes;
  }
  bool isExpected() const {
    return done < sizeof(Header) ||
           (arrived.number == header.number && arrived.bytes == header.bytes);
  }
};

/// Result of a call on a non-blocking socket.
enum class Progress { Some, None, Lost };

Progress progressOf(ssize_t count, std::string &reason) {
  if (count > 0)
    return Progress::Some;
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
    return Progress::None;
  reason = count == 0 ? "it has closed the connection" : std::strerror(errno);
  return Progress::Lost;
}
} // namespace

/// Messages in flight between this rank and the others.
class TcpTransport::Round {
public:
  explicit Round(TcpTransport &transport)
      : transport(transport), number(transport.numRounds++),
        deadline(Clock::now() + transport.timeout),
        sends(transport.group.size()), receives(transport.group.size()) {}

  void send(int32_t place, const void *data, size_t bytes) {
    sends[place].begin(number, data, bytes);
  }
  void receive(int32_t place, void *data, size_t bytes) {
    receives[place].begin(number, data, bytes);
  }

  /// Runs until all of them have been sent and received.
  void finish() {
    while (true) {
      bool hasMoved = false, isDone = true;
      for (int32_t place = 0; place < transport.group.size(); ++place) {
        hasMoved |= sends[place].isOpen && trySend(place);
        hasMoved |= receives[place].isOpen && tryReceive(place);
        isDone &= !sends[place].isOpen && !receives[place].isOpen;
      }
      if (isDone)
        return;
      if (hasMoved)
        deadline = Clock::now() + transport.timeout;
      else
        wait();
    }
  }

private:
  bool trySend(int32_t place) {
    iovec list[2];
    msghdr message = {};
    message.msg_iov = list;
    message.msg_iovlen = size_t(sends[place].pieces(sends[place].header, list));
    // A broken pipe is returned as an error instead of a signal.
    return moved(place, sends[place],
                 ::sendmsg(transport.sockets[place].get(), &message,
                           MSG_NOSIGNAL | MSG_DONTWAIT));
  }

  bool tryReceive(int32_t place) {
    Message &wanted = receives[place];
    iovec list[2];
    msghdr message = {};
    message.msg_iov = list;
    message.msg_iovlen = size_t(wanted.pieces(wanted.arrived, list));
    if (!moved(
            place, wanted,
            ::recvmsg(transport.sockets[place].get(), &message, MSG_DONTWAIT)))
      return false;
    if (!wanted.isExpected())
      throw Error(
          TERT_PEER_ERROR,
          transport.group.name(place) + " sent " +
              std::to_string(wanted.arrived.bytes) + " bytes in collective " +
              std::to_string(wanted.arrived.number) + " to " +
              transport.group.name() + ", which expects " +
              std::to_string(wanted.header.bytes) + " in collective " +
              std::to_string(number) + ", along " + transport.group.axes);
    return true;
  }

  bool moved(int32_t place, Message &message, ssize_t count) {
    std::string reason;
    switch (progressOf(count, reason)) {
    case Progress::None:
      return false;
    case Progress::Lost:
      fail(place, reason);
    case Progress::Some:
      message.advance(size_t(count));
    }
    return true;
  }

  /// Waits for any of the required connections, or for a wake-up by another
  /// thread.
  void wait() {
    std::vector<pollfd> polled = {{transport.wakeEnd.get(), POLLIN, 0}};
    int32_t missing = -1;
    for (int32_t place = 0; place < transport.group.size(); ++place) {
      const bool sending = sends[place].isOpen,
                 receiving = receives[place].isOpen;
      if (!sending && !receiving)
        continue;
      // A member that does not send is reported as late before one that does
      // not receive.
      if (missing < 0 || (receiving && !receives[missing].isOpen))
        missing = place;
      polled.push_back(
          {transport.sockets[place].get(),
           short((receiving ? POLLIN : 0) | (sending ? POLLOUT : 0)), 0});
    }
    const auto left =
        std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
    if (left.count() <= 0)
      throw Error(TERT_PEER_ERROR,
                  transport.group.name() + " has waited for " +
                      transport.group.name(missing) + " along " +
                      transport.group.axes + ", " +
                      std::to_string(transport.timeout.count() / 1000) + " s");
    ::poll(polled.data(), polled.size(),
           int(std::min<int64_t>(left.count() + 1, 1 << 30)));
    if (polled[0].revents)
      transport.throwIfFailed();
  }

  [[noreturn]] void fail(int32_t first, const std::string &reason) {
    transport.throwIfFailed();
    // One rank's end causes others to end, and this rank may have noticed those
    // first.
    std::this_thread::sleep_for(milliseconds(20));
    std::string names;
    for (int32_t place = 0; place < transport.group.size(); ++place)
      if (place == first || (place != transport.group.rank && isLost(place)))
        names += (names.empty() ? "" : ", ") + transport.group.name(place);
    throw Error(TERT_PEER_ERROR, transport.group.name() + " has lost " + names +
                                     " along " + transport.group.axes + ": " +
                                     reason);
  }
  bool isLost(int32_t place) const {
    char byte = 0;
    std::string reason;
    return progressOf(::recv(transport.sockets[place].get(), &byte, 1,
                             MSG_PEEK | MSG_DONTWAIT),
                      reason) == Progress::Lost;
  }

  TcpTransport &transport;
  const uint64_t number;
  /// Times out if nothing has moved until then.
  Clock::time_point deadline;
  std::vector<Message> sends, receives; ///< by member index
};

void TcpTransport::agree(const CallSignature &call) {
  const Announcement own(call, numCalls++);
  std::vector<Announcement> others(group.size());
  Round round(*this);
  for (int32_t rank = 0; rank < group.size(); ++rank)
    if (rank != group.rank) {
      round.receive(rank, &others[rank], sizeof(Announcement));
      round.send(rank, &own, sizeof(own));
    }
  round.finish();
  for (int32_t rank = 0; rank < group.size(); ++rank)
    if (rank != group.rank)
      checkSameCall(group, own, rank, others[rank]);
}

void TcpTransport::run(const CallSignature &call, bool isNew,
                       const std::vector<Sent> &sends,
                       const std::vector<Received> &receives) {
  throwIfFailed();
  try {
    if (isNew)
      agree(call);
    Round round(*this);
    for (int32_t rank = 0; rank < group.size(); ++rank) {
      if (rank == group.rank)
        continue;
      if (receives[rank].bytes != 0)
        round.receive(rank, receives[rank].data, receives[rank].bytes);
      if (sends[rank].bytes != 0)
        round.send(rank, sends[rank].data, sends[rank].bytes);
    }
    round.finish();
  } catch (const std::exception &error) {
    // Messages in flight are lost, and later calls would receive them. Closing
    // the connections notifies the others.
    for (Socket &socket : sockets)
      socket.close();
    std::lock_guard<std::mutex> lock(mutex);
    if (failed.empty())
      failed = error.what();
    throw;
  }
}

void TcpTransport::throwIfFailed() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!failed.empty())
    throw Error(TERT_PEER_ERROR, failed);
}

std::string TcpTransport::failure() {
  std::lock_guard<std::mutex> lock(mutex);
  return failed;
}

void TcpTransport::abort(const std::string &reason) noexcept {
  std::lock_guard<std::mutex> lock(mutex);
  if (isAborted)
    return;
  isAborted = true;
  if (failed.empty())
    failed = reason;
  const char byte = 0;
  [[maybe_unused]] ssize_t written = ::write(wake.get(), &byte, 1);
}
