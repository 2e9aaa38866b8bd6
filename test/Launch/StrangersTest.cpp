// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whoever connects to a coordinator and is no rank of its job.

#include "Ranks.h"

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

std::string hello(const std::string &job, uint64_t rank) {
  return Packer()
      .number(protocolVersion)
      .text(job)
      .number(rank)
      .number(2)
      .number(1)
      .text("host")
      .text("1")
      .frame(Kind::Hello);
}
} // namespace

TEST(Strangers, AreRefusedAndTheJobGoesOn) {
  Ranks ranks(2, 20s);
  std::atomic<int> warnings{0};
  ranks.options.warn = [&](const std::string &) { ++warnings; };
  const Endpoint endpoint = ranks.places[0].rendezvous;
  ranks.run([&](Member &member) {
    if (member.rank() == 0) {
      knock(endpoint, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      std::string told = knock(endpoint, hello("another", 1));
      EXPECT_NE(told.find("another job"), std::string::npos);
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
    }
    EXPECT_TRUE(member.gather("after", ""));
  });
  EXPECT_EQ(ranks.endings(), 0);
  // Once for all of them.
  EXPECT_EQ(warnings, 1);
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
    std::thread other(
        [&] { told = knock(endpoint, hello("test", 1) + nonsense[i]); });
    ranks.join();
    other.join();
    const char *why = i + 1 < nonsense.size() ? "not what a rank sends"
                                              : "store takes no more";
    EXPECT_NE(told.find(why), std::string::npos);
    EXPECT_NE(ranks.errors[0].find("rank 1"), std::string::npos)
        << ranks.errors[0];
  }
}
