// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-split-scatters: splits products in two halves, so that the reduce-scatter
// of one overlaps the computation of the other.

#include "Distribution/Partitioning/Reshard.h"
#include "Distribution/Schedule/CollectiveCosts.h"
#include "te/Analysis/CostModel.h"
#include "te/Dialect/TE/IR/Formula.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TESPLITSCATTERS
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "te-split-scatters"

using namespace mlir;
using namespace mlir::te;

/// Columns of a product that fill tiles of GPU kernels.
static constexpr int64_t kTile = 128;

namespace {

/// A product whose terms are reduce-scattered, and the residual that is added
/// to the sum, if any; the layer's bias has been added to the residual.
struct ScatteredProduct {
  shard::ReduceScatterOp scatter;
  ScaledMatmulOp product;
  AddOp add, addBias;

  static std::optional<ScatteredProduct> get(shard::ReduceScatterOp scatter);

  int64_t getColumns() { return product.getD().getType().getDimSize(1); }
  /// Seconds of the product, its collective and the addition, one after
  /// another, for half of the columns.
  std::optional<double> getSeconds(const CostModel &costs,
                                   const CollectiveCosts &time, bool ofHalf);
  void split(IRRewriter &rewriter);
  /// Columns `first` onward of the addends of the sum, and of the result.
  Value addTo(IRRewriter &rewriter, Value sum, int64_t first);

  double productSeconds = 0, collectiveSeconds = 0, addSeconds = 0;
};

struct TESplitScatters : te::impl::TESplitScattersBase<TESplitScatters> {
  using TESplitScattersBase::TESplitScattersBase;
  void runOnOperation() override;
  void trySplit(ScatteredProduct of, const CostModel &costs,
                const CollectiveCosts &time);
};

} // namespace

/// True if it is one row, added to each row of a matrix.
static bool isRow(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getRank() == 2 && type.getDimSize(0) == 1;
}

std::optional<ScatteredProduct>
ScatteredProduct::get(shard::ReduceScatterOp scatter) {
  auto product = scatter.getInput().getDefiningOp<ScaledMatmulOp>();
  // In the backward pass, gradients of weights overlap it.
  if (!product || !product->hasOneUse() || product.getAddend() ||
      product.getRole() != MatmulRole::Fprop || scatter.getScatterAxis() != 0 ||
      scatter.getReduction() != shard::ReductionKind::Sum ||
      scatter->getBlock() != product->getBlock())
    return std::nullopt;
  ScatteredProduct of{scatter, product, {}, {}};
  if (of.getColumns() % (2 * kTile) != 0) {
    LDBG() << "left, half of its columns are not multiples of " << kTile << ": "
           << product;
    return std::nullopt;
  }
  if (scatter->hasOneUse())
    if (auto add = dyn_cast<AddOp>(*scatter->user_begin());
        add && add.getA() != add.getB() &&
        cast<RankedTensorType>(add.getA().getType()).getShape() ==
            cast<RankedTensorType>(add.getB().getType()).getShape())
      of.add = add;
  if (!of.add)
    return of;
  Value residual =
      of.add.getA() == scatter.getResult() ? of.add.getB() : of.add.getA();
  auto addBias = residual.getDefiningOp<AddOp>();
  if (addBias && residual.hasOneUse() && isRow(addBias.getB()) &&
      addBias->getBlock() == scatter->getBlock())
    of.addBias = addBias;
  return of;
}

/// Halves the columns that a kernel writes, and its reads for them.
static Work halve(Work work) {
  work.bytes /= 2;
  work.flops /= 2;
  if (work.product) {
    work.product->n /= 2;
    work.bytes = work.product->getBytes();
  }
  return work;
}

std::optional<double> ScatteredProduct::getSeconds(const CostModel &costs,
                                                   const CollectiveCosts &time,
                                                   bool ofHalf) {
  auto secondsOf = [&](Operation *op) -> std::optional<double> {
    std::optional<Work> work = getWork(op);
    if (!work)
      return std::nullopt;
    std::optional<Cost> cost = costs.getCost(ofHalf ? halve(*work) : *work);
    return cost ? std::optional(cost->seconds) : std::nullopt;
  };
  std::optional<double> multiplies = secondsOf(product);
  std::optional<double> adds =
      add ? secondsOf(add) : std::optional<double>(0.0);
  if (!multiplies || !adds)
    return std::nullopt;
  productSeconds = *multiplies;
  addSeconds = *adds;
  collectiveSeconds = time.getSeconds(scatter, ofHalf ? 0.5 : 1);
  return productSeconds + collectiveSeconds + addSeconds;
}

