// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fusion/Epilogues.h"

#include "te/Analysis/CostModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::te;

/// A quantization in a kernel of its own of what `x` is.
static Work quantizes(Type x, Value rowwise, Value columnwise) {
  Work work;
  work.kernel = "quantize";
  work.bytes = getBytes(x);
  for (Value copy : {rowwise, columnwise})
    if (copy)
      work.bytes += getBytes(copy.getType());
  return work;
}

static Work withEpilogue(ScaledMatmulOp product, StringRef epilogue) {
  Work work = product.getWork();
  work.addExtra(epilogue);
  return work;
}

/// At the place of the product, as models are not sure to name activations.
static void report(ScaledMatmulOp product, StringRef what,
                   const CostComparison &costs) {
  if (!costs.isKnown())
    return;
  auto func = product->getParentOfType<func::FuncOp>();
  auto remark = remark::missed(product.getLoc(),
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

/// GELU behind the product that computes its argument. The epilogue writes the
/// argument, for the backward pass, and the row-wise copy; the column-wise one
/// has to be transposed from that.
static void reportGelu(ActivationOp gelu, const CostModel &model) {
  auto product = gelu.getX().getDefiningOp<ScaledMatmulOp>();
  if (!product || gelu.getKind() != ActivationKind::GeluTanh ||
      !gelu.getScale() || gelu.getX().hasOneUse())
    return;
  SmallVector<Work> fused = {withEpilogue(product, "gelu_aux")};
  if (Value columnwise = gelu.getColumnwise())
    fused.push_back(quantizes(columnwise.getType(), Value(), columnwise));
  report(product, "GELU",
         CostComparison(model, fused, {product.getWork(), gelu.getWork()})
             .named("Epilogue", "Separate"));
}

/// Its gradient behind the product that computes the gradient of its result. An
/// epilogue that sums rows writes bf16, which is quantized afterwards.
static void reportGeluGrad(ActivationGradOp grad, const CostModel &model) {
  auto product = grad.getDy().getDefiningOp<ScaledMatmulOp>();
  if (!product || grad.getKind() != ActivationKind::GeluTanh ||
      !grad.getScale() || !grad.getDbias() || !grad.getDy().hasOneUse())
    return;
  Work fused[] = {withEpilogue(product, "dgelu_bgrad"),
                  quantizes(grad.getDy().getType(), grad.getRowwise(),
                            grad.getColumnwise())};
  report(product, "the gradients of GELU and of the bias",
         CostComparison(model, fused, {product.getWork(), grad.getWork()})
             .named("Epilogue", "Separate"));
}

void mlir::te::reportEpilogues(Operation *root) {
  CostModel model(root);
  if (!model)
    return;
  root->walk([&](Operation *op) {
    if (auto gelu = dyn_cast<ActivationOp>(op))
      reportGelu(gelu, model);
    else if (auto grad = dyn_cast<ActivationGradOp>(op))
      reportGeluGrad(grad, model);
  });
}
