// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program as a function from tokens to the logits of the next one.

#ifndef TERT_GENERATION_TOKENMODEL_H
#define TERT_GENERATION_TOKENMODEL_H

#include "session/Session.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tert::generation {

/// The tokens of one sequence.
using Tokens = std::vector<int64_t>;

class TokenModel {
public:
  virtual ~TokenModel() = default;

  /// Sequences at a time, and tokens of each that the model can read.
  int64_t rows() const { return numRows; }
  int64_t context() const { return length; }
  /// Ids are 0 to vocabulary() - 1.
  int64_t vocabulary() const { return numIds; }

  /// The logits of the token that follows each sequence, [rows(),
  /// vocabulary()]. There is one sequence for each row, of 1 to context()
  /// tokens. They may be any; those that extend the ones of the call before by
  /// a few tokens can take less time.
  virtual session::Error next(const std::vector<Tokens> &sequences,
                              std::vector<float> &logits) = 0;

protected:
  TokenModel(int64_t rows, int64_t context, int64_t vocabulary)
      : numRows(rows), length(context), numIds(vocabulary) {}

private:
  int64_t numRows, length, numIds;
};

/// A model that computes whole sequences, by the entry `forward`, padded behind
/// their ends. The first call of next() fails if the logits depend on what is
/// behind: if the model is not causal. `logits` names the output with them;
/// empty: the only one of their shape.
session::Expected<std::unique_ptr<TokenModel>>
openForward(session::Session &session, const std::string &logits);

/// A model with a cache of keys and values, by the entries `prefill` and
/// `decode` (te-add-kv-cache).
session::Expected<std::unique_ptr<TokenModel>>
openCached(session::Session &session, const std::string &logits);

} // namespace tert::generation

#endif // TERT_GENERATION_TOKENMODEL_H
