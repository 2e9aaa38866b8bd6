// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generation by the entry `forward`: every token computes the whole sequence.

#include "generation/TokenCall.h"
#include "generation/TokenModel.h"

#include <algorithm>
#include <cmath>

using namespace tert;
using namespace tert::generation;
using namespace tert::session;

namespace {
class ForwardModel : public TokenModel {
public:
  ForwardModel(const Description &program, TokenCall forward)
      : TokenModel(forward.rows(), forward.columns(), forward.vocabulary()),
        forward(std::move(forward)) {
    // Scales of the whole tensor depend on all tokens a little.
    if (!program.recipe.empty() && program.history == 0)
      tolerance = 0.05f;
  }

  Error next(const std::vector<Tokens> &sequences,
             std::vector<float> &logits) override {
    if (Error error = compute(sequences, 0, logits))
      return error;
    return isChecked ? Error::success() : checkCausal(sequences, logits);
  }

private:
  /// Ids behind each sequence are all `padding`.
  Error compute(const std::vector<Tokens> &sequences, int64_t padding,
                std::vector<float> &logits);
  Error checkCausal(const std::vector<Tokens> &sequences,
                    const std::vector<float> &expected);

  TokenCall forward;
  /// Difference that is not one of another model, relative to the range of the
  /// logits of a row.
  float tolerance = 0.0f;
  bool isChecked = false;
};
} // namespace

Error ForwardModel::compute(const std::vector<Tokens> &sequences,
                            int64_t padding, std::vector<float> &logits) {
  auto last = [&](int64_t row) {
    return static_cast<int64_t>(sequences[static_cast<size_t>(row)].size()) - 1;
  };
  Error error = forward.run(
      [&](int64_t row, int64_t column) {
        return column > last(row) ? padding
                                  : sequences[static_cast<size_t>(row)]
                                             [static_cast<size_t>(column)];
      },
      last);
  return error ? std::move(error) : forward.read(last, logits);
}

Error ForwardModel::checkCausal(const std::vector<Tokens> &sequences,
                                const std::vector<float> &expected) {
  isChecked = true;
  std::vector<float> others;
  if (Error error = compute(sequences, vocabulary() - 1, others))
    return error;
  const auto count = static_cast<size_t>(vocabulary());
  for (size_t first = 0; first < expected.size(); first += count) {
    auto [low, high] =
        std::minmax_element(&expected[first], &expected[first] + count);
    const float allowed = tolerance * (*high - *low);
    for (size_t i = first; i < first + count; ++i)
      if (std::abs(others[i] - expected[i]) > allowed)
        return Error("the model is not causal: its logits at a token depend on "
                     "later tokens, so it cannot generate text. Export a "
                     "model for causal language modelling");
  }
  return Error::success();
}

Expected<std::unique_ptr<TokenModel>>
generation::openForward(Session &session, const std::string &logits) {
  Expected<TokenCall> forward =
      TokenCall::create(session, "forward", logits, nullptr);
  if (!forward)
    return forward.takeError();
  if (forward->logitColumns() != forward->columns())
    return Error("'" + session.path() +
                 "' does not generate text: it has no logits for every token");
  return std::unique_ptr<TokenModel>(
      new ForwardModel(session.description(), std::move(*forward)));
}
