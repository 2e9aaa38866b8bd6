// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-attach-costs: a module gets the cost model of its target.

#include "te/Dialect/TE/Transforms/Passes.h"

#include "te/Analysis/TargetCosts.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEATTACHCOSTS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
struct AttachCostsPass : public te::impl::TEAttachCostsBase<AttachCostsPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    MeasuredCostsAttr costs = getTargetCosts(&getContext(), target);
    if (!costs) {
      module.emitError() << "te-attach-costs: nothing was measured on target '"
                         << target << "'; known is " << getTargetsWithCosts();
      return signalPassFailure();
    }
    if (!tuning.empty()) {
      std::string warning;
      costs = addTunedProducts(costs, target, tuning, device, warning);
      if (!warning.empty())
        module.emitWarning() << warning;
    }
    module->setAttr(kCostsAttr, costs);
  }
};
} // namespace
