// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masks and addends of attention scores, in the forms of te.attention.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ATTENTIONMASKS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ATTENTIONMASKS_H

#include "Raise/AttentionHeads.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <limits>
#include <string>

namespace mlir::te {

/// Masks of the scores of `heads` as a causal triangle, a window and a bias.
class AttentionMasks {
public:
  explicit AttentionMasks(const HeadLabels &heads) : heads(heads) {}

  /// Returns false, with the reason in getReason(), if te.attention does not
  /// support one of them.
  bool read(ArrayRef<ScoreMask> masks);

  bool isCausal() const { return causal; }
  int64_t getWindow() const { return window; }
  bool hasBias() const { return !addends.empty(); }
  /// The sum of all other masks, [B|1, H|1, Sq|1, Sk]; null if one of them
  /// walks heads or batches in part.
  Value buildBias(OpBuilder &builder, Location loc) const;
  const std::string &getReason() const { return reason; }

  /// True if masks may hide all keys of a query by -infinity: a constant one
  /// that does, or one whose values depend on the model's inputs.
  enum class HiddenQueries { None, Some, Perhaps };
  HiddenQueries hidesQueries() const;

private:
  bool fail(StringRef why) {
    reason = why.str();
    return false;
  }
  bool readMask(ScoreMask mask);
  /// True if keys hidden by a finite band stay hidden next to all addends.
  bool staysHidden() const;
  /// True if a constant mask is one of `causal` and `window`.
  bool readBand(const ScoreMask &mask, DenseElementsAttr data);

  const HeadLabels &heads;
  std::string reason;
  bool causal = false;
  int64_t window = 0;
  /// True if constant masks may become causal or window.
  bool readsBands = true;
  /// The smallest penalty of a band, as a positive number.
  double weakestBand = std::numeric_limits<double>::infinity();
  /// All other masks: the bias is their sum.
  SmallVector<ScoreMask, 0> addends;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ATTENTIONMASKS_H
