// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-fuse-loss: computes the loss and its gradient in one pass over the logits,
// one slice of the rows after the other.

#include "Fusion/LossWork.h"
#include "Fusion/SlicedLoss.h"

#include "te/Analysis/CostModel.h"
#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

namespace mlir::te {
#define GEN_PASS_DEF_TEFUSELOSS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "te-fuse-loss"

using namespace mlir;
using namespace mlir::te;

namespace {

class FuseLossPass : public te::impl::TEFuseLossBase<FuseLossPass> {
public:
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    std::pair<StringRef, int64_t> positive[] = {
        {"max-bytes", maxBytes},
        {"row-multiple", rowMultiple},
        {"class-multiple", classMultiple}};
    for (auto [name, value] : positive)
      if (value <= 0) {
        return emitError(UnknownLoc::get(context))
               << "te-fuse-loss: " << name << " must be positive, got "
               << value;
      }
    return success();
  }

  void runOnOperation() override {
    SmallVector<RowwiseLossOpInterface> losses;
    getOperation().walk(
        [&](RowwiseLossOpInterface op) { losses.push_back(op); });
    for (RowwiseLossOpInterface loss : losses)
      fuse(loss);
  }

private:
  void fuse(RowwiseLossOpInterface loss);
  void pad(RowwiseLossOpInterface loss);
  bool choosePadding(RowwiseLossOpInterface loss, ArrayRef<Work> padded,
                     ArrayRef<Work> unpadded, int64_t paddedClasses);
  SmallVector<int64_t> partition(RankedTensorType logits,
                                 const ScaledProjection *scaled) const;
};

} // namespace

/// Sizes, in rows, of the slices whose logits stay below the limit; one slice
/// of no rows if there are none. If the gradient of the logits has FP8 copies,
/// slices have fewer rows, so that these are within what the logits would take.
SmallVector<int64_t>
FuseLossPass::partition(RankedTensorType logits,
                        const ScaledProjection *scaled) const {
  const int64_t rows = logits.getDimSize(0);
  const int64_t width = llvm::divideCeil(logits.getElementTypeBitWidth(), 8);
  double bytes = double(logits.getNumElements()) * double(width);
  auto count = static_cast<int64_t>(std::ceil(bytes / double(maxBytes)));
  int64_t multiple = rowMultiple;
  if (scaled && count > 1) {
    count = llvm::divideCeil(count * (width + scaled->countCopies()), width);
    multiple = std::lcm(multiple, kFp8Alignment);
  }
  int64_t part = llvm::alignTo(
      llvm::divideCeil(rows, std::max<int64_t>(count, 1)), multiple);
  SmallVector<int64_t> parts;
  for (int64_t first = 0; first < rows; first += part)
    parts.push_back(std::min(part, rows - first));
  if (parts.empty())
    parts.push_back(0);
  return parts;
}

static remark::RemarkOpts getOptions(func::FuncOp func, StringRef name) {
  return remark::RemarkOpts::name(name)
      .category("te-fuse-loss")
      .function(func ? func.getName() : StringRef());
}

/// Whether products over the padded classes are faster, as far as that is
/// known; a remark says it.
bool FuseLossPass::choosePadding(RowwiseLossOpInterface loss,
                                 ArrayRef<Work> padded, ArrayRef<Work> unpadded,
                                 int64_t paddedClasses) {
  CostComparison costs(CostModel(loss), padded, unpadded);
  auto options = getOptions(loss->getParentOfType<func::FuncOp>(), "Padded");
  costs.named("Padded", "Unpadded");
  if (!costs.favorsFused()) {
    costs.reportSlower(loss.getLoc(), options);
    return false;
  }
  if (costs.isKnown()) {
    auto logits = cast<RankedTensorType>(
        loss->getOperand(cast<LossOpInterface>(*loss).getLogitsOperand())
            .getType());
    auto remark = remark::passed(loss.getLoc(), options);
    remark << remark::add("the products are over {0} classes instead of {1}",
                          paddedClasses, logits.getDimSize(1));
    costs.addTo(remark);
  }
  return true;
}

/// Pads the classes of a loss without a gradient, as that of an evaluation.
void FuseLossPass::pad(RowwiseLossOpInterface loss) {
  Value logits =
      loss->getOperand(cast<LossOpInterface>(*loss).getLogitsOperand());
  auto fprop = logits.getDefiningOp<MatmulOp>();
  if (!fprop || !logits.hasOneUse() || fprop.getTransposeA() ||
      fprop.getAddend() || fprop.getA() == fprop.getB())
    return;
  auto type = cast<RankedTensorType>(logits.getType());
  const int64_t classes = type.getDimSize(1);
  const int64_t paddedClasses =
      llvm::alignTo(classes, classMultiple.getValue());
  if (paddedClasses == classes)
    return;
  auto getHead = [&](int64_t count) {
    return getHeadWork(loss, type, {fprop}, {type.getDimSize(0)}, count);
  };
  if (!choosePadding(loss, getHead(paddedClasses), getHead(classes),
                     paddedClasses))
    return;
  IRRewriter builder(fprop);
  builder.replaceAllUsesWith(logits,
                             buildPaddedLogits(builder, fprop, paddedClasses));
  builder.eraseOp(fprop);
}

