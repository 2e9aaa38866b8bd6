// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks of a job, along every set of its mesh's axes.
#ifndef TERT_TEST_RUNTIME_MEMBERS_H
#define TERT_TEST_RUNTIME_MEMBERS_H

#include "RankReference.h"
#include "Ranks.h"

namespace tert_test {

/// A rank among those along some axes of a mesh.
struct Member {
  tert_context *context;
  int32_t rank;
  int32_t axes;
  std::vector<int32_t> members;

  std::string error() const { return tert_last_error(context); }
};

/// Calls fn(Member) in every rank of a job, for every set of its mesh's axes.
template <typename Fn>
void forEachMemberOf(const JobOptions &options, const Fn &fn) {
  runRanks(options, [&](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    forEachAxes(options.mesh, [&](int32_t axes) {
      SCOPED_TRACE(testing::Message() << "rank " << rank.rank << " along "
                                      << axes << " of " << options.mesh.size());
      fn(Member{rank.context, rank.rank, axes,
                membersOf(options.mesh, rank.rank, axes)});
    });
  });
}

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_MEMBERS_H
