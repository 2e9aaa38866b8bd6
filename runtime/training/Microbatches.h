// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of several microbatches: all but the last run the entry `accumulate`
// (docs/artifact.md), which adds their gradients to states; the entry `train`
// processes the last one and the sums.

#ifndef TERT_TRAINING_MICROBATCHES_H
#define TERT_TRAINING_MICROBATCHES_H

#include "session/Session.h"
#include "training/Data.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace tert::training {

struct TrainingOptions;

class Microbatches {
public:
  /// `train` is the call that ends a step; the other call shares `arena` with
  /// it. options.accumulate is the number of microbatches per step, and `share`
  /// selects this rank's batches of the data. Session and `train` must outlive
  /// the result.
  static session::Expected<Microbatches>
  create(session::Session &session, const TrainingOptions &options,
         uint64_t seed, const DataShare &share, session::EntryCall &train,
         const session::SharedArena &arena);

  uint64_t perStep() const { return count; }
  /// BatchSource::describe().
  std::string describe() const { return last->describe(count); }
  const BatchSource &source() const { return *last; }
  /// Number of labels of a step (from 0) that the loss counts, on all ranks;
  /// nothing if it counts something else.
  session::Expected<std::optional<uint64_t>> labels(uint64_t step);

  /// Runs all microbatches of a step (from 0) but the last, and sets the inputs
  /// of `train` to that one. Microbatch m of step s is batch s * count + m of
  /// the rank's share of the data. After a failure the states are those of the
  /// previous step, unless `broken` was set.
  session::Error start(uint64_t step, bool &broken);
  /// Time of the entries that the last start() ran.
  double seconds() const { return ran; }

private:
  Microbatches(session::Session &session, session::EntryCall &train,
               uint64_t count, uint64_t seed, const DataShare &share)
      : session(&session), train(&train), count(count), seed(seed),
        share(share) {}
  session::Error fill(BatchSource &source, session::EntryCall &call,
                      uint64_t step, uint64_t microbatch);
  session::Error drop();

  session::Session *session;
  session::EntryCall *train;
  uint64_t count, seed;
  DataShare share;
  std::optional<session::EntryCall> accumulate; ///< If there is more than one.
  std::unique_ptr<BatchSource> earlier, last;
  double ran = 0;
};

} // namespace tert::training

#endif // TERT_TRAINING_MICROBATCHES_H
