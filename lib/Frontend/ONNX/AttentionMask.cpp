// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AttentionMask.h"

#include <limits>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

namespace {
/// The patterns that a [queries, keys] slice may still have.
struct Candidates {
  bool full = true, causal = true;
  bool padding = true; ///< keys are hidden from all queries alike
  bool other = false;  ///< additive values other than 0 and -infinity
};
} // namespace

static Candidates analyse(const ConstantTensor &mask, int64_t queries,
                          int64_t keys) {
  const bool isBool = mask.isBool();
  // Broadcast batches and heads are stored, and analysed, once.
  ArrayRef<int64_t> strides = mask.getStrides();
  Shape leading = mask.storedShape();
  leading.resize(leading.size() - 2);
  int64_t rowStride = strides.take_back(2)[0], columnStride = strides.back();
  std::vector<Number> first(keys), values(keys);
  Candidates candidates;
  forEachOffset<1>(leading, {strides.drop_back(2)}, [&](int64_t base) {
    mask.read(base, columnStride, first);
    for (int64_t row = 0; row < queries; ++row) {
      if (!candidates.full && !candidates.causal && !candidates.padding)
        return;
      mask.read(base + row * rowStride, columnStride, values);
      int64_t diagonal = row + keys - queries;
      for (int64_t column = 0; column < keys; ++column) {
        Number value = values[column], above = first[column];
        bool allowed = isBool ? value.integer != 0 : value.real == 0;
        // Smaller penalties shift probabilities instead of forbidding keys.
        candidates.other |= !isBool && !(allowed || value.real <= -1e4f);
        candidates.full &= allowed;
        candidates.causal &= allowed == (column <= diagonal);
        candidates.padding &=
            isBool ? value.integer == above.integer : value.real == above.real;
      }
    }
  });
  return candidates;
}

MaskKind mlir::te::onnx_import::classifyMask(const ConstantTensor &mask,
                                             int64_t queries, int64_t keys,
                                             std::string &why) {
  if (mask.getRank() > 4 || mask.isInt()) {
    why = "it is neither a boolean nor a float tensor of rank 2 to 4";
    return MaskKind::Unsupported;
  }
  Shape shape(std::max<int64_t>(mask.getRank(), 2), 1);
  std::copy(mask.getShape().begin(), mask.getShape().end(),
            shape.end() - mask.getRank());
  for (auto [dim, size] : {std::pair(shape.size() - 2, queries),
                           std::pair(shape.size() - 1, keys)}) {
    if (shape[dim] != 1 && shape[dim] != size) {
      why = "its shape does not fit " + std::to_string(queries) +
            " queries and " + std::to_string(keys) + " keys";
      return MaskKind::Unsupported;
    }
    shape[dim] = size;
  }
  ConstantTensor view = mask.broadcast(shape);
  if (auto same = mask.getSplat()) {
    bool allows = mask.isBool() ? *same != 0 : *same == 0;
    why = "it is the same everywhere, and not 0";
    return allows ? MaskKind::Full : MaskKind::Unsupported;
  }
  // Not even stored in full: only repeated patterns are this large.
  constexpr int64_t kMaxSize = int64_t(1) << 34;
  if (queries > kMaxSize / keys) {
    why = "it is too large";
    return MaskKind::Unsupported;
  }
  Candidates candidates = analyse(view, queries, keys);
  if (candidates.other) {
    why = "it adds values other than 0 and -infinity (a position bias)";
    return MaskKind::Unsupported;
  }
  if (candidates.full)
    return MaskKind::Full;
  if (candidates.causal)
    return MaskKind::Causal;
  why = candidates.padding
            ? "it hides the same keys from every query (padding)"
            : "it is neither causal nor full (a sliding window, a prefix or "
              "packed sequences)";
  return MaskKind::Unsupported;
}
