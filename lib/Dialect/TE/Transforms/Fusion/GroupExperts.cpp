// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-group-experts: sorts the rows of expert products by expert.

#include "Fusion/ExpertRows.h"
#include "Training/EntryEditor.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Support/DeadOps.h"
#include "te/Support/TensorType.h"
#include "te/Target/TargetInfo.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEGROUPEXPERTS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
struct TEGroupExperts : te::impl::TEGroupExpertsBase<TEGroupExperts> {
  using TEGroupExpertsBase::TEGroupExpertsBase;
  void runOnOperation() override;
};
} // namespace

void TEGroupExperts::runOnOperation() {
  const EntryKind *kind = getEntryKind(getOperation());
  if ((kind && kind->caches) != cached)
    return;
  ExpertProducts byExperts = findExpertProducts(getOperation());
  if (byExperts.empty())
    return;
  int64_t alignment = 16;
  auto module = getOperation()->getParentOfType<ModuleOp>();
  if (!target.empty() || module->hasAttr(kTargetAttr)) {
    const TargetInfo *info = requireTarget(module, target, getArgument());
    if (!info)
      return signalPassFailure();
    alignment = info->getExpertRows();
  }
  IRRewriter rewriter(&getContext());
  for (auto &[key, products] : byExperts) {
    ExpertMatmulOp first = products.front();
    const int64_t places = GroupRowsOp::getPlaces(
        tensorDim(first.getGroups(), 0), first.getExperts(), alignment);
    ExpertRows rows(rewriter, first, places, alignment);
    for (ExpertMatmulOp product : products)
      rows.move(product);
    numGrouped += products.size();
  }
  combineExpertRows(rewriter, getOperation());
  getOperation().walk([](Block *block) { eraseDeadOps(*block); });
}
