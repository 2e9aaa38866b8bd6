// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-set-compute-type: converts activations to a narrow type; the rest stays
// float32.

#include "Precision/FoldConversions.h"
#include "te/Dialect/TE/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/DebugLog.h"

#include <cmath>

namespace mlir::te {
#define GEN_PASS_DEF_TESETCOMPUTETYPE
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "te-set-compute-type"

using namespace mlir;
using namespace mlir::te;

namespace {
/// Retypes the values of one function, in program order: an op's operands have
/// their final types when the op is visited.
class ComputeTypeRewriter {
public:
  ComputeTypeRewriter(MLIRContext *context, FloatType type)
      : builder(context), type(type) {}

  void run(func::FuncOp func);

  unsigned narrowed = 0;
  unsigned casts = 0;

private:
  void visit(Operation *op);
  void visitCompute(MixedPrecisionOpInterface op);
  bool visitMovement(Operation *op);
  bool visitGeneric(Operation *op);
  void restoreOperands(Operation *op);
  void foldTruncations(Block &block);

  bool isWide(Value value);
  void narrowResult(OpResult result);
  Value narrow(Value value);
  Value cast(Value value, FloatType to);

  OpBuilder builder;
  FloatType type;
  /// The original type of a narrowed value.
  llvm::DenseMap<Value, Type> original;
  /// Existing casts; the first user's position dominates the later ones.
  llvm::DenseMap<std::pair<Value, Type>, Value> castOf;
};
} // namespace

bool ComputeTypeRewriter::isWide(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  auto element =
      tensor ? dyn_cast<FloatType>(tensor.getElementType()) : FloatType();
  return element && element.getWidth() > type.getWidth();
}

void ComputeTypeRewriter::narrowResult(OpResult result) {
  if (!isWide(result))
    return;
  original[result] = result.getType();
  result.setType(mlir::cast<RankedTensorType>(result.getType()).clone(type));
  ++narrowed;
}

/// Converts `value` to another element type before the visited op.
Value ComputeTypeRewriter::cast(Value value, FloatType to) {
  auto from = mlir::cast<FloatType>(getElementTypeOrSelf(value));
  if (from == to)
    return value;
  Value &result = castOf[{value, to}];
  if (!result) {
    Type target = mlir::cast<RankedTensorType>(value.getType()).clone(to);
    Location loc = value.getLoc();
    if (from.getWidth() > to.getWidth())
      result = arith::TruncFOp::create(builder, loc, target, value);
    else
      result = arith::ExtFOp::create(builder, loc, target, value);
    ++casts;
  }
  return result;
}

Value ComputeTypeRewriter::narrow(Value value) {
  return isWide(value) ? cast(value, type) : value;
}

void ComputeTypeRewriter::visitCompute(MixedPrecisionOpInterface op) {
  SmallVector<unsigned> numbers = op.getComputeOperands();
  for (unsigned number : numbers)
    if (number < op->getNumOperands())
      op->setOperand(number, narrow(op->getOperand(number)));
  // Vectors, such as a computed bias, keep their original type: some must be
  // float32.
  for (OpOperand &operand : op->getOpOperands())
    if (auto before =
            dyn_cast_or_null<ShapedType>(original.lookup(operand.get()));
        before && before.getRank() == 1 &&
        !llvm::is_contained(numbers, operand.getOperandNumber()))
      operand.set(cast(operand.get(),
                       mlir::cast<FloatType>(getElementTypeOrSelf(before))));
  for (unsigned number : op.getComputeResults())
    if (number < op->getNumResults())
      narrowResult(op->getResult(number));
}

/// Ops that move data take the type of their operands, of several the narrow
/// one; an insertion takes the type of its destination.
bool ComputeTypeRewriter::visitMovement(Operation *op) {
  auto movement = dyn_cast<DataMovementOpInterface>(op);
  if (!movement)
    return false;
  auto overwriting = dyn_cast<DestinationStyleOpInterface>(op);
  SmallVector<unsigned> numbers = movement.getMovedOperands();
  SmallVector<unsigned> decisive =
      llvm::filter_to_vector(numbers, [&](unsigned number) {
        return overwriting && overwriting.isDpsInit(&op->getOpOperand(number));
      });
  bool isNarrow =
      llvm::any_of(decisive.empty() ? numbers : decisive, [&](unsigned number) {
        return original.contains(op->getOperand(number));
      });
  if (!isNarrow) {
    restoreOperands(op);
    return true;
  }
  SmallVector<Value> values = llvm::map_to_vector(
      numbers, [&](unsigned number) { return narrow(op->getOperand(number)); });
  Operation *moved = movement.moveOthers(builder, values);
  for (auto [before, after] :
       llvm::zip(op->getResults(), moved->getResults())) {
    original[after] = before.getType();
    ++narrowed;
  }
  op->replaceAllUsesWith(moved);
  op->erase();
  return true;
}

/// A kernel reads every float type and computes in float32. Elementwise results
/// of activations are activations; sums over activations stay in float32.
bool ComputeTypeRewriter::visitGeneric(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || !generic.hasPureTensorSemantics())
    return false;
  // Captured values keep their type.
  for (Operation &inner : *generic.getBody())
    restoreOperands(&inner);
  bool readsNarrow = false;
  OpBuilder inside = OpBuilder::atBlockBegin(generic.getBody());
  for (OpOperand *input : generic.getDpsInputOperands()) {
    readsNarrow |= getElementTypeOrSelf(input->get()) == type;
    if (!original.contains(input->get()))
      continue;
    BlockArgument argument = generic.getMatchingBlockArgument(input);
    Type before = argument.getType();
    argument.setType(type);
    if (argument.use_empty())
      continue;
    auto widened =
        arith::ExtFOp::create(inside, op->getLoc(), before, argument);
    argument.replaceAllUsesExcept(widened, widened);
  }
  if (!readsNarrow || generic.getNumParallelLoops() != generic.getNumLoops()) {
    if (readsNarrow)
      LDBG() << "keeps its type, a reduction: " << op->getLoc();
    for (OpOperand &init : generic.getDpsInitsMutable())
      if (Type before = original.lookup(init.get()))
        init.set(cast(init.get(),
                      mlir::cast<FloatType>(getElementTypeOrSelf(before))));
    return true;
  }
  Operation *yield = generic.getBody()->getTerminator();
  inside.setInsertionPoint(yield);
  for (auto [i, result] : llvm::enumerate(generic->getResults())) {
    OpOperand *init = generic.getDpsInitOperand(i);
    BlockArgument argument = generic.getMatchingBlockArgument(init);
    if (!isWide(result) || !argument.use_empty())
      continue;
    auto shape = mlir::cast<RankedTensorType>(result.getType()).getShape();
    init->set(tensor::EmptyOp::create(builder, op->getLoc(), shape, type));
    argument.setType(type);
    yield->setOperand(i, arith::TruncFOp::create(inside, op->getLoc(), type,
                                                 yield->getOperand(i)));
    narrowResult(result);
  }
  return true;
}

