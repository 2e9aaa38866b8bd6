// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-fuse-elementwise: merges arithmetic without a te op into few
// linalg.generic ops.

#include "Differentiation/ScalarAdjoint.h"
#include "MatchFailureLog.h"
#include "Raise/ScalarOperands.h"

#include "te/Analysis/GeneratedKernel.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Support/ScalarBuilder.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEFUSEELEMENTWISE
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "te-fuse-elementwise"

using namespace mlir;
using namespace mlir::te;

static bool isConversion(Operation *op) {
  return isa<arith::ExtFOp, arith::TruncFOp>(op);
}

/// Computes one element from one element of each operand.
using ElementFunction =
    function_ref<Value(OpBuilder &, Location, ValueRange arguments)>;

/// Replaces `op` by a linalg.generic of its operands. Operand dimensions of
/// size 1 are broadcast.
static void replaceByGeneric(PatternRewriter &rewriter, Operation *op,
                             ElementFunction build) {
  Location loc = op->getLoc();
  RankedTensorType type = tensorType(op->getResult(0));
  SmallVector<AffineMap> maps;
  for (Value operand : op->getOperands()) {
    SmallVector<AffineExpr> position;
    for (auto [dim, size] : llvm::enumerate(tensorType(operand).getShape()))
      position.push_back(size == type.getDimSize(dim)
                             ? rewriter.getAffineDimExpr(dim)
                             : rewriter.getAffineConstantExpr(0));
    maps.push_back(
        AffineMap::get(type.getRank(), 0, position, rewriter.getContext()));
  }
  maps.push_back(rewriter.getMultiDimIdentityMap(type.getRank()));
  Value init = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                       type.getElementType());
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, type, op->getOperands(), init, maps, loops,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(builder, loc,
                                build(builder, loc, arguments.drop_back()));
      });
  rewriter.replaceOp(op, generic.getResults());
}

static bool hasOnlyGenericUsers(Value value) {
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(), llvm::IsaPred<linalg::GenericOp>);
}

static bool isOnlyUseOfGeneric(Value value) {
  return value.hasOneUse() && value.getDefiningOp<linalg::GenericOp>();
}

namespace {

/// arith and math ops on tensors, except type conversions, which other passes
/// read.
struct GeneralizeArithmetic : RewritePattern {
  explicit GeneralizeArithmetic(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
        isConversion(op) || !isElementwiseOnTensors(op) ||
        !llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) ||
        !tensorType(op->getResult(0)).hasStaticShape())
      return rewriter.notifyMatchFailure(op, "no arithmetic on tensors");
    Type element = getElementTypeOrSelf(op->getResult(0));
    replaceByGeneric(rewriter, op,
                     [&](OpBuilder &builder, Location loc, ValueRange inputs) {
                       OperationState state(loc, op->getName());
                       state.addOperands(inputs);
                       state.addTypes(element);
                       state.addAttributes(op->getAttrs());
                       return builder.create(state)->getResult(0);
                     });
    return success();
  }
};

/// A conversion that an adjacent kernel can do while it reads or writes.
struct GeneralizeConversion : RewritePattern {
  explicit GeneralizeConversion(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isConversion(op) || !isElementwiseOnTensors(op) ||
        !tensorType(op->getResult(0)).hasStaticShape() ||
        !(hasOnlyGenericUsers(op->getResult(0)) ||
          isOnlyUseOfGeneric(op->getOperand(0))))
      return rewriter.notifyMatchFailure(op, "no conversion beside a kernel");
    Type element = getElementTypeOrSelf(op->getResult(0));
    replaceByGeneric(rewriter, op,
                     [&](OpBuilder &builder, Location loc, ValueRange inputs) {
                       return convertScalar(builder, loc, inputs[0], element);
                     });
    return success();
  }
};

/// te.add joins the kernel that reads its sum or makes one of its operands.
static LogicalResult generalizeAdd(AddOp op, PatternRewriter &rewriter) {
  int64_t repeated = op.getB().getType().getDimSize(0);
  if ((repeated != 1 && repeated != op.getY().getType().getDimSize(0)) ||
      !(hasOnlyGenericUsers(op.getY()) || isOnlyUseOfGeneric(op.getA()) ||
        isOnlyUseOfGeneric(op.getB())))
    return rewriter.notifyMatchFailure(op, "no sum beside a kernel");
  Type element = op.getY().getType().getElementType();
  replaceByGeneric(
      rewriter, op,
      [&](OpBuilder &builder, Location loc, ValueRange inputs) -> Value {
        // The sum is computed in the wider type.
        Type wide = builder.getF32Type();
        Value sum = arith::AddFOp::create(
            builder, loc, convertScalar(builder, loc, inputs[0], wide),
            convertScalar(builder, loc, inputs[1], wide));
        return convertScalar(builder, loc, sum, element);
      });
  return success();
}

/// An activation that only kernels read becomes part of them. One that a matrix
/// product reads stays: its runtime op writes FP8 copies.
struct GeneralizeActivation : OpRewritePattern<ActivationOp> {
  using OpRewritePattern::OpRewritePattern;

  static bool isSimple(ActivationKind kind) {
    return kind == ActivationKind::Relu || kind == ActivationKind::Sigmoid ||
           kind == ActivationKind::Tanh;
  }

