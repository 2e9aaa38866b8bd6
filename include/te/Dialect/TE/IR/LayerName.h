// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of linear layers, the values of the attribute `layer`:
//
//   name   := module [":" number]
//   module := path | prefix "{" path { "," path } "}"
//
// The number tells the layers of one module apart, the second being 1. Braces
// stand for layers that were joined into one.

#ifndef TE_DIALECT_TE_IR_LAYERNAME_H
#define TE_DIALECT_TE_IR_LAYERNAME_H

#include "mlir/Support/LLVM.h"

#include <string>

namespace mlir::te {

/// A path as part of a name: what has a meaning in names is replaced by '_'.
std::string makeLayerPath(StringRef path);

/// Whether a name can be told apart from others and asked about: '{', '}' and
/// ',' stand in it only where joinLayers() puts them.
bool isLayerName(StringRef name);

/// "h.0.mlp" of "h.0.mlp:1".
StringRef getLayerModule(StringRef layer);

/// "h.0.attn.{q,k}" of "h.0.attn.q" and "h.0.attn.k": what they share up to
/// their last common dot stands in front.
std::string joinLayers(ArrayRef<StringRef> layers);

/// The layers that one was joined of, or the layer itself.
SmallVector<std::string> splitLayer(StringRef layer);

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_LAYERNAME_H
