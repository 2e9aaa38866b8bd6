// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RuntimeOpInterface of the te ops: their lowering to runtime calls.

#include "Collectives.h"
#include "Lowering.h"

#include "te/Conversion/Passes.h"
#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Support/ElementTypes.h"
#include "te/Support/MatrixView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <string_view>

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Ops with a tert counterpart
//===----------------------------------------------------------------------===//

namespace {

/// A te op and the tert op of the same name have the same operands, results and
/// attributes in the same order. Results that the runtime updates in place come
/// first; their old values are the last operands, which is where the tert op
/// has its first destinations.
template <typename Source, typename Target>
struct RuntimeTwin
    : RuntimeOpInterface::ExternalModel<RuntimeTwin<Source, Target>, Source> {
  LogicalResult lowerToRuntime(Operation *operation,
                               RewriterBase &rewriter) const {
    replace(cast<Source>(operation), rewriter);
    return success();
  }

  /// `more`: attributes that the te op does not have.
  static void replace(Source op, RewriterBase &rewriter,
                      ArrayRef<NamedAttribute> more = {}) {
    OperationState state(op.getLoc(), Target::getOperationName());
    state.addAttributes(more);
    // Operands and results come in groups, which are empty for missing optional
    // ones.
    unsigned numResultGroups = op->getNumResults();
    if constexpr (Source::template hasTrait<OpTrait::AttrSizedResultSegments>())
      numResultGroups = op.getProperties().resultSegmentSizes.size();
    constexpr unsigned numUpdated = Target::kNumUpdatedOutputs;
    unsigned numOperandGroups =
        Target::kNumOperandGroups + numUpdated - numResultGroups;
    SmallVector<int32_t> segments;
    for (unsigned group = 0; group != numOperandGroups; ++group)
      segments.push_back(llvm::size(op.getODSOperands(group)));
    for (unsigned group = numUpdated; group != numResultGroups; ++group)
      segments.push_back(llvm::size(op.getODSResults(group)));

    // Updated results may be missing, too, such as an optional state.
    unsigned numUpdatedResults = 0;
    for (unsigned group = 0; group != numUpdated; ++group)
      numUpdatedResults += llvm::size(op.getODSResults(group));
    state.addOperands(op->getOperands());
    for (Type type : llvm::drop_begin(op->getResultTypes(), numUpdatedResults))
      state.addOperands(createEmpty(rewriter, op.getLoc(), type));
    state.addTypes(op->getResultTypes());
    for (StringRef name : Target::getAttributeNames())
      if (Attribute attr = op->getAttr(name))
        state.addAttribute(name, attr);
    if constexpr (Target::template hasTrait<
                      OpTrait::AttrSizedOperandSegments>())
      state.addAttribute(Target::getOperandSegmentSizeAttr(),
                         rewriter.getDenseI32ArrayAttr(segments));
    rewriter.replaceOp(op, rewriter.create(state));
  }
};

/// The update of one parameter becomes one of lists with an entry each.
LogicalResult lower(UpdateOp op, RewriterBase &rewriter) {
  const int32_t copies = (op.getRowwise() ? tert::Rowwise : 0) |
                         (op.getColumnwise() ? tert::Columnwise : 0);
  // Only quantized results need a scale.
  if (!copies && op.getScale())
    rewriter.modifyOpInPlace(op, [&] { op.getScaleMutable().clear(); });
  // Copies, and scales of states, are those of a matrix, as the gradient then
  // is.
  if (op.getScale() || !op.getStateScales().empty())
    op.getGradientMutable().assign(
        viewAsMatrix(rewriter, op.getLoc(), op.getGradient()));
  auto list = [&](StringRef name, int32_t entry) {
    return rewriter.getNamedAttr(name, rewriter.getDenseI32ArrayAttr(entry));
  };
  RuntimeTwin<UpdateOp, tert::UpdateOp>::replace(
      op, rewriter,
      {rewriter.getNamedAttr(
           "rule", rewriter.getStringAttr(op.getOptimizer().getRuleName())),
       list("decays", op.getDecay()),
       list("copies", copies | (op.getAmax() ? tert::Amax : 0))});
  return success();
}

//===----------------------------------------------------------------------===//
// Ops without a counterpart
//===----------------------------------------------------------------------===//

/// True if a value is a state of the function with no other reader: a sum over
/// microbatches, say. An addition to it may reuse its buffer.
static bool isSpentState(Value value) {
  return value.hasOneUse() && getArgumentAttr(value, kStateAttr);
}

/// So if it is a product, lowered before, that is made for the addition alone:
/// the gradient of a weight from other rows.
static bool isSpentProduct(Value value) {
  return value.hasOneUse() && value.getDefiningOp<tert::ScaledMatmulOp>();
}

/// The result reuses the buffer of an addend, or starts from a copy of it.
LogicalResult lower(MatmulOp op, RewriterBase &rewriter) {
  Type type = op.getD().getType();
  Value addend = op.getAddend();
  Value d = addend ? addend : createEmpty(rewriter, op.getLoc(), type);
  rewriter.replaceOpWithNewOp<tert::MatmulOp>(
      op, type, op.getA(), op.getB(), op.getBias(), d, op.getTransposeA(),
      op.getTransposeB(), /*add_to_d=*/addend != nullptr);
  return success();
}

/// Each factor is followed by its scale.
LogicalResult lower(ScaledMatmulOp op, RewriterBase &rewriter) {
  Type type = op.getD().getType();
  Value addend = op.getAddend();
  Value d = addend && (isSpentState(addend) || isSpentProduct(addend))
                ? addend
                : createEmpty(rewriter, op.getLoc(), type);
  rewriter.replaceOpWithNewOp<tert::ScaledMatmulOp>(
      op, type, op.getA(), op.getAScaleInv(), op.getB(), op.getBScaleInv(),
      op.getBias(), addend, d, op.getAccumulateAttr());
  return success();
}

LogicalResult lower(ExpertMatmulOp op, RewriterBase &rewriter) {
  Type type = op.getD().getType();
  Value d = createEmpty(rewriter, op.getLoc(), type);
  rewriter.replaceOpWithNewOp<tert::ExpertMatmulOp>(
      op, type, op.getA(), op.getB(), op.getGroups(), d, op.getTransposeB(),
      op.isWgrad(), op.getAlignment());
  return success();
}

LogicalResult lower(ScaledExpertMatmulOp op, RewriterBase &rewriter) {
  Type type = op.getD().getType();
  Value d = createEmpty(rewriter, op.getLoc(), type);
  rewriter.replaceOpWithNewOp<tert::ScaledExpertMatmulOp>(
      op, type, op.getA(), op.getAScaleInv(), op.getB(), op.getBScaleInv(),
      op.getGroups(), d, op.getTransposeB(), op.isWgrad(), op.getAlignment(),
      op.getAccumulate());
  return success();
}

/// The runtime broadcasts the second operand over leading dimensions, so a
/// shorter `b` is added to `a` viewed as [M/P, P, N].
LogicalResult lower(AddOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getY().getType();
  int64_t rows = type.getDimSize(0);
  int64_t period = op.getB().getType().getDimSize(0);
  Value y =
      rows == period && op.getA().getType() == type && isSpentState(op.getA())
          ? op.getA()
          : createEmpty(rewriter, loc, type);
  if (rows == period) {
    rewriter.replaceOpWithNewOp<tert::AddOp>(op, type, op.getA(), op.getB(), y);
    return success();
  }
  SmallVector<ReassociationIndices> folding = {{0, 1}, {2}};
  auto unfold = [&](Value matrix) -> Value {
    auto type = cast<RankedTensorType>(matrix.getType());
    return tensor::ExpandShapeOp::create(
        rewriter, loc,
        RankedTensorType::get({rows / period, period, type.getDimSize(1)},
                              type.getElementType()),
        matrix, folding);
  };
  Value a = unfold(op.getA());
  y = unfold(y);
  Value sum = tert::AddOp::create(rewriter, loc, y.getType(), a, op.getB(), y)
                  ->getResult(0);
  rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(op, type, sum, folding);
  return success();
}

LogicalResult lower(UpdateScalesOp op, RewriterBase &rewriter) {
  DelayedScalingAttr recipe = op.getRecipe();
  rewriter.replaceOpWithNewOp<tert::UpdateScalesOp>(
      op, op->getResultTypes(), op.getAmaxes(), op.getScales(),
      op.getScaleInvs(), op.getHistory(), op.getNonfinite(), op.getFormats(),
      AmaxAlgoAttr::get(op.getContext(), recipe.getAlgo()),
      rewriter.getI32IntegerAttr(recipe.getMargin()));
  return success();
}

LogicalResult lower(RecordAmaxesOp op, RewriterBase &rewriter) {
  rewriter.replaceOpWithNewOp<tert::RecordAmaxesOp>(
      op, op->getResultTypes(), op.getAmaxes(), op.getHistory());
  return success();
}

LogicalResult lower(DropoutOp op, RewriterBase &rewriter) {
  if (!op.getSeed())
    return op.emitOpError()
           << "has no seed; te-build-entries gives the entries of a model "
              "one";
  return RuntimeTwin<DropoutOp, tert::DropoutOp>().lowerToRuntime(op, rewriter);
}

/// Uses the variant for shards if the result depends on the rank's position.
LogicalResult lower(AttentionOp op, RewriterBase &rewriter) {
  if (!op.getQueryAxes())
    return RuntimeTwin<AttentionOp, tert::AttentionOp>().lowerToRuntime(
        op, rewriter);
  return RuntimeTwin<AttentionOp, tert::AttentionPartOp>().lowerToRuntime(
      op, rewriter);
}

/// The two pieces of a sequence need memory for their terms of a gradient,
/// which the program plans: tert/ops.h documents its size.
static int64_t getTemporaryBytes(AttentionGradOp op) {
  if (!op.getBalanced() || (!op.getCausal() && op.getWindow() == 0))
    return 0;
  constexpr int64_t alignment = 256;
  int64_t parts = op.getCausal() ? 2 : 1, bytes = 0;
  auto add = [&](Value gradient, int64_t divisor) {
    auto type = cast<RankedTensorType>(gradient.getType());
    bytes += llvm::alignTo(type.getNumElements() / divisor *
                               (type.getElementTypeBitWidth() / 8),
                           alignment);
  };
  add(op.getDk(), parts);
  add(op.getDv(), parts);
  if (op.getDbias() && op.getDbias().getType().getDimSize(2) == 1)
    add(op.getDbias(), parts);
  if (op.getDsinks())
    add(op.getDsinks(), 1);
  return bytes;
}

LogicalResult lower(AttentionGradOp op, RewriterBase &rewriter) {
  if (!op.getQueryAxes())
    return RuntimeTwin<AttentionGradOp, tert::AttentionGradOp>().lowerToRuntime(
        op, rewriter);
  Location loc = op.getLoc();
  SmallVector<Type> types(op->getResultTypes());
  auto destination = [&](Value result) {
    return result ? createEmpty(rewriter, loc, result.getType()) : Value();
  };
  Value temporary;
  if (int64_t bytes = getTemporaryBytes(op)) {
    auto type = RankedTensorType::get({bytes}, rewriter.getI8Type());
    temporary = createEmpty(rewriter, loc, type);
    types.push_back(type);
  }
  auto call = tert::AttentionPartGradOp::create(
      rewriter, loc, types, op.getDO(), op.getQ(), op.getK(), op.getV(),
      op.getO(), op.getLse(), op.getBias(), op.getLengths(), op.getSinks(),
      destination(op.getDq()), destination(op.getDk()), destination(op.getDv()),
      destination(op.getDbias()), destination(op.getDsinks()), temporary,
      op.getScaleAttr(), op.getCausalAttr(), op.getLayoutAttr(),
      op.getWindowAttr(), op.getSoftcapAttr(), op.getQueryAxesAttr(),
      op.getBalancedAttr());
  rewriter.replaceOp(op, call->getResults().take_front(op->getNumResults()));
  return success();
}

/// A piece is a slice: no call, and after bufferization a view.
LogicalResult lower(SplitOp op, RewriterBase &rewriter) {
  SmallVector<Value> pieces;
  int64_t offset = 0;
  for (Type type : op.getPieces().getTypes()) {
    int64_t size = cast<RankedTensorType>(type).getDimSize(op.getAxis());
    pieces.push_back(
        sliceDim(rewriter, op.getLoc(), op.getX(), op.getAxis(), offset, size));
    offset += size;
  }
  rewriter.replaceOp(op, pieces);
  return success();
}

LogicalResult lower(tensor::ConcatOp op, RewriterBase &rewriter) {
  RankedTensorType type = op.getResultType();
  if (!type.hasStaticShape())
    return success();
  Value whole = createEmpty(rewriter, op.getLoc(), type);
  SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
  int64_t offset = 0;
  for (Value piece : op.getInputs()) {
    auto pieceType = cast<RankedTensorType>(piece.getType());
    offsets[op.getDim()] = rewriter.getIndexAttr(offset);
    offset += pieceType.getDimSize(op.getDim());
    // The verifier rejects an insertion at the end of a dimension, where an
    // empty piece may be.
    if (pieceType.getNumElements() == 0)
      continue;
    whole = tensor::InsertSliceOp::create(
        rewriter, op.getLoc(), piece, whole, offsets,
        getAsIndexOpFoldResult(op.getContext(), pieceType.getShape()), strides);
  }
  rewriter.replaceOp(op, whole);
  return success();
}

/// Conversions between f32 and bf16 tensors; the runtime rounds like arith.
template <typename Op>
LogicalResult lowerConversion(Op op, RewriterBase &rewriter) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  auto isFloat = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isF32() || element.isBF16();
  };
  if (!type || !isFloat(type) || !isFloat(op.getIn().getType()) ||
      getRoundingProblem(op))
    return success();
  Value y = createEmpty(rewriter, op.getLoc(), type);
  rewriter.replaceOpWithNewOp<tert::CopyOp>(op, type, op.getIn(), y);
  return success();
}

