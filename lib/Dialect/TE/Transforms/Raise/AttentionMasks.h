// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is added to scores or hides keys, as te.attention has it.

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

  /// Whether te.attention can have all of them; getReason() says why not.
  bool read(ArrayRef<ScoreMask> masks);

  bool isCausal() const { return causal; }
  int64_t getWindow() const { return window; }
  bool hasBias() const { return !addends.empty(); }
  /// The masks that have no other name, [B|1, H|1, Sq|1, Sk], added up; null
  /// if one of them walks heads or batches in part.
  Value buildBias(OpBuilder &builder, Location loc) const;
  const std::string &getReason() const { return reason; }

  /// Whether masks may hide all keys of a query by -infinity: a constant one
  /// that does, or one whose values depend on the model's inputs.
  enum class HiddenQueries { None, Some, Perhaps };
  HiddenQueries hidesQueries() const;

private:
  bool fail(StringRef why) {
    reason = why.str();
    return false;
  }
  bool readMask(ScoreMask mask);
  /// Whether what a finite band hides stays hidden beside all addends.
  bool staysHidden() const;
  /// Whether a constant mask is one of `causal` and `window`.
  bool readBand(const ScoreMask &mask, DenseElementsAttr data);

  const HeadLabels &heads;
  std::string reason;
  bool causal = false;
  int64_t window = 0;
  /// Whether constant masks may become them.
  bool readsBands = true;
  /// The smallest number that one hides by, a positive one.
  double weakestBand = std::numeric_limits<double>::infinity();
  /// Masks that are neither: the bias is their sum.
  SmallVector<ScoreMask, 0> addends;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ATTENTIONMASKS_H
