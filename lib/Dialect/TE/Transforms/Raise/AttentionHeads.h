// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries, keys and values of two products around a softmax, in the form of
// te.attention.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ATTENTIONHEADS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ATTENTIONHEADS_H

#include "Raise/AttentionScores.h"

#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// An operand, and its sources before reshapes and transposes.
using OperandForms = SmallVector<LabelledValue, 0>;
OperandForms formsOf(LabelledValue value);

/// The labels of te.attention's dimensions.
struct HeadLabels {
  /// Batches and heads, batches first; the first `cut` digits are batches. The
  /// last `groups` of the heads share a key head.
  Digits batchAndHeads;
  size_t cut = 0, groups = 0;
  Digits queries, keys, dim, valueDim;

  Digits batch() const {
    return Digits(ArrayRef(batchAndHeads).take_front(cut));
  }
  Digits heads(bool ofKeys) const {
    return Digits(
        ArrayRef(batchAndHeads).drop_front(cut).drop_back(ofKeys ? groups : 0));
  }
  /// The row-major order of an operand, with the given sequence and head
  /// dimension, and its shape.
  Digits order(AttentionLayout layout, const Digits &sequence,
               const Digits &dim, bool ofKeys) const {
    Digits result;
    for (const Digits &digits : parts(layout, sequence, dim, ofKeys))
      result.append(digits);
    return result;
  }
  SmallVector<int64_t> shape(AttentionLayout layout, const Digits &sequence,
                             const Digits &dim, bool ofKeys) const {
    SmallVector<int64_t> sizes;
    for (const Digits &digits : parts(layout, sequence, dim, ofKeys))
      sizes.push_back(countOf(digits));
    return sizes;
  }

private:
  SmallVector<Digits, 4> parts(AttentionLayout layout, const Digits &sequence,
                               const Digits &dim, bool ofKeys) const {
    Digits b = batch(), h = heads(ofKeys);
    if (layout == AttentionLayout::BSHD)
      return {b, sequence, h, dim};
    return {b, h, sequence, dim};
  }
};

/// The operands in all their forms, and the labels of their dimensions.
struct AttentionHeads {
  OperandForms q, k, v;
  HeadLabels labels;

  /// Sorts the loops of `product`, scores whose softmax is over the loops
  /// `keys`, into batches and heads, queries and keys. Null, or the reason that
  /// they are not those of te.attention.
  const char *sortLoops(const Contraction &product, ArrayRef<unsigned> keys);
  /// The layout that most operands already have; determines how many of the
  /// outer dimensions are batches (`labels.cut`).
  AttentionLayout chooseLayout();
  Value getQueries(OpBuilder &builder, Location loc,
                   AttentionLayout layout) const;
  Value getKeys(OpBuilder &builder, Location loc, AttentionLayout layout) const;
  Value getValues(OpBuilder &builder, Location loc,
                  AttentionLayout layout) const;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ATTENTIONHEADS_H
