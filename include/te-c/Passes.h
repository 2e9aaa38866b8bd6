/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Every pass by itself, for MLIR's pass managers:
 *
 *   mlirPassManagerAddOwnedPass(manager, mlirCreateTETERaise());
 *   mlirRegisterTETERaise(); // known to mlirParsePassPipeline
 *
 * A name is the group of passes (TE, TEDistribution, TERT, TERTMemory or
 * TEConversion) and that of the pass in its Passes.td; mlirRegisterTEPasses()
 * registers a group. Passes made like this have the default values of their
 * options; mlirParsePassPipeline takes others. On which op a pass runs is in
 * its description. Contexts need teRegisterAllDialects (Registration.h).
 */
#ifndef TE_C_PASSES_H
#define TE_C_PASSES_H

#include "te/Conversion/Passes.capi.h.inc"
#include "te/Dialect/TE/Transforms/Distribution/Passes.capi.h.inc"
#include "te/Dialect/TE/Transforms/Passes.capi.h.inc"
#include "te/Dialect/TERT/Transforms/Memory/Passes.capi.h.inc"
#include "te/Dialect/TERT/Transforms/Passes.capi.h.inc"

#endif /* TE_C_PASSES_H */
