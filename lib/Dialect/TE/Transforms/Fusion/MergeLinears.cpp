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

static Value getInput(LinearOpInterface op) {
  return op->getOperand(op.getInputOperand());
}

/// A linear layer of the model: a forward product with weight and bias from
/// the function's arguments, so that they can be joined ahead of the product.
static bool isLinearOfArguments(LinearOpInterface op) {
  return op.isLinear() && isa<BlockArgument>(getWeight(op)) &&
         (!op.getBiasOperand() || isa<BlockArgument>(getBias(op)));
}

/// Op, input, the op's form, and element types of weight, bias (null without
/// one) and result. Layers of one key differ in weight, bias and width.
using LinearKey =
    std::tuple<OperationName, Value, Attribute, unsigned, Type, Type, Type>;

static LinearKey getKey(LinearOpInterface op) {
  Value bias = getBias(op);
  return {op->getName(),
          getInput(op),
          op.getLinearForm(),
          op.getFeatureDim(),
          getElementTypeOrSelf(getWeight(op)),
          bias ? getElementTypeOrSelf(bias) : Type(),
          getElementTypeOrSelf(op->getResult(0))};
}

static Value concat(OpBuilder &builder, Location loc, int64_t axis,
                    ArrayRef<LinearOpInterface> linears,
                    llvm::function_ref<Value(LinearOpInterface)> part) {
  return tensor::ConcatOp::create(builder, loc, axis,
                                  llvm::map_to_vector(linears, part));
}

/// Joining changes which tensors share a scale, and so the scaling state that
/// checkpoints hold: layers stay apart only where that is clearly faster. One
/// product, measured twice, was seen to differ by as much.
static constexpr double clearly = 0.1;

static Location getJoinedLoc(ArrayRef<LinearOpInterface> linears) {
  return joinModules(llvm::map_to_vector(
      linears, [](LinearOpInterface op) { return op->getLoc(); }));
}

/// The name of a layer; null where the op has none.
static StringAttr getLayer(LinearOpInterface op) {
  auto product = dyn_cast<Fp8OpInterface>(op.getOperation());
  return product ? product.getLayerAttr() : StringAttr();
}

/// Null unless all of them have a name: te-name-layers then finds their paths
/// in the joined location.
static StringAttr getJoinedLayer(ArrayRef<LinearOpInterface> linears) {
  SmallVector<StringRef> names;
  for (LinearOpInterface op : linears) {
    StringAttr layer = getLayer(op);
    if (!layer)
      return {};
    names.push_back(layer.getValue());
  }
  LinearOpInterface first = linears.front();
  return StringAttr::get(first.getContext(), joinLayers(names));
}

static void merge(ArrayRef<LinearOpInterface> linears) {
  LinearOpInterface first = linears.front();
  Location loc = getJoinedLoc(linears);
  // Weights and biases are arguments, so the first layer's place will do.
  OpBuilder builder(first);
  Value weight =
      concat(builder, loc, first.getFeatureDim(), linears, getWeight);
  Value bias;
  if (first.getBiasOperand())
    bias = concat(builder, loc, 0, linears, getBias);

  int64_t width = 0;
  SmallVector<Type> pieces;
  for (LinearOpInterface op : linears) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    width += type.getDimSize(1);
    pieces.push_back(type);
  }
  auto piece = cast<RankedTensorType>(pieces.front());
  Operation *merged = first.buildLinear(
      builder, weight, bias, piece.clone({piece.getDimSize(0), width}));
  merged->setLoc(loc);
  if (StringAttr layer = getJoinedLayer(linears))
    cast<Fp8OpInterface>(merged).setLayerAttr(layer);
  auto split = SplitOp::create(builder, loc, pieces, merged->getResult(0),
                               builder.getI64IntegerAttr(1));
  for (auto [linear, part] : llvm::zip_equal(linears, split.getPieces())) {
    Operation *op = linear;
    op->getResult(0).replaceAllUsesWith(part);
    op->erase();
  }
}

namespace {
struct MergeLinearsPass
    : public te::impl::TEMergeLinearsBase<MergeLinearsPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    quantization = parseRecipe(recipe, UnknownLoc::get(context));
    return success(bool(quantization));
  }

  void runOnOperation() override {
    rule = parseOptimizer(optimizer, getOperation().getLoc());
    if (!rule)
      return signalPassFailure();
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func.isDeclaration())
        continue;
      llvm::MapVector<LinearKey, SmallVector<LinearOpInterface>> families;
      for (auto op : func.getBody().front().getOps<LinearOpInterface>())
        if (isLinearOfArguments(op))
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
  bool pays(func::FuncOp func, ArrayRef<LinearOpInterface> linears);
  LinearFuture getFuture() const;

  OptimizerAttrInterface rule;
  RecipeAttrInterface quantization;
};
} // namespace

LinearFuture MergeLinearsPass::getFuture() const {
  LinearFuture future;
  future.precision = precision;
  future.boundary = boundary;
  future.recipe = quantization;
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

bool MergeLinearsPass::pays(func::FuncOp func,
                            ArrayRef<LinearOpInterface> linears) {
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
