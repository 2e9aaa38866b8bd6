// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/AttentionHeads.h"
#include "te/Support/TensorType.h"

using namespace mlir;
using namespace mlir::te;

OperandForms mlir::te::formsOf(LabelledValue value) {
  OperandForms forms;
  do
    forms.push_back(value);
  while (value.goBeforeView(/*throughCasts=*/false));
  return forms;
}

/// Splits `digits` at the strides at which any form of an operand splits its
/// loop.
static Digits cutLike(const Digits &digits, ArrayRef<LabelledValue> forms) {
  Digits cut;
  for (const Digit &whole : digits) {
    SmallVector<int64_t> strides;
    for (const LabelledValue &form : forms)
      for (const Digits &dimension : form.labels)
        for (const Digit &digit : dimension)
          if (digit.loop == whole.loop && digit.stride > 1)
            strides.push_back(digit.stride);
    llvm::sort(strides);
    strides.erase(llvm::unique(strides), strides.end());
    int64_t end = whole.size;
    for (int64_t stride : llvm::reverse(strides)) {
      cut.push_back({whole.loop, end / stride, stride});
      end = stride;
    }
    cut.push_back({whole.loop, end, 1});
  }
  return cut;
}

const char *AttentionHeads::sortLoops(const Contraction &first,
                                      ArrayRef<unsigned> keys) {
  bool keysFirst = llvm::is_contained(first.m, keys.front());
  // Of the loops that the keys lack, the last is the queries'; the others are
  // query heads that share a key head.
  Digits batches, others;
  for (unsigned loop : first.dimensions[2]) {
    Digits digits = wholeLoop(loop, first.loopSizes[loop]);
    if (llvm::is_contained(first.batch, loop))
      batches.append(digits);
    else if (llvm::is_contained(keysFirst ? first.n : first.m, loop))
      others.append(digits);
    else
      labels.keys.append(digits);
  }
  if (!others.empty())
    labels.queries.push_back(others.pop_back_val());
  SmallVector<LabelledValue, 0> all(q);
  all.append(k);
  all.append(v);
  labels.batchAndHeads = cutLike(batches, all);
  labels.groups = others.size();
  labels.batchAndHeads.append(others);
  // v has the batches and heads of k.
  Digits expected = batches;
  expected.append(labels.keys);
  expected.append(labels.valueDim);
  if (!walksSame(flatten(v.front().labels), expected))
    return "its values are of other heads than its keys";
  if (countOf(labels.valueDim) != countOf(labels.dim))
    return "its values have another head dimension than its queries and "
           "keys";
  if (labels.keys.size() > 1 || labels.dim.size() > 1 ||
      labels.valueDim.size() > 1)
    return "its keys or its head dimension are several dimensions";
  return nullptr;
}

AttentionLayout AttentionHeads::chooseLayout() {
  auto has = [&](ArrayRef<LabelledValue> forms, AttentionLayout layout,
                 const Digits &sequence, const Digits &dim, bool ofKeys) {
    Digits order = normalize(labels.order(layout, sequence, dim, ofKeys));
    return llvm::any_of(forms, [&](const LabelledValue &form) {
      return normalize(flatten(form.labels)) == order;
    });
  };
  auto suits = [&](AttentionLayout layout) {
    return has(q, layout, labels.queries, labels.dim, false) &&
           has(k, layout, labels.keys, labels.dim, true) &&
           has(v, layout, labels.keys, labels.valueDim, true);
  };
  // All digits may be batches, up to the groups; if heads come after the
  // sequence, they determine where batches end.
  size_t last = labels.batchAndHeads.size() - labels.groups;
  for (labels.cut = 0; labels.cut <= last; ++labels.cut)
    if (suits(AttentionLayout::BSHD) && !suits(AttentionLayout::BHSD))
      return AttentionLayout::BSHD;
  for (labels.cut = 0; labels.cut <= last; ++labels.cut)
    if (suits(AttentionLayout::BSHD) &&
        countOf(labels.heads(/*ofKeys=*/false)) > 1)
      return AttentionLayout::BSHD;
  // Prefers the split for which most operands have the dimensions of
  // te.attention; otherwise the last loop of both is heads.
  auto isThere = [&](ArrayRef<LabelledValue> forms, const Digits &sequence,
                     const Digits &dim, bool ofKeys) {
    SmallVector<int64_t> shape =
        labels.shape(AttentionLayout::BHSD, sequence, dim, ofKeys);
    return llvm::any_of(forms, [&](const LabelledValue &form) {
      return tensorType(form.value).getShape() == ArrayRef(shape) &&
             normalize(flatten(form.labels)) ==
                 normalize(labels.order(AttentionLayout::BHSD, sequence, dim,
                                        ofKeys));
    });
  };
  size_t usual = last;
  while (usual > 0 && labels.groups == 0 &&
         labels.batchAndHeads[usual - 1].loop ==
             labels.batchAndHeads[last - 1].loop)
    --usual;
  size_t best = usual;
  int most = -1;
  for (size_t i = 0; i <= last + 1; ++i) {
    labels.cut = i == 0 ? usual : i - 1;
    int count = isThere(q, labels.queries, labels.dim, false) +
                isThere(k, labels.keys, labels.dim, true) +
                isThere(v, labels.keys, labels.valueDim, true);
    if (count > most) {
      most = count;
      best = labels.cut;
    }
  }
  labels.cut = best;
  return AttentionLayout::BHSD;
}

/// The operand of these forms with its elements in that order.
static Value reorderOperand(OpBuilder &builder, Location loc,
                            ArrayRef<LabelledValue> forms,
                            ArrayRef<Digit> order, ArrayRef<int64_t> shape) {
  const LabelledValue *chosen = &forms.front();
  for (const LabelledValue &form : forms) {
    if (normalize(flatten(form.labels)) != normalize(order))
      continue;
    bool isThere = tensorType(form.value).getShape() == shape;
    if (isThere || chosen == &forms.front())
      chosen = &form;
    if (isThere)
      break;
  }
  return reorder(builder, loc, chosen->value, flatten(chosen->labels), order,
                 shape);
}

Value AttentionHeads::getQueries(OpBuilder &builder, Location loc,
                                 AttentionLayout layout) const {
  return reorderOperand(
      builder, loc, q, labels.order(layout, labels.queries, labels.dim, false),
      labels.shape(layout, labels.queries, labels.dim, false));
}

Value AttentionHeads::getKeys(OpBuilder &builder, Location loc,
                              AttentionLayout layout) const {
  return reorderOperand(builder, loc, k,
                        labels.order(layout, labels.keys, labels.dim, true),
                        labels.shape(layout, labels.keys, labels.dim, true));
}

Value AttentionHeads::getValues(OpBuilder &builder, Location loc,
                                AttentionLayout layout) const {
  return reorderOperand(
      builder, loc, v, labels.order(layout, labels.keys, labels.valueDim, true),
      labels.shape(layout, labels.keys, labels.valueDim, true));
}
