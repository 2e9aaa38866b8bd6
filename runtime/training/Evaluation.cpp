// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Evaluation.h"

#include "training/Loss.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tert::session;
using namespace tert::training;

/// The float output with the shape of the labels, followed by classes.
static const ArgumentDescription *findScores(const EntryDescription &entry) {
  using Role = ArgumentDescription::Role;
  const ArgumentDescription *labels = entry.find(Role::Input, "labels");
  for (const ArgumentDescription &output : entry.arguments) {
    const Shape &shape = output.type.shape;
    if (labels && output.role == Role::Output && !shape.empty() &&
        shape.back() > 0 && isFloat(toFileDType(output.type.dtype)) &&
        Shape(shape.begin(), shape.end() - 1) == labels->type.shape)
      return &output;
  }
  return nullptr;
}

Expected<Evaluation> Evaluation::create(Session &session,
                                        const EvaluationOptions &options,
                                        SharedArena arena) {
  const Description &description = session.description();
  if (!description.findEntry("eval"))
    return Error("'" + session.path() +
                 "' has no entry 'eval'; it has: " + description.entryNames() +
                 ". Compile the model again with te-compile --entry "
                 "train,eval");
  Expected<EntryCall> call =
      EntryCall::create(session, "eval", std::move(arena));
  if (!call)
    return call.takeError();
  Evaluation evaluation(std::move(*call));
  for (const char *output : {"loss", "count"})
    if (Expected<float> value = evaluation.call.readScalar(output); !value)
      return value.takeError();
  // The windows are in the file's order: no seed.
  Expected<std::unique_ptr<BatchSource>> data =
      openData(options.data, options.format, /*seed=*/0, evaluation.call,
               DataOrder::Sequential);
  if (!data)
    return data.takeError();
  evaluation.data = std::move(*data);
  evaluation.count = evaluation.data->batches();
  if (options.batches)
    evaluation.count = std::min(evaluation.count, options.batches);
  const Loss loss = Loss::of(description);
  evaluation.lossIsSum = loss.isSum;
  if (loss.isClassification && loss.ignoreIndex) {
    evaluation.scores = findScores(evaluation.call.description());
    evaluation.ignored = *loss.ignoreIndex;
  }
  return evaluation;
}

std::string Evaluation::describe() const {
  return data->describe() + ", " + std::to_string(count) +
         (count == 1 ? " batch" : " batches");
}

Expected<EvaluationResult>
Evaluation::run(Ranks &ranks, const std::function<void(uint64_t)> &done) {
  Expected<std::vector<std::string>> parts = ranks.gatherShares(
      "evaluation", runShare(ranks.share(), ranks.shares(), done));
  if (!parts)
    return parts.takeError();
  return combine(*parts);
}

/// Results of one batch, as sent between ranks.
namespace {
struct BatchLoss {
  float loss, count, correct;
};
} // namespace

Expected<std::string>
Evaluation::runShare(uint64_t share, uint64_t shares,
                     const std::function<void(uint64_t)> &done) {
  std::string part;
  for (uint64_t first = 0; first < count; first += shares) {
    const uint64_t batch = first + share;
    // If this share has no batches left, runs one of another share without
    // counting it: a program that gathers parameters requires all ranks in
    // every call.
    if (Error error = data->fill(std::min(batch, count - 1), call))
      return error;
    if (Error error = call.run())
      return error;
    if (batch >= count)
      break;
    Expected<float> loss = call.readScalar("loss");
    Expected<float> counted = call.readScalar("count");
    if (!loss || !counted)
      return loss ? counted.takeError() : loss.takeError();
    Expected<float> correct =
        scores ? countCorrect(batch) : Expected<float>(0.0f);
    if (!correct)
      return correct.takeError();
    BatchLoss result = {*loss, *counted, *correct};
    part.append(reinterpret_cast<const char *>(&result), sizeof(result));
    if (done)
      done(batch + 1);
  }
  return part;
}

Expected<float> Evaluation::countCorrect(uint64_t batch) {
  if (Error error = data->readLabels(batch, labels))
    return error;
  const TensorType &type = scores->type;
  stored.resize(type.bytes());
  values.resize(static_cast<size_t>(type.elements()));
  if (Error error = call.readOutput(*scores, stored.data()))
    return error;
  if (Error error = convertRounded(toFileDType(type.dtype), stored.data(),
                                   DType::F32, values.data(), type.elements()))
    return error;
  const auto classes = static_cast<size_t>(type.shape.back());
  float correct = 0;
  for (size_t row = 0; row < labels.size(); ++row) {
    auto first = values.begin() + static_cast<ptrdiff_t>(row * classes);
    const auto largest =
        std::max_element(first, first + static_cast<ptrdiff_t>(classes));
    correct += labels[row] != ignored && largest - first == labels[row];
  }
  return correct;
}

Expected<EvaluationResult>
Evaluation::combine(const std::vector<std::string> &parts) const {
  double sum = 0, labels = 0, correct = 0;
  for (uint64_t batch = 0; batch < count; ++batch) {
    const std::string &part = parts[batch % parts.size()];
    size_t at = batch / parts.size() * sizeof(BatchLoss);
    if (part.size() < at + sizeof(BatchLoss))
      return Error("batch " + std::to_string(batch) + " of " +
                   std::to_string(count) +
                   " was evaluated on no rank; is the data the same on all "
                   "hosts?");
    BatchLoss result;
    std::memcpy(&result, part.data() + at, sizeof(result));
    sum += lossIsSum ? result.loss
                     : static_cast<double>(result.loss) * result.count;
    labels += result.count;
    correct += result.correct;
  }
  EvaluationResult result;
  result.loss = labels > 0 ? sum / labels : std::nan("");
  result.labels = static_cast<uint64_t>(labels);
  result.batches = count;
  if (scores && labels > 0)
    result.accuracy = correct / labels;
  return result;
}
