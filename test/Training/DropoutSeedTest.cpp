// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seeds of dropout, step by step.

#include "training/DropoutSeed.h"

#include "TestFiles.h"

#include <gtest/gtest.h>
#include <set>

using namespace tert::session;
using namespace tert::training;
using namespace test;

TEST(DropoutSeed, IsTheWordsOfPhilox) {
  // The known answers of Random123's philox4x32-10, for zeros and for ones.
  EXPECT_EQ(static_cast<uint64_t>(dropoutSeed(0, {})), 0xe169c58d6627e8d5u);
  EXPECT_EQ(static_cast<uint64_t>(
                dropoutSeed(~uint64_t(0), {~uint64_t(0), ~0u, ~0u})),
            0x41c83b0e408f276du);
}

TEST(DropoutSeed, DiffersWithEveryPartOfThePosition) {
  std::set<int64_t> seeds;
  for (uint64_t seed : {0, 1, 7})
    for (uint64_t step : {uint64_t(0), uint64_t(1), uint64_t(1) << 32})
      for (uint32_t microbatch : {0u, 1u})
        for (uint32_t share : {0u, 1u})
          EXPECT_TRUE(seeds.insert(dropoutSeed(seed, {step, microbatch, share}))
                          .second);
  EXPECT_EQ(dropoutSeed(3, {5, 1, 2}), dropoutSeed(3, {5, 1, 2}));
}

TEST(DropoutSeed, IsOnlySetWhereThereIsOne) {
  Expected<Artifact> artifact = Artifact::open(toyPath("toy"));
  ASSERT_TRUE(artifact);
  auto session = Session::create(std::move(*artifact), {});
  ASSERT_TRUE(session);
  Expected<EntryCall> call = EntryCall::create(**session, "train");
  ASSERT_TRUE(call);
  EXPECT_FALSE(setDropoutSeed(*call, 1, {}));
  Expected<bool> set = call->setInteger("learning_rate", 3);
  ASSERT_FALSE(set);
  EXPECT_EQ(set.takeError().message(),
            "the scalar 'learning_rate' is f32 [], not an i64 number");
}
