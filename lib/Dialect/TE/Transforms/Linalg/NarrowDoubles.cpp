// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Narrows float64 in models of float32: torch-mlir computes the variance of a
// layer norm, and writes its numbers, in float64.

#include "Linalg/PlainForm.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/UnsupportedList.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

static bool isDouble(Type type) { return getElementTypeOrSelf(type).isF64(); }

static Type narrowed(Type type) {
  Type f32 = Float32Type::get(type.getContext());
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(f32);
  return f32;
}

/// True if float32 can represent all of these: no finite one would become
/// infinite, and none but 0 would become 0.
static bool fitsFloat(Attribute attribute) {
  auto fits = [](const APFloat &value) {
    double wide = value.convertToDouble();
    float narrow = float(wide);
    return std::isfinite(wide) == std::isfinite(narrow) &&
           (wide == 0) == (narrow == 0);
  };
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return fits(number.getValue());
  auto data = dyn_cast<DenseElementsAttr>(attribute);
  if (data && data.isSplat())
    return fits(data.getSplatValue<APFloat>());
  return data && llvm::all_of(data.getValues<APFloat>(), fits);
}

static TypedAttr narrowed(TypedAttr attribute) {
  auto toFloat = [](const APFloat &value) {
    return float(value.convertToDouble());
  };
  Type type = narrowed(attribute.getType());
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return FloatAttr::get(type, toFloat(number.getValue()));
  auto data = cast<DenseElementsAttr>(attribute);
  auto shaped = cast<ShapedType>(type);
  if (data.isSplat())
    return DenseElementsAttr::get(shaped,
                                  toFloat(data.getSplatValue<APFloat>()));
  return DenseElementsAttr::get(
      shaped,
      ArrayRef<float>(llvm::map_to_vector(data.getValues<APFloat>(), toFloat)));
}

/// The reason that the op would not mean the same in float32.
static std::optional<std::string> getNarrowingProblem(Operation *op) {
  constexpr llvm::StringLiteral kAdvice = "; export in float32 or bfloat16";
  auto reason = [&](StringRef why) {
    return std::optional(
        ("element type 'f64' is not supported here: " + why + kAdvice).str());
  };
  if (op->hasTrait<OpTrait::ConstantLike>()) {
    Attribute constant;
    if (matchPattern(op, m_Constant(&constant)) && fitsFloat(constant))
      return std::nullopt;
    return reason("float32 has no number for this constant");
  }
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return reason("float32 does not hold every integer");
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
    return reason("which integer it becomes may depend on digits that float32 "
                  "does not have");
  if (isa_and_present<arith::ArithDialect, math::MathDialect,
                      linalg::LinalgDialect, tensor::TensorDialect>(
          op->getDialect()) &&
      !isa<arith::BitcastOp, tensor::BitcastOp>(op))
    return std::nullopt;
  return reason("only arithmetic between float32 numbers is narrowed");
}

void mlir::te::narrowDoubles(func::FuncOp model, UnsupportedList &problems) {
  SmallVector<Operation *> wide;
  model.walk([&](Operation *op) {
    if (llvm::any_of(op->getOperandTypes(), isDouble) ||
        llvm::any_of(op->getResultTypes(), isDouble))
      wide.push_back(op);
  });
  if (wide.empty())
    return;
  Operation *first = nullptr;
  for (Operation *op : wide) {
    if (auto reason = getNarrowingProblem(op))
      problems.add(op->getName().getStringRef(), *reason, getModulePath(op),
                   op->getLoc());
    if (!first && !op->hasTrait<OpTrait::ConstantLike>() &&
        !isa<tensor::EmptyOp>(op))
      first = op;
  }
  if (!problems.empty())
    return;
  if (first)
    remark::missed(first->getLoc(), remark::RemarkOpts::name("Float64")
                                        .category("te-import-linalg")
                                        .function(model.getName()))
        << remark::reason("what the model computes in float64 is computed in "
                          "float32, as the rest of it");
  for (Operation *op : wide) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      constant.setValueAttr(narrowed(constant.getValue()));
    for (Value result : op->getResults())
      if (isDouble(result.getType()))
        result.setType(narrowed(result.getType()));
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (isDouble(argument.getType()))
          argument.setType(narrowed(argument.getType()));
  }
  // Bodies whose op has no operand or result of float64 have none either.
  for (Operation *op : wide)
    if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
        op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
}
