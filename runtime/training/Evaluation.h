// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loss on data that is not learned from.

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
  std::string data; ///< Read in sequence, as `format` says (training/Data.h).
  DataFormat format = DataFormat::Auto;
  uint64_t batches = 0; ///< The first of the data; 0: all.
};

struct EvaluationResult {
  /// The mean over all labels that count, or whatever else the loss counts
  /// (Loss::counts): of batches with fewer of them, each weighs as much as in
  /// the others. NaN if there is none.
  double loss = 0.0;
  uint64_t labels = 0; ///< How many there are.
  /// Of a classification whose program returns its scores: the share of labels
  /// that have the largest score; else NaN.
  double accuracy = std::numeric_limits<double>::quiet_NaN();
  uint64_t batches = 0;
};

/// Runs the entry `eval` (docs/artifact.md), which changes no state: between
/// two steps of a training it leaves that as it would have been.
class Evaluation {
public:
  /// `session` must outlive the result, which has an arena of its own unless it
  /// is given one to share.
  static session::Expected<Evaluation>
  create(session::Session &session, const EvaluationOptions &options,
         session::SharedArena arena = nullptr);

  uint64_t batches() const { return count; }
  /// "1.1M bytes of text, 8 windows of 256 a batch, 12 batches"
  std::string describe() const;
  const BatchSource &source() const { return *data; }
  /// `done`, if any, is called after every batch, with how many are done.
  /// The ranks share the batches, each of every so many the one of its share:
  /// all of them call this, and the entry as often. The bits of the result do
  /// not depend on their number.
  session::Expected<EvaluationResult>
  run(Ranks &ranks, const std::function<void(uint64_t)> &done = {});

private:
  explicit Evaluation(session::EntryCall call) : call(std::move(call)) {}
  /// What a share gives of its batches.
  session::Expected<std::string>
  runShare(uint64_t share, uint64_t shares,
           const std::function<void(uint64_t)> &done);
  /// The result of all shares.
  session::Expected<EvaluationResult>
  combine(const std::vector<std::string> &parts) const;
  /// How many labels of the batch that was run have the largest score.
  session::Expected<float> countCorrect(uint64_t batch);
  session::EntryCall call;
  std::unique_ptr<BatchSource> data;
  /// The output [..., classes] that labels are compared with; null if there is
  /// none.
  const session::ArgumentDescription *scores = nullptr;
  int64_t ignored = 0; ///< The label that does not count.
  std::vector<int64_t> labels;
  std::vector<char> stored;
  std::vector<float> values;
  uint64_t count = 0;
  bool lossIsSum = false;
};

} // namespace tert::training

#endif // TERT_TRAINING_EVALUATION_H
