// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fusion/Epilogues.h"

#include "te/Analysis/CostModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::te;

/// The work of the FP8 product that computes `value`, if that is one.
static std::optional<Work> getFp8Product(Value value) {
  auto op = value.getDefiningOp<CostOpInterface>();
  std::optional<Work> work = op ? op.getWork() : std::optional<Work>();
  if (!work || !work->product ||
      !isa_and_present<Float8E4M3FNType, Float8E5M2Type>(work->math))
    return std::nullopt;
  return work;
}

/// Located at the product, since models need not name activations.
static void report(Operation *product, StringRef what,
                   const CostComparison &costs) {
  if (!costs.isKnown())
    return;
  auto func = product->getParentOfType<func::FuncOp>();
  auto remark = remark::missed(product->getLoc(),
                               remark::RemarkOpts::name("Epilogue")
                                   .category("te-fuse")
                                   .function(func ? func.getName() : ""));
  if (costs.favorsFused())
    remark << remark::reason("the epilogue of the matrix product could compute "
                             "{0} {1:f1} us faster; "
                             "the runtime does not have it",
                             what.str(), costs.getGain() * 1e6);
  else
    remark << remark::reason(
        "computed by the epilogue of the matrix product, {0} would take longer",
        what.str());
  costs.addTo(remark);
}

void mlir::te::reportEpilogues(Operation *root) {
  CostModel model(root);
  if (!model)
    return;
  root->walk([&](EpilogueOpInterface op) {
    std::optional<ProductEpilogue> epilogue = op.getEpilogue();
    std::optional<Work> work = getWork(op);
    std::optional<Work> product =
        epilogue ? getFp8Product(epilogue->product) : std::nullopt;
    if (!product || !work)
      return;
    SmallVector<Work> fused = {*product};
    fused.front().addExtra(epilogue->name);
    llvm::append_range(fused, epilogue->rest);
    report(epilogue->product.getDefiningOp(), epilogue->computes,
           CostComparison(model, fused, {*product, *work})
               .named("Epilogue", "Separate"));
  });
}
