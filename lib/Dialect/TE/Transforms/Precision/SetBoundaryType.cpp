// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-set-boundary-type: passes matrices to and from entries in a narrow type.

#include "Precision/FoldConversions.h"
#include "Training/EntryEditor.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Support/Callers.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::te {
#define GEN_PASS_DEF_TESETBOUNDARYTYPE
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
/// Narrows arguments and results of a function, whose body keeps the original
/// types.
class BoundaryRewriter {
public:
  BoundaryRewriter(func::FuncOp func, FloatType type)
      : func(func), type(type) {}

  void run();

  unsigned narrowed = 0;

private:
  RankedTensorType getNarrowType(BlockArgument argument);
  RankedTensorType getNarrowType(OpOperand &result);
  void narrowArguments();
  void narrowResults();

  func::FuncOp func;
  FloatType type;
  /// Maps a parameter, and the output that is its gradient, to whether it is a
  /// matrix.
  llvm::StringMap<bool> params, gradients;
};
} // namespace

/// The value of a discardable attribute that names an argument or a result.
static StringRef getName(DictionaryAttr attrs, StringRef kind) {
  auto name = attrs ? attrs.getAs<StringAttr>(kind) : StringAttr();
  return name ? name.getValue() : StringRef();
}

/// A gain stored as [1, 1, H] is a vector: small, and required in float32 by
/// norms and biases.
static bool isMatrix(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::count_if(tensor.getShape(),
                                  [](int64_t size) { return size > 1; }) >= 2;
}

/// Null if the argument keeps its type.
RankedTensorType BoundaryRewriter::getNarrowType(BlockArgument argument) {
  auto tensor = dyn_cast<RankedTensorType>(argument.getType());
  if (!tensor || !tensor.getElementType().isF32())
    return {};
  DictionaryAttr attrs = func.getArgAttrDict(argument.getArgNumber());
  StringRef param = getName(attrs, kParamAttr);
  bool narrow = param.empty() ? !getName(attrs, kInputAttr).empty() &&
                                    tensor.getRank() >= 2
                              : params.lookup(param);
  return narrow ? tensor.clone(type) : RankedTensorType();
}

/// A gradient has the type of its parameter.
RankedTensorType BoundaryRewriter::getNarrowType(OpOperand &result) {
  auto tensor = dyn_cast<RankedTensorType>(result.get().getType());
  if (!tensor || !tensor.getElementType().isF32())
    return {};
  StringRef name =
      getName(func.getResultAttrDict(result.getOperandNumber()), kOutputAttr);
  if (name.empty())
    return {};
  auto gradient = gradients.find(name);
  bool narrow =
      gradient == gradients.end() ? tensor.getRank() >= 2 : gradient->second;
  return narrow ? tensor.clone(type) : RankedTensorType();
}

void BoundaryRewriter::narrowArguments() {
  auto builder = OpBuilder::atBlockBegin(&func.getBody().front());
  for (BlockArgument argument : func.getArguments()) {
    RankedTensorType narrow = getNarrowType(argument);
    if (!narrow)
      continue;
    Type wide = argument.getType();
    argument.setType(narrow);
    auto extension =
        arith::ExtFOp::create(builder, argument.getLoc(), wide, argument);
    argument.replaceAllUsesExcept(extension, extension);
    ++narrowed;
  }
}

void BoundaryRewriter::narrowResults() {
  Operation *end = func.getBody().front().getTerminator();
  OpBuilder builder(end);
  for (OpOperand &result : end->getOpOperands()) {
    RankedTensorType narrow = getNarrowType(result);
    if (!narrow)
      continue;
    result.set(arith::TruncFOp::create(builder, result.get().getLoc(), narrow,
                                       result.get()));
    ++narrowed;
  }
}

void BoundaryRewriter::run() {
  for (BlockArgument argument : func.getArguments()) {
    StringRef param =
        getName(func.getArgAttrDict(argument.getArgNumber()), kParamAttr);
    if (!param.empty())
      params[param] = gradients[getGradientName(param)] =
          isMatrix(argument.getType());
  }
  narrowArguments();
  narrowResults();
  Block &body = func.getBody().front();
  func.setType(FunctionType::get(func.getContext(), body.getArgumentTypes(),
                                 body.getTerminator()->getOperandTypes()));
}

namespace {
struct SetBoundaryTypePass
    : public te::impl::TESetBoundaryTypeBase<SetBoundaryTypePass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateFoldConversionsPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    if (type == "f32")
      return;
    if (failed(check()))
      return signalPassFailure();
    auto element = BFloat16Type::get(&getContext());
    // Folds and moves nothing else: a constant that moves to the front is a
    // buffer that lives longer.
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func.isExternal())
        continue;
      BoundaryRewriter rewriter(func, element);
      rewriter.run();
      numNarrowed += rewriter.narrowed;
      if (failed(applyPatternsGreedily(func, patterns, config)))
        return signalPassFailure();
    }
  }

private:
  LogicalResult check();

  FrozenRewritePatternSet patterns;
};
} // namespace

LogicalResult SetBoundaryTypePass::check() {
  ModuleOp module = getOperation();
  if (type != "bf16")
    return emitError(module.getLoc())
           << "te-set-boundary-type takes the types bf16 and f32, not '" << type
           << "'";
  for (auto func : module.getOps<func::FuncOp>()) {
    if (!func.isDeclaration() && !func.getBody().hasOneBlock())
      return func.emitOpError()
             << "has control flow; te-set-boundary-type takes straight-line "
                "functions";
    if (auto entry = func->getAttrOfType<StringAttr>(kEntryAttr);
        entry && entry == "train")
      return func.emitOpError()
             << "trains: an optimizer's parameters are masters in float32, "
             << "which bf16 cannot hold; build the entries grad, vjp or forward"
             << " for a bf16 boundary";
  }
  if (failed(refuseCallers(module, "calls a function whose types "
                                   "te-set-boundary-type changes; run the "
                                   "pass 'inline' first")))
    return failure();
  WalkResult result = module.walk([](RegionOp region) {
    region.emitOpError() << "is there already; te-set-boundary-type comes "
                         << "before te-partition";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
