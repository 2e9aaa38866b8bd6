// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-merge-linears: linear layers that read one input become one product.

#include "Precision/Layers.h"
#include "te/Analysis/Policy.h"
#include "te/Dialect/TE/IR/FrozenParameters.h"
#include "te/Dialect/TE/IR/LayerName.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEMERGELINEARS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "te-merge-linears"

using namespace mlir;
using namespace mlir::te;

static Value getInput(LinearOpInterface op) {
  return op->getOperand(op.getInputOperand());
}

static Value getWeight(LinearOpInterface op) {
  return op->getOperand(op.getWeightOperand());
}

/// Null without one.
static Value getBias(LinearOpInterface op) {
  std::optional<unsigned> number = op.getBiasOperand();
  return number ? op->getOperand(*number) : Value();
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
  /// Of fprop, dgrad and wgrad by the policy; nothing where no rule is about
  /// the product.
  std::array<std::optional<Precision>, 3> precision;
  bool freezesWeight, freezesBias;
  /// Where no rule is about it.
  bool isRouter = false;

  bool operator==(const LayerDecision &other) const {
    return precision == other.precision && isRouter == other.isRouter &&
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

namespace {
struct MergeLinearsPass
    : public te::impl::TEMergeLinearsBase<MergeLinearsPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    llvm::Expected<Policy> parsed = Policy::parse(policy);
    if (!parsed)
      return emitError(UnknownLoc::get(context))
             << llvm::toString(parsed.takeError());
    rules = std::move(*parsed);
    return success();
  }

  void runOnOperation() override;

private:
  LayerDecision getDecision(LinearOpInterface op);
  SmallVector<SmallVector<LinearOpInterface>>
  divide(ArrayRef<LinearOpInterface> family);
  bool canMerge(ArrayRef<LinearOpInterface> linears);
  remark::RemarkOpts getRemarkOptions() {
    return remark::RemarkOpts::name("Joined")
        .category("te-merge-linears")
        .function(getOperation().getName());
  }

  Policy rules;
  std::optional<Routers> routers;
};
} // namespace

void MergeLinearsPass::runOnOperation() {
  func::FuncOp func = getOperation();
  if (func.isDeclaration())
    return;
  routers.reset();
  if (separateRouters)
    routers.emplace(func);
  llvm::MapVector<LinearKey, SmallVector<LinearOpInterface>> families;
  for (auto op : func.getBody().front().getOps<LinearOpInterface>()) {
    if (!isLinearOfArguments(op)) {
      if (op.isLinear())
        LDBG() << "left, its weight or bias is computed: " << op;
      continue;
    }
    if (!policy.empty() && isa<Fp8OpInterface>(op.getOperation()) &&
        !getLayer(op)) {
      op->emitOpError() << "has no layer, by which the rules of a policy go; "
                           "run te-name-layers before te-merge-linears";
      return signalPassFailure();
    }
    families[getKey(op)].push_back(op);
  }
  for (auto &[key, family] : families)
    for (ArrayRef<LinearOpInterface> linears : divide(family)) {
      if (!canMerge(linears))
        continue;
      remark::passed(getJoinedLoc(linears), getRemarkOptions()) << remark::add(
          "{0} layers that read one input are one product", linears.size());
      merge(linears);
      numMerged += linears.size();
    }
  joinGates(func);
}

LayerDecision MergeLinearsPass::getDecision(LinearOpInterface op) {
  LayerDecision decision = {{},
                            isFrozen(getWeight(op)),
                            op.getBiasOperand() && isFrozen(getBias(op))};
  if (StringAttr layer = getLayer(op))
    for (auto [product, precision] :
         llvm::zip_equal(std::array{MatmulRole::Fprop, MatmulRole::Dgrad,
                                    MatmulRole::Wgrad},
                         decision.precision))
      if (const Policy::Rule *found = rules.lookup(layer, product))
        precision = found->precision;
  decision.isRouter = routers && !decision.precision.front() &&
                      routers->contains(op->getResult(0), getWeight(op));
  return decision;
}

/// The layers of a family about which the same is decided.
SmallVector<SmallVector<LinearOpInterface>>
MergeLinearsPass::divide(ArrayRef<LinearOpInterface> family) {
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
  const bool byRouters = llvm::any_of(decisions, [&](const auto &decision) {
    return decision.isRouter != decisions.front().isRouter;
  });
  remark::missed(getJoinedLoc(family), getRemarkOptions()) << remark::reason(
      "{0} layers read one input, but {1}", family.size(),
      byPolicy    ? "the policy does not say the same about all of them"
      : byRouters ? "only some of them are routers, which are not FP8"
                  : "only some of their parameters are trained");
  return groups;
}

bool MergeLinearsPass::canMerge(ArrayRef<LinearOpInterface> linears) {
  if (linears.size() < 2) {
    LDBG() << "left, no other layer of this form and these types reads its "
              "input: "
           << linears.front();
    return false;
  }
  const LayerDecision decision = getDecision(linears.front());
  const bool readsHighWeight =
      llvm::all_of(decision.precision, [](std::optional<Precision> precision) {
        return precision == Precision::High;
      });
  if (!separateFrozen || !decision.freezesWeight || readsHighWeight)
    return true;
  remark::missed(getJoinedLoc(linears), getRemarkOptions()) << remark::reason(
      "frozen, {0} layers that read one input have FP8 weights of their own; "
      "one product's would be put together and quantized in every step",
      linears.size());
  return false;
}
