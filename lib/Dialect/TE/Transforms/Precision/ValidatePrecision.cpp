// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-validate-precision: the invariants of FP8 scaling, checked on the IR
// alone.

#include "te/Dialect/TE/Transforms/Passes.h"

#include "Precision/Layers.h"
#include "Precision/Validation.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEVALIDATEPRECISION
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

static void validate(ScalingModule &scaling, func::FuncOp func) {
  Quantizations quantizations;
  func.walk([&](Operation *op) {
    if (std::optional<Quantization> quantization = getQuantization(op))
      quantizations.insert({op, *quantization});
  });
  validateBits(scaling, func, quantizations);
  validateLayers(scaling, func, quantizations);
  validateMasters(scaling, func);
  PartSlots partSlots = validateParts(scaling, func, quantizations);
  ReadParams readParams = validateReads(scaling, func, quantizations);
  validateUpdate(scaling, func, quantizations, readParams, partSlots);
}

static void validate(ScalingModule &scaling, ModuleOp module) {
  if (!scaling.read())
    return;
  SmallVector<func::FuncOp> functions;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isDeclaration() || isMeasurement(func))
      continue;
    if (func.getBody().hasOneBlock())
      functions.push_back(func);
    else if (func->hasAttr(kEntryAttr))
      scaling.error(func) << "is an entry with several blocks; expects entries "
                          << "without control flow";
  }
  for (func::FuncOp func : functions)
    scaling.readStates(func);
  for (func::FuncOp func : functions)
    validate(scaling, func);
}

namespace {
struct ValidatePrecisionPass
    : public te::impl::TEValidatePrecisionBase<ValidatePrecisionPass> {
  using Base::Base;

  void runOnOperation() override {
    ScalingModule scaling(getOperation());
    validate(scaling, getOperation());
    if (scaling.hasFailed())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
