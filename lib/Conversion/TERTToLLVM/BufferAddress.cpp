// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BufferAddress.h"

#include "te/Dialect/TERT/IR/ViewOps.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te;

bool mlir::te::isStaticView(Operation *op) {
  return isa<memref::SubViewOp, memref::ExpandShapeOp, memref::CollapseShapeOp,
             memref::CastOp, memref::ReinterpretCastOp, memref::TransposeOp,
             memref::ViewOp, tert::BytesOp>(op);
}

FailureOr<BufferAddress> mlir::te::getBufferAddress(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(tert::getStridesAndOffset(type, strides, offset)) ||
      ShapedType::isDynamic(offset))
    return emitError(memref.getLoc())
           << "a buffer of type " << type << " has no static address";
  // A view's type has the offset from the base that it shares with its source;
  // only memref.view starts a new base inside another buffer.
  int64_t bytes = offset * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  while (Operation *op = memref.getDefiningOp()) {
    if (isa<memref::GetGlobalOp, tert::LocatePartOp>(op))
      break;
    if (!isStaticView(op))
      return op->emitOpError() << "is not a buffer with a static address; "
                                  "tert-plan-memory places "
                                  "buffers before this pass";
    if (auto view = dyn_cast<memref::ViewOp>(op)) {
      IntegerAttr shift;
      if (!matchPattern(view.getByteShift(), m_Constant(&shift)))
        return op->emitOpError() << "has an offset that is not a constant";
      bytes += shift.getInt();
    }
    memref = op->getOperand(0);
  }
  return BufferAddress{memref, bytes};
}

FailureOr<BufferLayout> mlir::te::getBufferLayout(Operation *user,
                                                  Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  BufferLayout layout{
      type.getElementType(), llvm::to_vector(type.getShape()), {}};
  int64_t offset;
  if (failed(tert::getStridesAndOffset(type, layout.strides, offset)) ||
      llvm::any_of(layout.strides, ShapedType::isDynamic))
    return user->emitOpError()
           << "has an operand of type " << type << " without static strides";
  return layout;
}
