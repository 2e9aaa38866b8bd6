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

/// Where an entry takes tokens and returns logits.
struct TokenInterface {
  const session::ArgumentDescription *ids = nullptr;    ///< [rows, context]
  const session::ArgumentDescription *logits = nullptr; ///< [rows, …, ids]
};

/// The only input of the entry, of ids [rows, columns], and its output of float
/// logits [rows, columns or 1, ids]: the one named `logits`, or, if that is
/// empty, the only one. Fails, with the reason, for entries of other models.
session::Expected<TokenInterface>
findTokens(const session::EntryDescription &entry, const std::string &logits);

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
  /// tokens. It may be any; those that extend the sequences of the call before
  /// by one token can take less time.
  virtual session::Error next(const std::vector<Tokens> &sequences,
                              std::vector<float> &logits) = 0;

protected:
  int64_t numRows = 0, length = 0, numIds = 0;
};

/// A model that computes whole sequences, by the entry `forward`, padded behind
/// their ends. The first call of next() fails if the logits depend on what is
/// behind: if the model is not causal.
session::Expected<std::unique_ptr<TokenModel>>
openForward(session::Session &session, const std::string &logits);

} // namespace tert::generation

#endif // TERT_GENERATION_TOKENMODEL_H