void FuseLossPass::fuse(RowwiseLossOpInterface loss) {
  auto func = loss->getParentOfType<func::FuncOp>();
  auto options = [&](StringRef name) { return getOptions(func, name); };
  Location loc = loss.getLoc();
  std::string reason;
  FailureOr<LossHead> head = LossHead::find(loss, reason);
  if (failed(head)) {
    remark::missed(loc, options("Apart")) << remark::reason("{0}", reason);
    pad(loss);
    return;
  }
  Operation *grad = head->getGradient();
  RankedTensorType logits = head->getLogitsType();
  int64_t classes = logits.getDimSize(1);
  FailureOr<ScaledProjection> scaled = failure();
  const bool isScaled = ScaledProjection::isOf(*head);
  if (isScaled)
    scaled = ScaledProjection::find(*head, reason);
  SmallVector<int64_t> parts =
      partition(logits, succeeded(scaled) ? &*scaled : nullptr);
  LDBG() << "slices of the logits: " << parts.size()
         << ", rows of the first: " << parts.front();
  CostModel model(loss);
  std::optional<Work> lossWork = getWork(loss), gradWork = getWork(grad);
  CostComparison joined;
  if (lossWork && gradWork)
    joined =
        CostComparison(model, loss.getPartWork(logits), {*lossWork, *gradWork});
  // Logits beyond the limit are split, whatever that costs.
  if (parts.size() == 1 && !joined.favorsFused()) {
    joined.reportSlower(loc, options("Apart"));
    return;
  }
  // FP8 copies of the weight are padded already.
  int64_t paddedClasses =
      isScaled ? classes : llvm::alignTo(classes, classMultiple.getValue());
  FailureOr<Projection> projection = failure();
  if (!isScaled && (parts.size() > 1 || paddedClasses != classes))
    projection = Projection::find(*head, reason);
  // One slice of FP8 products is what they are.
  if (parts.size() == 1)
    scaled = failure();
  if (succeeded(scaled))
    paddedClasses = scaled->getPaddedClasses();
  const bool isSliced = succeeded(projection) || succeeded(scaled);
  if (!isSliced && (parts.size() > 1 || paddedClasses != classes)) {
    remark::missed(loc, options("Whole")) << remark::reason("{0}", reason);
    parts = {logits.getDimSize(0)};
  }
  if (isSliced) {
    SmallVector<Operation *> products =
        succeeded(scaled) ? scaled->products() : projection->products();
    auto headWork = [&](ArrayRef<int64_t> rows, int64_t classCount) {
      return getHeadWork(loss, logits, products, rows, classCount);
    };
    if (succeeded(projection) && paddedClasses != classes &&
        !choosePadding(loss, headWork(parts, paddedClasses),
                       headWork(parts, classes), paddedClasses))
      paddedClasses = classes;
    CostComparison costs(model, headWork(parts, paddedClasses),
                         headWork({logits.getDimSize(0)}, paddedClasses));
    if (parts.size() > 1 && costs.isKnown()) {
      auto remark = remark::passed(loc, options("Parts"));
      remark << remark::add("the logits are computed in slices, to save memory")
             << remark::metric("Bytes", int64_t(getBytes(logits)))
             << remark::metric("Limit", maxBytes.getValue());
      costs.named("Parts", "Whole").addTo(remark);
    }
  }

  Operation *behind = grad;
  for (Operation *follower : head->followers) {
    follower->moveAfter(behind);
    behind = follower;
  }
  // At the gradient, where all operands of the loss and the gradient are
  // available.
  IRRewriter builder(grad);
  SmallVector<Value> shared = loss.buildShared(builder);
  OpResult oldLoss = head->getLoss();
  Value sum =
      createZeros(builder, loc, cast<RankedTensorType>(oldLoss.getType()));
  std::unique_ptr<SlicedHead> sliced;
  if (succeeded(scaled))
    sliced = sliceHead(builder, *head, *scaled, parts);
  else if (succeeded(projection))
    sliced = sliceHead(builder, *head, *projection, parts, paddedClasses);
  if (sliced) {
    sum = sliced->rewrite(shared, sum);
    sliced->eraseGradients();
    builder.eraseOp(grad);
  } else {
    SmallVector<Value> rows =
        llvm::map_to_vector(loss.getRowOperands(), [&](unsigned number) {
          return loss->getOperand(number);
        });
    auto [dlogits, newLoss] =
        loss.buildPart(builder, grad, head->getLogits(), rows, shared, sum);
    sum = newLoss;
    builder.replaceAllUsesWith(head->dlogits, dlogits);
    builder.eraseOp(grad);
  }
  builder.replaceAllUsesWith(oldLoss, sum);
  builder.eraseOp(loss);
  if (sliced)
    sliced->eraseForward();
  ++numFused;
  numParts += parts.size();
  auto remark = remark::passed(loc, options("Fused"));
  remark << remark::add("loss and gradient are computed together")
         << remark::metric("Parts", parts.size())
         << remark::metric("Rows", parts.front())
         << remark::metric("Classes", isSliced ? paddedClasses : classes);
  joined.addTo(remark);
}
