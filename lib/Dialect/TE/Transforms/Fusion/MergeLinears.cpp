// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-merge-linears: linear layers that read one input become one product.

#include "Fusion/LinearWork.h"

#include "te/Analysis/CostModel.h"
#include "te/Dialect/TE/IR/LayerName.h"
#include "te/Dialect/TE/IR/LlamaOps.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Dialect/TE/Transforms/Training/EntryKinds.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEMERGELINEARS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

/// A linear layer of the model: a forward product with weight and bias from
/// the function's arguments, so that they can be joined ahead of the product.
static bool isLinear(MatmulOp op) {
  auto isArgument = [](Value value) {
    return !value || isa<BlockArgument>(value);
  };
  return op.getRole() == MatmulRole::Fprop && !op.getTransposeA() &&
         isArgument(op.getB()) && isArgument(op.getBias());
}

/// Input, orientation of the weight, and element types of weight, bias (null
/// without one) and result. Layers of one key differ in weight, bias and width.
using LinearKey = std::tuple<Value, unsigned, Type, Type, Type>;

static LinearKey getKey(MatmulOp op) {
  Type bias = op.getBias() ? getElementTypeOrSelf(op.getBias()) : Type();
  return {op.getA(), op.getTransposeB(), getElementTypeOrSelf(op.getB()), bias,
          getElementTypeOrSelf(op.getD())};
}

static Value concat(OpBuilder &builder, Location loc, int64_t axis,
                    ArrayRef<MatmulOp> linears,
                    llvm::function_ref<Value(MatmulOp)> part) {
  return tensor::ConcatOp::create(builder, loc, axis,
                                  llvm::map_to_vector(linears, part));
}

/// Joining changes which tensors share a scale, and so the scaling state that
/// checkpoints hold: layers stay apart only where that is clearly faster. One
/// product, measured twice, was seen to differ by as much.
static constexpr double clearly = 0.1;

static Location getJoinedLoc(ArrayRef<MatmulOp> linears) {
  return joinModules(llvm::map_to_vector(
      linears, [](MatmulOp op) -> Location { return op.getLoc(); }));
}

/// Null unless all of them have a name: te-name-layers then finds their paths
/// in the joined location.
static StringAttr getJoinedLayer(ArrayRef<MatmulOp> linears) {
  SmallVector<StringRef> names;
  for (MatmulOp op : linears) {
    if (!op.getLayerAttr())
      return {};
    names.push_back(*op.getLayer());
  }
  MatmulOp first = linears.front();
  return StringAttr::get(first.getContext(), joinLayers(names));
}

static void merge(ArrayRef<MatmulOp> linears) {
  MatmulOp first = linears.front();
  Location loc = getJoinedLoc(linears);
  // Weights and biases are arguments, so the first layer's place will do.
  OpBuilder builder(first);
  Value weight = concat(builder, loc, first.getTransposeB() ? 0 : 1, linears,
                        [](MatmulOp op) -> Value { return op.getB(); });
  Value bias;
  if (first.getBias())
    bias = concat(builder, loc, 0, linears,
                  [](MatmulOp op) -> Value { return op.getBias(); });

  int64_t width = 0;
  SmallVector<Type> pieces;
  for (MatmulOp op : linears) {
    width += op.getN();
    pieces.push_back(op.getD().getType());
  }
  auto type = RankedTensorType::get({first.getM(), width},
                                    first.getD().getType().getElementType());
  auto merged = cast<MatmulOp>(builder.clone(*first));
  merged->setLoc(loc);
  merged.setLayerAttr(getJoinedLayer(linears));
  merged.getBMutable().assign(weight);
  if (bias)
    merged.getBiasMutable().assign(bias);
  merged.getD().setType(type);
  auto split = SplitOp::create(builder, loc, pieces, merged.getD(),
                               builder.getI64IntegerAttr(1));
  for (auto [linear, piece] : llvm::zip_equal(linears, split.getPieces())) {
    MatmulOp op = linear;
    op.getD().replaceAllUsesWith(piece);
    op->erase();
  }
}

namespace {
struct MergeLinearsPass
    : public te::impl::TEMergeLinearsBase<MergeLinearsPass> {
  using Base::Base;

  void runOnOperation() override {
    rule = parseOptimizer(optimizer, getOperation().getLoc());
    if (!rule)
      return signalPassFailure();
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func.isDeclaration())
        continue;
      llvm::MapVector<LinearKey, SmallVector<MatmulOp>> families;
      for (auto op : func.getBody().front().getOps<MatmulOp>())
        if (isLinear(op))
          families[getKey(op)].push_back(op);
      for (auto &[key, linears] : families) {
        if (linears.size() < 2 || !pays(func, linears))
          continue;
        merge(linears);
        numMerged += linears.size();
      }
      joinGates(func);
    }
  }

private:
  /// A gated activation of two pieces of one product reads the product.
  static void joinGates(func::FuncOp func) {
    PatternRewriter rewriter(func.getContext());
    SmallVector<GatedActivationOp> gates(
        func.getBody().front().getOps<GatedActivationOp>());
    for (GatedActivationOp gate : gates) {
      rewriter.setInsertionPoint(gate);
      (void)GatedActivationOp::canonicalize(gate, rewriter);
    }
  }
  bool pays(func::FuncOp func, ArrayRef<MatmulOp> linears);
  LinearFuture getFuture() const;

  OptimizerAttrInterface rule;
};
} // namespace

LinearFuture MergeLinearsPass::getFuture() const {
  LinearFuture future;
  future.precision = precision;
  future.boundary = boundary;
  SmallVector<std::string> names(entries.begin(), entries.end());
  if (names.empty())
    names.push_back("train");
  future.hasGradients = false;
  for (StringRef name : names) {
    const EntryKind *kind = findEntryKind(name);
    future.hasGradients |= kind && kind->hasGradients;
    if (kind && kind->hasUpdates)
      future.optimizer = rule;
  }
  return future;
}

bool MergeLinearsPass::pays(func::FuncOp func, ArrayRef<MatmulOp> linears) {
  LinearFuture future = getFuture();
  CostComparison comparison(CostModel(func),
                            getLinearWork(linears, /*joined=*/true, future),
                            getLinearWork(linears, /*joined=*/false, future));
  comparison.named("Joined", "Separate");
  bool joins = comparison.favorsFused(clearly);
  Location loc = getJoinedLoc(linears);
  auto options = remark::RemarkOpts::name("Joined")
                     .category("te-merge-linears")
                     .function(func.getName());
  if (joins) {
    auto remark = remark::passed(loc, options);
    remark << remark::add(
        "{0} layers that read one input are one product{1}", linears.size(),
        comparison.getGain() < 0 ? "; separate they would gain too little"
                                 : "");
    comparison.addTo(remark);
  } else {
    auto remark = remark::missed(loc, options);
    remark << remark::reason(
        "as one product, {0} layers that read one input would take longer on "
        "the target",
        linears.size());
    comparison.addTo(remark);
  }
  return joins;
}
