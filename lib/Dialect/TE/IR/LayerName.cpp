// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/LayerName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

std::string mlir::te::makeLayerPath(StringRef path) {
  std::string result = path.str();
  for (char &c : result)
    if (StringRef("{},").contains(c))
      c = '_';
  return result;
}

bool mlir::te::isLayerName(StringRef name) {
  auto isPlain = [](StringRef part) {
    return part.find_first_of("{},") == StringRef::npos;
  };
  auto [prefix, rest] = name.split('{');
  if (prefix.size() == name.size())
    return isPlain(name);
  auto [members, suffix] = rest.rsplit('}');
  if (members.size() == rest.size() || !isPlain(prefix) || !isPlain(suffix))
    return false;
  SmallVector<StringRef> parts;
  members.split(parts, ',');
  return llvm::all_of(parts, isPlain);
}

StringRef mlir::te::getLayerModule(StringRef layer) {
  auto [module, number] = layer.rsplit(':');
  if (number.empty() || !llvm::all_of(number, llvm::isDigit))
    return layer;
  return module;
}

std::string mlir::te::joinLayers(ArrayRef<StringRef> layers) {
  if (layers.size() == 1)
    return layers.front().str();
  StringRef shared = layers.front();
  for (StringRef layer : layers)
    while (!shared.empty() &&
           !(shared.ends_with(".") && layer.starts_with(shared)))
      shared = shared.drop_back();
  std::string joined = shared.str() + "{";
  llvm::raw_string_ostream os(joined);
  llvm::interleave(
      layers, os,
      [&](StringRef layer) { os << layer.drop_front(shared.size()); }, ",");
  os << "}";
  return joined;
}

SmallVector<std::string> mlir::te::splitLayer(StringRef layer) {
  auto [prefix, rest] = layer.split('{');
  auto [members, suffix] = rest.rsplit('}');
  if (members.empty())
    return {layer.str()};
  SmallVector<StringRef> names;
  members.split(names, ',');
  return llvm::map_to_vector(
      names, [prefix = prefix, suffix = suffix](StringRef name) {
        return (prefix + name + suffix).str();
      });
}
