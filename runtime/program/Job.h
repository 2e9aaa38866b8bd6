// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The job that a context is a rank of: its mesh, and a communicator for every
// set of axes that an op has asked for.
#ifndef TERT_PROGRAM_JOB_H
#define TERT_PROGRAM_JOB_H

#include "program/Communicator.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

namespace tert {

/// Ranks in a grid, the last axis fastest.
class Mesh {
public:
  /// Throws TERT_INVALID_ARGUMENT where sizes or rank make no sense.
  Mesh(int32_t rank, int32_t numAxes, const int32_t *sizes);

  int32_t getRank() const { return rank; }
  /// Of all ranks.
  int32_t size() const;
  /// "2 x 4"
  std::string describe() const;

  /// `axes` without those that have one rank: what remains tells groups apart.
  /// Throws TERT_INVALID_ARGUMENT for an axis that the mesh lacks.
  int32_t normalize(int32_t axes) const;
  /// The ranks that differ from this one in the axes of the set alone, which is
  /// normalized.
  Group groupAlong(int32_t axes) const;

private:
  int32_t rank;
  std::vector<int32_t> sizes;
};

/// Of a context that is no rank of a job.
Group groupWithoutJob();

class Job {
public:
  /// Meets all other ranks.
  Job(const tert_job &job, Backend &backend);

  /// The communicator of a set of axes. The first time it connects the ranks,
  /// which all ask for it at the same point of the program.
  Communicator &along(int32_t axes);
  /// Its ranks, whether or not they are connected.
  Group groupAlong(int32_t axes) const {
    return mesh.groupAlong(mesh.normalize(axes));
  }

  /// Communicator::await of all communicators there are.
  void await(const tert_site &site, const TensorList &tensors);

  /// A call that may wait for other ranks, from beginning to end.
  class Call {
  public:
    explicit Call(Job *job);
    ~Call();
    /// Throws what has gone wrong with the job, which has made the call's
    /// results worthless; to be called when it is done.
    void finish();
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;

  private:
    Job *job;
    int64_t outer = 0; ///< when the call around this one began
  };

  // From any thread.
  /// Why the job works no longer; empty if nothing is known to be wrong.
  std::string failure();
  void abort(const std::string &reason) noexcept;

private:
  /// Connects the members of a group, after each has said that it is there and
  /// agrees about the job.
  std::unique_ptr<Communicator> connect(const Group &group);
  void throwIfAborted();

  const Mesh mesh;
  Backend &backend;
  const std::string library;
  const std::chrono::seconds timeout;
  const std::string secret;
  const Store store;
  /// What all ranks must agree about.
  const std::string agreement;

  /// Guards what follows: other threads ask for failures.
  std::mutex mutex;
  std::map<int32_t, std::unique_ptr<Communicator>> communicators;
  std::string abortReason;
  std::atomic<bool> isAborted{false};
  /// When the call under way began, in milliseconds; 0 between calls.
  std::atomic<int64_t> callBegan{0};
};

} // namespace tert

#endif // TERT_PROGRAM_JOB_H
