// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models of the interfaces in TERTMemoryInterfaces.td.

#include "te/Dialect/TERT/IR/MemoryInterfaces.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Memory/Passes.h"

using namespace mlir;
using namespace mlir::te::tert;

//===----------------------------------------------------------------------===//
// In-place results
//===----------------------------------------------------------------------===//

static OpOperand *getIfAlike(OpOperand &input, OpOperand &init) {
  auto type = cast<ShapedType>(input.get().getType());
  auto initType = cast<ShapedType>(init.get().getType());
  return type.getElementType() == initType.getElementType() &&
                 type.getShape() == initType.getShape()
             ? &input
             : nullptr;
}

namespace {
struct RopeInPlace
    : InPlaceCallOpInterface::ExternalModel<RopeInPlace, RopeOp> {
  OpOperand *getOverwritableInput(Operation *op, OpOperand &init) const {
    return getIfAlike(cast<RopeOp>(op).getXMutable(), init);
  }
};

struct AddInPlace : InPlaceCallOpInterface::ExternalModel<AddInPlace, AddOp> {
  OpOperand *getOverwritableInput(Operation *op, OpOperand &init) const {
    return getIfAlike(cast<AddOp>(op).getAMutable(), init);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Independent rows
//===----------------------------------------------------------------------===//

/// True if a call has scales of blocks, which are not split with its rows.
static bool hasBlockScales(Operation *op) {
  auto call = cast<RuntimeCallOpInterface>(op);
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return call.getOperandName(operand).contains("scale") &&
           cast<ShapedType>(operand.get().getType()).getRank() != 0;
  });
}

namespace {
struct ScaledMatmulRows
    : RowwiseCallOpInterface::ExternalModel<ScaledMatmulRows, ScaledMatmulOp> {
  RowUse getRowUse(Operation *op, OpOperand &operand) const {
    if (hasBlockScales(op))
      return RowUse::None;
    // By name, not by value: a matrix may be both factors.
    StringRef name = cast<RuntimeCallOpInterface>(op).getOperandName(operand);
    return name == "a" || name == "d" || name == "addend" ? RowUse::Rows
                                                          : RowUse::None;
  }
};

/// Ops whose matrices all have the rows, and quantized copies.
template <typename Op>
struct ElementwiseRows
    : RowwiseCallOpInterface::ExternalModel<ElementwiseRows<Op>, Op> {
  RowUse getRowUse(Operation *op, OpOperand &operand) const {
    if (hasBlockScales(op))
      return RowUse::None;
    StringRef name = cast<RuntimeCallOpInterface>(op).getOperandName(operand);
    if (name == "columnwise" || name == "y_columnwise")
      return RowUse::Columns;
    if (name == "amax")
      return RowUse::Maximum;
    if (name == "dbias")
      return RowUse::Sum;
    return name == "scale" || name == "y_scale" ? RowUse::None : RowUse::Rows;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Recomputable copies
//===----------------------------------------------------------------------===//

/// True if the gradient has all operands of the call, so that it can also make
/// the copy.
static bool readsSame(GatedActivationOp call, GatedActivationGradOp gradient) {
  return !call.getUp() && !gradient.getUp() && gradient.getX() == call.getX() &&
         gradient.getKind() == call.getKind() &&
         gradient.getUpFirst() == call.getUpFirst();
}

static bool readsSame(RMSNormOp call, RMSNormGradOp gradient) {
  return gradient.getX() == call.getX() &&
         gradient.getGamma() == call.getGamma() &&
         gradient.getRstd() == call.getRstd() &&
         gradient.getZeroCentered() == call.getZeroCentered();
}

/// The gradient and the copy in one call.
static Operation *createBoth(OpBuilder &builder, GatedActivationOp call,
                             GatedActivationGradOp gradient) {
  return GatedActivationGradRecomputeOp::create(
      builder, gradient.getLoc(), TypeRange(), gradient.getDy(),
      gradient.getX(), call.getScale(), gradient.getScale(), gradient.getDx(),
      gradient.getRowwise(), gradient.getColumnwise(), gradient.getAmax(),
      gradient.getDbias(), call.getColumnwise(), gradient.getKind(),
      gradient.getUpFirst());
}

static Operation *createBoth(OpBuilder &builder, RMSNormOp call,
                             RMSNormGradOp gradient) {
  return RMSNormGradRecomputeOp::create(
      builder, gradient.getLoc(), TypeRange(), gradient.getDy(),
      gradient.getX(), gradient.getGamma(), gradient.getRstd(), call.getScale(),
      gradient.getResidual(), gradient.getScale(), gradient.getDx(),
      gradient.getDgamma(), gradient.getRowwise(), gradient.getColumnwise(),
      gradient.getAmax(), call.getColumnwise(), gradient.getZeroCentered());
}

namespace {
/// The gradient that can make the copy of a call; void if none can.
template <typename Op> struct GradientOf {
  using type = void;
};
template <> struct GradientOf<GatedActivationOp> {
  using type = GatedActivationGradOp;
};
template <> struct GradientOf<RMSNormOp> {
  using type = RMSNormGradOp;
};

template <typename Op>
struct QuantizingCall
    : RecomputableCallOpInterface::ExternalModel<QuantizingCall<Op>, Op> {
  using Gradient = typename GradientOf<Op>::type;

  Value getLaterCopy(Operation *op) const {
    return cast<Op>(op).getRowwise() ? cast<Op>(op).getColumnwise() : Value();
  }

  Operation *recompute(Operation *op, OpBuilder &builder) const {
    auto later = cast<Op>(builder.clone(*op));
    later.getRowwiseMutable().clear();
    later.getAmaxMutable().clear();
    clearOthers(later, builder);
    cast<Op>(op).getColumnwiseMutable().clear();
    return later;
  }

  bool canRecomputeIn(Operation *op, Operation *other) const {
    if constexpr (std::is_void_v<Gradient>)
      return false;
    else if (auto gradient = dyn_cast<Gradient>(other))
      return readsSame(cast<Op>(op), gradient);
    return false;
  }

  Operation *recomputeIn(Operation *op, OpBuilder &builder,
                         Operation *other) const {
    if constexpr (std::is_void_v<Gradient>) {
      return nullptr;
    } else {
      auto call = cast<Op>(op);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(other);
      Operation *both = createBoth(builder, call, cast<Gradient>(other));
      call.getColumnwiseMutable().clear();
      other->erase();
      return both;
    }
  }

private:
  static void clearOthers(QuantizeOp op, OpBuilder &) {
    op.getDbiasMutable().clear();
  }
  static void clearOthers(ActivationOp op, OpBuilder &) {
    op.getYMutable().clear();
  }
  static void clearOthers(GatedActivationOp op, OpBuilder &) {
    op.getYMutable().clear();
  }
  static void clearOthers(RMSNormOp op, OpBuilder &builder) {
    op.getYMutable().clear();
    discard(op.getRstdMutable(), builder);
  }
  static void clearOthers(LayerNormOp op, OpBuilder &builder) {
    op.getYMutable().clear();
    discard(op.getMeanMutable(), builder);
    discard(op.getRstdMutable(), builder);
  }
  /// Redirects a result that the call makes in any case to a dead buffer.
  static void discard(OpOperand &init, OpBuilder &builder) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(init.getOwner());
    auto type = cast<MemRefType>(init.get().getType());
    init.set(memref::AllocOp::create(
        builder, init.getOwner()->getLoc(),
        MemRefType::get(type.getShape(), type.getElementType())));
  }
};
} // namespace

void te::tert::registerMemoryCallExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TERTDialect *) {
    RopeOp::attachInterface<RopeInPlace>(*context);
    AddOp::attachInterface<AddInPlace>(*context);
    ScaledMatmulOp::attachInterface<ScaledMatmulRows>(*context);
    ActivationOp::attachInterface<ElementwiseRows<ActivationOp>>(*context);
    ActivationGradOp::attachInterface<ElementwiseRows<ActivationGradOp>>(
        *context);
    GatedActivationOp::attachInterface<ElementwiseRows<GatedActivationOp>>(
        *context);
    GatedActivationGradOp::attachInterface<
        ElementwiseRows<GatedActivationGradOp>>(*context);
    GatedActivationGradRecomputeOp::attachInterface<
        ElementwiseRows<GatedActivationGradRecomputeOp>>(*context);
    QuantizeOp::attachInterface<ElementwiseRows<QuantizeOp>,
                                QuantizingCall<QuantizeOp>>(*context);
    RMSNormOp::attachInterface<QuantizingCall<RMSNormOp>>(*context);
    LayerNormOp::attachInterface<QuantizingCall<LayerNormOp>>(*context);
    ActivationOp::attachInterface<QuantizingCall<ActivationOp>>(*context);
    GatedActivationOp::attachInterface<QuantizingCall<GatedActivationOp>>(
        *context);
  });
}
