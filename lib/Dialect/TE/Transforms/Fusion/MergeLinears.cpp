// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-merge-linears: linear layers that read one input become one product.

#include "Fusion/LinearWork.h"

#include "Precision/Layers.h"
#include "te/Analysis/CostModel.h"
#include "te/Analysis/Policy.h"
#include "te/Dialect/TE/IR/FrozenParameters.h"
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

/// What is decided about a layer: one product cannot do both.
struct LayerDecision {
  /// By the policy; nothing where no rule is about the layer.
  std::optional<Precision> precision;
  bool freezesWeight, freezesBias;

  bool operator==(const LayerDecision &other) const {
    return precision == other.precision &&
           freezesWeight == other.freezesWeight &&
           freezesBias == other.freezesBias;
  }
};

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
    if (!rule || failed(readPolicy()))
      return signalPassFailure();
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func.isDeclaration())
        continue;
      llvm::MapVector<LinearKey, SmallVector<LinearOpInterface>> families;
      for (auto op : func.getBody().front().getOps<LinearOpInterface>())
        if (isLinearOfArguments(op))
          families[getKey(op)].push_back(op);
      for (auto &[key, family] : families)
        for (ArrayRef<LinearOpInterface> linears : divide(func, family)) {
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
  LogicalResult readPolicy();
  LayerDecision getDecision(LinearOpInterface op) const;
  SmallVector<SmallVector<LinearOpInterface>>
  divide(func::FuncOp func, ArrayRef<LinearOpInterface> family);
  bool pays(func::FuncOp func, ArrayRef<LinearOpInterface> linears);
  LinearFuture getFuture(LinearOpInterface like) const;

  OptimizerAttrInterface rule;
  RecipeAttrInterface quantization;
  Policy rules;
};
} // namespace

LogicalResult MergeLinearsPass::readPolicy() {
  // Products of one precision have nothing to be told.
  if (precision != ComputePrecision::FP8 || policy.empty())
    return success();
  llvm::Expected<Policy> parsed = Policy::parse(policy);
  if (!parsed)
    return emitError(getOperation().getLoc())
           << llvm::toString(parsed.takeError());
  rules = std::move(*parsed);
  // Rules are about names.
  return success(succeeded(nameLayers(getOperation())));
}

LayerDecision MergeLinearsPass::getDecision(LinearOpInterface op) const {
  LayerDecision decision = {std::nullopt, isFrozen(getWeight(op)),
                            op.getBiasOperand() && isFrozen(getBias(op))};
  if (StringAttr layer = getLayer(op))
    if (const Policy::Rule *found = rules.lookup(layer))
      decision.precision = found->precision;
  return decision;
}

static remark::RemarkOpts getRemarkOptions(func::FuncOp func) {
  return remark::RemarkOpts::name("Joined")
      .category("te-merge-linears")
      .function(func.getName());
}

/// The layers of a family about which the same is decided.
SmallVector<SmallVector<LinearOpInterface>>
MergeLinearsPass::divide(func::FuncOp func,
                         ArrayRef<LinearOpInterface> family) {
  SmallVector<LayerDecision> decisions;
  SmallVector<SmallVector<LinearOpInterface>> groups;
  for (LinearOpInterface op : family) {
    LayerDecision decision = getDecision(op);
    size_t group = llvm::find(decisions, decision) - decisions.begin();
    if (group == groups.size()) {
      decisions.push_back(decision);
      groups.emplace_back();
    }
    groups[group].push_back(op);
  }
  if (groups.size() == 1)
    return groups;
  const bool byPolicy = llvm::any_of(decisions, [&](const auto &decision) {
    return decision.precision != decisions.front().precision;
  });
  remark::missed(getJoinedLoc(family), getRemarkOptions(func))
      << remark::reason(
             "{0} layers read one input, but {1}", family.size(),
             byPolicy ? "the policy does not say the same about all of them"
                      : "only some of their parameters are trained");
  return groups;
}

LinearFuture MergeLinearsPass::getFuture(LinearOpInterface like) const {
  LinearFuture future;
  future.precision = precision;
  future.boundary = boundary;
  future.recipe = quantization;
  future.isFrozen = isFrozen(getWeight(like));
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
  LinearFuture future = getFuture(linears.front());
  Location loc = getJoinedLoc(linears);
  remark::RemarkOpts options = getRemarkOptions(func);
  const bool isFp8 = precision == ComputePrecision::FP8 &&
                     getDecision(linears.front()).precision != Precision::High;
  // What an optimizer does not update has copies for good, each parameter for
  // itself.
  if (isFp8 && future.isFrozen && future.optimizer &&
      !quantization.getStates(1).empty()) {
    remark::missed(loc, options) << remark::reason(
        "frozen, {0} layers that read one input keep their FP8 weights from "
        "step to step; as one product they would be quantized in every step",
        linears.size());
    return false;
  }
  CostComparison comparison(CostModel(func),
                            getLinearWork(linears, /*joined=*/true, future),
                            getLinearWork(linears, /*joined=*/false, future));
  comparison.named("Joined", "Separate");
  bool joins = comparison.favorsFused(clearly);
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
