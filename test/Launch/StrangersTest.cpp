// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whoever connects to a coordinator and is no rank of its job.

#include "Ranks.h"

#include <ctime>
#include <gtest/gtest.h>
#include <poll.h>
#include <random>
#include <vector>

using namespace test;
using namespace std::chrono_literals;

namespace {
/// What it is told until the connection is closed.
std::string knock(const Endpoint &endpoint, const std::string &bytes) {
  auto deadline = Clock::now() + 15s;
  Expected<Socket> socket = Socket::connect(endpoint, deadline);
  EXPECT_TRUE(socket);
  EXPECT_FALSE(socket->send(bytes, deadline));
  std::string told;
  while (waitFor(socket->get(), POLLIN, deadline) && socket->receive(told)) {
  }
  EXPECT_LT(Clock::now(), deadline);
  return told;
}

std::string challenge() {
  return Packer()
      .text("0123456789abcdef")
      .number(protocolVersion)
      .frame(Kind::Challenge);
}

Packer hello(uint64_t rank, uint64_t size = 2, const std::string &host = "host",
             const std::string &version = "1") {
  Packer packer;
  packer.number(rank).number(size).number(1).text(host).text(version);
  return packer;
}

Expected<Channel> connectAs(const JobOptions &options, const Endpoint &endpoint,
                            const Packer &hello) {
  return connectTo(endpoint, "rank 0", coordinatorKey(options), hello,
                   Clock::now() + 10s);
}
} // namespace

