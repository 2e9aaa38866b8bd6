// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generation by the entries `prefill` and `decode`: keys and values of earlier
// tokens are states of the program.

#include "generation/TokenCall.h"
#include "generation/TokenModel.h"

#include <algorithm>

using namespace tert;
using namespace tert::generation;
using namespace tert::session;

/// Tokens of a sequence for one token that is decoded by itself rather than
/// with all others in a prefill, which always computes the whole context.
static constexpr int64_t tokensForEachStep = 16;

namespace {
class CachedModel : public TokenModel {
public:
  CachedModel(TokenCall prefill, TokenCall decode)
      : TokenModel(prefill.rows(), prefill.columns(), prefill.vocabulary()),
        prefill(std::move(prefill)), decode(std::move(decode)),
        cached(static_cast<size_t>(rows())) {}

  Error next(const std::vector<Tokens> &sequences,
             std::vector<float> &logits) override;

private:
  Error fillCaches(const std::vector<Tokens> &sequences);
  Error decodeFrom(std::vector<size_t> done,
                   const std::vector<Tokens> &sequences, size_t steps);

  TokenCall prefill, decode;
  /// The tokens whose keys and values the caches have. What they have behind
  /// these is not read.
  std::vector<Tokens> cached;
};
} // namespace

Error CachedModel::fillCaches(const std::vector<Tokens> &sequences) {
  auto sequence = [&](int64_t row) -> const Tokens & {
    return sequences[static_cast<size_t>(row)];
  };
  return prefill.run(
      [&](int64_t row, int64_t column) {
        const auto at = static_cast<size_t>(column);
        return at < sequence(row).size() ? sequence(row)[at] : 0;
      },
      [&](int64_t row) {
        return static_cast<int64_t>(sequence(row).size()) - 1;
      });
}

/// Decodes each sequence from its token `done` on. One that ends before others
/// has its last token decoded again.
Error CachedModel::decodeFrom(std::vector<size_t> done,
                              const std::vector<Tokens> &sequences,
                              size_t steps) {
  auto at = [&](int64_t row) { return done[static_cast<size_t>(row)]; };
  for (size_t step = 0; step < steps; ++step) {
    Error error = decode.run(
        [&](int64_t row, int64_t) {
          return sequences[static_cast<size_t>(row)][at(row)];
        },
        [&](int64_t row) { return static_cast<int64_t>(at(row)); });
    if (error)
      return error;
    for (size_t row = 0; row < done.size(); ++row)
      done[row] = std::min(done[row] + 1, sequences[row].size() - 1);
  }
  return Error::success();
}

Error CachedModel::next(const std::vector<Tokens> &sequences,
                        std::vector<float> &logits) {
  std::vector<size_t> done;
  size_t steps = 0;
  for (size_t row = 0; row < sequences.size(); ++row) {
    const Tokens &sequence = sequences[row];
    auto [differs, end] = std::mismatch(sequence.begin(), sequence.end(),
                                        cached[row].begin(), cached[row].end());
    done.push_back(std::min(static_cast<size_t>(differs - sequence.begin()),
                            sequence.size() - 1));
    steps = std::max(steps, sequence.size() - done.back());
  }
  const bool decodes =
      steps == 1 ||
      static_cast<int64_t>(steps) * tokensForEachStep <= context();
  if (Error error =
          decodes ? decodeFrom(done, sequences, steps) : fillCaches(sequences))
    return error;
  cached = sequences;
  return (decodes ? decode : prefill)
      .read([](int64_t) { return int64_t(0); }, logits);
}

Expected<std::unique_ptr<TokenModel>>
generation::openCached(Session &session, const std::string &logits) {
  Expected<SharedArena> arena = session.allocateArena({"prefill", "decode"});
  if (!arena)
    return arena.takeError();
  Expected<TokenCall> prefill =
      TokenCall::create(session, "prefill", logits, *arena);
  if (!prefill)
    return prefill.takeError();
  Expected<TokenCall> decode =
      TokenCall::create(session, "decode", logits, *arena);
  if (!decode)
    return decode.takeError();
  if (prefill->logitColumns() != 1 || decode->columns() != 1 ||
      decode->rows() != prefill->rows() ||
      decode->vocabulary() != prefill->vocabulary())
    return Error("'" + session.path() +
                 "' has entries prefill and decode that do not belong "
                 "together; compile it again");
  return std::unique_ptr<TokenModel>(
      new CachedModel(std::move(*prefill), std::move(*decode)));
}
