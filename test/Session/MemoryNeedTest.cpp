// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/MemoryNeed.h"

#include "TestFiles.h"
#include "session/Session.h"

#include <gtest/gtest.h>

using namespace tert::session;
using namespace test;

static constexpr uint64_t gib = uint64_t(1) << 30;

static tert_device_info deviceWith(uint64_t freeBytes) {
  tert_device_info device = {};
  std::snprintf(device.name, sizeof(device.name), "a GPU");
  device.memory_bytes = 80 * gib;
  device.free_bytes = freeBytes;
  return device;
}

TEST(MemoryNeed, WhatFitsIsLetThrough) {
  MemoryNeed need = {2 * gib, gib, 4 * gib, gib};
  EXPECT_EQ(need.total(), 8 * gib);
  EXPECT_FALSE(checkFits(need, deviceWith(8 * gib), "it"));
  // A device that does not know refuses nothing.
  EXPECT_FALSE(checkFits(need, deviceWith(0), "it"));
}

TEST(MemoryNeed, WhatDoesNotIsRefusedWithFigures) {
  MemoryNeed need = {2 * gib, gib, 4 * gib, gib};
  Error error = checkFits(need, deviceWith(8 * gib - 1), "entry 'e' of 'p.so'");
  ASSERT_TRUE(error);
  for (const char *part :
       {"entry 'e' of 'p.so' needs 8.00 GiB", "states 2.00 GiB",
        "arena 4.00 GiB", "inputs and outputs 1.00 GiB", "temporary 1.00 GiB",
        "8.00 GiB of the 80.0 GiB of 'a GPU' are free", "smaller batch",
        "--no-memory-check"})
    EXPECT_NE(error.message().find(part), std::string::npos)
        << part << " is not in: " << error.message();
}

TEST(MemoryNeed, OfAnEntry) {
  Expected<Artifact> artifact = Artifact::open(toyPath("small_range"));
  ASSERT_TRUE(artifact);
  const Description &description = artifact->description();
  MemoryNeed states = memoryNeed(description, nullptr);
  EXPECT_EQ(states.total(), states.states);
  MemoryNeed train = memoryNeed(description, description.findEntry("train"));
  EXPECT_EQ(train.states, states.states);
  EXPECT_EQ(train.arena, 4u * 64 * (64 + 64));
  // Tokens [4, 16] of 8 bytes, and the scalars that train has.
  EXPECT_GE(train.arguments, 4u * 16 * 8 + 3 * 4);
  EXPECT_EQ(train.total(), train.states + train.arena + train.arguments);
}

TEST(MemoryNeed, SharedArenaHasRoomForEachEntry) {
  Expected<Artifact> artifact = Artifact::open(toyPath("toy"));
  ASSERT_TRUE(artifact);
  Expected<std::unique_ptr<Session>> session =
      Session::create(std::move(*artifact), {});
  ASSERT_TRUE(session);
  const size_t needed =
      (*session)->description().findEntry("train")->arenaBytes;
  Expected<SharedArena> arena =
      (*session)->allocateArena({"forward", "train", "absent"});
  ASSERT_TRUE(arena);
  EXPECT_EQ((*arena)->size(), needed);
  for (const char *entry : {"train", "forward"}) {
    Expected<EntryCall> call = EntryCall::create(**session, entry, *arena);
    EXPECT_TRUE(call) << call.takeError().message();
  }
  Expected<SharedArena> small = (*session)->allocateArena({"forward"});
  ASSERT_TRUE(small);
  Expected<EntryCall> call = EntryCall::create(**session, "train", *small);
  ASSERT_FALSE(call);
  EXPECT_NE(call.takeError().message().find("the shared arena has 0 bytes"),
            std::string::npos);
}
