// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gloo/GlooExchange.h"

#include "gloo/Address.h"

#include <gloo/common/error.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/tcp/device.h>

#include <algorithm>
#include <csignal>
#include <ctime>

using namespace tert;
using namespace tert::gloo;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

/// While this lives, writing to a connection whose other end is gone is an
/// error of the call and no signal to the thread, nor to those that it starts:
/// Gloo writes with writev, which takes no flag against it.
class WithoutBrokenPipes {
public:
  WithoutBrokenPipes() {
    sigset_t pending;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&pending);
    wasPending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
  }
  ~WithoutBrokenPipes() {
    // One of ours must not be delivered when the mask is gone.
    const timespec atOnce = {0, 0};
    if (!wasPending)
      while (sigtimedwait(&pipe, nullptr, &atOnce) < 0 && errno == EINTR) {
      }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  WithoutBrokenPipes(const WithoutBrokenPipes &) = delete;
  WithoutBrokenPipes &operator=(const WithoutBrokenPipes &) = delete;

private:
  sigset_t pipe, before;
  bool wasPending = false;
};

/// The job's store as Gloo's.
class GlooStore final : public ::gloo::rendezvous::Store {
public:
  explicit GlooStore(const tert::Store &store) : store(store) {}

  void set(const std::string &key, const std::vector<char> &data) override {
    store.set(key, std::string(data.begin(), data.end()));
  }
  std::vector<char> get(const std::string &key) override {
    const std::string value = store.get(key);
    return std::vector<char>(value.begin(), value.end());
  }
  void wait(const std::vector<std::string> &keys) override {
    for (const std::string &key : keys)
      store.get(key);
  }

private:
  const tert::Store &store;
};

} // namespace

/// Gloo's text without the line of its source: "[/build/pair.cc:598] ".
static std::string textOf(const std::exception &error) {
  const std::string text = error.what();
  const size_t end = text.find("] ");
  return !text.empty() && text[0] == '[' && end != std::string::npos
             ? text.substr(end + 2)
             : text;
}

GlooExchange::GlooExchange(Group members, const Rendezvous &rendezvous)
    : group(std::move(members)), timeout(rendezvous.timeout) {
  const WithoutBrokenPipes guard;
  const Store store = rendezvous.store.under("gloo");
  const std::string address = addressFor(group, store);
  try {
    std::shared_ptr<::gloo::transport::Device> device =
        ::gloo::transport::tcp::CreateDevice(
            ::gloo::transport::tcp::attr(address.c_str()));
    context =
        std::make_shared<::gloo::rendezvous::Context>(group.rank, group.size());
    // It waits five times that long for a connection, and otherwise as long as
    // each call says.
    context->setTimeout(timeout / 5);
    GlooStore adapter(store);
    context->connectFullMesh(adapter, device);
  } catch (const Error &) {
    throw; // what the store says
  } catch (const std::exception &error) {
    throw Error(TERT_PEER_ERROR, "from " + address + ", " + textOf(error));
  }
}

//===-- Rounds
//-------------------------------------------------------------===//

/// Messages that are under way between this rank and the others.
class GlooExchange::Round {
public:
  explicit Round(GlooExchange &exchange)
      : exchange(exchange), number(exchange.numRounds++),
        deadline(steady_clock::now() + exchange.timeout) {
    std::lock_guard<std::mutex> lock(exchange.mutex);
    exchange.underWay = this;
  }
  ~Round() {
    std::lock_guard<std::mutex> lock(exchange.mutex);
    exchange.underWay = nullptr;
  }

  void send(int32_t rank, const void *data, size_t bytes) {
    // Gloo only reads what is sent.
    Buffer *buffer = add(sends, rank, const_cast<void *>(data), bytes);
    note(rank, [&] { buffer->send(rank, number); });
  }
  void receive(int32_t rank, void *data, size_t bytes) {
    Buffer *buffer = add(receives, rank, data, bytes);
    note(rank, [&] { buffer->recv(rank, number); });
  }
  /// Until all of them have arrived.
  void wait() {
    // What could be sent was: other ranks need not wait for this one to learn
    // whom it has lost.
    if (!lost.empty())
      fail();
    for (Pending &pending : receives)
      waitFor(pending.rank,
              [&] { return pending.buffer->waitRecv(nullptr, remaining()); });
    for (Pending &pending : sends)
      waitFor(pending.rank,
              [&] { return pending.buffer->waitSend(nullptr, remaining()); });
  }

  /// With the mutex.
  void abort() {
    for (Pending &pending : receives)
      pending.buffer->abortWaitRecv();
    for (Pending &pending : sends)
      pending.buffer->abortWaitSend();
  }

private:
  struct Pending {
    int32_t rank;
    std::unique_ptr<Buffer> buffer;
  };

