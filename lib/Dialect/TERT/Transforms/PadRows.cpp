// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-pad-rows: matrices whose rows all start at aligned addresses.

#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEPADROWS
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

/// Rows that are a multiple of this many bytes are aligned well enough for
/// every matrix unit.
static constexpr int64_t kNeededAlignment = 16;

static int64_t getRowBytes(MemRefType type) {
  return type.getShape().back() *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// Whether only runtime calls and generated kernels use the buffer, which take
/// any distance of rows, and a product among them.
static bool isMatrixOfProduct(memref::AllocOp alloc) {
  bool inProduct = false;
  for (Operation *user : alloc->getUsers()) {
    if (!isa<tert::RuntimeCallOpInterface, linalg::GenericOp>(user))
      return false;
    inProduct |= isa<tert::MatmulOp>(user);
  }
  return inProduct;
}

namespace {
struct TEPadRows : te::impl::TEPadRowsBase<TEPadRows> {
  using Base::Base;

  void runOnOperation() override {
    if (rowBytes <= 0 || rowBytes % kNeededAlignment != 0) {
      getOperation().emitError()
          << "te-pad-rows: row-bytes must be a positive multiple of "
          << kNeededAlignment << ", got " << rowBytes.getValue();
      return signalPassFailure();
    }
    SmallVector<memref::AllocOp> allocs;
    getOperation().walk([&](memref::AllocOp op) { allocs.push_back(op); });
    for (memref::AllocOp alloc : allocs)
      if (wantsPadding(alloc))
        pad(alloc);
  }

private:
  bool wantsPadding(memref::AllocOp alloc) const {
    MemRefType type = alloc.getType();
    return type.getRank() == 2 && type.hasStaticShape() &&
           type.getLayout().isIdentity() && type.getDimSize(0) > 1 &&
           type.getElementType().isIntOrFloat() &&
           getRowBytes(type) >= rowBytes &&
           getRowBytes(type) % kNeededAlignment != 0 &&
           isMatrixOfProduct(alloc);
  }

  void pad(memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    int64_t elementBytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    int64_t cols = llvm::alignTo(getRowBytes(type), rowBytes) / elementBytes;
    OpBuilder builder(alloc);
    auto padded =
        MemRefType::get({type.getDimSize(0), cols}, type.getElementType());
    Value rows = memref::AllocOp::create(builder, alloc.getLoc(), padded);
    SmallVector<OpFoldResult> offsets(2, builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(2, builder.getIndexAttr(1));
    Value matrix = memref::SubViewOp::create(
        builder, alloc.getLoc(), rows, offsets,
        getAsIndexOpFoldResult(builder.getContext(), type.getShape()), strides);
    alloc.replaceAllUsesWith(matrix);
    alloc.erase();
    ++numPadded;
  }
};
} // namespace
