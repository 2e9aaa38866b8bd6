// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks as threads of one process: their connections are real.

#include "Ranks.h"

#include <gtest/gtest.h>

using namespace test;
using namespace std::chrono_literals;

TEST(Member, StoreAndMeetings) {
  Ranks ranks(4, 20s);
  ranks.run([](Member &member) {
    std::string own = std::to_string(member.rank());
    EXPECT_EQ(member.hosts().size(), 4u);
    EXPECT_EQ(member.localRank(), member.rank());
    EXPECT_EQ(member.localSize(), 4);
    // Asked for before it is there.
    if (member.rank() == 3) {
      std::this_thread::sleep_for(50ms);
      EXPECT_FALSE(member.set("key", std::string("a\0b", 3)));
    }
    Expected<std::string> value = member.get("key");
    ASSERT_TRUE(value);
    EXPECT_EQ(*value, std::string("a\0b", 3));
    for (int round = 0; round < 50; ++round) {
      Expected<std::vector<std::string>> all =
          member.gather("round", own + ":" + std::to_string(round));
      ASSERT_TRUE(all);
      for (size_t rank = 0; rank < 4; ++rank)
        EXPECT_EQ((*all)[rank],
                  std::to_string(rank) + ":" + std::to_string(round));
    }
  });
  EXPECT_EQ(ranks.endings(), 0);
}

TEST(Member, TheStoreOfTheRuntime) {
  Ranks ranks(2, 1s);
  ranks.run([](Member &member) {
    tert_store store = member.store();
    char message[200] = "", value[4] = "xxx";
    size_t bytes = 0;
    if (member.rank() == 0) {
      EXPECT_EQ(store.set(store.data, "id", "abcdef", 6, message, 200),
                TERT_OK);
    } else {
      EXPECT_EQ(store.get(store.data, "id", value, 3, &bytes, message, 200),
                TERT_OK);
      EXPECT_EQ(bytes, 6u);
      EXPECT_STREQ(value, "abc");
      // What nobody says is given up, with the name in the message.
      EXPECT_NE(store.get(store.data, "none", value, 3, &bytes, message, 200),
                TERT_OK);
      EXPECT_NE(std::string(message).find("none"), std::string::npos);
      EXPECT_NE(store.get(store.data, "none", value, 3, &bytes, message, 8),
                TERT_OK);
      EXPECT_EQ(std::strlen(message), 7u);
    }
  });
}

// A second program of a job does not get what the first one stored.
TEST(Member, AStoreHasNoValuesOfEarlierOnes) {
  Ranks ranks(2, 20s);
  ranks.run([](Member &member) {
    char message[200] = "", value[2] = "";
    for (const char *sent : {"a", "b"}) {
      tert_store store = member.store();
      size_t bytes = 0;
      // The other rank asks first.
      if (member.rank() == 0) {
        std::this_thread::sleep_for(20ms);
        EXPECT_EQ(store.set(store.data, "id", sent, 1, message, 200), TERT_OK);
      } else {
        EXPECT_EQ(store.get(store.data, "id", value, 1, &bytes, message, 200),
                  TERT_OK);
        EXPECT_STREQ(value, sent);
      }
    }
  });
  EXPECT_EQ(ranks.endings(), 0);
}

TEST(Member, AllStopAfterTheSameStep) {
  for (uint64_t when : {0u, 1u, 7u, 30u}) {
    Ranks ranks(4, 20s);
    std::array<std::atomic<uint64_t>, 4> stopped = {};
    ranks.run([&](Member &member) {
      auto rank = static_cast<uint64_t>(member.rank());
      uint64_t done = 0;
      // Without collectives ranks run at their own speed.
      while (!member.stopTogether(done, rank == 2 && done >= when) &&
             done < 2000) {
        std::this_thread::sleep_for(
            std::chrono::microseconds(100 * (rank + 1)));
        ++done;
      }
      stopped[rank] = done;
    });
    EXPECT_GE(stopped[0], when);
    for (const auto &done : stopped)
      EXPECT_EQ(done, stopped[0]);
    EXPECT_LT(stopped[0], 2000u);
  }
}

TEST(Member, TwoWhoWantToStopAreOne) {
  Ranks ranks(3, 20s);
  std::array<std::atomic<uint64_t>, 3> stopped = {};
  ranks.run([&](Member &member) {
    uint64_t done = 0;
    while (!member.stopTogether(done, done >= 5))
      ++done;
    stopped[static_cast<size_t>(member.rank())] = done;
  });
  for (const auto &done : stopped)
    EXPECT_EQ(done, 5u);
}

