// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-join-dimensions, and the views with fewer dimensions that it makes.

#include "JoinDimensions.h"

#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/IR/ViewOps.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "tert/types.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/DebugLog.h"

#include <numeric>

namespace mlir::te {
#define GEN_PASS_DEF_TERTJOINDIMENSIONS
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-join-dimensions"

using namespace mlir;
using namespace mlir::te;

bool mlir::te::hasStaticLayout(Value memref) {
  SmallVector<int64_t> strides;
  int64_t offset;
  auto type = dyn_cast<MemRefType>(memref.getType());
  return type && succeeded(tert::getStridesAndOffset(type, strides, offset)) &&
         !ShapedType::isDynamic(offset) &&
         llvm::none_of(strides, ShapedType::isDynamic);
}

bool mlir::te::hasStaticLayouts(Operation *op) {
  return llvm::all_of(op->getOperands(), [](Value value) {
    auto type = dyn_cast<MemRefType>(value.getType());
    return type && type.hasStaticShape() && hasStaticLayout(value);
  });
}

bool mlir::te::hasManyDimensions(Value memref) {
  return cast<MemRefType>(memref.getType()).getRank() > TERT_MAX_RANK;
}

SmallVector<Value> mlir::te::joinDimensions(OpBuilder &builder, Location loc,
                                            ValueRange memrefs) {
  struct Layout {
    int64_t offset;
    SmallVector<int64_t> strides, joined;
  };
  SmallVector<Layout> layouts(memrefs.size());
  for (auto [layout, memref] : llvm::zip(layouts, memrefs))
    (void)tert::getStridesAndOffset(cast<MemRefType>(memref.getType()),
                                    layout.strides, layout.offset);

  ArrayRef<int64_t> shape =
      cast<MemRefType>(memrefs.front().getType()).getShape();
  SmallVector<unsigned> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return layouts.back().strides[a] > layouts.back().strides[b];
  });
  SmallVector<int64_t> sizes;
  for (unsigned dim : order) {
    if (shape[dim] == 1)
      continue;
    bool joins =
        !sizes.empty() && llvm::all_of(layouts, [&](const Layout &layout) {
          return layout.joined.back() == layout.strides[dim] * shape[dim];
        });
    if (joins)
      sizes.back() *= shape[dim];
    else
      sizes.push_back(shape[dim]);
    for (Layout &layout : layouts) {
      if (joins)
        layout.joined.pop_back();
      layout.joined.push_back(layout.strides[dim]);
    }
  }

  SmallVector<Value> views;
  for (auto [layout, memref] : llvm::zip(layouts, memrefs)) {
    auto type = MemRefType::get(
        sizes, cast<MemRefType>(memref.getType()).getElementType(),
        StridedLayoutAttr::get(builder.getContext(), layout.offset,
                               layout.joined));
    views.push_back(memref::ReinterpretCastOp::create(
        builder, loc, type, memref, layout.offset, sizes, layout.joined));
  }
  return views;
}

/// Copies and fills of more dimensions than the runtime's tensors have use
/// views with fewer; a copy that none describes becomes loops, which are a
/// kernel later.
static void joinManyDimensions(Block &block) {
  for (auto fill : block.getOps<tert::FillOp>())
    if (hasStaticLayouts(fill) && hasManyDimensions(fill.getY())) {
      OpBuilder builder(fill);
      fill.getYMutable().assign(
          joinDimensions(builder, fill.getLoc(), fill.getY()).front());
    }
  auto copies = llvm::to_vector(block.getOps<tert::CopyOp>());
  for (tert::CopyOp copy : copies) {
    if (!hasStaticLayouts(copy) || !hasManyDimensions(copy.getY()))
      continue;
    OpBuilder builder(copy);
    SmallVector<Value> views =
        joinDimensions(builder, copy.getLoc(), {copy.getX(), copy.getY()});
    if (hasManyDimensions(views[1])) {
      LDBG() << "becomes loops, no view has few enough dimensions: " << copy;
      linalg::CopyOp::create(builder, copy.getLoc(), views[0], views[1]);
      copy.erase();
      continue;
    }
    copy.getXMutable().assign(views[0]);
    copy.getYMutable().assign(views[1]);
  }
}

namespace {
struct TERTJoinDimensions
    : te::impl::TERTJoinDimensionsBase<TERTJoinDimensions> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      joinManyDimensions(block);
  }
};
} // namespace
