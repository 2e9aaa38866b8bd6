// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HloOp.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::te::stablehlo_import;

Attribute HloOp::getAttr(StringRef name) const {
  if (auto properties =
          dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    if (Attribute attribute = properties.get(name))
      return attribute;
  return op->getDiscardableAttr(name);
}

std::optional<int64_t> HloOp::getInt(StringRef name) const {
  auto attribute = dyn_cast_or_null<IntegerAttr>(getAttr(name));
  if (!attribute || !attribute.getValue().isSignedIntN(64))
    return std::nullopt;
  return attribute.getValue().getSExtValue();
}

bool HloOp::getBool(StringRef name) const {
  auto attribute = dyn_cast_or_null<BoolAttr>(getAttr(name));
  return attribute && attribute.getValue();
}

std::optional<SmallVector<int64_t>> HloOp::getInts(StringRef name) const {
  Attribute attribute = getAttr(name);
  if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(attribute))
    return SmallVector<int64_t>(array.asArrayRef());
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(attribute);
  // Lists of dimensions are short; rejects longer ones.
  if (!elements || elements.getNumElements() > 4096)
    return std::nullopt;
  SmallVector<int64_t> ints;
  for (const APInt &value : elements.getValues<APInt>()) {
    if (!value.isSignedIntN(64))
      return std::nullopt;
    ints.push_back(value.getSExtValue());
  }
  return ints;
}

StringRef HloOp::getEnum(StringRef name) const {
  auto opaque = dyn_cast_or_null<OpaqueAttr>(getAttr(name));
  if (!opaque)
    return {};
  return opaque.getAttrData().rsplit(' ').second.trim();
}

std::optional<DimensionNumbers>
HloOp::getDimensionNumbers(StringRef name, StringRef kind) const {
  auto opaque = dyn_cast_or_null<OpaqueAttr>(getAttr(name));
  if (!opaque)
    return std::nullopt;
  StringRef text = opaque.getAttrData();
  if (!text.consume_front(kind) || !text.consume_front("<") ||
      !text.consume_back(">"))
    return std::nullopt;
  DimensionNumbers numbers;
  for (text = text.trim(); !text.empty(); text = text.ltrim()) {
    auto [key, rest] = text.split('=');
    rest = rest.ltrim();
    SmallVector<int64_t> &list = numbers[key.trim()];
    bool isList = rest.consume_front("[");
    int64_t number;
    for (rest = rest.ltrim(); !rest.consumeInteger(10, number);
         rest = rest.ltrim()) {
      list.push_back(number);
      rest = rest.ltrim();
      if (!isList || !rest.consume_front(","))
        break;
    }
    if (isList && !rest.consume_front("]"))
      return std::nullopt;
    rest = rest.ltrim();
    if (!rest.empty() && !rest.consume_front(","))
      return std::nullopt;
    text = rest;
  }
  return numbers;
}

bool mlir::te::stablehlo_import::areDimensions(ArrayRef<int64_t> dims,
                                               int64_t rank) {
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= rank || seen.test(dim))
      return false;
    seen.set(dim);
  }
  return true;
}