/// True if a signed integer of up to 64 bits is exact in a double: without
/// trailing zeros its bits fit a double's mantissa.
static bool isExactInDouble(const APInt &value) {
  APInt magnitude = value.abs();
  return magnitude.getActiveBits() <=
         magnitude.countr_zero() + std::numeric_limits<double>::digits;
}

/// A tensor of one value is filled when needed rather than stored. The runtime
/// takes the value as a double; values that are not exact in it are stored.
LogicalResult lower(arith::ConstantOp op, RewriterBase &rewriter) {
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  if (!splat || !isa<RankedTensorType>(splat.getType()))
    return success();
  Type element = splat.getElementType();
  double value;
  if (element.isF32() || element.isBF16())
    value = splat.getSplatValue<APFloat>().convertToDouble();
  else if ((element.isInteger(64) || element.isInteger(32)) &&
           isExactInDouble(splat.getSplatValue<APInt>()))
    value = splat.getSplatValue<APInt>().signedRoundToDouble();
  else
    return success();
  Value y = createEmpty(rewriter, op.getLoc(), op.getType());
  rewriter.replaceOpWithNewOp<tert::FillOp>(op, op.getType(), y,
                                            rewriter.getF64FloatAttr(value));
  return success();
}

} // namespace

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

template <typename... Ops> struct OpList {};
using RuntimeCalls = OpList<
#define GET_OP_LIST
#include "te/Dialect/TERT/IR/TERTOps.cpp.inc"
    >;

