// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// #test_recipe.constant_scaling<exponent = 4>: a recipe from outside.

#include "TestPasses.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include "ConstantScalingDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ConstantScalingAttrs.h.inc"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

#include "ConstantScalingDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ConstantScalingAttrs.cpp.inc"

void TestRecipeDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ConstantScalingAttrs.cpp.inc"
      >();
}

static Value buildPowerOfTwo(OpBuilder &builder, Location loc,
                             int64_t exponent) {
  auto type = RankedTensorType::get({}, builder.getF32Type());
  return arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type, std::ldexp(1.0f, int(exponent))));
}

static bool isPowerOfTwo(Value value, int64_t exponent) {
  DenseFPElementsAttr constant;
  return matchPattern(value, m_Constant(&constant)) && constant.isSplat() &&
         constant.getSplatValue<float>() == std::ldexp(1.0f, int(exponent));
}

StringRef ConstantScalingAttr::getRecipeName() const {
  return "constant_scaling";
}

FloatType ConstantScalingAttr::getElementType(TensorRole role) const {
  return Float8E4M3FNType::get(getContext());
}

DictionaryAttr ConstantScalingAttr::getParameters() const {
  Builder builder(getContext());
  return builder.getDictionaryAttr(builder.getNamedAttr(
      "exponent", builder.getI64IntegerAttr(getExponent())));
}

Value ConstantScalingAttr::buildScale(OpBuilder &builder, Location loc,
                                      Value tensor, FloatType format,
                                      ArrayRef<int64_t> shape, bool transposed,
                                      ValueRange states, int64_t slot) const {
  return buildPowerOfTwo(builder, loc, getExponent());
}

Value ConstantScalingAttr::buildScaleInv(OpBuilder &builder, Location loc,
                                         Value scale, ValueRange states,
                                         int64_t slot) const {
  return buildPowerOfTwo(builder, loc, -getExponent());
}

std::optional<std::string>
ConstantScalingAttr::checkScale(Value scale, Value scaleInv, Value tensor,
                                FloatType format, ArrayRef<int64_t> copy,
                                bool transposed) const {
  if (!isPowerOfTwo(scale, getExponent()))
    return "expects its scale to be 2^" + std::to_string(getExponent());
  if (scaleInv && !isPowerOfTwo(scaleInv, -getExponent()))
    return "expects readers of its copies to multiply with 2^-" +
           std::to_string(getExponent());
  return std::nullopt;
}

void mlir::te::test::registerConstantScaling(DialectRegistry &registry) {
  registry.insert<TestRecipeDialect>();
}
