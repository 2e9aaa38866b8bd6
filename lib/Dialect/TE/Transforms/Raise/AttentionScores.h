// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A softmax over products of queries and keys, followed through the ops that it
// is written with.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ATTENTIONSCORES_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ATTENTIONSCORES_H

#include "Raise/LoopLabels.h"

#include "te/Analysis/Contraction.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <string>

namespace mlir::te {

/// A contraction, of whatever kind, whose sum starts from zero; te.matmul
/// counts as one.
std::optional<Contraction> getProduct(Operation *op);

/// What hides keys or is added to scores.
struct ScoreMask {
  Value value;
  Labels labels;
  /// An addend, or truth values, which hide a key where they are `hides`.
  bool isAddend;
  /// What an addend is multiplied with, or what a hidden key's score becomes.
  double factor = 1;
  bool hides = false;
};

/// cap(coefficient * q·k) + masks, where cap(x) = softcap * tanh(x / softcap)
/// if there is one; beside the keys' scores there may be one more, the sink's.
struct AttentionScores {
  Contraction product;
  Operation *op = nullptr; ///< the product
  double coefficient = 1;
  double softcap = 0; ///< 0 for none
  SmallVector<ScoreMask, 2> masks;
  /// Whether a query that sees no key has zeros, not NaN, by what is written.
  bool hasZeroRows = false;
  /// Loops that the softmax sums over.
  SmallVector<unsigned, 2> keys;
  /// What the softmax counts beside them, with labels of the scores' other
  /// dimensions; null if nothing.
  LabelledValue sink;
};

/// Follows `value` back to such a product.
class SoftmaxReader {
public:
  /// The labels of `probabilities` in loops of the product of queries and keys,
  /// when it is a softmax of such scores; otherwise nothing, and getReason()
  /// says why.
  std::optional<Labels> read(Value probabilities);

  /// Whether `value` is a quotient of exponentials, perhaps a softmax.
  static bool isLikeSoftmax(Value value);

  const AttentionScores &getScores() const { return scores; }
  const std::string &getReason() const { return reason; }
  /// An op between the products that something else than they reads.
  Operation *findOtherUser(Operation *secondProduct) const;

private:
  enum class Stage {
    Tanh, ///< tanh(coefficient * q·k)
    Scores,
    Shifted, ///< minus their row's maximum
    Exponentials,
    RowMaximum,
    RowSum,
    RowReciprocal,
    Probabilities,
    IsHidden,   ///< whether a score is -infinity
    RowIsHidden ///< whether all of a row are
  };
  struct Term {
    Stage stage;
    Labels labels;
    /// How many ops had changed the scores when this was made of them: all that
    /// a softmax is made of comes from the same.
    unsigned version;
    /// The exponentials that this is, or is made of.
    Value exponentials = {};
  };

  std::optional<Term> fail(const char *why) {
    if (reason.empty())
      reason = why;
    return std::nullopt;
  }
  /// The scores changed in one way more; `term` were the last ones.
  std::optional<Term> change(Term term);
  std::optional<Term> get(Value value);
  std::optional<Term> compute(Operation *op, Value value);
  std::optional<Term> multiply(Term term, double number);
  std::optional<Term> divide(Value numerator, Value denominator);
  std::optional<Term> multiply(Value a, Value b);
  std::optional<Term> add(Value a, Value b, double factor);
  std::optional<Term> select(Value condition, Value yes, Value no);
  std::optional<Term> isHidden(Value a, Value b);
  std::optional<Term> reduce(Operation *op);
  std::optional<Term> sumsWith(Term sum, const Term &exponentials);
  std::optional<Term> appendSink(Operation *op);
  std::optional<Term> dropSink(Operation *op);
  /// The loops that rows of the softmax walk.
  SmallVector<unsigned, 2> rowLoops() const;

  AttentionScores scores;
  std::string reason;
  unsigned depth = 0, version = 0;
  /// Where the sink stands in rows that have it, and what their keys walk.
  bool isSinkFirst = false;
  Digits keyDigits;
  llvm::DenseMap<Value, std::optional<Term>> terms;
  llvm::SmallPtrSet<Operation *, 32> followed;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ATTENTIONSCORES_H
