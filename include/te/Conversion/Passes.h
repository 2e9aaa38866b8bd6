// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between dialects. Each one's documentation is in Passes.td.

#ifndef TE_CONVERSION_PASSES_H
#define TE_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::te {

#define GEN_PASS_DECL
#include "te/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "te/Conversion/Passes.h.inc"

/// Attaches RuntimeOpInterface to the ops of the te dialect and to upstream ops
/// that are lowered to runtime calls.
void registerRuntimeOpExternalModels(DialectRegistry &registry);

} // namespace mlir::te

#endif // TE_CONVERSION_PASSES_H