/// Restores the original types of the operands, and captured values, of an op
/// without MixedPrecisionOpInterface.
void ComputeTypeRewriter::restoreOperands(Operation *op) {
  op->walk([&](Operation *nested) {
    for (OpOperand &operand : nested->getOpOperands())
      if (Type before = original.lookup(operand.get()))
        operand.set(cast(operand.get(),
                         mlir::cast<FloatType>(getElementTypeOrSelf(before))));
  });
}

void ComputeTypeRewriter::visit(Operation *op) {
  builder.setInsertionPoint(op);
  if (auto compute = dyn_cast<MixedPrecisionOpInterface>(op))
    return visitCompute(compute);
  // Other ops, and the function's results, keep their original types.
  if (!visitMovement(op) && !visitGeneric(op)) {
    if (!op->hasTrait<OpTrait::IsTerminator>())
      LDBG() << "keeps its types, no MixedPrecisionOpInterface: "
             << op->getName() << " at " << op->getLoc();
    restoreOperands(op);
  }
}

/// A truncation to the compute type in the original function by now reads a
/// value that was widened for it.
void ComputeTypeRewriter::foldTruncations(Block &block) {
  for (auto truncf :
       llvm::make_early_inc_range(block.getOps<arith::TruncFOp>())) {
    Value narrow = getWidenedValue(truncf);
    if (!narrow)
      continue;
    Operation *extf = truncf.getIn().getDefiningOp();
    truncf.replaceAllUsesWith(narrow);
    truncf.erase();
    if (extf->use_empty())
      extf->erase();
  }
}

/// Finite constants beyond the type's range become its largest numbers. Masks
/// often use the lowest float32 number: as an infinity it would make a softmax
/// NaN if a row is fully masked.
static void saturateConstants(func::FuncOp func, FloatType type) {
  float most = APFloat::getLargest(type.getFloatSemantics()).convertToFloat();
  auto isBeyond = [&](float x) {
    return std::isfinite(x) && std::abs(x) > most;
  };
  auto saturate = [&](float x) {
    return isBeyond(x) ? std::copysign(most, x) : x;
  };
  func.walk([&](arith::ConstantOp constant) {
    if (!getElementTypeOrSelf(constant.getType()).isF32())
      return;
    if (auto number = dyn_cast<FloatAttr>(constant.getValue())) {
      float x = number.getValue().convertToFloat();
      if (isBeyond(x))
        constant.setValueAttr(FloatAttr::get(number.getType(), saturate(x)));
    } else if (auto data = dyn_cast<DenseElementsAttr>(constant.getValue())) {
      auto values = data.getValues<float>();
      if (llvm::none_of(values, isBeyond))
        return;
      SmallVector<float> saturated = llvm::map_to_vector(values, saturate);
      constant.setValueAttr(
          DenseElementsAttr::get(data.getType(), ArrayRef(saturated)));
    }
  });
}

void ComputeTypeRewriter::run(func::FuncOp func) {
  saturateConstants(func, type);
  for (Block &block : func.getBody()) {
    castOf.clear();
    for (Operation &op : llvm::make_early_inc_range(block))
      visit(&op);
    foldTruncations(block);
  }
}

namespace {
struct SetComputeTypePass
    : public te::impl::TESetComputeTypeBase<SetComputeTypePass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    if (type == "bf16" || type == "f32")
      return success();
    return emitError(UnknownLoc::get(context))
           << "te-set-compute-type takes the types bf16 and f32, not '" << type
           << "'";
  }

  void runOnOperation() override {
    if (type == "f32")
      return;
    func::FuncOp func = getOperation();
    WalkResult result = func.walk([](RegionOp region) {
      region.emitOpError() << "is there already; te-set-compute-type comes "
                           << "before te-partition";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    ComputeTypeRewriter rewriter(&getContext(),
                                 BFloat16Type::get(&getContext()));
    rewriter.run(func);
    numNarrowed += rewriter.narrowed;
    numCasts += rewriter.casts;
  }
};
} // namespace
