// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sessions of all ranks of a program whose states are in parts, in one process.

#ifndef TE_TEST_CHECKPOINT_SHARDEDSESSIONS_H
#define TE_TEST_CHECKPOINT_SHARDEDSESSIONS_H

#include "TestFiles.h"
#include "checkpoint/ShardedCheckpoint.h"
#include "session/Session.h"

#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>

namespace test {

using Sessions = std::vector<std::unique_ptr<tert::session::Session>>;

/// One for each rank of the program's mesh.
inline Sessions openRanks(const std::string &path) {
  using namespace tert::session;
  Sessions sessions;
  for (int32_t rank = 0, ranks = 1; rank < ranks; ++rank) {
    Expected<Artifact> artifact = Artifact::open(path);
    EXPECT_TRUE(artifact) << artifact.takeError().message();
    ranks = artifact->description().mesh.ranks();
    SessionOptions options;
    options.rank = rank;
    options.numThreads = 1;
    auto session = Session::create(std::move(*artifact), options);
    EXPECT_TRUE(session) << session.takeError().message();
    sessions.push_back(std::move(*session));
  }
  return sessions;
}

inline std::string bytesOfState(const tert::session::Session &session,
                                size_t index) {
  std::string bytes(session.description().states[index].type.bytes(), '\1');
  EXPECT_FALSE(session.readState(index, bytes.data(), bytes.size()));
  return bytes;
}

/// The tensor that the ranks' parts are of; ranks that hold the same part agree
/// on it, and what is beyond an end is zero.
inline std::string wholeState(const Sessions &sessions, size_t index) {
  using namespace tert::session;
  const Description &description = sessions[0]->description();
  const StateDescription &state = description.states[index];
  const size_t element = sizeOf(toFileDType(state.type.dtype));
  const auto count = static_cast<size_t>(*elementCount(state.globalShape()));
  std::string whole(count * element, '\0');
  std::vector<bool> known(count, false);
  for (const auto &session : sessions) {
    std::string bytes = bytesOfState(*session, index);
    EXPECT_FALSE(state.visitRanges(
        description.mesh, session->rank(), 0, state.type.elements(),
        [&](const ShardRange &range) -> Error {
          for (int64_t i = 0; i < range.count; ++i) {
            const auto at = static_cast<size_t>(range.global + i);
            const size_t from = static_cast<size_t>(range.local + i) * element;
            if (known[at])
              EXPECT_EQ(
                  whole.compare(at * element, element, bytes, from, element), 0)
                  << state.name << " " << at;
            known[at] = true;
            whole.replace(at * element, element, bytes, from, element);
          }
          bytes.replace(static_cast<size_t>(range.local) * element,
                        static_cast<size_t>(range.count) * element,
                        static_cast<size_t>(range.count) * element, '\0');
          return Error::success();
        }));
    EXPECT_EQ(bytes, std::string(bytes.size(), '\0'))
        << state.name << " beyond its end on rank " << session->rank();
  }
  EXPECT_EQ(known, std::vector<bool>(count, true)) << state.name;
  return whole;
}

/// Ranks that are threads of one process.
class Meeting {
public:
  explicit Meeting(size_t ranks) : brought(ranks) {}

  /// What rank number `rank` meets the others with.
  tert::session::Gather of(size_t rank) {
    return [this, rank](const std::string &, const std::string &own)
               -> tert::session::Expected<std::vector<std::string>> {
      std::unique_lock<std::mutex> lock(mutex);
      brought[rank] = own;
      const uint64_t before = meetings;
      if (++arrived == brought.size()) {
        all = brought;
        arrived = 0;
        ++meetings;
        changed.notify_all();
      }
      changed.wait(lock, [&] { return meetings != before; });
      return all;
    };
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> brought, all;
  size_t arrived = 0;
  uint64_t meetings = 0;
};

/// Calls work(session, gather) in all ranks at once; the messages of those that
/// fail, by rank.
template <typename Work>
std::vector<std::string> together(const Sessions &sessions, const Work &work) {
  Meeting meeting(sessions.size());
  std::vector<std::string> messages(sessions.size());
  std::vector<std::thread> threads;
  for (size_t rank = 0; rank < sessions.size(); ++rank)
    threads.emplace_back([&, rank] {
      const tert::session::Gather gather =
          sessions.size() > 1 ? meeting.of(rank) : tert::session::Gather();
      if (tert::session::Error error = work(*sessions[rank], gather))
        messages[rank] = error.message();
    });
  for (std::thread &thread : threads)
    thread.join();
  return messages;
}

} // namespace test

#endif // TE_TEST_CHECKPOINT_SHARDEDSESSIONS_H
