// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the best checkpoint while the training goes on.

#ifndef TERT_TRAINING_BESTWRITER_H
#define TERT_TRAINING_BESTWRITER_H

#include "checkpoint/CheckpointFolder.h"
#include "session/Session.h"

#include <future>
#include <memory>
#include <optional>

namespace tert::training {

/// For states that one rank has. A copy of the states on the host is written by
/// a thread; a newer one that comes meanwhile replaces one that still waits, so
/// that there are at most two.
class BestWriter {
public:
  explicit BestWriter(session::CheckpointFolder folder)
      : folder(std::move(folder)) {}
  /// Waits, and drops what is not written yet.
  ~BestWriter();

  /// Copies the states, and starts to write them as soon as nothing else is
  /// written. Where there is little memory for a copy it writes them itself.
  /// Returns an error of this or of an earlier write.
  session::Error save(const session::Session &session,
                      const session::CheckpointInfo &info);
  /// Writes what waits if the thread is done. Call now and then.
  session::Error poll();
  /// Waits until all is written.
  session::Error finish();

private:
  class Copy;
  void start();
  session::Error wait();

  session::CheckpointFolder folder;
  std::shared_ptr<const Copy> waiting;
  std::future<session::Error> writing;
};

} // namespace tert::training

#endif // TERT_TRAINING_BESTWRITER_H