TEST(Member, AFailureEndsTheOthersWithItsMessage) {
  Ranks ranks(3, 20s);
  auto began = Clock::now();
  ranks.run([&](Member &member) {
    if (member.rank() == 1) {
      EXPECT_EQ(member.fail("the disk is full"), "");
      return;
    }
    // Whatever waits returns.
    Expected<std::vector<std::string>> all = member.gather("never", "");
    ASSERT_FALSE(all);
    std::string why = all.takeError().message();
    EXPECT_NE(why.find("rank 1 (pid "), std::string::npos) << why;
    EXPECT_NE(why.find("the disk is full"), std::string::npos) << why;
  });
  EXPECT_EQ(ranks.endings(), 2);
  EXPECT_LT(Clock::now() - began, 5s);
}

TEST(Member, WhoGoesWithoutAWordIsNoticed) {
  for (int32_t gone : {0, 2}) {
    Ranks ranks(3, 20s);
    auto began = Clock::now();
    ranks.run(
        [&](Member &member) {
          if (member.rank() == gone)
            return; // Destroyed at once.
          EXPECT_FALSE(member.gather("never", ""));
        },
        /*leave=*/false);
    EXPECT_EQ(ranks.endings(), 2);
    EXPECT_LT(Clock::now() - began, 5s);
  }
}

TEST(Member, AWrongWorldSizeEndsAll) {
  Ranks ranks(2, 20s);
  ranks.places[1].size = 3;
  ranks.join();
  EXPECT_NE(ranks.errors[1].find("one of 3 ranks"), std::string::npos)
      << ranks.errors[1];
  EXPECT_NE(ranks.errors[0].find("one of 3 ranks"), std::string::npos)
      << ranks.errors[0];
}

TEST(Member, AnotherVersionEndsAll) {
  Ranks ranks(2, 20s);
  ranks.others[1] = ranks.options;
  ranks.others[1].version = "2";
  ranks.join();
  for (const std::string &error : ranks.errors)
    EXPECT_NE(error.find("runs te-run 2, and rank 0 te-run 1"),
              std::string::npos)
        << error;
}

/// A rank with another secret is a stranger, and missed.
TEST(Member, AnotherSecretIsNamedByBoth) {
  Ranks ranks(2, 1s);
  ranks.others[1] = ranks.options;
  ranks.others[1].secret = "something else";
  ranks.join();
  EXPECT_NE(ranks.errors[1].find("it has another secret"), std::string::npos)
      << ranks.errors[1];
  EXPECT_NE(ranks.errors[0].find("did not come"), std::string::npos)
      << ranks.errors[0];
}

TEST(Member, OneRankTwiceEndsAll) {
  Ranks ranks(3, 20s);
  ranks.places[2].rank = 1;
  ranks.join();
  for (const std::string &error : ranks.errors)
    EXPECT_NE(error.find("rank 1"), std::string::npos) << error;
  EXPECT_NE((ranks.errors[0] + ranks.errors[1]).find("twice"),
            std::string::npos);
}

TEST(Member, MissingRanksAreListed) {
  Ranks ranks(3, 1s);
  ranks.places.pop_back();
  auto began = Clock::now();
  ranks.join();
  EXPECT_NE(ranks.errors[0].find("did not come"), std::string::npos)
      << ranks.errors[0];
  EXPECT_NE(ranks.errors[1].find(": 2"), std::string::npos) << ranks.errors[1];
  EXPECT_LT(Clock::now() - began, 10s);
}

TEST(Member, APortInUseIsNamed) {
  Expected<Socket> taken = Socket::listen({"localhost", 0});
  ASSERT_TRUE(taken);
  Placement place;
  place.size = 2;
  place.rendezvous = {"localhost", taken->port()};
  JobOptions options;
  options.timeout = 1s;
  Expected<std::unique_ptr<Member>> member = Member::join(place, options, {});
  ASSERT_FALSE(member);
  std::string why = member.takeError().message();
  EXPECT_NE(why.find(place.rendezvous.text()), std::string::npos) << why;
  EXPECT_NE(why.find("--rendezvous"), std::string::npos) << why;
  // Nobody who answers, and nobody at all.
  place.rank = 1;
  member = Member::join(place, options, {});
  ASSERT_FALSE(member);
  why = member.takeError().message();
  EXPECT_NE(why.find("is no rank of te-run"), std::string::npos) << why;
  taken->close();
  member = Member::join(place, options, {});
  ASSERT_FALSE(member);
  why = member.takeError().message();
  EXPECT_NE(why.find(place.rendezvous.text()), std::string::npos) << why;
}