Value ScatteredProduct::addTo(IRRewriter &rewriter, Value sum, int64_t first) {
  Location loc = add.getLoc();
  auto type = cast<RankedTensorType>(sum.getType())
                  .clone(add.getType().getElementType());
  auto slice = [&](Value value) {
    return sliceDim(rewriter, product.getLoc(), value, 1, first,
                    type.getDimSize(1));
  };
  if (!addBias) {
    const bool isFirst = add.getA() == scatter.getResult();
    Value other = slice(isFirst ? add.getB() : add.getA());
    return AddOp::create(rewriter, loc, type, isFirst ? sum : other,
                         isFirst ? other : sum);
  }
  // Both in one pass, in float32.
  Value a = slice(addBias.getA()), b = slice(addBias.getB());
  return Formula(rewriter, loc)
      .map("mn", type.getElementType(), {{a, "mn"}, {b, "0n"}, {sum, "mn"}},
           [](Scalars &s, ValueRange x) {
             return s.add(s.add(x[0], x[1]), x[2]);
           });
}

void ScatteredProduct::split(IRRewriter &rewriter) {
  const int64_t half = getColumns() / 2;
  Location loc = product.getLoc();
  auto part = cast<RankedTensorType>(scatter.getResult().getType());
  auto halfOf = [&](RankedTensorType type) {
    return type.clone({type.getDimSize(0), half});
  };
  SmallVector<Value> sums;
  rewriter.setInsertionPoint(scatter);
  for (int64_t first : {int64_t(0), half}) {
    Value bias = product.getBias();
    if (bias)
      bias = sliceDim(rewriter, loc, bias, 0, first, half);
    auto terms = ScaledMatmulOp::create(
        rewriter, loc, halfOf(product.getD().getType()), product.getA(),
        sliceDim(rewriter, loc, product.getB(), 0, first, half),
        product.getAScaleInv(), product.getBScaleInv(), bias, product.getRole(),
        product.getAccumulate());
    terms.setLayerAttr(product.getLayerAttr());
    sums.push_back(shard::ReduceScatterOp::create(
        rewriter, scatter.getLoc(), halfOf(part), scatter.getGrid(),
        scatter.getGridAxes(), terms.getD(), scatter.getReduction(),
        scatter.getScatterAxis()));
  }
  Operation *last = scatter;
  if (add) {
    last = add;
    rewriter.setInsertionPoint(add);
    for (auto [i, sum] : llvm::enumerate(sums))
      sum = addTo(rewriter, sum, int64_t(i) * half);
  }
  rewriter.replaceOpWithNewOp<tensor::ConcatOp>(last, /*dim=*/1, sums);
  if (addBias)
    rewriter.eraseOp(addBias);
  if (add)
    rewriter.eraseOp(scatter);
  rewriter.eraseOp(product);
}

void TESplitScatters::trySplit(ScatteredProduct of, const CostModel &costs,
                               const CollectiveCosts &time) {
  std::optional<double> whole = of.getSeconds(costs, time, /*ofHalf=*/false);
  std::optional<double> half = of.getSeconds(costs, time, /*ofHalf=*/true);
  if (!whole || !half) {
    LDBG() << "left, its time is unknown: " << of.product;
    return;
  }
  // The first collective overlaps the second product; the first addition
  // overlaps the second collective.
  const double halves =
      of.productSeconds + std::max(of.productSeconds, of.collectiveSeconds) +
      std::max(of.collectiveSeconds, of.addSeconds) + of.addSeconds;
  Location loc = of.scatter.getLoc();
  auto function = of.scatter->getParentOfType<func::FuncOp>();
  auto options = remark::RemarkOpts::name("Split")
                     .category("te-split-scatters")
                     .function(function.getName());
  const double gain = (*whole - halves) * 1e6;
  if (gain < 0) {
    remark::missed(loc, options)
        << remark::reason("two halves take longer than one collective")
        << remark::metric("LossMicroseconds", -gain);
    return;
  }
  IRRewriter rewriter(&getContext());
  of.split(rewriter);
  ++numSplit;
  remark::passed(loc, options)
      << remark::add(
             "half of the sum is communicated while the other half of its "
             "terms is computed")
      << remark::metric("GainMicroseconds", gain);
}

void TESplitScatters::runOnOperation() {
  FailureOr<std::optional<CollectiveCosts>> time = CollectiveCosts::get(
      getOperation()->getParentOfType<ModuleOp>(), {kTensorAxis}, cluster);
  if (failed(time))
    return signalPassFailure();
  CostModel costs(getOperation());
  if (!*time || !costs)
    return;
  SmallVector<ScatteredProduct> products;
  getOperation().walk([&](shard::ReduceScatterOp scatter) {
    if (!(*time)->isAlong(scatter.getGridAxes()))
      return;
    if (std::optional<ScatteredProduct> of = ScatteredProduct::get(scatter))
      products.push_back(*of);
  });
  for (const ScatteredProduct &of : products)
    trySplit(of, costs, **time);
}
