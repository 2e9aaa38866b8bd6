// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loss on evaluation data.

#ifndef TERT_TRAINING_EVALUATION_H
#define TERT_TRAINING_EVALUATION_H

#include "session/Session.h"
#include "training/Data.h"
#include "training/Peers.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tert::training {

struct EvaluationOptions {
  DataNames data; ///< Read sequentially, in `format` (training/Data.h).
  DataFormat format = DataFormat::Auto;
  uint64_t batches = 0; ///< Number of batches; 0: all.
};

struct EvaluationResult {
  /// The mean over all counted labels, or whatever else the loss counts
  /// (Loss::counts): each has the same weight, also in batches with fewer of
  /// them. NaN if there are none.
  double loss = 0.0;
  uint64_t labels = 0; ///< Number of counted labels.
  /// For a classification whose program returns its scores: the fraction of
  /// labels with the largest score; otherwise NaN.
  double accuracy = std::numeric_limits<double>::quiet_NaN();
  uint64_t batches = 0;
};

/// Runs the entry `eval` (docs/artifact.md), which changes no state, so that it
/// does not affect a training.
class Evaluation {
public:
  /// `session` must outlive the result, which allocates its own arena unless
  /// one to share is given.
  static session::Expected<Evaluation>
  create(session::Session &session, const EvaluationOptions &options,
         session::SharedArena arena = nullptr);

  uint64_t batches() const { return count; }
  /// "1.1M bytes of text, 8 windows of 256 a batch, 12 batches"
  std::string describe() const;
  const BatchSource &source() const { return *data; }
  /// `done`, if any, is called after every batch with the number of completed
  /// ones. The ranks split the batches by share: all of them call this, and run
  /// the entry equally often. The bits of the result do not depend on the
  /// number of ranks.
  session::Expected<EvaluationResult>
  run(Ranks &ranks, const std::function<void(uint64_t)> &done = {});

private:
  explicit Evaluation(session::EntryCall call) : call(std::move(call)) {}
  /// Results of a share's batches.
  session::Expected<std::string>
  runShare(uint64_t share, uint64_t shares,
           const std::function<void(uint64_t)> &done);
  /// The result of all shares.
  session::Expected<EvaluationResult>
  combine(const std::vector<std::string> &parts) const;
  /// Number of the last batch's labels that have the largest score.
  session::Expected<float> countCorrect(uint64_t batch);
  session::EntryCall call;
  std::unique_ptr<BatchSource> data;
  /// The output [..., classes] that labels are compared with; null if there is
  /// none.
  const session::ArgumentDescription *scores = nullptr;
  int64_t ignored = 0; ///< The label that is ignored.
  std::vector<int64_t> labels;
  std::vector<char> stored;
  std::vector<float> values;
  uint64_t count = 0;
  bool lossIsSum = false;
};

} // namespace tert::training

#endif // TERT_TRAINING_EVALUATION_H
