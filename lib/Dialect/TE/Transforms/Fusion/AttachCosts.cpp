// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-attach-costs: attaches the cost model of its target to a module.

#include "te/Dialect/TE/Transforms/Passes.h"

#include "te/Target/TargetInfo.h"

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
    MLIRContext *context = &getContext();
    const TargetInfo *info = requireTarget(module, target, getArgument());
    if (!info)
      return signalPassFailure();
    std::string warning;
    CostModelAttrInterface costs =
        tuning.empty()
            ? info->getCostModel(context)
            : info->getTunedCostModel(context, tuning, device, warning);
    if (!costs) {
      auto isMeasured = [&](const TargetInfo &known) {
        return bool(known.getCostModel(context));
      };
      module.emitError() << "te-attach-costs: nothing was measured on target '"
                         << info->getName() << "'; known are: "
                         << listTargets(context, isMeasured);
      return signalPassFailure();
    }
    if (!warning.empty())
      module.emitWarning() << warning;
    module->setAttr(kCostsAttr, costs);
  }
};
} // namespace
