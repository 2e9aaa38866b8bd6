// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches a softmax over products of queries and keys, in any decomposition.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ATTENTIONSCORES_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ATTENTIONSCORES_H

#include "Raise/LoopLabels.h"

#include "te/Analysis/Contraction.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <string>

namespace mlir::te {

/// A contraction of any form whose sum starts from zero; te.matmul counts as
/// one.
std::optional<Contraction> getProduct(Operation *op);

/// A mask or an addend of scores.
struct ScoreMask {
  Value value;
  Labels labels;
  /// True for an addend; else booleans, which hide a key where they equal
  /// `hides`.
  bool isAddend;
  /// The factor of an addend, or the score of a hidden key.
  double factor = 1;
  bool hides = false;
};

/// cap(coefficient * q·k) + masks, where cap(x) = softcap * tanh(x / softcap)
/// if there is one; the keys' scores may be followed by one more, the sink's.
struct AttentionScores {
  Contraction product;
  Operation *op = nullptr; ///< the product
  double coefficient = 1;
  double softcap = 0; ///< 0 for none
  SmallVector<ScoreMask, 2> masks;
  /// True if a query without visible keys has zeros, not NaN, in the model.
  bool hasZeroRows = false;
  /// Loops that the softmax sums over.
  SmallVector<unsigned, 2> keys;
  /// The additional score of the softmax, with labels of the scores' other
  /// dimensions; null if none.
  LabelledValue sink;
};

/// Traces `value` back to such a product.
class SoftmaxReader {
public:
  /// The labels of `probabilities` in loops of the product of queries and keys,
  /// if it is a softmax of such scores; otherwise nullopt, with the reason in
  /// getReason().
  std::optional<Labels> read(Value probabilities);

  /// True if `value` is a quotient of exponentials, perhaps a softmax.
  static bool isLikeSoftmax(Value value);

  const AttentionScores &getScores() const { return scores; }
  const std::string &getReason() const { return reason; }
  /// An op between the products with a reader outside of them.
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
    IsHidden,   ///< a score is -infinity
    RowIsHidden ///< all scores of a row are
  };
  struct Term {
    Stage stage;
    Labels labels;
    /// The number of changes to the scores before this was computed: all
    /// operands of a softmax must have the same version.
    unsigned version;
    /// The exponentials that this is, or is computed from.
    Value exponentials = {};
  };

  std::optional<Term> fail(const char *why) {
    if (reason.empty())
      reason = why;
    return std::nullopt;
  }
  /// Records another change of the scores; `term` were the last ones.
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
  /// The position of the sink in rows that have it, and the labels of their
  /// keys.
  bool isSinkFirst = false;
  Digits keyDigits;
  llvm::DenseMap<Value, std::optional<Term>> terms;
  llvm::SmallPtrSet<Operation *, 32> followed;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ATTENTIONSCORES_H
