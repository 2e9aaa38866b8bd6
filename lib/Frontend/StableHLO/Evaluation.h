// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants computed from constants: masks, positions, rotary tables, counters
// of loops. Booleans (i1) are stored as bytes, other integers as int64, floats
// as float32.

#ifndef TE_LIB_FRONTEND_STABLEHLO_EVALUATION_H
#define TE_LIB_FRONTEND_STABLEHLO_EVALUATION_H

#include "../Common/ConstantTensor.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::te::stablehlo_import {

using namespace frontend;

/// The elements of an attribute; nullopt if it is not dense or of an
/// unsupported type.
std::optional<ConstantTensor> readConstant(ElementsAttr elements);

/// A number converted to this type: integers wrap around, floats are rounded.
int64_t wrap(int64_t value, Type element);
float round(float value, Type element);

/// A tensor without elements.
ConstantTensor makeEmpty(RankedTensorType type);
/// All elements equal.
ConstantTensor makeSplat(double value, RankedTensorType type);
/// Reshapes a constant. `tensor` has at most as many elements as may be
/// computed.
ConstantTensor reshapeConstant(const ConstantTensor &tensor,
                               ArrayRef<int64_t> shape);

/// One element of a tensor, by its offset, as T.
template <typename T> T elementAt(const ConstantTensor &tensor, int64_t at) {
  if (tensor.isFloat())
    return T(tensor.data<float>()[at]);
  if (tensor.isInt())
    return T(tensor.data<int64_t>()[at]);
  return T(tensor.data<uint8_t>()[at]);
}

/// fn(a, b, c) of the elements of up to three tensors of one shape, as In; the
/// result stores Out. Repeated elements are computed once.
template <typename Out, typename In, typename Fn>
ConstantTensor evaluate(ArrayRef<const ConstantTensor *> operands, Fn fn) {
  const ConstantTensor &a = *operands[0],
                       &b = *operands[operands.size() > 1 ? 1 : 0],
                       &c = *operands[operands.size() > 2 ? 2 : 0];
  Shape shape(a.getShape()), stored(shape.size(), 1);
  for (const ConstantTensor *operand : operands)
    for (auto [size, own] : llvm::zip_equal(stored, operand->storedShape()))
      size = size == 1 ? own : size;
  std::vector<Out> values;
  values.reserve(*countElements(stored));
  forEachOffset<3>(
      stored, {a.getStrides(), b.getStrides(), c.getStrides()},
      [&](int64_t i, int64_t j, int64_t k) {
        values.push_back(Out(
            fn(elementAt<In>(a, i), elementAt<In>(b, j), elementAt<In>(c, k))));
      });
  ConstantTensor result(std::move(values), stored);
  return result.withShape(shape, result.getStrides(), 0);
}

} // namespace mlir::te::stablehlo_import

#endif // TE_LIB_FRONTEND_STABLEHLO_EVALUATION_H
