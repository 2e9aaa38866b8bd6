// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/BestWriter.h"

#include "session/StateSnapshot.h"

#include <chrono>
#include <unistd.h>

using namespace tert;
using namespace tert::session;
using namespace tert::training;

/// The states of a moment.
class BestWriter::Copy : public ProgramStates {
public:
  Copy(const Session &session, StateSnapshot snapshot, CheckpointInfo info)
      : info(std::move(info)), session(session), snapshot(std::move(snapshot)) {
  }

  const Description &description() const override {
    return session.description();
  }
  const std::string &path() const override { return session.path(); }
  int32_t rank() const override { return session.rank(); }
  Error readState(size_t index, void *host, size_t bytes,
                  size_t offset) const override {
    snapshot.read(index, host, bytes, offset);
    return Error::success();
  }
  Error writeState(size_t, const void *, size_t, size_t) override {
    return Error("a copy of states is not written to");
  }

  const CheckpointInfo info;

private:
  const Session &session; ///< Its description and path, which do not change.
  StateSnapshot snapshot;
};

/// Whether a copy of all states takes less than half of the unused memory.
static bool fitsMemory(const Session &session) {
  const long pages = ::sysconf(_SC_AVPHYS_PAGES),
             size = ::sysconf(_SC_PAGESIZE);
  uint64_t bytes = 0;
  for (const StateDescription &state : session.description().states)
    bytes += state.type.bytes();
  return pages > 0 && size > 0 &&
         bytes < static_cast<uint64_t>(pages) * static_cast<uint64_t>(size) / 2;
}

BestWriter::~BestWriter() {
  if (writing.valid())
    writing.wait();
}

void BestWriter::start() {
  writing = std::async(std::launch::async,
                       [folder = folder, copy = std::move(waiting)] {
                         return folder.saveBest(*copy, copy->info);
                       });
  waiting.reset();
}

Error BestWriter::wait() {
  return writing.valid() ? writing.get() : Error::success();
}

Error BestWriter::save(const Session &session, const CheckpointInfo &info) {
  if (!fitsMemory(session)) {
    waiting.reset();
    Error earlier = wait();
    Error error = folder.saveBest(session, info);
    return error ? std::move(error) : std::move(earlier);
  }
  Expected<StateSnapshot> snapshot =
      StateSnapshot::take(session, &StateDescription::isSaved);
  if (!snapshot)
    return snapshot.takeError();
  waiting = std::make_shared<const Copy>(session, std::move(*snapshot), info);
  return poll();
}

Error BestWriter::poll() {
  if (writing.valid() &&
      writing.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return Error::success();
  Error error = wait();
  if (waiting)
    start();
  return error;
}

Error BestWriter::finish() {
  Error error = wait();
  if (!waiting)
    return error;
  start();
  Error last = wait();
  return last ? std::move(last) : std::move(error);
}
