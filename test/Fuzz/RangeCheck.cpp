// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RangeCheck.h"

#include "te/Dialect/TE/IR/TE.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;
using test::HostTensor;

void fuzz::declareMaxAbs(func::FuncOp function, ArrayRef<HostTensor> values) {
  OpBuilder builder(function.getContext());
  for (auto [i, tensor] : llvm::enumerate(values)) {
    Type type = getElementTypeOrSelf(function.getArgument(i));
    if (!isa<FloatType>(type))
      continue;
    double largest = 0;
    for (double value : tensor.data)
      largest = std::max(largest, std::abs(value));
    // The evaluator rounds arguments to their types.
    largest *= 1 + (type.isBF16() ? 0x1p-8 : 0x1p-23);
    function.setArgAttr(i, kMaxAbsAttr, builder.getF64FloatAttr(largest));
  }
}

/// The first element that is not as claimed, in words.
static std::optional<std::string>
findViolation(Value value, const HostTensor &tensor, MagnitudeRange range) {
  MagnitudeRange ofType = MagnitudeRange::ofType(value.getType());
  // Logarithms of both are rounded.
  constexpr double kError = 1e-12;
  for (int64_t i = 0, e = tensor.size(); i < e; ++i) {
    double log2 = std::log2(std::abs(tensor[i]));
    // Numbers of bf16 and FP8 that programs cannot hold either.
    if (!std::isfinite(log2) || log2 > ofType.upper || log2 < ofType.lower)
      continue;
    if (log2 <= range.upper + kError && log2 >= range.lower - kError)
      continue;
    Operation *op = value.getDefiningOp();
    return llvm::formatv("{0}: element {1} is {2}, 2^{3}, and not {4}",
                         op ? op->getName().getStringRef() : "an argument", i,
                         tensor[i], log2, range.str())
        .str();
  }
  return std::nullopt;
}

FailureOr<std::optional<std::string>>
fuzz::findOutOfRange(func::FuncOp function, ArrayRef<HostTensor> values,
                     llvm::function_ref<MagnitudeRange(Value)> claim,
                     int64_t &bounded) {
  std::optional<std::string> violation;
  auto observe = [&](Value value, const HostTensor &tensor) {
    MagnitudeRange range = claim(value);
    if (range == MagnitudeRange().roundedTo(value.getType()))
      return;
    ++bounded;
    if (!violation)
      violation = findViolation(value, tensor, range);
  };
  // As programs do, numbers leave the range of float32, and close ones become
  // the same in bf16.
  test::Rounding rounding(/*relative=*/0, /*stream=*/1, /*toFloat=*/true);
  if (failed(test::evaluateAndObserve(function, values, rounding, observe)))
    return failure();
  return violation;
}
