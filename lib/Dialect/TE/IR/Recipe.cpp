// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What recipes share.

#include "te/Dialect/TE/IR/ParseAttribute.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

FloatType mlir::te::getElementType(MLIRContext *context, Fp8Format format,
                                   TensorRole role) {
  if (format == Fp8Format::Hybrid && role == TensorRole::GradOutput)
    return Float8E5M2Type::get(context);
  return Float8E4M3FNType::get(context);
}

Value mlir::te::extractElement(OpBuilder &builder, Location loc, Value vector,
                               int64_t index) {
  const SmallVector<OpFoldResult> offset = {builder.getIndexAttr(index)};
  const SmallVector<OpFoldResult> one = {builder.getIndexAttr(1)};
  return tensor::ExtractSliceOp::create(
      builder, loc, RankedTensorType::get({}, builder.getF32Type()), vector,
      offset, one, one);
}

RecipeAttrInterface mlir::te::getRecipe(ModuleOp module) {
  return module->getAttrOfType<RecipeAttrInterface>(kRecipeAttr);
}

RecipeAttrInterface mlir::te::parseRecipe(StringRef text, Location loc) {
  std::string reason;
  Attribute attr = parseShortAttribute(text, loc.getContext(), reason);
  if (auto recipe = dyn_cast_if_present<RecipeAttrInterface>(attr))
    return recipe;
  InFlightDiagnostic diag = emitError(loc)
                            << "'" << text << "' is not a quantization recipe";
  if (attr)
    diag << ": the attribute does not implement RecipeAttrInterface";
  else
    diag << " (" << reason << ")";
  diag << "; use one such as '#te.delayed_scaling<history = 16>', "
          "'#te.current_scaling', '#te.row_scaling', "
          "'#te.block_scaling' or '#te.mxfp8_scaling'";
  return {};
}
