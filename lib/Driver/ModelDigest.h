// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By which a model is known again, whatever file it comes from.

#ifndef TE_LIB_DRIVER_MODELDIGEST_H
#define TE_LIB_DRIVER_MODELDIGEST_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::te {

/// A digest of what a model computes, whatever file it came from: its text
/// without the places that operations are from, and the numbers of tensors,
/// which every layer may have again and which are read once.
std::string digestOf(ModuleOp module);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_MODELDIGEST_H
