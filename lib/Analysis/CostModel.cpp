// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Analysis/CostModel.h"

#include "te/Dialect/TE/IR/CollectiveInterface.h"
#include "te/Dialect/TE/IR/ScaleShape.h"
#include "te/Support/Captures.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::te;

std::optional<Work> mlir::te::getWork(Operation *op) {
  if (auto known = dyn_cast<CostOpInterface>(op))
    return known.getWork();
  // One call makes amaxes of blocks, scales and copies: the quantization's.
  if (isa<AmaxOp, ComputeScaleOp>(op) && !isOneScale(op->getResult(0)))
    return std::nullopt;
  // Views of buffers, and collectives.
  if (op->hasTrait<OpTrait::ConstantLike>() || op->getNumResults() == 0 ||
      op->getNumRegions() > 1 || isa<RegionOp>(op) ||
      isa<CollectiveOpInterface>(op) ||
      (isa<DataMovementOpInterface>(op) && !isa<linalg::LinalgOp>(op)))
    return std::nullopt;
  Work work;
  if (isa_and_present<TEDialect>(op->getDialect()))
    work.kernel = op->getName().stripDialect();
  else if (isa<arith::TruncFOp, arith::ExtFOp>(op))
    work.kernel = "copy";
  else if (isa_and_present<linalg::LinalgDialect, arith::ArithDialect,
                           math::MathDialect>(op->getDialect()))
    work.kernel = "generated";
  else
    return std::nullopt;
  if (!isa<RankedTensorType>(op->getResult(0).getType()))
    return std::nullopt;
  for (Value value : getReadValues(op))
    work.bytes += getBytes(value.getType());
  // linalg's destinations are operands, too.
  if (!isa<linalg::LinalgOp>(op))
    for (Type type : op->getResultTypes())
      work.bytes += getBytes(type);
  return work;
}

CostModel::CostModel(Operation *op) {
  for (; op && !model; op = op->getParentOp())
    model = op->getAttrOfType<CostModelAttrInterface>(kCostsAttr);
}

std::optional<Cost> CostModel::getCost(ArrayRef<Work> kernels) const {
  if (!model)
    return std::nullopt;
  Cost sum;
  for (const Work &work : kernels) {
    std::optional<Cost> cost = model.getCost(work);
    if (!cost)
      return std::nullopt;
    sum += *cost;
  }
  return sum;
}

CostComparison::CostComparison(const CostModel &model, ArrayRef<Work> fused,
                               ArrayRef<Work> apart)
    : fused(model.getCost(fused)), apart(model.getCost(apart)) {}

CostComparison &CostComparison::named(StringRef fusedName,
                                      StringRef apartName) {
  this->fusedName = fusedName;
  this->apartName = apartName;
  return *this;
}

bool CostComparison::favorsFused() const {
  return !isKnown() || apart->seconds >= fused->seconds;
}

double CostComparison::getGain() const {
  return isKnown() ? apart->seconds - fused->seconds : 0;
}

void CostComparison::addTo(remark::detail::InFlightRemark &remark) const {
  if (!isKnown())
    return;
  auto figure = [&](StringRef name, const Cost &cost) {
    remark << remark::detail::Remark::Arg(
        name.str() + "Microseconds",
        llvm::formatv("{0:f1}", cost.getMicroseconds()).str());
  };
  figure(fusedName, *fused);
  figure(apartName, *apart);
  Cost both = *fused;
  both += *apart;
  remark << remark::detail::Remark::Arg("Figures", getSourceName(both));
}

void CostComparison::reportSlower(Location loc,
                                  remark::RemarkOpts options) const {
  auto remark = remark::missed(loc, options);
  remark << remark::reason("it would take longer on the target");
  addTo(remark);
}

StringRef mlir::te::getSourceName(const Cost &cost) {
  if (!cost.hasMeasured)
    return "estimated";
  return cost.hasEstimated ? "partly measured" : "measured";
}
