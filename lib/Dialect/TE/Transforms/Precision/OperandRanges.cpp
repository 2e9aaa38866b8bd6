// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Precision/OperandRanges.h"

using namespace mlir;
using namespace mlir::te;

/// log2 of the least normal number of E5M2, which reaches further down than
/// E4M3, divided by the largest scale in float32.
static constexpr double kLeastScalable = -14 - 128;

static StringRef getRoleName(const Fp8Operand &operand) {
  return operand.role == TensorRole::GradOutput
             ? StringRef("output gradient")
             : stringifyTensorRole(operand.role);
}

std::optional<Fp8Refusal> mlir::te::checkRanges(Fp8OpInterface op,
                                                const RangeAnalysis &ranges) {
  for (const Fp8Operand &operand : op.getFp8Operands()) {
    Value value = op->getOperand(operand.operandNumber);
    MagnitudeRange range = ranges.get(value);
    // The op itself says what it makes of no elements.
    if (cast<RankedTensorType>(value.getType()).getNumElements() == 0)
      continue;
    std::string is = ("its " + getRoleName(operand) + " is ").str();
    if (range.isZero())
      return Fp8Refusal{is + "0 in every element that is finite, and has no "
                             "amax to make a scale of",
                        "remove the product"};
    if (range.upper < kLeastScalable)
      return Fp8Refusal{is + range.withoutLower().str() +
                            " in absolute value, and no scale in float32 "
                            "makes that a normal FP8 number",
                        "multiply it by a constant before the product, and "
                        "divide the result"};
  }
  return std::nullopt;
}

std::string mlir::te::describeRanges(Fp8OpInterface op,
                                     const RangeAnalysis &ranges) {
  std::string text;
  bool isKnown = false;
  for (const Fp8Operand &operand : op.getFp8Operands()) {
    Value value = op->getOperand(operand.operandNumber);
    MagnitudeRange range = ranges.get(value);
    bool isAny = range.upper >= MagnitudeRange::ofType(value.getType()).upper;
    isKnown |= !isAny;
    if (!text.empty())
      text += ", ";
    text += getRoleName(operand).str() + " " +
            (isAny ? "any" : range.withoutLower().str());
  }
  return isKnown ? text : std::string();
}
