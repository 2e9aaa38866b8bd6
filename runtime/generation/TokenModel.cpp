// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "generation/TokenModel.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tert;
using namespace tert::generation;
using namespace tert::session;

using Role = ArgumentDescription::Role;

Expected<TokenInterface> generation::findTokens(const EntryDescription &entry,
                                                const std::string &logits) {
  TokenInterface found;
  for (const ArgumentDescription &argument : entry.arguments) {
    const Shape &shape = argument.type.shape;
    if (argument.role == Role::Input) {
      if (found.ids)
        return Error("it takes '" + found.ids->name + "' and '" +
                     argument.name +
                     "'; only models of token ids alone generate text. Export "
                     "the model without '" +
                     argument.name + "'");
      if (isFloat(toFileDType(argument.type.dtype)) || shape.size() != 2)
        return Error("its input '" + argument.name + "' is " +
                     toString(argument.type) +
                     ", not token ids [rows, tokens]");
      found.ids = &argument;
    }
  }
  if (!found.ids)
    return Error("it takes no token ids");
  std::string others;
  bool several = false;
  for (const ArgumentDescription &argument : entry.arguments) {
    if (argument.role != Role::Output)
      continue;
    others += (others.empty() ? "" : ", ") + argument.name;
    if (!logits.empty() && argument.name != logits)
      continue;
    const Shape &shape = argument.type.shape;
    const bool isFloat32 =
        argument.type.dtype == TERT_F32 || argument.type.dtype == TERT_BF16;
    if (!isFloat32 || shape.size() != 3 ||
        shape[0] != found.ids->type.shape[0] ||
        (shape[1] != 1 && shape[1] != found.ids->type.shape[1]))
      continue;
    several |= found.logits != nullptr;
    found.logits = &argument;
  }
  if (!found.logits)
    return Error("it has no output of logits [rows, tokens, ids]" +
                 (logits.empty() ? "" : " named '" + logits + "'") +
                 "; it returns " + others);
  if (several)
    return Error("several of its outputs can be logits; name one with --logits "
                 "(" +
                 others + ")");
  return found;
}

namespace {
class ForwardModel : public TokenModel {
public:
  ForwardModel(Session &session, EntryCall call, const TokenInterface &tokens)
      : call(std::move(call)), tokens(tokens) {
    const Shape &ids = tokens.ids->type.shape;
    numRows = ids[0];
    length = ids[1];
    numIds = tokens.logits->type.shape[2];
    // Scales of the whole tensor depend on all tokens a little.
    const Description &program = session.description();
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

  EntryCall call;
  TokenInterface tokens;
  /// Difference that is not one of another model, relative to the range of the
  /// logits of a row.
  float tolerance = 0.0f;
  bool isChecked = false;
  std::vector<char> input, output;
};
} // namespace

Error ForwardModel::compute(const std::vector<Tokens> &sequences,
                            int64_t padding, std::vector<float> &logits) {
  const size_t size = sizeOf(toFileDType(tokens.ids->type.dtype));
  input.resize(tokens.ids->type.bytes());
  for (int64_t row = 0; row < numRows; ++row)
    for (int64_t i = 0; i < length; ++i) {
      const Tokens &sequence = sequences[row];
      const int64_t id = i < int64_t(sequence.size()) ? sequence[i] : padding;
      // Little-endian: the low bytes are the narrow integer.
      std::memcpy(&input[(row * length + i) * size], &id, size);
    }
  if (Error error = call.setInput(*tokens.ids, input.data()))
    return error;
  if (Error error = call.run())
    return error;
  output.resize(tokens.logits->type.bytes());
  if (Error error = call.readOutput(*tokens.logits, output.data()))
    return error;
  const DType dtype = toFileDType(tokens.logits->type.dtype);
  logits.resize(numRows * numIds);
  for (int64_t row = 0; row < numRows; ++row) {
    const int64_t at = row * length + int64_t(sequences[row].size()) - 1;
    if (Error error =
            convertExactly(dtype, &output[at * numIds * sizeOf(dtype)],
                           DType::F32, &logits[row * numIds], numIds))
      return error;
  }
  return Error::success();
}

Error ForwardModel::checkCausal(const std::vector<Tokens> &sequences,
                                const std::vector<float> &expected) {
  isChecked = true;
  std::vector<float> others;
  if (Error error = compute(sequences, numIds - 1, others))
    return error;
  for (int64_t row = 0; row < numRows; ++row) {
    const float *own = &expected[row * numIds];
    auto [low, high] = std::minmax_element(own, own + numIds);
    const float allowed = tolerance * (*high - *low);
    for (int64_t id = 0; id < numIds; ++id)
      if (std::abs(others[row * numIds + id] - own[id]) > allowed)
        return Error("the model is not causal: its logits at a token depend on "
                     "later tokens, so it cannot generate text. Export a "
                     "model for causal language modelling");
  }
  return Error::success();
}

Expected<std::unique_ptr<TokenModel>>
generation::openForward(Session &session, const std::string &logits) {
  Expected<EntryCall> call = EntryCall::create(session, "forward");
  if (!call)
    return call.takeError();
  Expected<TokenInterface> tokens = findTokens(call->description(), logits);
  if (!tokens)
    return Error("'" + session.path() +
                 "' does not generate text: " + tokens.takeError().message());
  if (tokens->logits->type.shape[1] != tokens->ids->type.shape[1])
    return Error("'" + session.path() + "' returns '" + tokens->logits->name +
                 "' as " + toString(tokens->logits->type) +
                 ", without logits for every token");
  return std::unique_ptr<TokenModel>(
      new ForwardModel(session, std::move(*call), *tokens));
}