TEST(Strangers, AreRefusedAndTheJobGoesOn) {
  Ranks ranks(2, 20s);
  std::atomic<int> warnings{0};
  ranks.options.warn = [&](const std::string &) { ++warnings; };
  const Endpoint endpoint = ranks.places[0].rendezvous;
  ranks.beforeJoin = [&](int32_t rank) {
    if (rank != 1)
      return;
    const std::string random16 = "0123456789abcdef";
    knock(endpoint, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    // What was said to be enough before: a hello that names the job, by who
    // does not know its secret, as another version or as a rank that is there.
    for (const Packer &packer : {hello(1), hello(0), hello(1, 3),
                                 hello(1, 2, "host", "another version")})
      knock(endpoint, challenge() + packer.frame(Kind::Hello) + random16);
    knock(endpoint, challenge() + challenge() + random16);
    knock(endpoint, hello(1).frame(Kind::Hello));
    knock(endpoint, Packer()
                        .text(random16)
                        .number(protocolVersion + 1)
                        .frame(Kind::Challenge));
    knock(endpoint, Packer().text("key").text("x").frame(Kind::Set));
    knock(endpoint, Packer().text(std::string(9000, 'x')).frame(Kind::Hello));
    std::mt19937 random(3);
    for (int i = 0; i < 50; ++i) {
      std::string noise(1 + random() % 200, '\0');
      for (char &c : noise)
        c = static_cast<char>(random());
      auto deadline = Clock::now() + 5s;
      Expected<Socket> socket = Socket::connect(endpoint, deadline);
      ASSERT_TRUE(socket);
      EXPECT_FALSE(socket->send(noise, deadline));
    }
  };
  ranks.run([&](Member &member) { EXPECT_TRUE(member.gather("after", "")); });
  EXPECT_EQ(ranks.errors, std::vector<std::string>(2));
  EXPECT_EQ(ranks.endings(), 0);
  // Once for all of them.
  EXPECT_EQ(warnings, 1);
}

/// Somebody with another secret is told so, and ends nothing.
TEST(Strangers, AnotherSecretIsNamed) {
  Ranks ranks(2, 20s);
  const Endpoint endpoint = ranks.places[0].rendezvous;
  ranks.beforeJoin = [&](int32_t rank) {
    if (rank != 1)
      return;
    for (bool otherSecret : {false, true}) {
      JobOptions other = ranks.options;
      (otherSecret ? other.secret : other.job) += "x";
      Expected<Channel> channel = connectAs(other, endpoint, hello(1));
      ASSERT_FALSE(channel);
      const std::string why = channel.takeError().message();
      EXPECT_NE(why.find("another secret"), std::string::npos) << why;
      EXPECT_NE(why.find("--secret"), std::string::npos) << why;
    }
  };
  ranks.join();
  EXPECT_EQ(ranks.errors, std::vector<std::string>(2));
}

/// Nobody is to be reached any more once all ranks are there.
TEST(Strangers, FindNoPortOfARunningJob) {
  Ranks ranks(2, 20s);
  const Endpoint endpoint = ranks.places[0].rendezvous;
  ranks.run([&](Member &member) {
    EXPECT_TRUE(member.gather("there", ""));
    if (member.rank() == 0)
      EXPECT_FALSE(Socket::connect(endpoint, Clock::now()));
    EXPECT_TRUE(member.gather("after", ""));
  });
}

/// More silent connections than there is room for hold a rank up for some
/// seconds, and the processor not at all.
TEST(Strangers, WhoSaysNothingIsLetGo) {
  Ranks ranks(2, 30s);
  const Endpoint endpoint = ranks.places[0].rendezvous;
  std::vector<Socket> silent;
  double processor = 0;
  ranks.beforeJoin = [&](int32_t rank) {
    if (rank != 1)
      return;
    for (size_t i = 0; i < 2 * Acceptor::maxPendingConnections + 100; ++i) {
      Expected<Socket> socket = Socket::connect(endpoint, Clock::now() + 5s);
      ASSERT_TRUE(socket);
      silent.push_back(std::move(*socket));
    }
    std::clock_t before = std::clock();
    std::this_thread::sleep_for(500ms);
    processor = double(std::clock() - before) / CLOCKS_PER_SEC;
  };
  auto began = Clock::now();
  ranks.join();
  EXPECT_EQ(ranks.errors, std::vector<std::string>(2));
  EXPECT_LT(Clock::now() - began, 15s);
  EXPECT_LT(processor, 0.25);
}

/// A rank that speaks nonsense is a failure of the job with its name.
TEST(Strangers, ARankThatSpeaksNonsenseEndsTheJob) {
  const std::string longKey(5000, 'k');
  const std::vector<std::string> nonsense = {
      Packer().text("x").frame(static_cast<Kind>(99)),
      // Cut off.
      Packer().number(3).frame(Kind::Alive),
      Packer().number(1).frame(Kind::Get),
      Packer().number(1).text("key").frame(Kind::Gather),
      Packer().text("why").frame(Kind::Failed),
      Packer().frame(Kind::Begun),
      // Of a phase that began before there were computers.
      Packer().number(3).number(1).number(UINT64_MAX).frame(Kind::Alive),
      Packer().number(1).text(longKey).frame(Kind::Get),
      Packer().number(1).text(longKey).text("").frame(Kind::Gather),
      Packer().text(longKey).text("").frame(Kind::Set),
  };
  for (size_t i = 0; i < nonsense.size(); ++i) {
    SCOPED_TRACE(i);
    Ranks ranks(2, 20s);
    const Endpoint endpoint = ranks.places[0].rendezvous;
    ranks.places.pop_back();
    std::string told;
    std::thread other([&] {
      Expected<Channel> channel =
          connectAs(ranks.options, endpoint, hello(1, 2, "a\033[2Jhost"));
      ASSERT_TRUE(channel) << channel.takeError().message();
      auto deadline = Clock::now() + 10s;
      EXPECT_FALSE(
          channel->socket.send(channel->sealed(nonsense[i]), deadline));
      while (waitFor(channel->socket.get(), POLLIN, deadline) &&
             channel->socket.receive(told)) {
      }
    });
    ranks.join();
    other.join();
    const char *why =
        i + 1 < nonsense.size() ? "not what a rank sends" : "store is full";
    EXPECT_NE(told.find(why), std::string::npos);
    // What comes from the network moves no cursor.
    EXPECT_NE(ranks.errors[0].find("rank 1 (pid 1 on a\\x1b[2Jhost)"),
              std::string::npos)
        << ranks.errors[0];
  }
}

/// Frames that are repeated, changed, or of another connection are no frames.
TEST(Strangers, EveryFrameIsSealed) {
  for (int change = 0; change < 3; ++change) {
    SCOPED_TRACE(change);
    Ranks ranks(2, 20s);
    const Endpoint endpoint = ranks.places[0].rendezvous;
    ranks.places.pop_back();
    std::thread other([&] {
      Expected<Channel> channel = connectAs(ranks.options, endpoint, hello(1));
      ASSERT_TRUE(channel) << channel.takeError().message();
      // By itself this changes nothing that another rank waits for.
      std::string frame = channel->sealed(
          Packer().number(0).number(0).number(0).frame(Kind::Alive));
      if (change == 0)
        frame[4 + 4] ^= 1;
      else if (change == 1)
        frame += frame;
      else
        frame[0] ^= 1;
      EXPECT_FALSE(channel->socket.send(frame, Clock::now() + 5s));
      std::string told;
      while (waitFor(channel->socket.get(), POLLIN, Clock::now() + 5s) &&
             channel->socket.receive(told)) {
      }
    });
    ranks.join();
    other.join();
    EXPECT_NE(ranks.errors[0].find("not what a rank sends"), std::string::npos)
        << ranks.errors[0];
  }
}

/// Who listens where rank 0 should, and does not know the secret, is not
/// listened to, and makes no rank hold what it sends.
TEST(Strangers, AFalseRankZeroIsNotBelieved) {
  Expected<Socket> listener = Socket::listen({"localhost", 0});
  ASSERT_TRUE(listener);
  Placement place;
  place.rank = 1;
  place.size = 2;
  place.rendezvous = {"localhost", listener->port()};
  JobOptions options;
  options.secret = "known to the ranks";
  options.timeout = 5s;
  for (const std::string &answer :
       {std::string("SSH-2.0-OpenSSH_9.2p1 Debian\r\n"),
        challenge() + Packer().frame(Kind::Welcome) + std::string(16, 'x'),
        challenge() + Packer().text("\033]0;x\a").frame(Kind::Refused),
        challenge() +
            Packer().text(std::string(1 << 20, 'x')).frame(Kind::Value)}) {
    std::thread impostor([&] {
      ASSERT_TRUE(waitFor(listener->get(), POLLIN, Clock::now() + 5s));
      Socket socket = listener->accept();
      ASSERT_TRUE(socket);
      (void)socket.send(answer, Clock::now() + 1s).message();
      std::string told;
      while (waitFor(socket.get(), POLLIN, Clock::now() + 5s) &&
             socket.receive(told)) {
      }
    });
    Expected<std::unique_ptr<Member>> member = Member::join(place, options, {});
    impostor.join();
    ASSERT_FALSE(member);
    const std::string why = member.takeError().message();
    EXPECT_NE(why.find("where rank 0 should be"), std::string::npos) << why;
    EXPECT_EQ(why.find('\033'), std::string::npos) << why;
  }
}