/// True if "te.NAME" and "tert.NAME" are the names of the ops.
template <typename Source, typename Target> constexpr bool haveOneName() {
  constexpr llvm::StringLiteral a = Source::getOperationName();
  constexpr llvm::StringLiteral b = Target::getOperationName();
  constexpr size_t aPrefix = sizeof("te.") - 1, bPrefix = sizeof("tert.") - 1;
  return std::string_view(a.data(), a.size()).substr(aPrefix) ==
         std::string_view(b.data(), b.size()).substr(bPrefix);
}

/// Makes Source and the runtime's op of its name twins, unless Source has
/// another lowering.
template <typename Source, typename... Targets>
static void attachTwin(MLIRContext *context, OpList<Targets...>) {
  OperationName name(Source::getOperationName(), context);
  if (name.hasInterface<RuntimeOpInterface>())
    return;
  auto attach = [&](auto *target) {
    using Target = std::remove_pointer_t<decltype(target)>;
    if constexpr (haveOneName<Source, Target>())
      Source::template attachInterface<RuntimeTwin<Source, Target>>(*context);
  };
  (attach(static_cast<Targets *>(nullptr)), ...);
}

template <typename... Sources> static void attachTwins(MLIRContext *context) {
  (attachTwin<Sources>(context, RuntimeCalls()), ...);
}

