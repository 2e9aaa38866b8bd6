// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluation.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::te::stablehlo_import;

template <typename T, typename From, typename Fn>
static ConstantTensor read(DenseElementsAttr elements, Fn convert) {
  auto type = cast<RankedTensorType>(elements.getType());
  std::vector<T> values;
  if (elements.isSplat()) {
    values.push_back(convert(elements.getSplatValue<From>()));
    return ConstantTensor(std::move(values), type.getShape(),
                          Shape(type.getRank(), 0));
  }
  values.reserve(type.getNumElements());
  for (const From &value : elements.getValues<From>())
    values.push_back(convert(value));
  return ConstantTensor(std::move(values), type.getShape());
}

std::optional<ConstantTensor>
mlir::te::stablehlo_import::readConstant(ElementsAttr attribute) {
  auto elements = dyn_cast<DenseElementsAttr>(attribute);
  auto type = elements ? dyn_cast<RankedTensorType>(elements.getType())
                       : RankedTensorType();
  if (!type)
    return std::nullopt;
  Type element = type.getElementType();
  if (element.isInteger(1))
    return read<uint8_t, bool>(elements, [](bool value) { return value; });
  if (element.isInteger())
    return read<int64_t, APInt>(
        elements, [](const APInt &value) { return value.getSExtValue(); });
  if (element.isF32() || element.isBF16())
    return read<float, APFloat>(elements, [](APFloat value) {
      bool ignored;
      value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                    &ignored);
      return value.convertToFloat();
    });
  return std::nullopt;
}

int64_t mlir::te::stablehlo_import::wrap(int64_t value, Type element) {
  if (element.isInteger(1))
    return value != 0;
  return element.isInteger(32) ? int64_t(int32_t(value)) : value;
}

float mlir::te::stablehlo_import::round(float value, Type element) {
  if (!element.isBF16())
    return value;
  APFloat rounded(value);
  bool ignored;
  rounded.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &ignored);
  rounded.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                  &ignored);
  return rounded.convertToFloat();
}

ConstantTensor mlir::te::stablehlo_import::makeEmpty(RankedTensorType type) {
  if (isa<FloatType>(type.getElementType()))
    return ConstantTensor(std::vector<float>(), type.getShape());
  if (type.getElementType().isInteger(1))
    return ConstantTensor(std::vector<uint8_t>(), type.getShape());
  return ConstantTensor(std::vector<int64_t>(), type.getShape());
}

ConstantTensor mlir::te::stablehlo_import::makeSplat(double value,
                                                     RankedTensorType type) {
  Type element = type.getElementType();
  Shape strides(type.getRank(), 0);
  if (isa<FloatType>(element))
    return ConstantTensor(std::vector<float>{round(float(value), element)},
                          type.getShape(), strides);
  if (element.isInteger(1))
    return ConstantTensor(std::vector<uint8_t>{value != 0}, type.getShape(),
                          strides);
  return ConstantTensor(std::vector<int64_t>{wrap(int64_t(value), element)},
                        type.getShape(), strides);
}

ConstantTensor
mlir::te::stablehlo_import::reshapeConstant(const ConstantTensor &tensor,
                                            ArrayRef<int64_t> shape) {
  if (llvm::all_of(tensor.getStrides(),
                   [](int64_t stride) { return stride == 0; }))
    return tensor.withShape(shape, Shape(shape.size(), 0), tensor.getOffset());
  if (tensor.isFloat())
    return ConstantTensor(tensor.toVector<float>(), shape);
  if (tensor.isInt())
    return ConstantTensor(tensor.toVector<int64_t>(), shape);
  return ConstantTensor(tensor.toVector<uint8_t>(), shape);
}
