// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces scales and FP8 copies to their origin in the IR, for
// te-validate-precision.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_SCALETRACE_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_SCALETRACE_H

#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// The version of the scaling state that a scale comes from: the one at the
/// beginning of the step, the updated one, or a first scale computed from a
/// tensor.
enum class ScaleVersion { Old, Updated, Initial };

/// One element of the scales or of their reciprocals.
struct ScaleOrigin {
  ScaleVersion version;
  bool inverse;
  /// The column; -1 for Initial.
  int64_t slot;
  /// For Initial.
  InitialScale initial;
};

/// The quantization that an op performs, if any.
std::optional<Quantization> getQuantization(Operation *op);

/// The position of a tensor<f32> in the scaling state of a recipe with these
/// states; nullopt if it is not a scale.
std::optional<ScaleOrigin> traceScale(Value value, RecipeAttrInterface recipe,
                                      ArrayRef<RecipeState> states);

/// The one static index of a slice of one element of a vector.
template <typename SliceOp>
std::optional<int64_t> getElementIndex(SliceOp slice) {
  ArrayRef<int64_t> offsets = slice.getStaticOffsets();
  ArrayRef<int64_t> sizes = slice.getStaticSizes();
  if (offsets.size() != 1 || ShapedType::isDynamic(offsets[0]) || sizes[0] != 1)
    return std::nullopt;
  return offsets[0];
}

/// The parameter and orientation (true: columnwise) in the name of an FP8
/// weight's state, "fp8.weight.<param>.rowwise".
std::optional<std::pair<StringRef, bool>> splitWeightName(StringRef name);

/// The role in a slot's name: "weight" of "transformer.h.0.mlp.c_fc.weight",
/// and of a second such slot, "transformer.h.0.mlp.c_fc.weight.1".
StringRef getSlotRole(StringRef slot);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_SCALETRACE_H