void mlir::te::registerRuntimeOpExternalModels(DialectRegistry &registry) {
  registerCollectiveRuntimeModels(registry);
  registry.addExtension(+[](MLIRContext *context, TEDialect *) {
    attachLowering<UpdateOp, lower>(context);
    attachLowering<MatmulOp, lower>(context);
    attachLowering<ScaledMatmulOp, lower>(context);
    attachLowering<ExpertMatmulOp, lower>(context);
    attachLowering<ScaledExpertMatmulOp, lower>(context);
    attachLowering<AddOp, lower>(context);
    attachLowering<AttentionOp, lower>(context);
    attachLowering<AttentionGradOp, lower>(context);
    attachLowering<SplitOp, lower>(context);
    attachLowering<UpdateScalesOp, lower>(context);
    attachLowering<RecordAmaxesOp, lower>(context);
    attachLowering<DropoutOp, lower>(context);
    attachTwins<
#define GET_OP_LIST
#include "te/Dialect/TE/IR/TEOps.cpp.inc"
        >(context);
    attachTwins<
#define GET_OP_LIST
#include "te/Dialect/TE/IR/TELayerOps.cpp.inc"
        >(context);
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    attachLowering<tensor::ConcatOp, lower>(context);
  });
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attachLowering<arith::TruncFOp, lowerConversion>(context);
    attachLowering<arith::ExtFOp, lowerConversion>(context);
    attachLowering<arith::ConstantOp, lower>(context);
  });
}
