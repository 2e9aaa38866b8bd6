// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TERT/IR/ViewOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::tert;

#define GET_OP_CLASSES
#include "te/Dialect/TERT/IR/TERTViewOps.cpp.inc"

LogicalResult tert::getStridesAndOffset(MemRefType type,
                                        SmallVectorImpl<int64_t> &strides,
                                        int64_t &offset) {
  if (!type.getLayout().isIdentity() || !llvm::is_contained(type.getShape(), 0))
    return type.getStridesAndOffset(strides, offset);
  offset = 0;
  strides.assign(type.getRank(), 1);
  for (int64_t dim = type.getRank() - 1; dim > 0; --dim)
    strides[dim - 1] =
        strides[dim] * std::max<int64_t>(type.getDimSize(dim), 1);
  return success();
}

Value LocatePartOp::getViewSource() { return getWhole(); }

/// Elements from the first to one past the last; nullopt if unknown.
static std::optional<int64_t> getExtent(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type.hasStaticShape() ||
      failed(getStridesAndOffset(type, strides, offset)))
    return std::nullopt;
  int64_t extent = 1;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides)) {
    int64_t last;
    if (ShapedType::isDynamic(stride) || stride < 0 ||
        llvm::MulOverflow<int64_t>(size - 1, stride, last) ||
        llvm::AddOverflow(extent, last, extent))
      return std::nullopt;
  }
  return type.getNumElements() == 0 ? 0 : extent;
}

Value BytesOp::getViewSource() { return getBuffer(); }

LogicalResult BytesOp::verify() {
  auto type = cast<MemRefType>(getBuffer().getType());
  auto bytes = cast<MemRefType>(getBytes().getType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrFloat() || !bytes.hasStaticShape() ||
      !bytes.getLayout().isIdentity() ||
      bytes.getNumElements() !=
          type.getNumElements() *
              llvm::divideCeil(type.getElementTypeBitWidth(), 8))
    return emitOpError() << "makes " << bytes << " of " << type
                         << "; expects all bytes of a contiguous buffer";
  return success();
}

LogicalResult LocatePartOp::verify() {
  auto whole = cast<MemRefType>(getWhole().getType());
  auto part = cast<MemRefType>(getPart().getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(getStridesAndOffset(part, strides, offset)) || offset != 0)
    return emitOpError() << "makes " << part
                         << "; expects one whose offset is 0, which is where "
                            "the rank's shard begins";
  if (part.getElementType() != whole.getElementType())
    return emitOpError() << "makes " << part << " of " << whole
                         << "; expects one element type";
  if (getRanks() < 1 || getDistance() < 0)
    return emitOpError() << "has " << getRanks() << " ranks at a distance of "
                         << getDistance()
                         << " elements; expects at least one rank, and a "
                            "distance that is not negative";
  std::optional<int64_t> available = getExtent(whole), needed = getExtent(part);
  int64_t last;
  if (!available || !needed ||
      llvm::MulOverflow<int64_t>(getRanks() - 1, getDistance(), last) ||
      llvm::AddOverflow(last, *needed, last) || last > *available)
    return emitOpError() << "has shards that do not all lie in " << whole
                         << ": expects static layouts, and that of the last "
                            "of "
                         << getRanks() << " ranks to end in it";
  return success();
}