  LogicalResult matchAndRewrite(ActivationOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op->getNumOperands() != 1 || !op.getY() ||
        !isSimple(op.getKind()) || !hasOnlyGenericUsers(op.getY()))
      return rewriter.notifyMatchFailure(op, "no activation before a kernel");
    Type element = getElementTypeOrSelf(op.getY());
    replaceByGeneric(
        rewriter, op,
        [&](OpBuilder &builder, Location loc, ValueRange inputs) -> Value {
          Type wide = builder.getF32Type();
          auto number = [&](double value) -> Value {
            return arith::ConstantOp::create(builder, loc,
                                             builder.getFloatAttr(wide, value));
          };
          Value x = convertScalar(builder, loc, inputs[0], wide), y;
          if (op.getKind() == ActivationKind::Tanh) {
            y = math::TanhOp::create(builder, loc, x);
          } else if (op.getKind() == ActivationKind::Relu) {
            Value positive = arith::CmpFOp::create(
                builder, loc, arith::CmpFPredicate::UGT, x, number(0.0));
            y = arith::SelectOp::create(builder, loc, positive, x, number(0.0));
          } else {
            Value inverse = math::ExpOp::create(
                builder, loc, arith::NegFOp::create(builder, loc, x));
            y = arith::DivFOp::create(
                builder, loc, number(1.0),
                arith::AddFOp::create(builder, loc, number(1.0), inverse));
          }
          return convertScalar(builder, loc, y, element);
        });
    return success();
  }
};

/// linalg.broadcast and other named ops that move or compute single elements.
/// Transposes are copies that the runtime makes faster.
struct GeneralizeNamed : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp, linalg::TransposeOp, linalg::FillOp>(
            op.getOperation()) ||
        !op.hasPureTensorSemantics() || !linalg::isElementwise(op))
      return rewriter.notifyMatchFailure(op, "no named elementwise op");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

} // namespace

/// True if the op only widens its operand.
static bool onlyWidens(linalg::GenericOp op) {
  Block *body = op.getBody();
  return op.getNumDpsInputs() == 1 && isa<arith::ExtFOp>(body->front()) &&
         body->front().getNextNode() == body->getTerminator();
}

/// Ops of a kernel that is not joined any further. One more then saves little,
/// as all before read and write memory once; and rebuilding a body for every op
/// that joins it, as fusion does, and LLVM's work on one block are quadratic in
/// its length.
static constexpr size_t kMostOpsInKernel = 128;

/// Producers join their only reader. Booleans, widened values, and values
/// without operands are recomputed wherever they are read: a comparison costs
/// less than its byte in memory, and the narrow type is less to read.
static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  if (!producer)
    return false;
  auto consumer = cast<linalg::GenericOp>(operand->getOwner());
  if (producer.getBody()->getOperations().size() +
          consumer.getBody()->getOperations().size() >
      kMostOpsInKernel) {
    LDBG() << "apart, together more than " << kMostOpsInKernel
           << " ops: " << producer.getLoc() << " and " << consumer.getLoc();
    return false;
  }
  // A reduction that reads an element several times would compute it as often.
  if (consumer.getNumReductionLoops() > 0 &&
      consumer.getMatchingIndexingMap(operand).getNumResults() <
          consumer.getNumLoops() &&
      !onlyWidens(producer) && producer.getNumDpsInputs() > 0) {
    LDBG() << "apart, the reduction reads each element several times: "
           << producer.getLoc() << " and " << consumer.getLoc();
    return false;
  }
  if (getElementTypeOrSelf(operand->get()).isInteger(1) ||
      producer.getNumDpsInputs() == 0 || onlyWidens(producer))
    return true;
  const bool isOnlyReader =
      llvm::all_of(producer->getUsers(), [&](Operation *user) {
        return user == operand->getOwner();
      });
  if (!isOnlyReader)
    LDBG() << "apart, others read the value, too: " << producer.getLoc()
           << " and " << consumer.getLoc();
  return isOnlyReader;
}

/// A producer that asks for loop counters gets them as affine.apply of its
/// reader's, which is not arithmetic that kernels are made of.
static void expandCounters(func::FuncOp function) {
  function.walk([](affine::AffineApplyOp apply) {
    if (!apply->getParentOfType<linalg::GenericOp>())
      return;
    OpBuilder builder(apply);
    AffineMap map = apply.getAffineMap();
    OperandRange operands = apply.getMapOperands();
    Value counter =
        affine::expandAffineExpr(builder, apply.getLoc(), map.getResult(0),
                                 operands.take_front(map.getNumDims()),
                                 operands.drop_front(map.getNumDims()));
    apply.replaceAllUsesWith(counter);
    apply.erase();
  });
}

namespace {
struct TEFuseElementwise : te::impl::TEFuseElementwiseBase<TEFuseElementwise> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    set.add<GeneralizeArithmetic, GeneralizeConversion>(context)
        .add(generalizeAdd)
        .add<GeneralizeActivation, GeneralizeNamed>(context);
    populateScalarOperandPatterns(set);
    linalg::populateElementwiseOpsFusionPatterns(set, shouldFuse);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    // Everything else stays in place: a constant that moves to the front is a
    // buffer that lives longer.
    MatchFailureLog log("te-fuse-elementwise");
    GreedyRewriteConfig config;
    config.setListener(&log);
    config.enableFolding(false).enableConstantCSE(false);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(getOperation(), patterns, config)))
      return signalPassFailure();
    expandCounters(getOperation());
    getOperation().walk([&](linalg::GenericOp) { ++numGenerics; });
  }

private:
  FrozenRewritePatternSet patterns;
};
} // namespace
