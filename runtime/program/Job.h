// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A context's job: its mesh, and a communicator for every set of axes that an
// op has used.
#ifndef TERT_PROGRAM_JOB_H
#define TERT_PROGRAM_JOB_H

#include "collectives/Communicator.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

namespace tert {

/// Ranks in a grid, the last axis fastest.
class Mesh {
public:
  /// Throws TERT_INVALID_ARGUMENT for invalid sizes or ranks.
  Mesh(int32_t rank, int32_t numAxes, const int32_t *sizes);

  int32_t getRank() const { return rank; }
  /// Number of ranks.
  int32_t size() const;
  /// "2 x 4"
  std::string describe() const;

  /// `axes` without those of a single rank: the result identifies a group.
  /// Throws TERT_INVALID_ARGUMENT for an axis that the mesh lacks.
  int32_t normalize(int32_t axes) const;
  /// The ranks that differ from this one only along `axes`, which are
  /// normalized.
  Group groupAlong(int32_t axes) const;

private:
  int32_t rank;
  std::vector<int32_t> sizes;
};

/// The group of a context without a job.
Group groupWithoutJob();

class Job {
public:
  /// Connects to all other ranks.
  Job(const tert_job &job, Backend &backend);

  /// The communicator of a set of axes. The first call connects the ranks, all
  /// of which make it at the same point of the program.
  Communicator &along(int32_t axes);
  /// Its ranks, whether or not they are connected.
  Group groupAlong(int32_t axes) const {
    return mesh.groupAlong(mesh.normalize(axes));
  }

  /// Communicator::await of all existing communicators.
  void await(const tert_site &site, const TensorList &tensors);

  /// Scope of a call that may wait for other ranks.
  class Call {
  public:
    explicit Call(Job *job);
    ~Call();
    /// Call at the end; throws if the job has failed, in which case the call's
    /// results are invalid.
    void finish();
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;

  private:
    Job *job;
    int64_t outer = 0; ///< begin of the enclosing call
  };

  // May be called from any thread.
  /// The reason why the job has failed; empty if no failure is known.
  std::string failure();
  void abort(const std::string &reason) noexcept;

private:
  /// Connects the members of a group, after each has announced itself and
  /// agreed on the job's options.
  std::unique_ptr<Communicator> connect(const Group &group);
  void throwIfAborted();

  const Mesh mesh;
  Backend &backend;
  const std::string library;
  const std::chrono::seconds timeout;
  const std::string secret;
  const Store store;
  /// Options that all ranks must agree on.
  const std::string agreement;

  /// Guards the members below: other threads query failures.
  std::mutex mutex;
  std::map<int32_t, std::unique_ptr<Communicator>> communicators;
  std::string abortReason;
  std::atomic<bool> isAborted{false};
  /// Begin of the call in flight, in milliseconds; 0 between calls.
  std::atomic<int64_t> callBegan{0};
};

} // namespace tert

#endif // TERT_PROGRAM_JOB_H