  Buffer *add(std::vector<Pending> &list, int32_t rank, void *data,
              size_t bytes) {
    auto made = exchange.context->createUnboundBuffer(data, bytes);
    Buffer *buffer = made.get();
    std::lock_guard<std::mutex> lock(exchange.mutex);
    list.push_back({rank, std::move(made)});
    if (exchange.isAborted)
      throw Error(TERT_PEER_ERROR, exchange.failed);
    return buffer;
  }

  milliseconds remaining() const {
    return std::max(milliseconds(1), std::chrono::duration_cast<milliseconds>(
                                         deadline - steady_clock::now()));
  }

  /// Does what concerns another rank, and notes when that fails.
  template <typename Fn> bool note(int32_t rank, const Fn &fn) {
    try {
      fn();
      return true;
    } catch (const std::exception &error) {
      if (lost.empty())
        reason = textOf(error);
      if (std::find(lost.begin(), lost.end(), rank) == lost.end())
        lost.push_back(rank);
      return false;
    }
  }
  template <typename Fn> void waitFor(int32_t rank, const Fn &fn) {
    // What abort() ends has not arrived.
    if (!note(rank, [&] {
          if (!fn())
            throw std::runtime_error("ended");
        }))
      fail();
  }

  [[noreturn]] void fail() {
    const Group &group = exchange.group;
    {
      std::lock_guard<std::mutex> lock(exchange.mutex);
      if (exchange.isAborted)
        throw Error(TERT_PEER_ERROR, exchange.failed);
    }
    // Gloo then closes the connections to all others.
    if (steady_clock::now() >= deadline)
      throw Error(TERT_PEER_ERROR,
                  group.name() + " has waited for " + group.name(lost[0]) +
                      " along " + group.axes + ", " +
                      std::to_string(exchange.timeout.count() / 1000) + " s");
    // One rank's end ends others, and this one may have met them first.
    char nothing = 0;
    auto buffer = exchange.context->createUnboundBuffer(&nothing, 1);
    for (int32_t rank = 0; rank < group.size(); ++rank)
      if (rank != group.rank)
        note(rank, [&] { buffer->recv(rank, ~uint64_t(0)); });
    std::string names;
    for (int32_t rank : lost)
      names += (names.empty() ? "" : ", ") + group.name(rank);
    throw Error(TERT_PEER_ERROR, group.name() + " has lost " + names +
                                     " along " + group.axes + ": " + reason);
  }

  GlooExchange &exchange;
  const uint64_t number;
  const steady_clock::time_point deadline;
  std::vector<Pending> sends, receives;
  std::vector<int32_t> lost; ///< in the order in which that was seen
  std::string reason;        ///< of the first
};

void GlooExchange::agree(const ExchangeCall &call) {
  const Announcement own(call, numCalls++);
  std::vector<Announcement> others(group.size());
  Round round(*this);
  for (int32_t rank = 0; rank < group.size(); ++rank)
    if (rank != group.rank) {
      round.receive(rank, &others[rank], sizeof(Announcement));
      round.send(rank, &own, sizeof(own));
    }
  round.wait();
  for (int32_t rank = 0; rank < group.size(); ++rank)
    if (rank != group.rank)
      checkSameCall(group, own, rank, others[rank]);
}

void GlooExchange::run(const ExchangeCall &call, bool isNew,
                       const std::vector<Sent> &sends,
                       const std::vector<Received> &receives) {
  throwIfFailed();
  const WithoutBrokenPipes guard;
  try {
    if (isNew)
      agree(call);
    Round round(*this);
    for (int32_t rank = 0; rank < group.size(); ++rank)
      if (rank != group.rank && receives[rank].bytes != 0)
        round.receive(rank, receives[rank].data, receives[rank].bytes);
    for (int32_t rank = 0; rank < group.size(); ++rank)
      if (rank != group.rank && sends[rank].bytes != 0)
        round.send(rank, sends[rank].data, sends[rank].bytes);
    round.wait();
  } catch (const std::exception &error) {
    // What was under way is lost, and later calls would meet its messages.
    std::lock_guard<std::mutex> lock(mutex);
    if (failed.empty())
      failed = error.what();
    throw;
  }
}

void GlooExchange::throwIfFailed() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!failed.empty())
    throw Error(TERT_PEER_ERROR, failed);
}

std::string GlooExchange::failure() {
  std::lock_guard<std::mutex> lock(mutex);
  return failed;
}

void GlooExchange::abort(const std::string &reason) noexcept {
  std::lock_guard<std::mutex> lock(mutex);
  if (isAborted)
    return;
  isAborted = true;
  if (failed.empty())
    failed = reason;
  if (underWay)
    underWay->abort();
}
