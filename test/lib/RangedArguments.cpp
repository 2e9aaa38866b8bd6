// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RangedArguments.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te::test;

/// Integers are positions in small tensors.
static double choose(func::FuncOp function, unsigned argument, int64_t index) {
  auto type = cast<RankedTensorType>(function.getArgument(argument).getType());
  bool isInteger = isa<IntegerType>(type.getElementType());
  double low = isInteger ? 0 : -1, high = isInteger ? 3 : 1;
  if (auto range =
          function.getArgAttrOfType<ArrayAttr>(argument, "test.range")) {
    low = cast<FloatAttr>(range[0]).getValueAsDouble();
    high = cast<FloatAttr>(range[1]).getValueAsDouble();
  }
  double number =
      low + (high - low) * (counterUniform(argument, index) + 1) / 2;
  return isInteger ? std::floor(number) : number;
}

SmallVector<HostTensor>
mlir::te::test::makeRangedArguments(func::FuncOp function) {
  SmallVector<HostTensor> arguments;
  for (auto [stream, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensorType = cast<RankedTensorType>(type);
    HostTensor &tensor = arguments.emplace_back(tensorType.getShape());
    for (auto [i, element] : llvm::enumerate(tensor.data))
      element = choose(function, stream, i);
  }
  return arguments;
}
